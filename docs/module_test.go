package docs

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// make module renames the module: every package of the copy is found under its new path, and none under the old.
func TestModuleIsRenamed(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the sources and vets some")
	}
	for _, program := range []string{"git", "make", "perl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	// files that are not yet added, too: a new package is renamed before its first commit
	tracked, err := exec.Command("git", "-C", "..", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate",
		"-z", "--", ".", ":!results").Output()
	if err != nil {
		t.Skip("not a git work tree")
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(tracked), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join("..", name))
		if errors.Is(err, fs.ErrNotExist) { // removed, and not yet committed
			continue
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	run := func(program string, args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run("make", "module", "MODULE=example.org/you/queens")
	packages := strings.Fields(run("go", "list", "-deps", "./..."))
	assert.Contains(t, packages, "example.org/you/queens/cmd/harness")
	for _, path := range packages {
		assert.False(t, strings.HasPrefix(path, "queens/"), path)
	}
	run("go", "vet", "./board", "./internal/param")
	run("make", "module", "MODULE=example.org/you/other") // and once more
	assert.Contains(t, run("go", "list", "./order"), "example.org/you/other/order")
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		content, err := os.ReadFile(path)
		assert.False(t, bytes.Contains(content, []byte(`"queens/`)), path)
		return err
	}))
}
