package system

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test binary is also the process that is killed while it has a temporary folder.
func TestMain(m *testing.M) {
	if prefix := os.Getenv("TEST_TEMP_PREFIX"); prefix != "" {
		temp, err := NewTemp(prefix)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(temp.Dir)
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func TestTempOfADeadProcessIsRemovedByTheNext(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a[1]") // a name, not a pattern
	require.NoError(t, os.Mkdir(folder, 0o755))
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	const prefix = "swept-"
	mine, err := NewTemp(prefix)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TEST_TEMP_PREFIX="+prefix)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var dir string
	_, err = fmt.Fscanln(out, &dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "data"), []byte("x"), 0o600))

	other, err := NewTemp(prefix)
	require.NoError(t, err)
	assert.DirExists(t, dir, "its owner is alive")
	assert.DirExists(t, mine.Dir)

	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	begun := filepath.Join(os.TempDir(), prefix+"begun"+lockSuffix) // killed before it made its folder, or after removing it
	require.NoError(t, os.WriteFile(begun, nil, 0o600))
	third, err := NewTemp(prefix)
	require.NoError(t, err)
	assert.NoDirExists(t, dir)
	assert.NoFileExists(t, begun)
	for _, temp := range []*Temp{mine, other, third} {
		require.DirExists(t, temp.Dir)
		require.NoError(t, temp.Remove())
		assert.NoDirExists(t, temp.Dir)
	}
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	first, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, Lock(first))
	second, err := os.Open(path)
	require.NoError(t, err)
	defer second.Close()
	assert.ErrorIs(t, Lock(second), ErrLocked)
	require.NoError(t, first.Close())
	assert.NoError(t, Lock(second))
}

func TestWriteFileReplacesOrLeaves(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	require.NoError(t, WriteFile(path, []byte("old"), 0o644))
	require.NoError(t, WriteFile(path, []byte("new"), 0o644))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "new", string(data))
	assert.True(t, errors.Is(WriteFile(filepath.Join(dir, "no", "f"), nil, 0o644), os.ErrNotExist))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing else is left")
}

func TestMachineIsDescribed(t *testing.T) {
	assert.NotEmpty(t, Processor())
	assert.NotEmpty(t, Load())
	assert.NotEmpty(t, Name())
	assert.Greater(t, Memory(), uint64(64<<20))
	peak, err := PeakMemory()
	require.NoError(t, err)
	assert.Greater(t, peak, uint64(1<<20))
	assert.Less(t, peak, Memory())
	user, kernel := ProcessorTime()
	assert.Positive(t, user+kernel)
}

// A partial file of a process that is gone is removed by the next that writes in the folder; one that
// is being written, or has just been made, stays.
func TestPartialFilesAreSwept(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Minute)
	make := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		require.NoError(t, os.Chtimes(f.Name(), old, old))
		return f
	}
	dead, alive, foreign := make(".a"+partial+"1"), make(".b"+partial+"2"), make(".a.partial")
	require.NoError(t, Lock(alive))
	require.NoError(t, dead.Close())
	young := filepath.Join(dir, ".c"+partial+"3")
	require.NoError(t, os.WriteFile(young, nil, 0o644))
	require.NoError(t, WriteFile(filepath.Join(dir, "d"), nil, 0o644))
	assert.NoFileExists(t, dead.Name())
	for _, name := range []string{alive.Name(), young, foreign.Name(), filepath.Join(dir, "d")} {
		assert.FileExists(t, name)
	}
}
