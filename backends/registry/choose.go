package registry

import (
	"context"
	"fmt"

	"queens/backends/bdd"
	"queens/backends/sat/external"
	"queens/encode"
)

// ForValid returns the back-end best suited to find what is still possible: the
// diagram, which also counts, for queens with at most the given number of
// variables; the portfolio for larger boards; SAT for everything else.
func ForValid(p encode.Problem, diagram int) Backend {
	for _, b := range []Backend{compiles, portfolios, solves} {
		if b.Takes(p) == nil && (b.Name != compiles.Name || p.IsQueens() && p.NumVars() <= diagram) {
			return b
		}
	}
	return solves
}

// Instant is the largest number of variables for which a queens diagram compiles
// in a few milliseconds: a board of 10.
const Instant = 100

// ForCount returns the back-end best suited to count all solutions. For queens it is
// search, which visits them with almost no memory. For other problems, which may have too
// many solutions to visit, it is the one that compiles a diagram. The error says why the
// problem is too large for both.
func ForCount(p encode.Problem) (Backend, error) {
	switch err := bdd.CheckSize(p); {
	case err != nil:
		return Backend{}, fmt.Errorf(
			"counting %s: %w; back-end search visits every solution, but must be chosen by name", p, err)
	case p.IsQueens():
		return searches, nil
	}
	return compiles, nil
}

// gini is the SAT solver that is always available, in this process.
const gini = "gini"

// Solvers lists the names of the known SAT solvers, installed or not. A command can
// also stand for a solver: see [external.Find].
func Solvers() []string { return append([]string{gini}, external.Names()...) }

// CheckSolver returns an error if a solver is unknown or not installed; the empty
// name is gini.
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

// SolverVersion returns a solver's version and command; nil is gini. It fails if the
// program does not report its version.
func SolverVersion(ctx context.Context, s *external.Solver) (string, error) {
	if s == nil {
		return "v1.0.4", nil
	}
	session := s.Open()
	defer session.Close()
	version, err := session.Version(ctx)
	return version + " (" + s.Command + ")", err
}

// ForCountEach returns the back-end best suited to count the solutions through
// each variable.
func ForCountEach(p encode.Problem) (Backend, error) {
	if compiles.Takes(p) == nil {
		return compiles, nil
	}
	return searches, nil
}
