package amo

import (
	"fmt"

	"queens/encode/cnf"
)

// Sequential (Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, CP
// 2005: LT-SEQ) counts along the literals: s_i,j is true if at least j of the first i are, for
// i < n and j <= k. At most k of n literals takes 2nk+n-3k-1 clauses and k(n-1) auxiliary
// variables, and at most one 3n-4 and n-1.
//
// For at least k the implications point the other way: s_i,j is true only if at least j of the
// first i literals are. That takes 2nk-n-3k+4 clauses for k >= 2, and as many variables. Exactly
// k takes both on the same variables, which the literals then determine.
var Sequential = Encoding{
	Name: "sequential",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		if len(lits) > 1 {
			sequential(f, lits, 1, AtMost)
		}
	},
	Bound: sequential,
}

func sequential(f *cnf.Formula, lits []cnf.Lit, k int, is Relation) {
	last := len(lits) - 1
	s, next := make([]cnf.Lit, k), make([]cnf.Lit, k)
	count(f, s, 1)
	if is&AtMost != 0 {
		f.Add(lits[0].Not(), s[0])
	}
	if is&AtLeast != 0 {
		f.Add(s[0].Not(), lits[0])
	}
	units(f, negated(s[1:]))
	for i, x := range lits[1:last] {
		count(f, next, i+2)
		if is&AtMost != 0 {
			f.Add(x.Not(), next[0])
			f.Add(s[0].Not(), next[0])
			for j := 1; j < k; j++ {
				f.Add(x.Not(), s[j-1].Not(), next[j])
				f.Add(s[j].Not(), next[j])
			}
			f.Add(x.Not(), s[k-1].Not())
		}
		if is&AtLeast != 0 {
			f.Add(next[0].Not(), s[0], x)
			for j := 1; j < k; j++ {
				f.Add(next[j].Not(), s[j], x)
				f.Add(next[j].Not(), s[j-1])
			}
		}
		s, next = next, s
	}
	if is&AtMost != 0 {
		f.Add(lits[last].Not(), s[k-1].Not())
	}
	if is&AtLeast != 0 {
		f.Add(s[k-1], lits[last])
		if k > 1 {
			f.Add(s[k-2])
		}
	}
}

// count adds the variables that count the first i literals up to k, to s. They have names where k is more than
// one: for the boards' many at-most-ones, that would take four times as long.
func count(f *cnf.Formula, s []cnf.Lit, i int) {
	for j := range s {
		s[j] = f.NewNamed(len(s) > 1, func() string { return fmt.Sprintf("at least %d of the first %d", j+1, i) }).Pos()
	}
}
