package amo

import "queens/encode/cnf"

// Ladder makes a unary number of the true literal's place: rung y_i holds when
// it is among the first i, so y_1 .. y_k rises once or never, and x_i is where it
// rises: x_i <-> y_i AND NOT y_(i-1). 4k-2 clauses and k auxiliary variables for
// k >= 2.
//
// Unlike those of the other encodings with a chain, the auxiliary variables are
// determined by the literals: the models of the formula need no projection to be
// counted.
var Ladder = Encoding{
	Name: "ladder",
	Source: "Gent and Nightingale, A New Encoding of AllDifferent into SAT, ModRef 2004; " +
		"the regular encoding of Ansotegui and Manya, SAT 2004",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		if len(lits) < 2 {
			return
		}
		below := f.NewVar()
		f.Add(lits[0].Not(), below.Pos())
		f.Add(lits[0], below.Neg())
		for _, x := range lits[1:] {
			rung := f.NewVar()
			f.Add(below.Neg(), rung.Pos())
			f.Add(x.Not(), rung.Pos())
			f.Add(x.Not(), below.Neg())
			f.Add(x, rung.Neg(), below.Pos())
			below = rung
		}
	},
	Size: func(k int) (int, int) {
		if k < 2 {
			return 0, 0
		}
		return 4*k - 2, k
	},
}
