//go:build !js

package system

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrLocked is returned by [Lock] for a file that another process has locked.
var ErrLocked = errors.New("another process has locked it")

// ReplacesOpen reports whether an open file can be replaced or removed.
const ReplacesOpen = runtime.GOOS != "windows"

// Disk writes files whose content and names survive a power failure once a write has returned. The zero
// value uses the file system directly.
type Disk struct {
	// Fault, if not nil, is called before each step, and its error makes the step fail. It is for tests.
	Fault func(step, path string) error
}

// Step is called before each step that changes what is on disk. It returns the error of Fault, if any.
func (d Disk) Step(step, path string) error {
	if d.Fault == nil {
		return nil
	}
	return d.Fault(step, path)
}

// partial is part of the names of files that are being written.
const partial = ".partial-"

// unfinished holds the names of the files that this process is writing.
var unfinished sync.Map

// Exit removes the files that this process has not finished writing, and exits.
func Exit(code int) {
	unfinished.Range(func(name, _ any) bool {
		_ = os.Remove(name.(string))
		return true
	})
	os.Exit(code)
}

// Replace writes the file atomically: a reader sees either the old content or the new. An
// existing file keeps its mode. If write returns an error, the file is unchanged.
func (d Disk) Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	dir := filepath.Dir(path)
	sweepPartial(dir)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+partial+"*")
	if err != nil {
		return err
	}
	unfinished.Store(f.Name(), nil)
	defer func() {
		_ = os.Remove(f.Name())
		unfinished.Delete(f.Name())
	}()
	_ = Lock(f) // where files cannot be locked, they are removed when they are old
	if err = d.Step("write", f.Name()); err == nil {
		err = write(f)
	}
	if err == nil {
		err = errors.Join(f.Chmod(mode), d.Step("sync", f.Name()), f.Sync())
	}
	if err != nil || !ReplacesOpen {
		err = errors.Join(err, f.Close())
	} else {
		defer f.Close() // locked until it has its name
	}
	if err == nil {
		err = d.Step("rename", path)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return err
	}
	return d.SyncDir(dir)
}

// WriteFile is [Disk.Replace] with data as the content.
func (d Disk) WriteFile(path string, data []byte, mode os.FileMode) error {
	return d.Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// MkdirAll is [os.MkdirAll], and makes sure that the names of the new folders are on disk.
func (d Disk) MkdirAll(path string, mode os.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(path)
	if err := d.MkdirAll(parent, mode); err != nil {
		return err
	}
	if err := d.Step("make folder", path); err != nil {
		return err
	}
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.SyncDir(parent)
}

// SyncDir returns once the names in a folder are on disk, if the system supports that.
func (d Disk) SyncDir(path string) error {
	if err := d.Step("sync folder", path); err != nil || runtime.GOOS == "windows" {
		return err
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil // network file systems do not support it
}

// sweepPartial removes files in a folder whose writers are gone. It keeps young ones, which may be about
// to be locked.
func sweepPartial(dir string) {
	left, _ := os.ReadDir(dir)
	for _, file := range left {
		name := filepath.Join(dir, file.Name())
		if !strings.HasPrefix(file.Name(), ".") || !strings.Contains(file.Name(), partial) {
			continue
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		dead := err == nil && time.Since(info.ModTime()) > time.Second && Lock(f) == nil
		_ = f.Close()
		if dead {
			_ = os.Remove(name)
		}
	}
}

// Replace is [Disk.Replace] on the file system.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	return Disk{}.Replace(path, mode, write)
}

// WriteFile is [Disk.WriteFile] on the file system.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return Disk{}.WriteFile(path, data, mode)
}
