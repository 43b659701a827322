package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra/doc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var manualDir = flag.String("manual", "", "folder for the manual pages of a release; by default they are only checked")

// Every command has a manual page, which man's own checker finds nothing wrong with. The pages of a
// release are written here, since what writes them would make every start of the program slower.
// Their date is that of SOURCE_DATE_EPOCH, so that they are reproducible.
func TestManualPages(t *testing.T) {
	dir := *manualDir
	if dir == "" {
		dir = t.TempDir()
	}
	header := &doc.GenManHeader{Section: "1", Source: "queens", Manual: "queens"}
	require.NoError(t, doc.GenManTree(newRoot(), header, dir))
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
