package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
)

// covered is the program, built so that it says which code it executes.
type covered struct{ binary, folder string }

func newCovered(t *testing.T) covered {
	conformance.Long(t) // builds the program with coverage
	c := covered{filepath.Join(t.TempDir(), "harness"), t.TempDir()}
	if runtime.GOOS == "windows" {
		c.binary += ".exe"
	}
	build := exec.Command("go", "build", "-cover", "-coverpkg=./...", "-o", c.binary, "./cmd/harness")
	build.Dir = filepath.Join("..", "..") // where ./... is everything
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return c
}

// start starts a command whose coverage goes to a new folder, which it returns.
func (c covered) start(t *testing.T, words ...string) (*exec.Cmd, string) {
	dir := t.TempDir()
	cmd := exec.Command(c.binary, words...)
	cmd.Dir, cmd.Env = c.folder, append(os.Environ(), "GOCOVERDIR="+dir)
	return cmd, dir
}

// blocks returns the pieces of code that commands executed, and the processes that they started.
func (c covered) blocks(t *testing.T, dir string) map[string]bool {
	profile := filepath.Join(t.TempDir(), "profile")
	out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+profile).CombinedOutput()
	require.NoError(t, err, string(out))
	data, err := os.ReadFile(profile)
	require.NoError(t, err)
	executed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) == 3 && words[2] != "0" {
			executed[words[0]] = true
		}
	}
	return executed
}

// run executes a command and returns the packages and the files that it passes through, without what
// every start does.
func (c covered) run(t *testing.T, words ...string) (packages, files map[string]bool) {
	cmd, dir := c.start(t, words...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return c.passed(t, dir)
}

func (c covered) passed(t *testing.T, dir string) (packages, files map[string]bool) {
	bare, bareDir := c.start(t, "merge", "--no-such-flag")
	require.Error(t, bare.Run())
	always := c.blocks(t, bareDir)
	packages, files = map[string]bool{}, map[string]bool{}
	for block := range c.blocks(t, dir) {
		if file, _, _ := strings.Cut(block, ":"); !always[block] {
			files[file] = true
			packages[strings.TrimPrefix(path.Dir(file), "queens/")] = true
		}
	}
	return packages, files
}

// The sections of ARCHITECTURE.md that follow a question, a run and a click name, as numbered steps, only
// packages that are passed through, and leave none out.
func TestWalks(t *testing.T) {
	c := newCovered(t)
	page, err := os.ReadFile("../../ARCHITECTURE.md")
	require.NoError(t, err)
	config := filepath.Join(c.folder, "walk.yaml")
	require.NoError(t, os.WriteFile(config, []byte("name: walk\nquestion: Where does a run pass?\ntask: valid-cells\n"+
		"axes: {n: 8, placed: 2, backend: [bdd, sat]}\n"), 0o644))
	everywhere := walkOf(string(page), "A question on the command line")

	packages, files := c.run(t, "valid", "-n", "8", "--place", "b1")
	everywhere.compare(t, "valid", packages, files)

	packages, files = c.run(t, "run", config, "--out", filepath.Join(c.folder, "results"))
	more, _ := c.run(t, "report", filepath.Join(c.folder, "results"))
	for pkg := range more {
		packages[pkg] = true
	}
	walkOf(string(page), "A run of an experiment").with(everywhere).compare(t, "run and report", packages, files)

	serve, dir := c.start(t, "serve", "--addr", "127.0.0.1:0")
	said, err := serve.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	address := regexp.MustCompile(`http://[^/]+`).FindString(line)
	for _, click := range []string{`{"n":8,"placed":["b1"],"counts":true}`, `{"n":4,"placed":["a1"]}`} {
		reply, err := http.Post(address+"/api/v1/board", "application/json", bytes.NewBufferString(click))
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, reply.StatusCode, click)
		require.NoError(t, reply.Body.Close())
	}
	require.NoError(t, serve.Process.Signal(os.Interrupt))
	_ = serve.Wait() // interrupted
	packages, files = c.passed(t, dir)
	walkOf(string(page), "A click on the page").with(everywhere).compare(t, "click", packages, files)
}

// walk is what a section of the page names.
type walk struct {
	most     int             // files that it passes through, as the page says
	steps    []string        // numbered: must be passed through
	mentions map[string]bool // may be passed through
}

// walkOf reads a section.
func walkOf(page, heading string) walk {
	_, section, _ := strings.Cut(page, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	w := walk{mentions: map[string]bool{}}
	if said := regexp.MustCompile(`passes\s+through\s+at\s+most\s+(\d+)\s+files`).FindStringSubmatch(section); said != nil {
		w.most, _ = strconv.Atoi(said[1])
	}
	for _, step := range regexp.MustCompile("(?m)^[0-9]+\\. \\*\\*`([a-z0-9/]+)`\\*\\*").FindAllStringSubmatch(section, -1) {
		w.steps = append(w.steps, step[1])
	}
	for _, word := range regexp.MustCompile("`([a-z0-9/]+)`").FindAllStringSubmatch(section, -1) {
		w.mentions[word[1]] = true
	}
	return w
}

// with adds what another section mentions.
func (w walk) with(other walk) walk {
	for pkg := range other.mentions {
		w.mentions[pkg] = true
	}
	return w
}

func (w walk) compare(t *testing.T, what string, packages, files map[string]bool) {
	t.Logf("%s passes through %d files of %d packages", what, len(files), len(packages))
	assert.NotEmpty(t, w.steps, what)
	assert.LessOrEqual(t, len(files), w.most, "%s passes through more files than the page says", what)
	assert.Greater(t, len(files), w.most-10, "%s passes through fewer files: say so on the page", what)
	for _, step := range w.steps {
		assert.True(t, packages[step], "%s does not pass through the step %s", what, step)
	}
	for pkg := range packages {
		assert.True(t, w.mentions[pkg], fmt.Sprintf("%s passes through %s, which the page does not name", what, pkg))
	}
}
