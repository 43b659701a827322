package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name string // with slashes
	data []byte
	runs bool // whether it is executable
}

func (f file) mode() int64 {
	if f.runs {
		return 0o755
	}
	return 0o644
}

// pack adds the files to an archive of one folder, sorted by name; create begins a file.
func pack(folder string, files []file, create func(name string, f file) (io.Writer, error)) error {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	for _, f := range files {
		w, err := create(folder+"/"+f.name, f)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeTar returns a .tar.gz of the files in one folder: sorted, all with the same date and
// no owner.
func writeTar(folder string, files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(packed)
	err = pack(folder, files, func(name string, f file) (io.Writer, error) {
		return archive, archive.WriteHeader(&tar.Header{
			Format: tar.FormatPAX, Name: name, Mode: f.mode(), Size: int64(len(f.data)), ModTime: date,
		})
	})
	err = errors.Join(err, archive.Close(), packed.Close())
	return out.Bytes(), err
}

// writeZip returns a .zip of the files in one folder: sorted, all with the same date.
func writeZip(folder string, files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	err := pack(folder, files, func(name string, f file) (io.Writer, error) {
		return archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date})
	})
	err = errors.Join(err, archive.Close())
	return out.Bytes(), err
}
