package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// underGoRun reports whether an executable is one that go run has made, in a folder for its work or in its cache.
func underGoRun(executable string) bool {
	return strings.Contains(filepath.ToSlash(executable), "/go-build")
}

// invoked returns a command that starts this program again where the user stands, for advice that can be copied:
// what was typed, or go run.
func invoked() string {
	executable, err := os.Executable()
	if err != nil || !underGoRun(executable) {
		return os.Args[0]
	}
	const here = "cmd/harness"
	if about, err := os.Stat(here); err == nil && about.IsDir() {
		return "go run ./" + here
	}
	if built, ok := debug.ReadBuildInfo(); ok && built.Path != "" {
		return "go run " + built.Path
	}
	return "go run ."
}
