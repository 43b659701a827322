package backends

import (
	"slices"

	"queens/encode/cnf"
)

// Valid says which values each variable can still take: which variables are true in
// some solution under the assumptions, and which in all of them. A variable that is not
// possible is false in every solution; one that is not forced is false in some.
type Valid struct {
	Satisfiable bool // there is a solution; otherwise nothing is possible or forced
	// Possible holds the variables that are true in at least one solution, in
	// ascending order.
	Possible []cnf.Var
	// Forced holds those that are true in every solution, in ascending order.
	Forced []cnf.Var
	Method string // the method that answered
	Work   Work
}

// Work is the cost of an answer in units that do not depend on the machine or its
// load: solver calls, conflicts, nodes. The back-end chooses the names and their
// order, and always reports the same ones. Unused entries have no name. An array costs a question no memory.
type Work [5]Count

// Count is one entry of [Work].
type Count struct {
	Name string
	N    int64
}

// Of returns the count with the name; 0 if there is none.
func (w Work) Of(name string) int64 {
	for _, c := range w {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// Counts returns the entries in use.
func (w Work) Counts() []Count {
	return slices.DeleteFunc(w[:], func(c Count) bool { return c.Name == "" })
}

// Map returns the counts by name.
func (w Work) Map() map[string]int64 {
	m := map[string]int64{}
	for _, c := range w.Counts() {
		m[c.Name] = c.N
	}
	return m
}
