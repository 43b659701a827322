package amo

import "queens/encode/cnf"

// Product (Chen, A New SAT Encoding of the At-Most-One Constraint, ModRef 2010: 2-product)
// lays the literals out in a grid of p columns and q rows, p the square root of k rounded up
// and q = ceil(k/p): a literal implies its column's and its row's variable. At most one
// column and at most one row is true, each encoded in the same way. Up to four literals are
// encoded pairwise. For k > 4
//
//	clauses(k)   = 2k + clauses(p) + clauses(q)       2k + 4 sqrt(k) + O(k^(1/4))
//	auxiliary(k) = p + q + auxiliary(p) + auxiliary(q)  2 sqrt(k) + O(k^(1/4))
var Product = Encoding{
	Name:   "product",
	Encode: encodeProduct,
}

func encodeProduct(f *cnf.Formula, lits []cnf.Lit) {
	if len(lits) <= 4 { // a grid would not be smaller than pairs
		Pairwise.Encode(f, lits)
		return
	}
	p := 1
	for p*p < len(lits) {
		p++
	}
	columns, rows := newLits(f, p), newLits(f, (len(lits)+p-1)/p)
	for i, x := range lits {
		f.Add(x.Not(), columns[i%p])
		f.Add(x.Not(), rows[i/p])
	}
	encodeProduct(f, columns)
	encodeProduct(f, rows)
}

// newLits returns the positive literals of count new variables.
func newLits(f *cnf.Formula, count int) []cnf.Lit {
	lits := make([]cnf.Lit, count)
	for i := range lits {
		lits[i] = f.NewVar().Pos()
	}
	return lits
}
