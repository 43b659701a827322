//go:build !js

package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Temp is a temporary folder. If its process is killed, the next process that makes one
// removes it.
//
// A file beside the folder is locked while the process lives. The file is made before the folder
// and removed after it, so no folder is without one, whenever a process is killed.
type Temp struct {
	Dir  string
	lock *os.File
}

// lockSuffix follows the folder's name in the name of the file beside it.
const lockSuffix = ".lock"

// NewTemp makes a temporary folder whose name begins with prefix, and removes the folders with that
// prefix whose processes have ended.
func NewTemp(prefix string) (*Temp, error) {
	sweep(prefix)
	for range 100 {
		lock, err := os.CreateTemp("", prefix+"*"+lockSuffix)
		if err != nil {
			return nil, fmt.Errorf("making a temporary folder: %w", err)
		}
		if Lock(lock) == nil {
			if _, err := os.Stat(lock.Name()); err == nil {
				t := &Temp{strings.TrimSuffix(lock.Name(), lockSuffix), lock}
				if err := os.Mkdir(t.Dir, 0o700); err != nil {
					return nil, errors.Join(fmt.Errorf("making a temporary folder: %w", err), t.unlock())
				}
				return t, nil
			}
		}
		lock.Close() // another process is removing it
	}
	return nil, fmt.Errorf("making a temporary folder %s* in %s: other processes keep removing it", prefix,
		os.TempDir())
}

// Remove removes the folder. If it cannot, the next process that makes one tries again.
func (t *Temp) Remove() error {
	if err := removeAll(t.Dir); err != nil {
		return errors.Join(err, t.lock.Close())
	}
	return t.unlock()
}

// unlock removes the file beside the folder, while it is locked if the system can do that.
func (t *Temp) unlock() error {
	if ReplacesOpen {
		return errors.Join(removeAll(t.lock.Name()), t.lock.Close())
	}
	return errors.Join(t.lock.Close(), removeAll(t.lock.Name()))
}

// sweep removes the folders of processes that have ended.
func sweep(prefix string) {
	names, _ := fs.Glob(os.DirFS(os.TempDir()), prefix+"*"+lockSuffix) // the folder's own name is no pattern
	for _, name := range names {
		lock, err := os.OpenFile(filepath.Join(os.TempDir(), name), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if Lock(lock) != nil {
			lock.Close()
			continue
		}
		ended := &Temp{strings.TrimSuffix(lock.Name(), lockSuffix), lock}
		_ = ended.Remove()
	}
}

// removeAll is [os.RemoveAll]. If the system lacks a call that it needs, as wine 8 does,
// removeAll removes the files one by one.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	var all []string
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	for _, path := range slices.Backward(all) {
		if os.Remove(path) != nil {
			return err
		}
	}
	return nil
}
