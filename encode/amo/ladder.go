package amo

import (
	"fmt"

	"queens/encode/cnf"
)

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
		rung := func(i int) cnf.Var {
			return f.NewNamed(func() string { return fmt.Sprintf("at least 1 of the first %d", i) })
		}
		below := rung(1)
		f.Add(lits[0].Not(), below.Pos())
		f.Add(lits[0], below.Neg())
		for i, x := range lits[1:] {
			next := rung(i + 2)
			f.Add(below.Neg(), next.Pos())
			f.Add(x.Not(), next.Pos())
			f.Add(x.Not(), below.Neg())
			f.Add(x, next.Neg(), below.Pos())
			below = next
		}
	},
}
