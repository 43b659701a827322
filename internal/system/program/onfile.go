package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// FormulaFile stands for the file with the formula in a command.
const FormulaFile = "{cnf}"

// OnFile is a program that reads a formula from a file and prints what it finds.
type OnFile struct {
	Name    string // in messages
	Command string // a command line with {cnf} for the file
	Version string // as its description says; empty if that says nothing
}

// Is returns the program's version and its command: what its description says, or the comments that tell a version when it
// reads a formula of one clause, not quietly, or the first line that it prints for --version. It is empty if none does.
func (p OnFile) Is(ctx context.Context) string {
	// a comment of a program's banner that tells a version: its own, or of a library that it was built with
	versionLine := regexp.MustCompile(`(?m)^c[ \t]+((?:o[ \t]+)?[A-Za-z][\w-]*[ \t]+(?i:version[ \t]+)?v?\d+\.\d+.*)$`)
	version := p.Version
	if words, err := Find(p.Command); err == nil && version == "" {
		loud := p
		loud.Command = Join(slices.DeleteFunc(words, func(word string) bool { return word == "-q" || word == "--quiet" }))
		ended, _ := loud.Run(ctx, func(w io.Writer) error { _, err := io.WriteString(w, "p cnf 1 1\n1 0\n"); return err })
		var told []string
		for _, line := range versionLine.FindAllSubmatch(ended.Stdout, -1) {
			told = append(told, strings.TrimSpace(string(line[1])))
		}
		version = strings.Join(told, ", ")
		if version == "" {
			if ended, err := Run(ctx, []string{words[0], "--version"}); err == nil && ended.Code == 0 {
				version, _, _ = strings.Cut(string(ended.Stdout), "\n")
			}
		}
	}
	if version = strings.TrimSpace(version); version == "" {
		return ""
	}
	return version + " (" + p.Command + ")"
}

// Check returns an error if the program cannot be started here; kind and example, a command, are for messages.
func (p OnFile) Check(kind, example string) error {
	if !strings.Contains(p.Command, FormulaFile) {
		return fmt.Errorf("%s %q: expected a command with %s for the file, as in %q", kind, p.Command, FormulaFile, example)
	}
	if _, err := Find(p.Command); err != nil {
		return fmt.Errorf("%s %s: %w", kind, p.Name, err)
	}
	return nil
}

// Run runs the program on a file that write writes. The exit code must be 0, or 10 or 20 as in the SAT
// competitions.
func (p OnFile) Run(ctx context.Context, write func(io.Writer) error) (ended Output, err error) {
	words, err := Find(p.Command)
	if err != nil {
		return ended, err
	}
	dir, err := os.MkdirTemp("", "queens-formula-")
	if err != nil {
		return ended, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	name := filepath.Join(dir, "problem.cnf")
	file, err := os.Create(name)
	if err != nil {
		return ended, err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return ended, err
	}
	for i, word := range words[1:] {
		words[i+1] = strings.ReplaceAll(word, FormulaFile, name)
	}
	if ended, err = Run(ctx, words); err == nil && ended.Code != 0 && ended.Code != 10 && ended.Code != 20 {
		err = WithLast(fmt.Errorf("expected exit code 0, 10 or 20, not %d", ended.Code), ended.Last())
	}
	return ended, err
}
