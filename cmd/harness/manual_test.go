package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every command has a manual page, which man's own checker finds nothing wrong with.
func TestManualPages(t *testing.T) {
	dir := t.TempDir()
	root := newRoot("manual")
	root.SetArgs([]string{"manual", dir})
	require.NoError(t, root.Execute())
	pages, err := filepath.Glob(filepath.Join(dir, "harness*.1"))
	require.NoError(t, err)
	assert.Greater(t, len(pages), 20)
	groff, err := exec.LookPath("groff")
	if err != nil {
		require.NotEqual(t, "1", os.Getenv("NO_SKIP"), "groff is missing")
		t.Skip("groff is not installed: apt-get install groff-base")
	}
	for _, page := range pages {
		cmd := exec.Command(groff, "-man", "-Tascii", "-ww", "-z", page)
		warnings, err := cmd.CombinedOutput()
		assert.NoError(t, err, page)
		assert.Empty(t, string(warnings), page)
	}
}
