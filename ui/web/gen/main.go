package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "fail if a file is out of date, instead of writing it")
	dir := flag.String("static", "", "write the page and its engine as static files to this folder, instead")
	flag.Parse()
	err := error(nil)
	if *dir != "" {
		err = static(*dir)
	} else {
		err = run(*check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run generates the files of package web, whose folder is the current one.
func run(check bool) error {
	comments, err := commentsOf("api", "../../configure/lesson", "../../configure", "../../ask")
	if err != nil {
		return err
	}
	description, err := describe(comments)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"page/src/types.d.ts": types(comments), "api/openapi.json": description,
	}
	if err := settle(files, check); err != nil {
		return err
	}
	if files, err = bundle(); err != nil { // it reads the sources that were just generated
		return err
	}
	return settle(files, check)
}

// settle writes files, given by name, or only checks that they are up to date.
func settle(files map[string][]byte, check bool) error {
	var stale []error
	for name, text := range files {
		if !check {
			stale = append(stale, os.WriteFile(name, text, 0o644))
		} else if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, text) {
			stale = append(stale, fmt.Errorf("%s is out of date: run go generate ./ui/web", name))
		}
	}
	return errors.Join(stale...)
}

// bundle returns the page's files by name: each source named here, bundled with its imports.
func bundle() (map[string][]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"page/src/app.ts", "page/src/app.css", "page/src/worker.ts", "page/src/index.html",
			"page/src/icon.svg"},
		Loader:            map[string]api.Loader{".html": api.LoaderCopy, ".svg": api.LoaderCopy},
		Outdir:            "page/dist",
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(api.FormatMessages(result.Errors, api.FormatMessagesOptions{})[0])
	}
	files := map[string][]byte{}
	for _, out := range result.OutputFiles {
		files[filepath.Join("page/dist", filepath.Base(out.Path))] = out.Contents
	}
	return files, nil
}
