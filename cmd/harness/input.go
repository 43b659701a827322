package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/tasks"
)

// openFile opens a text file named on the command line, after the byte order mark that some
// editors write.
func openFile(name string) (io.ReadCloser, error) {
	if err := isFile(name); err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	text := bufio.NewReader(file)
	if mark, err := text.Peek(len(experiments.ByteOrderMark)); err == nil && string(mark) == experiments.ByteOrderMark {
		_, _ = text.Discard(len(mark))
	}
	return struct {
		io.Reader
		io.Closer
	}{text, file}, nil
}

// isFile returns an error that explains why name is not a readable file.
func isFile(name string) error {
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", name)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder: expected a file", name)
	}
	return nil
}

// isConfig returns an error that explains why name is not a configuration, and what was
// probably meant.
func isConfig(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.IsDir() {
		return nil
	}
	if err == nil && isThere(filepath.Join(name, record.RecordsFile)) {
		return invalid("%s holds records, and run takes a configuration: "+
			"harness report %s shows them, harness run %s --out %s --resume continues",
			name, name, filepath.Join(name, record.ConfigFile), name)
	}
	shipped := filepath.Join("configs", filepath.Base(name))
	for _, near := range []string{name + ".yaml", shipped + ".yaml", shipped} {
		if isThere(near) {
			return invalid("%s is not a configuration: did you mean %s?", name, near)
		}
	}
	return invalid("configuration: %w (those that come with the program are in configs/, "+
		"such as configs/ordering.yaml)", isFile(name))
}

// readSet reads the records in a folder.
func readSet(dir string) (record.Set, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("there is no folder %s: harness run writes records to results/<name>", dir)
	case err != nil:
	case !info.IsDir() && (strings.HasSuffix(dir, ".yaml") || strings.HasSuffix(dir, ".yml")):
		err = fmt.Errorf("%s is a configuration: expected a folder of records, which harness run %s writes", dir, dir)
	case !info.IsDir():
		err = fmt.Errorf("%s is a file: expected a folder of records", dir)
	case !isThere(filepath.Join(dir, record.ConfigFile)):
		err = fmt.Errorf("the folder %s holds no records (%s is missing)", dir, record.ConfigFile)
	}
	if err != nil {
		return record.Set{}, exit(badInput, err)
	}
	set, err := record.Read(dir, tasks.Kinds())
	return set, exit(badInput, err)
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
