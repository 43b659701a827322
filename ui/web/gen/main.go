package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "fail if a file is out of date, instead of writing it")
	dir := flag.String("static", "", "write the page and its engine as static files to this folder, instead")
	web := flag.String("web", ".", "folder of package web")
	flag.Parse()
	err := error(nil)
	if *dir != "" {
		err = static(*web, *dir)
	} else {
		err = run(*web, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run generates the files of package web in the folder web.
func run(web string, check bool) error {
	name, records, err := shipped(web)
	if err != nil {
		return err
	}
	if !check { // the bundle includes this file
		if err := os.WriteFile(name, records, 0o644); err != nil {
			return err
		}
	}
	files, err := bundle(filepath.Join(web, "page"))
	if err != nil {
		return err
	}
	files[name] = records
	comments, err := commentsOf(web)
	if err != nil {
		return err
	}
	files[filepath.Join(web, "page", "src", "types.d.ts")] = types(comments)
	description, err := describe(comments)
	if err != nil {
		return err
	}
	files[filepath.Join(web, "api", "openapi.json")] = description
	var stale []error
	for name, text := range files {
		if check {
			if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, text) {
				stale = append(stale, fmt.Errorf("%s is out of date: run go generate ./ui/web", name))
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return errors.Join(stale...)
}

// bundle returns the page's files by name: each source in the folder src that is named
// here, bundled with what it imports.
func bundle(page string) (map[string][]byte, error) {
	absolute, err := filepath.Abs(page)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     absolute,
		EntryPoints:       []string{"src/app.ts", "src/app.css", "src/worker.ts"},
		Outdir:            "dist",
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		LegalComments:     api.LegalCommentsNone,
		Write:             false,
		LogLevel:          api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		messages := api.FormatMessages(result.Errors, api.FormatMessagesOptions{})
		return nil, errors.New(messages[0])
	}
	files := map[string][]byte{}
	for _, out := range result.OutputFiles {
		name, err := filepath.Rel(absolute, out.Path)
		if err != nil {
			return nil, err
		}
		files[filepath.Join(page, name)] = out.Contents
	}
	for _, name := range []string{"index.html", "icon.svg"} {
		text, err := os.ReadFile(filepath.Join(page, "src", name))
		if err != nil {
			return nil, err
		}
		files[filepath.Join(page, "dist", name)] = slices.Clone(text)
	}
	return files, nil
}
