package amo

import "queens/encode/cnf"

// Encoding is a way to express in clauses that at most one literal is true.
type Encoding struct {
	Name string
	// Encode adds the clauses for lits to f, and the auxiliary variables they
	// need. The literals are of distinct variables.
	Encode func(f *cnf.Formula, lits []cnf.Lit)
}
