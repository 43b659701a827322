package amo

import "queens/encode/cnf"

// Encoding is a way to express in clauses how many of some literals are true. All functions add clauses to
// f, and the auxiliary variables that they need. The literals are of distinct variables.
type Encoding struct {
	Name string
	// Encode says that at most one of the literals is true.
	Encode func(f *cnf.Formula, lits []cnf.Lit)
	// AtMost says that at most k of n literals are true, and AtLeast that at least k are, for 1 <= k < n.
	// Both are nil if the encoding is for one only; [Encoding.Count] then takes another.
	AtMost, AtLeast func(f *cnf.Formula, lits []cnf.Lit, k int)
}
