package param

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"queens/internal/system"
)

// Pinned is a string type whose values may name a file, or several files by a pattern. Pin returns one
// value per file, with the hash of the file's content, so a changed file makes a different run. It
// returns other values unchanged. The error says what is wrong with a file, or that it has changed.
type Pinned interface {
	Pin() ([]string, error)
}

// ByteOrderMark is what some editors write at the beginning of a text file.
const ByteOrderMark = "\uFEFF"

// SizeInName stands for the size n in a file name, if there is one file for each size.
const SizeInName = "{n}"

// maxPinned is the maximum size, in bytes, of the files that parameters name.
const maxPinned = 256 << 20

// Unpinned returns a file's name without the hash of its content.
func Unpinned(name string) string {
	if bare := len(name) - len("#0123456789abcdef"); bare > 0 && name[bare] == '#' {
		return name[:bare]
	}
	return name
}

// Shown returns a value as reports show it. The files of a pattern such as file:d{n}.order, one for each size, are one
// value there: without the hash of the content, in which their runs differ.
func Shown(value string) string {
	if strings.Contains(value, SizeInName) {
		return Unpinned(value)
	}
	return value
}

// PinFile reads the file that a parameter names as path, or as path#hash, for a problem of size n.
// It returns its content unpacked and without a byte order mark, its path, and the name with the hash of its
// content. It is an error if the content has a different hash.
func PinFile(name string, n int) (content []byte, path, pin string, err error) {
	bare, want := Unpinned(name), ""
	if bare != name {
		want = name[len(bare)+1:]
	}
	path = strings.ReplaceAll(bare, SizeInName, strconv.Itoa(n))
	if content, err = system.ReadFile(path, maxPinned); err == nil {
		content, err = system.Unpack(content, path, maxPinned)
	}
	if err != nil {
		return nil, path, "", err
	}
	hash := Digest(content)
	if want != "" && hash != want {
		return nil, path, "", fmt.Errorf("%s is not the file that the run was made for: its content has hash %s, not %s",
			path, hash, want)
	}
	return bytes.TrimPrefix(content, []byte(ByteOrderMark)), path, bare + "#" + hash, nil
}

// Files returns the files that a pattern matches, sorted. A file whose name is the pattern is the only one. **
// stands for any number of folders, and {a,b} for either.
func Files(pattern string) ([]string, error) {
	if _, err := os.Stat(Unpinned(pattern)); err == nil || !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}, nil
	}
	for folder := range strings.SplitSeq(filepath.ToSlash(pattern), "/") {
		if folder != "**" && strings.Contains(folder, "**") {
			return nil, fmt.Errorf("pattern %s: ** stands for whole folders, as in models/**/*.cnf", pattern)
		}
	}
	files, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
	switch {
	case err != nil:
		return nil, fmt.Errorf("pattern %s: %w", pattern, err)
	case len(files) == 0:
		return nil, fmt.Errorf("no file matches %s", pattern)
	}
	slices.Sort(files)
	return files, nil
}

// Digest returns the first 16 hexadecimal digits of the content's SHA-256.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
