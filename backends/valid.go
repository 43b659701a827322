package backends

import (
	"context"

	"queens/encode/cnf"
)

// ValidCells is the answer to a valid-cell query: what can still be, what must
// be, and what it cost to know.
type ValidCells struct {
	// Possible holds the variables of cells with a queen in at least one
	// solution under the assumptions, rising; none means no solution.
	Possible []cnf.Var
	// Forced holds those with a queen in every solution, rising.
	Forced []cnf.Var
	Work   Work
}

// ValidFinder is an Oracle that can find the valid cells in more than one way,
// so that the ways can be compared.
type ValidFinder interface {
	Oracle
	// Methods returns the names of the ways, the best in general first.
	Methods() []string
	// Valid finds the cells by the named method. Every method gives the same
	// cells. An unknown name is an error that lists the names there are.
	Valid(ctx context.Context, assume []cnf.Lit, method string) (ValidCells, error)
}

// Work says what an answer cost in units that no machine or load changes:
// solver calls, conflicts, nodes. The back-end chooses the names and their
// order, and reports the same ones whatever the numbers.
type Work []Count

// Count is one entry of [Work].
type Count struct {
	Name string
	N    int64
}

// Of returns the count with the name, 0 when there is none.
func (w Work) Of(name string) int64 {
	for _, c := range w {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// Forced returns those of the possible cells of a board of size n that hold a
// queen in every solution: the only possible cell of a row. Columns add nothing,
// since the only possible cell of a column is also the only one of its row.
// possible must be complete and rising.
func Forced(n int, possible []cnf.Var) []cnf.Var {
	row := func(v cnf.Var) int { return (int(v) - 1) / n }
	var forced []cnf.Var
	for i, v := range possible {
		if (i == 0 || row(possible[i-1]) != row(v)) && (i+1 == len(possible) || row(possible[i+1]) != row(v)) {
			forced = append(forced, v)
		}
	}
	return forced
}
