package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"queens/internal/system"
)

// Files is a report: content by path within its folder, with slashes.
type Files map[string][]byte

// Write writes the files. Other files in the folder stay, since they may be someone's work;
// Check names those that an older report may have left.
func (f Files) Write(dir string) error {
	for _, name := range f.names() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("making folder for a report: %w", err)
		}
		if err := system.WriteFile(file, f[name], 0o644); err != nil {
			return fmt.Errorf("writing report: %w", err)
		}
	}
	return nil
}

// HasPDF reports whether a report's folder has plots as PDF, which a new report must not leave behind.
func HasPDF(dir string) bool {
	plots, _ := os.ReadDir(filepath.Join(dir, "plots")) // without the folder there are none
	return slices.ContainsFunc(plots, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".pdf" })
}

// Committed reports whether a file of a report is kept in the repository, where it is read on
// the web: the text and its pictures. The others are made from the records when needed.
func Committed(name string) bool { return name == "report.md" || filepath.Ext(name) == ".svg" }

// Check lists the differences between the files and the folder. Files that are not committed
// may be missing.
func (f Files) Check(dir string) []string {
	var differences []string
	for _, name := range f.names() {
		switch data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); {
		case err != nil && !Committed(name) && errors.Is(err, fs.ErrNotExist):
		case err != nil:
			differences = append(differences, name+" is missing")
		case !bytes.Equal(data, f[name]):
			differences = append(differences, name+" does not follow from the records")
		}
	}
	// A missing folder is reported by its missing files.
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		_, ours := f[name]
		if err == nil && !ours && !e.IsDir() {
			differences = append(differences, name+" is not part of this report: remove it")
		}
		return nil
	})
	return differences
}

func (f Files) names() []string { return slices.Sorted(maps.Keys(f)) }
