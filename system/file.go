package system

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// ErrLocked is returned by [Lock] for a file that another process has locked.
var ErrLocked = errors.New("another process has locked it")

// ReplacesOpen reports whether an open file can be replaced or removed.
const ReplacesOpen = runtime.GOOS != "windows"

// Replace writes the file atomically: a reader sees either the old content or the new. An
// existing file keeps its mode. If write returns an error, the file is unchanged.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err = write(f); err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// WriteFile is [Replace] with the content in data.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
