package system

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
)

// packers are the programs whose files are recognised by their first bytes, with a command that unpacks one.
var packers = []struct{ magic, name, file, pipe string }{
	{"\xfd7zXZ\x00", "xz", "xz -dk", "xz -dc"},
	{"BZh", "bzip2", "bzip2 -dk", "bzip2 -dc"},
	{"\x28\xb5\x2f\xfd", "zstd", "zstd -d", "zstd -dc"},
}

// Unpack returns the content of a file that gzip compressed, or of the one file in a zip archive, and any other content
// unchanged. What other programs compressed is an error that names the command. The content may have at most most bytes.
func Unpack(content []byte, name string, most int64) ([]byte, error) {
	for _, p := range packers {
		if bytes.HasPrefix(content, []byte(p.magic)) {
			if name == StandardInput {
				return nil, fmt.Errorf("%s is compressed by %s: expected text; %s unpacks it in a pipe", name, p.name, p.pipe)
			}
			return nil, fmt.Errorf("%s is compressed by %s: unpack it with %s %s", name, p.name, p.file, name)
		}
	}
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(content, []byte("\x1f\x8b")):
		r, err = gzip.NewReader(bytes.NewReader(content))
	case bytes.HasPrefix(content, []byte("PK\x03\x04")):
		r, err = only(content)
	default:
		return content, nil
	}
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", name, err)
	}
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("unpacking %s: %w", name, err)
	case int64(len(text)) > most:
		return nil, fmt.Errorf("%s has more than %d MiB when unpacked", name, most>>20)
	}
	return text, nil
}

// only opens the one file in a zip archive.
func only(archive []byte) (io.Reader, error) {
	all, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(all.File, func(f *zip.File) bool { return f.FileInfo().IsDir() })
	if len(files) != 1 {
		return nil, fmt.Errorf("the archive has %d files: expected one", len(files))
	}
	return files[0].Open()
}
