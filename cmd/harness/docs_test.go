//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/internal/repotest"
)

// block is a fenced block of a document.
type block struct {
	notRun string   // commands that are not run, or "all"; from a comment above the block, with the reason
	saveAs string   // the file's name, if the text above says "Save this as"
	lang   string   // sh for commands
	lines  []string // without the fences
}

var (
	fenced = regexp.MustCompile("(?s)(?:Save this as\\s`([^`]+)`:\n\n)?(?:<!-- not run(?: \\((.+?)\\))?: (.+?) -->\n)?```(\\w*)\n(.*?)```\n")
	timed  = regexp.MustCompile(`[0-9.]+[µmn]?s$`)
)

func blocksOf(text string) (list []block) {
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		b := block{notRun: m[2], saveAs: m[1], lang: m[4], lines: strings.Split(strings.TrimSuffix(m[5], "\n"), "\n")}
		if m[3] != "" && m[2] == "" {
			b.notRun = "all"
		}
		list = append(list, b)
	}
	return list
}

// Every command of every document works as it stands there, one after the other, in a folder with
// the shipped configurations, records and examples, and with the files that the documents tell the
// reader to save. Where text follows, it is what the commands print: all of it from one, its last
// line from each of several. What is not run is marked in the document, with the reason.
func TestCommandsOfDocuments(t *testing.T) {
	const root = "../.."
	files, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	require.NoError(t, err)
	documents := map[string][]block{}
	var saved strings.Builder
	for _, name := range append(files, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		short, err := filepath.Rel(root, name)
		require.NoError(t, err)
		if strings.HasPrefix(short, "docs/src") {
			continue // a template; its document comes, too
		}
		documents[short] = blocksOf(string(text))
		for _, b := range documents[short] {
			if b.saveAs != "" {
				fmt.Fprintf(&saved, "-- %s --\n%s\n", b.saveAs, single(strings.Join(b.lines, "\n")))
			}
		}
	}
	// What records must hold afterwards.
	also := map[string]string{
		"docs/learn/first-experiment.md": "exists results/spiral/report/index.html\n",
		"docs/do/order.md":               "grep 'file:middle.order#[0-9a-f]+,' results/mine-order/records.csv\n",
		"docs/do/solver.md": "grep 'toy 1.0 \\(backends/sat/solvers/testdata/toy.sh\\)' results/mine-solvers/records.csv\n" +
			"! grep ',(wrong|error|timeout|killed),' results/mine-solvers/records.csv\n",
		"docs/do/package.md": "grep 'toy 1.0 \\(awk ' results/mine-engines/records.csv\n" +
			"! grep ',(wrong|error|timeout|killed),' results/mine-engines/records.csv\n",
		"docs/do/counter.md": "grep ',ok,.*,outside,toy,|,outside,toy,.*,ok,' results/mine-counters/records.csv\n",
		"docs/do/cluster.md": "exists results/spiral-merged/records.csv\n",
	}
	ran := 0
	for name, blocks := range documents {
		script := scriptOf(t, name, blocks)
		ran += strings.Count(script, "exec ")
		if script == "" || testing.Short() && name != "README.md" || !conformance.Slow && name == "docs/do/solver.md" {
			continue // the solver is a shell script
		}
		file := filepath.Join(t.TempDir(), strings.NewReplacer("/", "-", ".md", ".txtar").Replace(name))
		require.NoError(t, os.WriteFile(file, []byte(script+also[name]+saved.String()), 0o644))
		testscript.Run(t, testscript.Params{Files: []string{file}, Setup: shippedFiles(t, root)})
	}
	assert.Greater(t, ran, 50)
}

// scriptOf returns the document's commands as a test script.
func scriptOf(t *testing.T, name string, blocks []block) string {
	var script strings.Builder
	for i, b := range blocks {
		if b.lang != "sh" || b.notRun == "all" {
			continue
		}
		var commands []string
		for _, line := range b.lines {
			command := strings.TrimPrefix(strings.Replace(line, "go run ./cmd/harness", "harness", 1), "./")
			if b.notRun != "" && startsWithAny(line, strings.Split(b.notRun, ", ")) {
				continue
			}
			require.True(t, strings.HasPrefix(command, "harness "), "%s: %q is no command of ours: mark the block <!-- not run: REASON -->", name, line)
			commands = append(commands, command)
		}
		var printed []string
		if i+1 < len(blocks) && blocks[i+1].lang == "text" && blocks[i+1].saveAs == "" {
			printed = blocks[i+1].lines
		}
		for j, command := range commands {
			fmt.Fprintf(&script, "exec %s\n", command)
			own := printed
			if len(commands) > 1 {
				end := max(0, len(printed)-len(commands)+j+1)
				own = printed[max(0, end-1):end]
				if j == 0 {
					own = printed[:end]
				}
			}
			for _, line := range own {
				pattern := timed.ReplaceAllString(line, "TIME")
				pattern = strings.Replace(regexp.QuoteMeta(pattern), "TIME", `[0-9.]+[µmn]?s`, 1)
				fmt.Fprintf(&script, "stdout '^.*%s$'\n", strings.ReplaceAll(pattern, "'", "''"))
			}
		}
	}
	return script.String()
}

func startsWithAny(line string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) })
}

// single reduces a configuration's repeats and seeds to one each.
func single(config string) string {
	return regexp.MustCompile(`(?m)^(repeats|  seed): \S+$`).ReplaceAllString(config, "$1: 1")
}

// shippedFiles copies what commands of documents read into a script's folder. Records are linked.
func shippedFiles(t *testing.T, root string) func(*testscript.Env) error {
	return func(env *testscript.Env) error {
		if err := repotest.Copy(t, root, env.WorkDir, "configs", "docs/examples", "docs/src", "docs/results",
			"backends/sat/solvers/testdata", "backends/bdd/packages/testdata"); err != nil {
			return err
		}
		for _, main := range []string{"ordering.yaml", "valid-cells.yaml"} {
			name := filepath.Join(env.WorkDir, "configs", main)
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(name, []byte(single(string(text))), 0o644); err != nil {
				return err
			}
		}
		reference, err := filepath.Abs(filepath.Join(root, "results", "reference"))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(env.WorkDir, "results"), 0o755); err != nil {
			return err
		}
		return os.Symlink(reference, filepath.Join(env.WorkDir, "results", "reference"))
	}
}

// What documents do with records in Python works as it stands there. R is run by hand.
func TestPythonOfDocuments(t *testing.T) {
	pythons := []string{"python3", "/usr/bin/python3"} // Debian's package is for Debian's Python, which need not be the first
	at := slices.IndexFunc(pythons, func(p string) bool { return exec.Command(p, "-c", "import pandas").Run() == nil })
	if at < 0 {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatal("missing: install the Debian package python3-pandas")
		}
		t.Skip("skipped: install the Debian package python3-pandas")
	}
	const root = "../.."
	files, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	require.NoError(t, err)
	ran := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, b := range blocksOf(string(text)) {
			if b.lang != "python" {
				continue
			}
			python := exec.Command(pythons[at], "-c", strings.Join(b.lines, "\n"))
			python.Dir = root
			out, err := python.CombinedOutput()
			require.NoError(t, err, "%s: %s", name, out)
			assert.Regexp(t, `(?s)\n8 .* row-major +2451\.0 .*\n9 `, string(out), name)
			ran++
		}
	}
	assert.Equal(t, 1, ran)
}
