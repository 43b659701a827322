package solvers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"queens/backends"
	"queens/encode/cnf"
	"queens/internal/system/program"
)

// Exit codes of SAT solvers, as in the SAT competitions.
const (
	exitSat   = 10
	exitUnsat = 20
	exitAll   = 30 // clasp's own: satisfiable, and all models have been seen
)

// askOnce starts a program that reads DIMACS, with the assumptions as unit clauses. Nothing is
// learned, and the core of an UNSAT answer is all assumptions.
func (a *Asked) askOnce(ctx context.Context, assume []cnf.Lit) (backends.Status, []cnf.Lit, error) {
	solver := a.client.solver
	dir, err := os.MkdirTemp("", "queens-sat-")
	if err != nil {
		return backends.Unknown, nil, err
	}
	defer os.RemoveAll(dir)
	input, result := filepath.Join(dir, "problem.cnf"), filepath.Join(dir, "result")
	if err := writeFormula(input, under(a.formula, assume)); err != nil {
		return backends.Unknown, nil, err
	}
	words := solver.words[:1:1]
	for _, word := range solver.words[1:] {
		words = append(words, strings.NewReplacer(program.FormulaFile, input, resultFile, result).Replace(word))
	}
	ended, err := program.Run(ctx, words)
	switch {
	case err != nil:
		return backends.Unknown, nil, err
	case ended.Code == exitUnsat:
		return backends.Unsat, slices.Clone(assume), nil
	case ended.Code != exitSat && ended.Code != exitAll:
		return backends.Unknown, nil, program.WithLast(fmt.Errorf("it ended with code %d", ended.Code), ended.Last())
	}
	output := ended.Stdout
	if strings.Contains(solver.Command, resultFile) {
		if output, err = readAll(result); err != nil {
			return backends.Unknown, nil, fmt.Errorf("reading its model: %w", err)
		}
		// "SAT", then the literals: like value lines, but without the "v".
		output = append([]byte("v "), bytes.TrimPrefix(output, []byte("SAT\n"))...)
	}
	lits, valued, err := values(output)
	if err == nil && !valued && a.formula.Vars > 0 {
		err = fmt.Errorf("it ended with code %d (satisfiable), but printed no v line; does the command need %s?", ended.Code, resultFile)
	}
	if err != nil {
		return backends.Unknown, nil, err
	}
	return backends.Sat, nil, a.model(lits, assume)
}

// readAll reads a file of at most [program.MostOutput].
func readAll(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, program.MostOutput+1))
	if err == nil && len(content) > program.MostOutput {
		err = program.ErrMuch
	}
	return content, err
}

// values reads the literals of the lines that begin with v, and reports whether there are such lines.
func values(output []byte) (all []cnf.Lit, valued bool, err error) {
	for line := range strings.Lines(string(output)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "v" {
			valued = true
			lits, err := literals(words[1:])
			if err != nil {
				return nil, true, err
			}
			all = append(all, lits...)
		}
	}
	return all, valued, nil
}

// literals reads literals, and leaves out every 0.
func literals(words []string) (lits []cnf.Lit, err error) {
	for _, word := range words {
		l, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("it answered with literal %q", program.Clip(word))
		}
		if l != 0 {
			lits = append(lits, cnf.Lit(l))
		}
	}
	return lits, nil
}

// under returns a copy of the formula, with assumptions as unit clauses.
func under(f *cnf.Formula, assume []cnf.Lit) *cnf.Formula {
	both := &cnf.Formula{Vars: f.Vars}
	for c := range f.Clauses() {
		both.Add(c...)
	}
	for _, l := range assume {
		both.Add(l)
	}
	return both
}

// writeFormula writes a formula to a file.
func writeFormula(name string, f *cnf.Formula) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(f.WriteDIMACS(file, nil, nil), file.Close())
}
