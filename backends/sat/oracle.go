package sat

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Oracle answers about one problem with gini. Make it with [New].
type Oracle struct {
	problem encode.Problem
	cover   *encode.Cover
	amo     func(pairs int) amo.Encoding
	full    *solver   // the whole board, built at the first question that needs it
	kept    [][]int32 // solutions of the empty board that answered earlier questions
}

var (
	_ backends.Enumerator  = (*Oracle)(nil)
	_ backends.ValidFinder = (*Oracle)(nil)
)

// Option changes how an Oracle works.
type Option func(*Oracle)

// WithAMO sets the at-most-one encoding, instead of choosing it by size.
func WithAMO(e amo.Encoding) Option {
	return func(o *Oracle) { o.amo = func(int) amo.Encoding { return e } }
}

// New returns an Oracle for the problem. No solver is built before a question
// needs it.
func New(p encode.Problem, options ...Option) *Oracle {
	cover, _ := encode.NewCover(p)
	o := &Oracle{problem: p, cover: cover, amo: amo.Default}
	for _, option := range options {
		option(o)
	}
	return o
}

// solver returns the solver of the whole board.
func (o *Oracle) solver() *solver {
	if o.full == nil {
		o.full = newSolver(o.problem.CNF(o.amo(o.problem.Pairs())))
	}
	return o.full
}

// check reports an assumption that is no literal of a cell.
func (o *Oracle) check(assume []cnf.Lit) error {
	return o.problem.CheckAssumptions(assume)
}

// Solve looks for one solution. The model is checked before it is returned.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	if err := o.check(assume); err != nil {
		return backends.Answer{}, err
	}
	s := o.solver()
	status, core, err := s.solve(ctx, assume)
	if err != nil {
		return backends.Answer{}, fmt.Errorf("solving %d queens with gini under %d assumptions: %w", o.problem.N, len(assume), err)
	}
	answer := backends.Answer{Status: status, Core: core}
	if status == backends.Sat {
		if answer.Model, err = o.model(s); err != nil {
			return backends.Answer{}, err
		}
	}
	return answer, nil
}

// Solutions enumerates by blocking clauses: after each solution a clause
// forbids it. It works on a solver of its own, so that these clauses never
// reach the other questions.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		if err := o.check(assume); err != nil {
			yield(nil, err)
			return
		}
		f := o.problem.CNF(o.amo(o.problem.Pairs()))
		for _, l := range assume {
			f.Add(l)
		}
		s := newSolver(f)
		var block []cnf.Lit
		for {
			status, _, err := s.solve(ctx, nil)
			if err != nil {
				yield(nil, fmt.Errorf("enumerating the solutions of %d queens with gini: %w", o.problem.N, err))
				return
			}
			if status == backends.Unsat {
				return
			}
			model, err := o.model(s)
			if !yield(model, err) || err != nil {
				return
			}
			// The queens alone tell one solution from all others.
			block = block[:0]
			for _, l := range model {
				if l.Positive() {
					block = append(block, l.Not())
				}
			}
			s.add(block...)
		}
	}
}

// model reads the solver's model and has it judged by board.Verify. An error
// means that gini or the encoding is broken.
func (o *Oracle) model(s *solver) ([]cnf.Lit, error) {
	n := o.problem.N
	model := make([]cnf.Lit, n*n)
	queens := make([]board.Cell, 0, n)
	for i := range model {
		v := cnf.Var(i + 1)
		if s.value(v) {
			model[i] = v.Pos()
			queens = append(queens, board.At(n, i))
		} else {
			model[i] = v.Neg()
		}
	}
	if err := board.VerifyCells(n, queens); err != nil {
		return nil, fmt.Errorf("gini's model of %d queens is no solution: %w", n, err)
	}
	return model, nil
}

// Methods returns the names of the ways to find valid cells.
func (o *Oracle) Methods() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// Valid finds the possible and forced cells by the named method. Its work, 0
// where the method does without:
//
//   - kept: solutions of earlier questions that answered this one too;
//   - walked: solutions found by local search;
//   - nodes: queens placed by backtracking;
//   - solves: queries put to gini; models: those of them answered Sat;
//   - conflicts: what gini met on the way.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	if method == "" {
		method = methods[0].name
	}
	i := slices.IndexFunc(methods, func(m validMethod) bool { return m.name == method })
	if i < 0 {
		return backends.Valid{}, fmt.Errorf("method %q: back-end sat has %s", method, strings.Join(o.Methods(), ", "))
	}
	if err := o.check(assume); err != nil {
		return backends.Valid{}, err
	}
	valid, err := methods[i].find(ctx, o, assume)
	if err != nil {
		return valid, fmt.Errorf("finding the valid cells of %d queens with gini by %s: %w", o.problem.N, method, err)
	}
	valid.Satisfiable, valid.Method = len(valid.Possible) > 0, method
	valid.Forced = o.cover.Forced(valid.Possible)
	return valid, nil
}
