package system

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// OpenRegular opens a regular file for reading. A device or a pipe is an error, since reading it may never
// end.
func OpenRegular(path string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)      // os.Open would wait for a pipe's writer
	if err != nil || info.IsDir() { // opening or reading it gives the best error
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
	content := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // io.ReadAll would copy it again and again
	_, err = content.ReadFrom(io.LimitReader(f, most))
	return content.Bytes(), err
}

// StandardInput is the name in messages of a file given as - or /dev/stdin on a command line.
const StandardInput = "standard input"

// ReadInput reads a text file of at most most bytes given on a command line, and returns its name for
// messages. The names - and /dev/stdin mean standard input. Pipes that the shell has opened, /dev/fd/N,
// are allowed; any other file must be regular, as in [ReadFile]. The text may be compressed; see [Unpack]. A
// NUL byte is an error: it is not text.
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
	}
	if f != nil {
		content, err = io.ReadAll(io.LimitReader(f, most+1))
		if err == nil && int64(len(content)) > most {
			err = fmt.Errorf("%s: expected at most %d MiB", path, most>>20)
		}
	}
	if err == nil {
		content, err = Unpack(content, path, most)
	}
	if nul := bytes.IndexByte(content, 0); err == nil && nul >= 0 {
		err = fmt.Errorf("%s:%d: NUL byte: expected text", path, 1+bytes.Count(content[:nul], []byte("\n")))
	}
	return content, path, err
}
