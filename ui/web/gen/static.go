package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// static writes the page as static files to the folder dir, including the engine compiled
// to WebAssembly. web is the folder of package web.
func static(web, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"app.js", "app.css", "worker.js", "icon.svg"} {
		if err := copyFile(filepath.Join(web, "page", "dist", name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	index, err := os.ReadFile(filepath.Join(web, "page", "dist", "index.html"))
	if err != nil {
		return err
	}
	// The server sends its policy in a header; a static page has to contain it, and must
	// also allow WebAssembly.
	const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
		"img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
	server := []byte(`<meta name="engine" content="server">`)
	if bytes.Count(index, server) != 1 {
		return fmt.Errorf("%s/page/dist/index.html: expected one line %s", web, server)
	}
	index = bytes.Replace(index, server, []byte(`<meta name="engine" content="wasm">
<meta http-equiv="Content-Security-Policy" content="`+policy+`">`), 1)
	if err := os.WriteFile(filepath.Join(dir, "index.html"), index, 0o644); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("asking where Go is: %w", err)
	}
	support := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	if err := copyFile(support, filepath.Join(dir, "wasm_exec.js")); err != nil {
		return err
	}
	target, err := filepath.Abs(filepath.Join(dir, "queens.wasm"))
	if err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", target, "./wasm")
	build.Dir = web
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the engine to WebAssembly: %w\n%s", err, out)
	}
	return nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
