package amo

import "queens/encode/cnf"

// Encoding is a way to express in clauses how many of some literals are true. The functions add clauses to
// f, and the auxiliary variables that they need. The literals are of distinct variables.
type Encoding struct {
	Name string
	// Encode says that at most one of the literals is true.
	Encode func(f *cnf.Formula, lits []cnf.Lit)
	// Bound says that at most, at least or exactly k of n literals are true, for 1 <= k < n. It is nil if
	// the encoding is for one only; [Encoding.Count] then takes another.
	Bound func(f *cnf.Formula, lits []cnf.Lit, k int, is Relation)
	// weigh says that the weights of the true literals add up to at most a sum, which all of them exceed and none alone. It
	// returns false, and adds nothing, if that needs too many variables or clauses. It is nil if the encoding does not
	// know weights; [Encoding.Weigh] then takes another.
	weigh func(f *cnf.Formula, terms weighted, most int) bool
}

// Relation is how a number of true literals compares with a bound.
type Relation uint8

const (
	AtMost Relation = 1 << iota
	AtLeast
	Exactly = AtMost | AtLeast
)
