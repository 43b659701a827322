package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// static writes the page as static files to a new folder, including the engine compiled
// to WebAssembly.
func static(dir string) error {
	if err := os.CopyFS(dir, os.DirFS("page/dist")); err != nil {
		return err
	}
	index, err := os.ReadFile("page/dist/index.html")
	if err != nil {
		return err
	}
	// The server sends its policy in a header; a static page must contain it, and must also allow
	// WebAssembly.
	const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
		"img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
	server := []byte(`<meta name="engine" content="server">`)
	index = bytes.Replace(index, server, []byte(`<meta name="engine" content="wasm">
<meta http-equiv="Content-Security-Policy" content="`+policy+`">`), 1)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("asking where Go is: %w", err)
	}
	support, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		return err
	}
	err = errors.Join(os.WriteFile(filepath.Join(dir, "index.html"), index, 0o644),
		os.WriteFile(filepath.Join(dir, "wasm_exec.js"), support, 0o644))
	if err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "queens.wasm"), "./wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the engine to WebAssembly: %w\n%s", err, out)
	}
	return nil
}
