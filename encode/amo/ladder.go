package amo

import "queens/encode/cnf"

// Ladder (Gent and Nightingale, A New Encoding of AllDifferent into SAT, ModRef 2004; the
// regular encoding of Ansotegui and Manya, SAT 2004) encodes the position of the true
// literal in unary: rung y_i is true if the literal is among the first i, so y_1 .. y_k
// rises at most once, and x_i is where it rises: x_i <-> y_i AND NOT y_(i-1). It takes 4k-2
// clauses and k auxiliary variables for k >= 2.
//
// Unlike in the other encodings with a chain, the literals determine the
// auxiliary variables, so the formula's models can be counted without
// projection.
var Ladder = Encoding{
	Name: "ladder",
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
}
