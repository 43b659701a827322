package record

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
)

func TestEnvironmentTellsTheProgram(t *testing.T) {
	e := Observe(config.Spec{Name: "x", Task: "toy"})
	assert.Equal(t, "queens", e.Module)
	assert.Len(t, e.Code, 16)
	assert.NotEmpty(t, e.CPU)
	assert.NotZero(t, e.MemoryBytes)
	assert.Contains(t, []string{"true", "false", "unknown"}, e.Modified)
	assert.Equal(t, e.ID, e.identity(), "the same each time")
	f := e
	f.Started, f.Load = "later", "99"
	assert.Equal(t, e.ID, f.identity())
	f.CPU = "abacus"
	assert.NotEqual(t, e.ID, f.identity())
	assert.Equal(t, []string{"cpu: " + e.CPU + ", now abacus"}, e.Difference(f))
	assert.True(t, e.sameProgram(f))
	f.Code = "x"
	e.Revision, f.Revision, e.Modified, f.Modified = "r", "r", "false", "false"
	assert.True(t, e.sameProgram(f), "the same revision, built differently")
	f.Modified = "true"
	assert.False(t, e.sameProgram(f))
	data, err := json.Marshal(e)
	require.NoError(t, err)
	for _, key := range []string{"go_version", "module_versions", "revision", "modified", "cpu", "cores", "memory_bytes",
		"os", "started", "config_hash"} {
		assert.Contains(t, string(data), `"`+key+`":`)
	}
}

// Our git commands do not write to the source tree: a git that is killed while it refreshes
// its index leaves a lock there, and every later git command fails.
func TestGitWritesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("replaces git by a shell script")
	}
	dir := t.TempDir()
	said := filepath.Join(dir, "said")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >>%s\necho 0123\n", said)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	var e Environment
	e.askGit(dir)
	asked, err := os.ReadFile(said)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(asked)), "\n")
	require.Len(t, lines, 2)
	assert.Contains(t, lines[0], "rev-parse")
	assert.True(t, strings.HasPrefix(lines[1], "--no-optional-locks "), lines[1])
}
