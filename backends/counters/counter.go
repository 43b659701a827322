package counters

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"queens/encode"
	"queens/encode/amo"
	"queens/internal/system/program"
)

// formulaFile is the placeholder for the formula's file in a command.
const formulaFile = "{cnf}"

// Counter is a counting program outside this one.
type Counter struct {
	Name    string // in messages
	Command string // a command line with {cnf} for the file
}

// Check returns an error if the counter cannot be started here.
func (c Counter) Check() error {
	_, err := c.words()
	return err
}

func (c Counter) words() ([]string, error) {
	if !strings.Contains(c.Command, formulaFile) {
		return nil, fmt.Errorf("counter %q: expected a command with %s for the file, as in \"ganak %[2]s\"", c.Command, formulaFile)
	}
	words, err := program.Find(c.Command)
	if err != nil {
		return nil, fmt.Errorf("counter %s: %w", c.Name, err)
	}
	return words, nil
}

// Count returns the number of the problem's solutions under its fixed literals. The program gets a file
// with pairwise clauses, so the only auxiliary variables are those of the problem itself. If there are
// any, the program must say that its count is projected. Its exit code must be 0, or 10 or 20 as in the
// Model Counting Competition.
func (c Counter) Count(ctx context.Context, p encode.Problem) (count *big.Int, err error) {
	words, err := c.words()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "queens-count-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	name := filepath.Join(dir, "problem.cnf")
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	p.Numbers = nil // a file's numbers may have gaps, and a counter would count the missing variables
	if err := errors.Join(p.WriteDIMACS(file, amo.Pairwise, nil), file.Close()); err != nil {
		return nil, err
	}
	for i, word := range words[1:] {
		words[i+1] = strings.ReplaceAll(word, formulaFile, name)
	}
	ended, err := program.Run(ctx, words)
	if err != nil {
		return nil, fmt.Errorf("counting %s with %s: %w", p, c.Name, err)
	}
	said, err := read(string(ended.Stdout))
	if err == nil && ended.Code != 0 && ended.Code != 10 && ended.Code != 20 {
		err = fmt.Errorf("expected exit code 0, 10 or 20; its output says %s", said.count)
	}
	if err == nil && p.Auxiliary > 0 && !said.projected {
		err = errors.New("it does not say that it counts only the variables of c p show (expected c s type pmc, or s pmc)")
	}
	if err != nil {
		last := program.LastLine(ended.Stderr)
		if last == "" {
			last = program.LastLine(ended.Stdout)
		}
		return nil, program.WithLast(fmt.Errorf("counting %s with %s, which ended with code %d: %w", p, c.Name, ended.Code, err), last)
	}
	return said.count, nil
}
