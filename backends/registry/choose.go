package registry

import (
	"context"
	"fmt"

	"queens/backends/sat/external"
	"queens/encode"
)

// ForValid returns the back-end that suits the question what is still possible: the
// diagram, which counts too, for queens with so many variables, as long as it is
// compiled in an instant; the portfolio for larger boards; SAT for everything else.
func ForValid(p encode.Problem, diagram int) Backend {
	for _, b := range []Backend{compiles, portfolios, solves} {
		if b.Takes(p) == nil && (b.Name != compiles.Name || p.IsQueens() && p.NumVars() <= diagram) {
			return b
		}
	}
	return solves
}

// Instant is the number of variables of a queens problem up to which a diagram is
// compiled in a few milliseconds: a board of 10.
const Instant = 100

// ForCount returns the back-end that suits counting all solutions: search for queens,
// which visits them in less than half of the time of a sweep and in no memory to speak of;
// for other problems, where there may be too many to visit, one that keeps no diagram, else
// one that compiles. The error says why neither takes the problem.
func ForCount(p encode.Problem) (Backend, error) {
	if p.IsQueens() && sweeps.Takes(p) == nil {
		return searches, nil
	}
	err := sweeps.Takes(p)
	if err == nil {
		return sweeps, nil
	}
	if compiles.Takes(p) == nil {
		return compiles, nil
	}
	// It is too large for both, and err names what is left.
	return Backend{}, fmt.Errorf("counting: %w; search visits every solution, if it is named", err)
}

// gini is the SAT solver that is always there, in this process.
const gini = "gini"

// Solvers lists the SAT solvers by name, whether they are installed or not. A command
// can stand for a name, too: see [external.Find].
func Solvers() []string { return append([]string{gini}, external.Names()...) }

// CheckSolver reports a solver that is not known, or not installed; empty is gini.
func CheckSolver(name string) error {
	_, err := FindSolver(name)
	return err
}

// FindSolver returns the program that a name or a command stands for; nil for gini.
func FindSolver(name string) (*external.Solver, error) {
	if name == "" || name == gini {
		return nil, nil
	}
	s, err := external.Find(name)
	if err != nil {
		return nil, err
	}
	return &s, nil
}

// SolverVersion tells what a solver is, with its command; nil is gini. A program that
// does not tell is an error.
func SolverVersion(ctx context.Context, s *external.Solver) (string, error) {
	if s == nil {
		return "v1.0.4", nil
	}
	session := s.Open()
	defer session.Close()
	version, err := session.Version(ctx)
	return version + " (" + s.Command + ")", err
}

// ForCountEach returns the back-end that suits counting the solutions through each
// variable.
func ForCountEach(p encode.Problem) (Backend, error) {
	if compiles.Takes(p) == nil {
		return compiles, nil
	}
	return searches, nil
}
