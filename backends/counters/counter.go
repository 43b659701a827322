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

// formulaFile stands for the file with the formula in a command.
const formulaFile = "{cnf}"

// Counter is an outside counter.
type Counter struct {
	Name    string // in messages
	Command string // as a person writes it, with {cnf} for the file
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

// Count returns the number of the problem's solutions, fixed literals included. The program gets
// clauses without auxiliary variables, unless the problem itself has some: then it must say
// that it took notice.
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
	p.Numbers = nil // those of a file may have gaps, which would be counted
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
