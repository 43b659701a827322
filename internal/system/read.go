package system

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// OpenRegular opens a regular file for reading. A device or a pipe is an error, since reading it may never
// end.
func OpenRegular(path string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)      // opening a pipe would wait for its writer
	if err != nil || info.IsDir() { // which opening or reading it tells best
		f, err = os.Open(path)
		return f, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	}
	f, err = os.Open(path)
	return f, info.Size(), err
}

// ReadFile reads a regular file; a file of more than most bytes is an error.
func ReadFile(path string, most int64) ([]byte, error) {
	f, size, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("%s has %d bytes: expected at most %d MiB", path, size, most>>20)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// StandardInput is what messages call the file that a command line names as - or /dev/stdin.
const StandardInput = "standard input"

// ReadInput reads a file of at most most bytes that a command line names, and returns its name for messages:
// - and /dev/stdin are standard input. Pipes that the shell has opened, /dev/fd/N, are read, too; any other must
// be a regular file, as in [ReadFile].
func ReadInput(path string, most int64) (content []byte, name string, err error) {
	var f *os.File
	switch {
	case path == "-", path == "/dev/stdin":
		f, path = os.Stdin, StandardInput
	case strings.HasPrefix(path, "/dev/fd/"):
		if f, err = os.Open(path); err != nil {
			return nil, path, err
		}
		defer f.Close()
	default:
		content, err = ReadFile(path, most)
		return content, path, err
	}
	content, err = io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		err = fmt.Errorf("%s: expected at most %d MiB", path, most>>20)
	}
	return content, path, err
}
