package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// ForCount returns the back-end that suits counting all solutions: one that keeps no
// diagram, else one that compiles. The error says why neither takes the problem; search
// is not chosen, since visiting every solution may take for ever.
func ForCount(p encode.Problem) (Backend, error) {
	var reasons []error
	for _, b := range []Backend{sweeps, compiles} {
		err := b.Takes(p)
		if err == nil {
			return b, nil
		}
		reasons = append(reasons, err)
	}
	return Backend{}, fmt.Errorf("counting: %w; search visits every solution, if it is named", errors.Join(reasons...))
}

// Solvers lists the SAT solvers by name, whether they are installed or not.
func Solvers() []string { return append([]string{"gini"}, external.Names()...) }

// CheckSolver reports a solver's name that is not known, or a solver that is not
// installed; empty is gini.
func CheckSolver(name string) error {
	if name == "" || name == "gini" {
		return nil
	}
	if !slices.Contains(external.Names(), name) {
		return fmt.Errorf("SAT solver %q: expected one of %s", name, strings.Join(Solvers(), ", "))
	}
	_, err := external.Find(name)
	return err
}

// ForCountEach returns the back-end that suits counting the solutions through each
// variable.
func ForCountEach(p encode.Problem) (Backend, error) {
	if compiles.Takes(p) == nil {
		return compiles, nil
	}
	return searches, nil
}
