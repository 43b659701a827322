//go:build !js

package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Temp is a temporary folder. If its process is killed, the next process that makes one
// removes it.
type Temp struct {
	Dir  string
	lock *os.File
}

// lockName is the file in a temporary folder that its owner keeps locked.
const lockName = ".lock"

// NewTemp makes a temporary folder whose name begins with prefix, and removes the folders with that
// prefix whose processes have ended.
func NewTemp(prefix string) (*Temp, error) {
	sweep(prefix)
	for range 100 {
		dir, err := os.MkdirTemp("", prefix)
		if err != nil {
			return nil, fmt.Errorf("making a temporary folder: %w", err)
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, fmt.Errorf("making a temporary folder: %w", err)
		}
		if Lock(lock) == nil {
			if _, err := os.Stat(lock.Name()); err == nil {
				return &Temp{dir, lock}, nil
			}
		}
		lock.Close() // another process is removing it
	}
	return nil, fmt.Errorf("making a temporary folder %s* in %s: other processes keep removing it", prefix,
		os.TempDir())
}

// Remove removes the folder.
func (t *Temp) Remove() error { return errors.Join(t.lock.Close(), removeAll(t.Dir)) }

// sweep removes the folders of processes that have ended. It keeps a folder without a lock file, which
// has just been made.
func sweep(prefix string) {
	names, _ := fs.Glob(os.DirFS(os.TempDir()), prefix+"*") // the folder's own name is no pattern
	for _, name := range names {
		dir := filepath.Join(os.TempDir(), name)
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if Lock(lock) == nil {
			if !ReplacesOpen { // such a system cannot remove an open file either
				lock.Close()
			}
			_ = removeAll(dir)
		}
		lock.Close()
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
