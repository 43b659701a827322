package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module describes the module of a package, as printed by go list.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// licences returns the licence files of every module linked into the program for a target,
// and of Go itself. A module without one is an error.
func licences(system, processor string) ([]file, error) {
	list := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/harness")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+system, "GOARCH="+processor)
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the linked modules: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("finding Go's own licence: %w", err)
	}
	modules := []module{{Path: "go", Dir: strings.TrimSpace(string(root))}}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var of struct{ Module *module }
		if err := decoder.Decode(&of); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("listing the linked modules: %w", err)
		}
		if of.Module != nil && !of.Module.Main && !slices.Contains(modules, *of.Module) {
			modules = append(modules, *of.Module)
		}
	}
	var files []file
	for _, m := range modules {
		texts, err := m.licences()
		if err != nil {
			return nil, err
		}
		files = append(files, texts...)
	}
	return files, nil
}

// licence matches the names of files with a module's licence.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([.-].*)?$`)

func (m module) licences() ([]file, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", m.Path, err)
	}
	var files []file
	for _, entry := range entries {
		if entry.IsDir() || !licence.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(m.Dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		name := m.Path
		if m.Version != "" {
			name += "@" + m.Version
		}
		files = append(files, file{name: "licences/" + name + "/" + entry.Name(), data: data})
	}
	if files == nil && m.Path == "go" { // some distributions' packages of Go omit it
		return []file{
			{name: "licences/go/README", data: []byte("Go is under a BSD licence: https://go.dev/LICENSE\n")},
		}, nil
	}
	if files == nil {
		return nil, fmt.Errorf("module %s: no licence file in %s", m.Path, m.Dir)
	}
	return files, nil
}
