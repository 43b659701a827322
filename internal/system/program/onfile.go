package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// FormulaFile stands for the file with the formula in a command.
const FormulaFile = "{cnf}"

// OnFile is a program that reads a formula from a file and prints what it finds.
type OnFile struct {
	Name    string // in messages
	Command string // a command line with {cnf} for the file
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
