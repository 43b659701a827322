package record

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A small program is built repeatedly: changing its code, an embedded file or a table
// changes the hash, and an unrelated commit does not.
func TestCodeHash(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	command := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a",
			"GIT_COMMITTER_EMAIL=a@b", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %v: %s", name, args, out)
	}
	exe := filepath.Join(t.TempDir(), "program")
	build := func(change string) string {
		command("git", "add", "-A")
		command("git", "commit", "-q", "--allow-empty", "-m", change)
		command("go", "build", "-buildvcs=true", "-o", exe, ".")
		code, err := codeHash(exe)
		require.NoError(t, err)
		assert.Len(t, code, 16)
		return code
	}
	const program = `package main

import (
	_ "embed"
	"os"
)

//go:embed order.txt
var order string

var table = [...]int64{1, 2, 3, 5}

func main() { os.Exit(len(order) + int(table[len(os.Args)])) }
`
	command("git", "init", "-q")
	write("go.mod", "module program\n\ngo 1.26\n")
	write("order.txt", "a1 b2 c3\n")
	write("main.go", program)
	first := build("the program")
	write("README", "Not part of the program.\n")
	assert.Equal(t, first, build("another revision"))

	seen := map[string]string{first: "the program"}
	for what, change := range map[string]func(){
		"an embedded file": func() { write("order.txt", "a1 c3 b2\n") },
		"a table":          func() { write("main.go", replaced(t, program, "{1, 2, 3, 5}", "{1, 2, 4, 5}")) },
		"the code":         func() { write("main.go", replaced(t, program, "len(order) +", "len(order) -")) },
	} {
		write("order.txt", "a1 b2 c3\n")
		write("main.go", program)
		change()
		code := build(what)
		assert.NotContains(t, seen, code, what)
		seen[code] = what
	}
}

func replaced(t *testing.T, text, old, by string) string {
	require.Contains(t, text, old)
	return strings.Replace(text, old, by, 1)
}
