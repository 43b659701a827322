package amo

import (
	"math/bits"

	"queens/encode/cnf"
)

// Bimander (Nguyen and Mai, A New Method to Encode the At-Most-One Constraint into SAT,
// SoICT 2015: groups of two) pairs the literals and numbers the pairs in binary: a literal
// implies each bit of its pair's number, so literals of different pairs exclude each other,
// and the two of a pair exclude each other directly. With m = ceil(k/2) pairs and b =
// ceil(log2 m) bits: kb + floor(k/2) clauses and b auxiliary variables.
var Bimander = Encoding{
	Name: "bimander",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		number := newLits(f, bits.Len(uint((len(lits)-1)/2)))
		for i, x := range lits {
			if i%2 == 1 {
				f.Add(lits[i-1].Not(), x.Not())
			}
			for b, bit := range number {
				if i/2>>b&1 == 0 {
					bit = bit.Not()
				}
				f.Add(x.Not(), bit)
			}
		}
	},
}
