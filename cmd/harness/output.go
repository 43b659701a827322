package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"queens/system"
)

// writeOutput writes a file named by a flag, such as -o. A regular file is replaced
// atomically; a symbolic link is kept and its target is replaced; a device, pipe or terminal
// is written directly. An empty name is standard output. An error about the file itself is
// bad input; an error from write keeps its exit code.
func writeOutput(flag, name string, standard io.Writer, write func(io.Writer) error) error {
	if name == "" {
		return write(standard)
	}
	target, straight, err := outputTarget(flag, name)
	if err != nil {
		return err
	}
	if straight {
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return invalid("flag %s: %w", flag, err)
		}
		if err := write(file); err != nil {
			file.Close()
			return err
		}
		return exit(badInput, file.Close())
	}
	var failed error
	err = system.Replace(target, 0o644, func(w io.Writer) error {
		failed = write(w)
		return failed
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		err = fmt.Errorf("flag %s: %w", flag, err)
	}
	return exit(badInput, err)
}

// outputTarget follows symbolic links to a file that need not exist yet, and reports whether
// it must be written directly, because it is not a regular file.
func outputTarget(flag, name string) (target string, straight bool, err error) {
	target = name
	if to, err := os.Readlink(name); err == nil { // the end of the link may not exist yet
		if target = to; !filepath.IsAbs(to) {
			target = filepath.Join(filepath.Dir(name), to)
		}
	}
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return "", false, invalid("flag %s: %s is a folder: expected a file", flag, name)
	case err == nil:
		return target, !info.Mode().IsRegular(), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", false, invalid("flag %s: %w", flag, err)
	}
	if info, err := os.Stat(filepath.Dir(target)); err != nil || !info.IsDir() {
		return "", false, invalid("flag %s %s: there is no folder %s", flag, name, filepath.Dir(target))
	}
	return target, false, nil
}
