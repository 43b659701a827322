package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Packed twice, into two folders, an archive has the same bytes. It contains what a user
// needs, and the program runs and prints its version.
func TestReleaseIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the harness")
	}
	t.Chdir("../..")
	const target = "linux/amd64"
	r := release{version: "v0.0.0-test", date: time.Unix(1_750_000_000, 0).UTC()}
	var archives [][]byte
	for range 2 {
		r.out = t.TempDir()
		require.NoError(t, r.pack([]string{target}))
		data, err := os.ReadFile(filepath.Join(r.out, "queens-v0.0.0-test-linux-amd64.tar.gz"))
		require.NoError(t, err)
		archives = append(archives, data)
		sums, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(sums), "\n"))
	}
	assert.True(t, bytes.Equal(archives[0], archives[1]), "the archives differ")

	unpacked, err := gzip.NewReader(bytes.NewReader(archives[0]))
	require.NoError(t, err)
	found := map[string][]byte{}
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		assert.Equal(t, r.date.Unix(), header.ModTime.Unix())
		name := strings.TrimPrefix(header.Name, "queens-v0.0.0-test-linux-amd64/")
		found[name], err = io.ReadAll(archive)
		require.NoError(t, err)
	}
	for _, name := range []string{
		"LICENSE", "README.md", "configs/ordering.yaml", "man/harness-valid.1", "completions/harness.bash", "completions/_harness",
		"licences/github.com/spf13/cobra@v1.10.2/LICENSE.txt", "licences/github.com/go-air/gini@v1.0.4/LICENSE",
	} {
		assert.NotEmpty(t, found[name], name)
	}
	if target != runtime.GOOS+"/"+runtime.GOARCH {
		return
	}
	program := filepath.Join(t.TempDir(), "harness")
	require.NoError(t, os.WriteFile(program, found["harness"], 0o755))
	said, err := exec.Command(program, "--version").Output()
	require.NoError(t, err)
	assert.Contains(t, string(said), "harness v0.0.0-test (go")
	assert.NotContains(t, string(found["harness"]), os.Getenv("HOME")+"/go/",
		"the program contains a path of this machine")
}
