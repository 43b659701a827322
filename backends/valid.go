package backends

import (
	"queens/encode/cnf"
)

// Valid is the answer to the question what each variable can still be: what is true in
// some solution under the assumptions, and what in all. A variable that is not possible
// is false in every solution; one that is not forced is false in some.
type Valid struct {
	Satisfiable bool // there is a solution; nothing is possible or forced otherwise
	// Possible holds the variables that are true in at least one solution, rising.
	Possible []cnf.Var
	// Forced holds those that are true in every solution, rising.
	Forced []cnf.Var
	Method string // the way it was found
	Work   Work
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
