package registry

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode"
)

// The commands of docs/bring-your-own.md, as they are written.
func TestBringYourOwnCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the harness")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "docs", "bring-your-own.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, 1)
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "harness"), "./cmd/harness")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	script := strings.ReplaceAll(blocks[0][1], "-o toy", "-o "+filepath.Join(folder, "toy"))
	script = strings.ReplaceAll(script, "./toy", filepath.Join(folder, "toy"))
	shell := exec.Command("sh", "-euc", script)
	shell.Dir = root
	shell.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err = shell.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "by per-cell in")
	assert.Contains(t, string(out), `"formula": "whole"`)

	// The same toy under the list's options.
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	made, err := New[backends.ValidFinder](context.Background(), "sat", p, Options{Solver: filepath.Join(folder, "toy")})
	require.NoError(t, err)
	defer Close(made)
	found, err := made.Valid(context.Background(), nil, "")
	require.NoError(t, err)
	assert.Len(t, found.Possible, 8)
	_, version := DescribeSolver(context.Background(), filepath.Join(folder, "toy"))
	assert.Equal(t, "toy 1.0", version)
}
