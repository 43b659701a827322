package term

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed lectures/*.txt
var lectures embed.FS

// Lectures returns the names of the scripts that come with the program.
func Lectures() []string {
	var names []string
	files, err := fs.ReadDir(lectures, "lectures")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), ".txt"))
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
