package external

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"queens/backends"
	"queens/backends/program"
	"queens/encode/cnf"
)

// cold is a formula for a solver that reads DIMACS: each query starts a process, with
// the assumptions as unit clauses. Nothing is learned, and the core of an UNSAT
// answer is all assumptions.
type cold struct {
	checked
	solver Solver
}

// Close implements [Asked].
func (p *cold) Close() error { return nil }

// Solve implements [Asked].
func (p *cold) Solve(ctx context.Context, assume []cnf.Lit) (backends.Status, []cnf.Lit, error) {
	status, err := p.solve(ctx, assume)
	if err != nil {
		return backends.Unknown, nil, fmt.Errorf("asking %s: %w", p.solver.Name, err)
	}
	if status == backends.Unsat {
		return status, slices.Clone(assume), nil
	}
	return status, nil, nil
}

// Exit codes of SAT solvers, as in the SAT competitions.
const (
	exitSat   = 10
	exitUnsat = 20
	exitAll   = 30 // clasp's own: satisfiable, and all models have been seen
)

func (p *cold) solve(ctx context.Context, assume []cnf.Lit) (backends.Status, error) {
	if err := ctx.Err(); err != nil {
		return backends.Unknown, err
	}
	dir, err := os.MkdirTemp("", "queens-sat-")
	if err != nil {
		return backends.Unknown, err
	}
	defer os.RemoveAll(dir)
	input, result := filepath.Join(dir, "problem.cnf"), filepath.Join(dir, "result")
	if err := writeFormula(input, under(p.formula, assume)); err != nil {
		return backends.Unknown, err
	}
	words := p.solver.words[:1:1]
	for _, word := range p.solver.words[1:] {
		words = append(words, strings.NewReplacer(formulaFile, input, resultFile, result).Replace(word))
	}
	ended, err := program.Run(ctx, words)
	switch {
	case err != nil:
		return backends.Unknown, err
	case ended.Code == exitUnsat:
		return backends.Unsat, nil
	case ended.Code != exitSat && ended.Code != exitAll:
		return backends.Unknown, fmt.Errorf("it ended with code %d: %s", ended.Code, lastWords(ended))
	}
	output := ended.Stdout
	if strings.Contains(p.solver.Command, resultFile) {
		if output, err = os.ReadFile(result); err != nil {
			return backends.Unknown, fmt.Errorf("reading its model: %w", err)
		}
		// "SAT", then the literals: like value lines, but without the "v".
		output = append([]byte("v "), bytes.TrimPrefix(output, []byte("SAT\n"))...)
	}
	lits, err := values(output)
	if err != nil {
		return backends.Unknown, err
	}
	return backends.Sat, p.model(lits, assume)
}

// values reads the literals of the lines that begin with v.
func values(output []byte) ([]cnf.Lit, error) {
	var lits []cnf.Lit
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] != "v" {
			continue
		}
		for _, word := range words[1:] {
			l, err := strconv.ParseInt(word, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("literal %q in its model", program.Clip(word))
			}
			if l != 0 {
				lits = append(lits, cnf.Lit(l))
			}
		}
	}
	return lits, lines.Err()
}

// lastWords returns the last line of standard error or, if that is empty, of standard
// output.
func lastWords(o program.Output) string {
	return cmp.Or(program.LastLine(o.Stderr), program.LastLine(o.Stdout), "no output")
}

// under returns a copy of the formula, with assumptions as unit clauses.
func under(f *cnf.Formula, assume []cnf.Lit) *cnf.Formula {
	both := &cnf.Formula{Vars: f.Vars}
	both.Grow(f.NumClauses() + len(assume))
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
