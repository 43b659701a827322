package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a reader has saved beside the shipped files is not theirs, as after the tutorial.
func TestSavedFilesAreNotShipped(t *testing.T) {
	root, to := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "configs"), 0o755))
	for _, name := range []string{"configs/ordering.yaml", "configs/gone.yaml", "other.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(name), 0o644))
	}
	require.NoError(t, Copy(t, root, to, "configs", "other.md"), "without git")
	assert.FileExists(t, filepath.Join(to, "configs", "gone.yaml"))
	for _, words := range [][]string{{"init", "-q"}, {"add", "."}} {
		out, err := exec.Command("git", append([]string{"-C", root}, words...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.NoError(t, os.Remove(filepath.Join(root, "configs", "gone.yaml")))
	require.NoError(t, os.WriteFile(filepath.Join(root, "configs", "spiral.yaml"), []byte("name: spiral\n"), 0o644))
	assert.Equal(t, []string{"configs/ordering.yaml"}, Files(t, root, "configs"))
	to = t.TempDir()
	require.NoError(t, Copy(t, root, to, "configs"))
	assert.FileExists(t, filepath.Join(to, "configs", "ordering.yaml"))
	assert.NoFileExists(t, filepath.Join(to, "configs", "spiral.yaml"))
}
