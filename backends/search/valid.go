package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/backends"
	"queens/encode/cnf"
)

// The ways to find the valid cells.
const (
	// Reuse walks to one solution through each cell that no solution found so
	// far has shown.
	Reuse = "reuse"
	// PerCell walks to one solution through each cell, whatever is known.
	PerCell = "per-cell"
	// Enumerate visits every solution: the slowest where there are many, and the
	// simplest to trust.
	Enumerate = "enumerate"
)

// Methods implements [backends.ValidFinder].
func (o *Oracle) Methods() []string { return []string{Reuse, PerCell, Enumerate} }

// Valid implements [backends.ValidFinder]. Its work is the number of walks and
// of queens that they placed.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	if method == "" {
		method = o.Methods()[0]
	}
	if !slices.Contains(o.Methods(), method) {
		return backends.Valid{}, fmt.Errorf("search: valid-cell method %q: expected one of %s", method, strings.Join(o.Methods(), ", "))
	}
	n, before := o.problem.N, o.Visited()
	shown := make([]bool, n*n)
	mark := func(cols []int) {
		for row, col := range cols {
			shown[row*n+col] = true
		}
	}
	walks := 1
	var err error
	if method == Enumerate {
		err = o.each(ctx, assume, func(cols []int) bool { mark(cols); return true })
	} else {
		err = o.first(ctx, assume, mark)
	}
	if method != Enumerate && slices.Contains(shown, true) {
		ask := append(slices.Clone(assume), 0)
		for i := 0; i < len(shown) && err == nil; i++ {
			if method == PerCell || !shown[i] {
				ask[len(assume)] = cnf.Var(i + 1).Pos()
				err = o.first(ctx, ask, mark)
				walks++
			}
		}
	}
	if err != nil {
		return backends.Valid{}, err
	}
	var possible []cnf.Var
	for i, yes := range shown {
		if yes {
			possible = append(possible, cnf.Var(i+1))
		}
	}
	return backends.Valid{
		Satisfiable: len(possible) > 0, Method: method,
		Possible: possible,
		Forced:   o.cover.Forced(possible),
		Work:     backends.Work{{Name: "walks", N: int64(walks)}, {Name: "queens", N: int64(o.Visited() - before)}},
	}, nil
}
