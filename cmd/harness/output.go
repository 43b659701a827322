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

// writeOutput is how every command writes a file that a flag names, such as -o. A regular file is
// replaced at once and whole, or left as it was; a symbolic link stays and its target
// is written; a device, pipe or terminal is written straight through. An empty name
// is standard output. An error of the file itself is bad input; an error of write
// keeps its own code.
func writeOutput(flag, name string, standard io.Writer, write func(io.Writer) error) error {
	if name == "" {
		return write(standard)
	}
	target, straight, err := outputTarget(name)
	if err != nil {
		return exit(badInput, fmt.Errorf("flag %s: %w", flag, err))
	}
	if straight {
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return exit(badInput, fmt.Errorf("flag %s: %w", flag, err))
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

// outputTarget follows symbolic links, to a file that need not be there yet, and says
// whether what is there is to be written straight through.
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
