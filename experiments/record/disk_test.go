//go:build unix

package record

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/tasktest"
	"queens/internal/system"
)

// forgetful is a disk that fails at a chosen step. It remembers only what was synced: a file's content when
// the file was synced, and a folder's names when the folder was synced.
type forgetful struct {
	*testing.T
	root     string
	fails    func(step int) bool
	steps    int
	contents map[string]string            // by inode
	names    map[string]map[string]string // of a folder: the inode of each name
}

func (d *forgetful) inode(path string) string {
	info, err := os.Stat(path)
	require.NoError(d, err)
	return strconv.FormatUint(info.Sys().(*syscall.Stat_t).Ino, 10)
}

func (d *forgetful) fault(step, path string) error {
	d.steps++
	if d.fails(d.steps - 1) {
		if step == "write" { // some of it reaches the file
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			require.NoError(d, err)
			_, err = f.WriteString("1,0123,to")
			require.NoError(d, err)
			require.NoError(d, f.Close())
		}
		return syscall.EIO
	}
	switch step {
	case "sync":
		text, err := os.ReadFile(path)
		require.NoError(d, err)
		d.contents[d.inode(path)] = string(text)
	case "sync folder":
		entries, err := os.ReadDir(path)
		require.NoError(d, err)
		d.names[path] = map[string]string{}
		for _, e := range entries {
			d.names[path][e.Name()] = d.inode(filepath.Join(path, e.Name()))
		}
	}
	return nil
}

// survived returns a folder with what the disk remembers of one, which may be nothing.
func (d *forgetful) survived(dir string) string {
	left := d.TempDir()
	for at := dir; at != d.root; at = filepath.Dir(at) {
		if d.names[filepath.Dir(at)][filepath.Base(at)] == "" {
			return left
		}
	}
	for name, inode := range d.names[dir] {
		require.NoError(d, os.WriteFile(filepath.Join(left, name), []byte(d.contents[inode]), 0o644))
	}
	return left
}

// Any step may fail, once or from then on, with or without a power failure after it. Every row that was
// reported as written is there, no other row is, and the set can be resumed.
func TestFailingDisk(t *testing.T) {
	kinds, asked, env := fourRuns(t)
	for _, once := range []bool{true, false} {
		for at, more := 0, true; more; at++ {
			d := &forgetful{T: t, root: t.TempDir(), contents: map[string]string{}, names: map[string]map[string]string{}}
			d.fails = func(step int) bool { return step == at || !once && step > at }
			dir := filepath.Join(d.root, "results", "x")
			st := &Store{Set: Set{Dir: dir, Spec: asked.Spec, Columns: asked.Kind.Columns(), Kind: asked.Kind}, env: env,
				disk: system.Disk{Fault: d.fault}}
			err := st.open(asked.Runs, OpenMode{})
			var said []string
			for i := 0; err == nil && i < len(asked.Runs); i++ {
				if err = st.Append(rowOf(asked.Runs[i], env)); err == nil {
					said = append(said, asked.Runs[i].ID)
				}
			}
			more = d.steps > at
			assert.Equal(t, more, err != nil, "step %d: a failure is told", at)
			require.NoError(t, st.Close())
			for _, dir := range []string{dir, d.survived(dir)} {
				set, err := Read(dir, kinds)
				if len(said) > 0 {
					require.NoError(t, err, "step %d", at)
				}
				var there []string
				for _, r := range set.Rows {
					there = append(there, r.ID())
				}
				assert.Equal(t, said, there, "step %d, once: %t", at, once)
				again, err := Open(dir, asked, env, OpenMode{Resume: true})
				require.NoError(t, err, "step %d, once: %t", at, once)
				assert.Len(t, again.Missing(asked.Runs), len(asked.Runs)-len(said))
				require.NoError(t, again.Close())
				left, err := filepath.Glob(filepath.Join(dir, ".*"))
				require.NoError(t, err)
				assert.Empty(t, left, "partial files")
			}
		}
	}
}

// A folder that is removed after its rows were read, and before anything is added, loses none of them.
func TestFolderIsRemovedWhileItIsReopened(t *testing.T) {
	if !system.ReplacesOpen {
		t.Skip("an open file cannot be removed here")
	}
	kinds, asked, env := fourRuns(t)
	for _, written := range []string{ConfigFile, EnvFile} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "x")
		st, err := Open(dir, asked, env, OpenMode{})
		require.NoError(t, err)
		for _, run := range asked.Runs[:2] {
			require.NoError(t, st.Append(rowOf(run, env)))
		}
		require.NoError(t, st.Close())
		again := &Store{Set: Set{Dir: dir, Spec: asked.Spec, Columns: asked.Kind.Columns(), Kind: asked.Kind}, env: env}
		again.disk.Fault = func(step, path string) error {
			if step == "rename" && path == filepath.Join(dir, written) {
				return os.RemoveAll(dir)
			}
			return nil
		}
		require.ErrorAs(t, again.open(asked.Runs, OpenMode{Resume: true}), new(Lost), written)
		require.NoError(t, again.Close())
		saved, err := filepath.Glob(filepath.Join(parent, "x.rescued.*"))
		require.NoError(t, err)
		require.Len(t, saved, 1)
		set, err := Read(saved[0], kinds)
		require.NoError(t, err)
		assert.Len(t, set.Rows, 2)
	}
}

// Files that no harness wrote are not overwritten.
func TestForeignFilesAreLeft(t *testing.T) {
	kinds := tasktest.Kinds()
	file := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(file, []byte("name: x\ntask: toy\naxes: {n: 1..4}\n"), 0o644))
	asked, err := config.Load(file, nil, kinds)
	require.NoError(t, err)
	for name, text := range map[string]string{
		ConfigFile: "name: x\ntask: toy\naxes: {n: 1..4}\n", EnvFile: `{"PATH": "/bin"}`, "notes.txt": "x",
		RecordsFile: "schema,id\r1,2\r",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		for _, mode := range []OpenMode{{}, {Resume: true}, {Fresh: true}} {
			_, err := Open(dir, asked, Observe(asked.Spec), mode)
			assert.ErrorAs(t, err, new(Conflict), name)
		}
		_, err = Merge(t.Context(), dir, []string{dir}, kinds)
		assert.ErrorAs(t, err, new(Conflict), name)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
}

// The last row counts without its line feed, which an editor may drop.
func TestLastLineFeedIsMissing(t *testing.T) {
	dir := filepath.Join("..", "..", "results", "reference", "threshold")
	whole, err := Read(dir, nil)
	require.NoError(t, err)
	here := t.TempDir()
	require.NoError(t, os.CopyFS(here, os.DirFS(dir)))
	records := filepath.Join(here, RecordsFile)
	data, err := os.ReadFile(records)
	require.NoError(t, err)
	for cut, rows := range map[int]int{1: len(whole.Rows), 2: len(whole.Rows) - 1, 30: len(whole.Rows) - 1} {
		require.NoError(t, os.WriteFile(records, data[:len(data)-cut], 0o644))
		set, err := Read(here, nil)
		require.NoError(t, err)
		assert.Len(t, set.Rows, rows, "without the last %d bytes", cut)
	}
	require.NoError(t, os.WriteFile(records, []byte(strings.ReplaceAll(string(data), "\n", "\r")), 0o644))
	_, err = Read(here, nil)
	assert.ErrorContains(t, err, "no line ends with a line feed")
}
