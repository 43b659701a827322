// Command release packs the harness for every system: one archive per target with the
// program, manual pages, shell completions, the configurations and the licences of all
// linked modules, and a file SHA256SUMS.
//
//	go run ./cmd/release -version v1.0.0 -date 1767225600 -out bin/release
//
// The same sources, version, date and Go release always give the same bytes. The command
// must know nothing about what the harness does.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	r := release{}
	seconds := flag.Int64("date", 0, "date of all files in the archives, in seconds since 1970")
	targets := flag.String("targets", "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64",
		"targets to build for, as in linux/amd64, separated by spaces")
	flag.StringVar(&r.version, "version", "", "version for the program's --version and the archives' names (required)")
	flag.StringVar(&r.out, "out", "bin/release", "folder for the archives")
	flag.Parse()
	r.date = time.Unix(*seconds, 0).UTC()
	if r.version == "" || strings.ContainsAny(r.version, " /") || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr,
			"release: flag -version: expected a name without spaces or slashes, and no arguments after the flags")
		os.Exit(2)
	}
	if err := r.pack(strings.Fields(*targets)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release holds what all archives have in common.
type release struct {
	version, out string
	date         time.Time
}

// pack writes the archives of all targets and their checksums. It must run in the module's
// root folder.
func (r release) pack(targets []string) (err error) {
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	common, err := r.common(work)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, target := range targets {
		system, processor, ok := strings.Cut(target, "/")
		if !ok {
			return fmt.Errorf("target %q: expected a system and a processor, as in linux/amd64", target)
		}
		files, err := r.files(work, system, processor)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		name := fmt.Sprintf("queens-%s-%s-%s", r.version, system, processor)
		write := writeTar
		ending := ".tar.gz"
		if system == "windows" {
			write, ending = writeZip, ".zip"
		}
		data, err := write(name, append(files, common...), r.date)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, name+ending), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name+ending)
	}
	fmt.Print(sums.String())
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// common returns the files that are in every archive: those that the program itself writes,
// and those from the source tree.
func (r release) common(work string) ([]file, error) {
	host := filepath.Join(work, "host")
	if err := r.build(host, runtime.GOOS, runtime.GOARCH); err != nil {
		return nil, err
	}
	var files []file
	for shell, name := range map[string]string{
		"bash": "harness.bash", "zsh": "_harness", "fish": "harness.fish", "powershell": "harness.ps1",
	} {
		text, err := exec.Command(host, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completions for %s: %w", shell, err)
		}
		files = append(files, file{name: "completions/" + name, data: text})
	}
	pages := filepath.Join(work, "man")
	if err := os.Mkdir(pages, 0o755); err != nil {
		return nil, err
	}
	manual := exec.Command(host, "manual", pages)
	manual.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix()))
	if out, err := manual.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("manual pages: %w: %s", err, out)
	}
	for _, kept := range []struct{ pattern, folder string }{
		{filepath.Join(pages, "*.1"), "man/"}, {"configs/*.yaml", "configs/"},
		{"README.md", ""}, {"LICENSE", ""}, {"CITATION.cff", ""}, {"CHANGELOG.md", ""},
	} {
		names, err := filepath.Glob(kept.pattern)
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("no file %s", kept.pattern)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			files = append(files, file{name: kept.folder + filepath.Base(name), data: data})
		}
	}
	return files, nil
}

// files returns the files of one target: the program and the licences of its modules.
func (r release) files(work, system, processor string) ([]file, error) {
	path := filepath.Join(work, system+"-"+processor)
	if err := r.build(path, system, processor); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	program := file{name: "harness", data: data, runs: true}
	if system == "windows" {
		program.name += ".exe"
	}
	licences, err := licences(system, processor)
	return append(licences, program), err
}

// build builds the program without C, local paths, debugging tables or build stamps.
func (r release) build(path, system, processor string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -buildid= -X main.release="+r.version, "-o", path, "./cmd/harness")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+system, "GOARCH="+processor)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w: %s", err, out)
	}
	return nil
}
