package external

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/system"
)

// Oracle answers about one problem with an external solver: a process a query,
// the assumptions as unit clauses.
type Oracle struct {
	problem encode.Problem
	cover   *encode.Cover
	solver  Solver
	formula *cnf.Formula // without assumptions
}

var _ backends.ValidFinder = (*Oracle)(nil)

// New returns an Oracle that asks the solver, over the whole board under the
// encoding.
func New(p encode.Problem, s Solver, e amo.Encoding) *Oracle {
	cover, _ := encode.NewCover(p)
	return &Oracle{problem: p, cover: cover, solver: s, formula: p.CNF(e)}
}

// under returns the formula with the literals as clauses.
func (o *Oracle) under(assume []cnf.Lit) (*cnf.Formula, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return nil, err
	}
	f := &cnf.Formula{Vars: o.formula.Vars}
	for c := range o.formula.Clauses() {
		f.Add(c...)
	}
	for _, l := range assume {
		f.Add(l)
	}
	return f, nil
}

// Solve looks for one solution. The core of an UNSAT answer is all assumptions.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	f, err := o.under(assume)
	if err != nil {
		return backends.Answer{}, err
	}
	status, value, err := o.solver.solve(ctx, f)
	if err != nil {
		return backends.Answer{}, err
	}
	if status == backends.Unsat {
		return backends.Answer{Status: status, Core: slices.Clone(assume)}, nil
	}
	n := o.problem.N
	model := make([]cnf.Lit, n*n)
	var queens []board.Cell
	for i := range model {
		if v := cnf.Var(i + 1); value[i] {
			model[i] = v.Pos()
			queens = append(queens, board.At(n, i))
		} else {
			model[i] = v.Neg()
		}
	}
	if err := board.VerifyCells(n, queens); err != nil {
		return backends.Answer{}, fmt.Errorf("asking %s: its model is no solution: %w", o.solver.Name, err)
	}
	return backends.Answer{Status: status, Model: model}, nil
}

// The ways to find the valid cells.
const (
	// Brave has the solver itself form the union of all models (clasp's
	// --enum-mode=brave): one process.
	Brave = "brave"
	// Reuse asks for cells that no model so far has shown.
	Reuse = "reuse"
	// PerCell asks for every cell.
	PerCell = "per-cell"
)

// Methods returns the ways that the solver has, the best first.
func (o *Oracle) Methods() []string { return o.solver.dialect.methods() }

func (d dialect) methods() []string {
	if d.brave != nil {
		return []string{Brave, Reuse, PerCell}
	}
	return []string{Reuse, PerCell}
}

// MethodsOf returns the ways that the solver of a name has, installed or not; none
// for an unknown name.
func MethodsOf(name string) []string {
	for _, s := range known {
		if s.Name == name {
			return s.dialect.methods()
		}
	}
	return nil
}

// Valid finds the possible and forced cells. Its work is the number of processes,
// "solves".
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	if method == "" {
		method = o.Methods()[0]
	}
	if !slices.Contains(o.Methods(), method) {
		return backends.Valid{}, fmt.Errorf("method %q: back-end %s has %s", method, o.solver.Name, strings.Join(o.Methods(), ", "))
	}
	possible := make([]bool, o.problem.NumVars())
	solves := int64(0)
	var err error
	if method == Brave {
		solves++
		err = o.brave(ctx, assume, possible)
	} else {
		under := append(slices.Clone(assume), 0)
		for i := range possible {
			if possible[i] && method == Reuse {
				continue
			}
			under[len(assume)] = cnf.Var(i + 1).Pos()
			solves++
			var answer backends.Answer
			if answer, err = o.Solve(ctx, under); err != nil {
				break
			}
			for j, l := range answer.Model {
				possible[j] = possible[j] || l.Positive()
			}
		}
	}
	if err != nil {
		return backends.Valid{}, fmt.Errorf("finding the valid cells of %d queens by %s: %w", o.problem.N, method, err)
	}
	valid := backends.Valid{Method: method, Work: backends.Work{{Name: "solves", N: solves}}}
	for i, p := range possible {
		if p {
			valid.Possible = append(valid.Possible, cnf.Var(i+1))
		}
	}
	valid.Satisfiable = len(valid.Possible) > 0
	valid.Forced = o.cover.Forced(valid.Possible)
	return valid, nil
}

// brave has the solver enumerate for the union of all models.
func (o *Oracle) brave(ctx context.Context, assume []cnf.Lit, possible []bool) error {
	f, err := o.under(assume)
	if err != nil {
		return err
	}
	temporary, err := system.NewTemp("queens-" + o.solver.Name)
	if err != nil {
		return err
	}
	defer temporary.Remove()
	input := filepath.Join(temporary.Dir, "problem.cnf")
	if err := writeFormula(input, f); err != nil {
		return err
	}
	output, code, err := o.solver.run(ctx, append(slices.Clone(o.solver.dialect.brave), input))
	if err != nil {
		return err
	}
	switch code {
	case exitUnsat:
		return nil
	case exitAll:
		value := make([]bool, f.Vars)
		if err := o.solver.values(output, value); err != nil {
			return err
		}
		copy(possible, value)
		return nil
	}
	return fmt.Errorf("asking %s: it ended with code %d: %s", o.solver.Name, code, firstLine(output))
}

// Certify has the solver prove that there is no solution under the assumptions,
// and checks the proof. It returns the number of clauses that the proof derives.
// The error says that the solver writes no proofs that can be checked here, that
// there is a solution, or where the proof fails.
func (o *Oracle) Certify(ctx context.Context, assume []cnf.Lit) (steps int, err error) {
	if o.solver.dialect.proof == nil {
		return 0, fmt.Errorf("certifying: %s writes no proof that can be checked here; cadical does", o.solver.Name)
	}
	f, err := o.under(assume)
	if err != nil {
		return 0, err
	}
	temporary, err := system.NewTemp("queens-" + o.solver.Name)
	if err != nil {
		return 0, err
	}
	defer temporary.Remove()
	input, proof := filepath.Join(temporary.Dir, "problem.cnf"), filepath.Join(temporary.Dir, "proof")
	if err := writeFormula(input, f); err != nil {
		return 0, err
	}
	words := append(slices.Concat(o.solver.dialect.quiet, o.solver.dialect.proof), input, proof)
	output, code, err := o.solver.run(ctx, words)
	switch {
	case err != nil:
		return 0, err
	case code == exitSat:
		return 0, fmt.Errorf("certifying with %s: there is a solution", o.solver.Name)
	case code != exitUnsat:
		return 0, fmt.Errorf("certifying with %s: it ended with code %d: %s", o.solver.Name, code, firstLine(output))
	}
	file, err := os.Open(proof)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return CheckProof(ctx, f, file)
}
