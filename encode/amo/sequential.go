package amo

import "queens/encode/cnf"

// Sequential (Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, CP
// 2005: LT-SEQ with k = 1) counts along the literals: s_i is true if one of the first i is,
// for i < k. It takes 3k-4 clauses and k-1 auxiliary variables for k >= 2.
var Sequential = Encoding{
	Name: "sequential",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		if len(lits) < 2 {
			return
		}
		first, middle, last := lits[0], lits[1:len(lits)-1], lits[len(lits)-1]
		s := f.NewVar()
		f.Add(first.Not(), s.Pos())
		for _, x := range middle {
			next := f.NewVar()
			f.Add(x.Not(), next.Pos())
			f.Add(s.Neg(), next.Pos())
			f.Add(x.Not(), s.Neg())
			s = next
		}
		f.Add(last.Not(), s.Neg())
	},
}
