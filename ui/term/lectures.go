package term

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed lectures/*.txt
var lectures embed.FS

// Lectures returns the names of the scripts that come with the program.
func Lectures() []string {
	names, _ := fs.Glob(lectures, "lectures/*.txt") // the pattern is valid
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".txt")
	}
	return names
}

// Lecture returns a script that comes with the program.
func Lecture(name string) (string, error) {
	text, err := lectures.ReadFile("lectures/" + name + ".txt")
	if err != nil {
		return "", fmt.Errorf("lecture %q: expected one of %s", name, strings.Join(Lectures(), ", "))
	}
	return string(text), nil
}
