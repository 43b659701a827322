package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
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

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
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
	for _, f := range sorted(files) {
		err := archive.WriteHeader(&tar.Header{
			Format: tar.FormatPAX, Name: folder + "/" + f.name, Mode: f.mode(), Size: int64(len(f.data)), ModTime: date,
		})
		if err == nil {
			_, err = archive.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = errors.Join(archive.Close(), packed.Close())
	return out.Bytes(), err
}

// writeZip returns a .zip of the files in one folder: sorted, all with the same date.
func writeZip(folder string, files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, f := range sorted(files) {
		w, err := archive.CreateHeader(
			&zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: date},
		)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}
