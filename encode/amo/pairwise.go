package amo

import "queens/encode/cnf"

// Pairwise (folklore; the naive encoding of Prestwich, Handbook of Satisfiability,
// 2009, section 2.2) forbids every pair: k(k-1)/2 clauses for k literals and no auxiliary
// variables. No encoding propagates more per clause visited, and none is
// larger.
var Pairwise = Encoding{
	Name: "pairwise",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		for i, a := range lits {
			for _, b := range lits[i+1:] {
				f.Add(a.Not(), b.Not())
			}
		}
	},
}
