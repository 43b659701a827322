package amo

import (
	"slices"

	"queens/encode/cnf"
)

// Commander (Klieber and Kwon, Efficient CNF Encoding for Selecting 1 from N Objects,
// CFV 2007: groups of three) gives every group of three literals a commander, which is true
// exactly when one of the group is. At most one literal of a group is true,
// encoded pairwise, and at most one commander, encoded in the same way as the
// literals. A last group of two has a commander too; a single last literal is its
// own. Up to six literals are encoded pairwise. For k > 6, with g = floor(k/3)
// full groups and r = k - 3g left over,
//
//	clauses(k)   = 7g + (4 if r = 2) + clauses(ceil(k/3))      about 3.5 k
//	auxiliary(k) = g + (1 if r = 2) + auxiliary(ceil(k/3))     about k/2
var Commander = Encoding{
	Name:   "commander",
	Encode: encodeCommander,
}

func encodeCommander(f *cnf.Formula, lits []cnf.Lit) {
	if len(lits) <= 6 { // groups would not be smaller than pairs
		Pairwise.Encode(f, lits)
		return
	}
	var commanders []cnf.Lit
	for group := range slices.Chunk(lits, 3) {
		if len(group) == 1 {
			commanders = append(commanders, group[0])
			continue
		}
		commander := f.NewVar()
		Pairwise.Encode(f, group)
		for _, x := range group {
			f.Add(x.Not(), commander.Pos())
		}
		f.Add(append([]cnf.Lit{commander.Neg()}, group...)...)
		commanders = append(commanders, commander.Pos())
	}
	encodeCommander(f, commanders)
}
