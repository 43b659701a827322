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
	target, straight, err := outputTarget(name)
	if err != nil {
		return invalid("flag %s: %w", flag, err)
	}
	if info, err := os.Stat(filepath.Dir(target)); err != nil || !info.IsDir() {
		return invalid("flag %s %s: there is no folder %s", flag, name, filepath.Dir(target))
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
func outputTarget(name string) (target string, straight bool, err error) {
	const mostLinks = 40
	for range mostLinks {
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, false, nil
		case err != nil:
			return "", false, err
		case info.IsDir():
			return "", false, fmt.Errorf("%s is a folder: expected a file", name)
		case info.Mode()&fs.ModeSymlink == 0:
			return name, !info.Mode().IsRegular(), nil
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", false, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", false, fmt.Errorf("%s: too many symbolic links", name)
}
