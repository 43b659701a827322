package system

import (
	"fmt"
	"io"
	"os"
)

// OpenRegular opens a file for reading that has an end: a device or a pipe is an error, since reading it
// may never end.
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

// ReadFile reads a regular file of at most so many bytes.
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
