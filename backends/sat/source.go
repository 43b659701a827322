package sat

import (
	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Formula names the clauses used for a question about what is possible.
type Formula string

const (
	// Residual makes a formula for each question, of what unit propagation over the
	// constraints leaves of the problem.
	Residual Formula = "residual"
	// Whole asks one solver for the whole problem, with the question's literals as
	// assumptions, so all questions benefit from what the solver learns.
	Whole Formula = "whole"
	// Closed is like Whole, but no query asks about what unit propagation over the constraints
	// rules out.
	Closed Formula = "closed"
)

// Formulas lists the formulas; the one that is faster in general comes first.
func Formulas() []Formula { return []Formula{Residual, Closed, Whole} }

// Options says which solver is asked, and with which clauses.
type Options struct {
	AMO     amo.Encoding // the zero value means one chosen by size
	Formula Formula      // [Residual] from New
	Solver  string       // name of the solver, gini from New
	Make    Make         // [Gini] from New
	Silent  bool         // the solver does not count its conflicts, so that work has no such count
}

// source holds what all questions about one problem share. It makes each part when a question first needs it.
type source struct {
	Options
	problem encode.Problem
	cover   *encode.Cover // nil if the possible variables do not determine the forced ones

	whole   Solver             // for the whole problem
	reduce  *encode.Propagator // for what follows from the assumptions
	flipped flipped
}

// encoding returns the at-most-one encoding for a problem whose at-most-one constraints have this many pairs.
func (s *source) encoding(pairs int) amo.Encoding {
	if s.AMO.Name == "" {
		return amo.Default(pairs)
	}
	return s.AMO
}

// solver returns the solver of the whole problem.
func (s *source) solver() Solver {
	if s.whole == nil {
		s.whole = s.Make(s.problem.CNF(s.encoding(s.problem.Pairs())))
	}
	return s.whole
}

// vars returns the problem's variables, the auxiliary ones last.
func (s *source) vars() []cnf.Var {
	vars := make([]cnf.Var, s.problem.AllVars())
	for i := range vars {
		vars[i] = cnf.Var(i + 1)
	}
	return vars
}

// propagator returns the Propagator for the problem's constraints.
func (s *source) propagator() *encode.Propagator {
	if s.reduce == nil {
		s.reduce = encode.NewPropagator(s.problem)
	}
	return s.reduce
}

// Memory per variable, measured on queens n = 30 to 80. reduceBytes is for the constraints that residual
// formulas are made from. wholeBytes is for gini with the whole problem (1.5 to 4 KiB).
const (
	reduceBytes = 128
	wholeBytes  = 3 << 10
)

// LeastBytes returns memory that every question about the problem needs at least, in bytes. For each variable there
// are two slice headers: the constraints of its literals, or the clauses that a solver watches. Each literal of a
// constraint is held twice, in 4 bytes: by constraint and by variable, or in the formula and in the solver.
func LeastBytes(p encode.Problem) int64 {
	return 48*int64(p.AllVars()) + 8*int64(p.NumLiterals())
}

// Stats implements [backends.Backend].
func (s *source) Stats() backends.Stats {
	each := int64(reduceBytes)
	if s.whole != nil {
		each += wholeBytes
	}
	return backends.Stats{Bytes: each * int64(s.problem.NumVars())}
}

// Close implements [backends.Backend]: it closes the solver of the whole problem.
func (s *source) Close() error {
	if s.whole == nil {
		return nil
	}
	return s.whole.Close()
}
