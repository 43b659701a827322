package amo

import "queens/encode/cnf"

// Totalizer (Bailleux and Boufkhad, Efficient CNF Encoding of Boolean Cardinality
// Constraints, CP 2003: outputs cut at the bound 1) adds up the literals in a balanced tree
// of unary adders. Only "none", "one" and "too many" need to be distinguished, so each adder
// has one output, true when one of its inputs is, and forbids both inputs at once; the root
// needs no output. It takes 3k-5 clauses and k-2 auxiliary variables for k >= 2.
var Totalizer = Encoding{
	Name: "totalizer",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		if len(lits) < 2 {
			return
		}
		half := len(lits) / 2
		f.Add(totalize(f, lits[:half]).Not(), totalize(f, lits[half:]).Not())
	},
}

// totalize adds the tree over lits and returns the output of its root.
func totalize(f *cnf.Formula, lits []cnf.Lit) cnf.Lit {
	if len(lits) == 1 {
		return lits[0]
	}
	half := len(lits) / 2
	a, b := totalize(f, lits[:half]), totalize(f, lits[half:])
	sum := f.NewVar().Pos()
	f.Add(a.Not(), sum)
	f.Add(b.Not(), sum)
	f.Add(a.Not(), b.Not())
	return sum
}
