package repotest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Files lists the files that git tracks below the paths of a source tree, by their names in it. Without
// git, as in an archive, it lists all files.
func Files(t testing.TB, root string, paths ...string) (names []string) {
	t.Helper()
	listed, err := exec.Command("git", append([]string{"-C", root, "ls-files", "-z", "--"}, paths...)...).Output()
	if err == nil {
		for name := range strings.SplitSeq(strings.TrimSuffix(string(listed), "\x00"), "\x00") {
			if _, err := os.Lstat(filepath.Join(root, name)); err == nil { // not just removed
				names = append(names, name)
			}
		}
		return names
	}
	for _, path := range paths {
		require.NoError(t, fs.WalkDir(os.DirFS(root), path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				names = append(names, name)
			}
			return err
		}))
	}
	return names
}

// Copy copies the files listed by Files to another folder.
func Copy(t testing.TB, root, to string, paths ...string) error {
	for _, name := range Files(t, root, paths...) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}
