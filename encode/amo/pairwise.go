package amo

import "queens/encode/cnf"

// Pairwise (folklore; the naive encoding of Prestwich, Handbook of Satisfiability,
// 2009, section 2.2) forbids every pair: k(k-1)/2 clauses for k literals and no auxiliary
// variables. No encoding propagates more per clause visited, and for many literals none is
// larger. At most k of n forbids every subset of k+1 literals (binomial encoding), and at
// least k of n asks for a true literal in every subset of n-k+1.
var Pairwise = Encoding{
	Name: "pairwise",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		for i, a := range lits {
			for _, b := range lits[i+1:] {
				f.Add(a.Not(), b.Not())
			}
		}
	},
	Bound: func(f *cnf.Formula, lits []cnf.Lit, k int, is Relation) {
		if is&AtMost != 0 {
			eachSubset(f, cnf.Negated(lits), k+1)
		}
		if is&AtLeast != 0 {
			eachSubset(f, lits, len(lits)-k+1)
		}
	},
}

// eachSubset adds a clause of each subset of the given size.
func eachSubset(f *cnf.Formula, lits []cnf.Lit, size int) {
	clause := make([]cnf.Lit, 0, size)
	var from func(i int)
	from = func(i int) {
		if len(clause) == size {
			f.Add(clause...)
			return
		}
		for ; i <= len(lits)-(size-len(clause)); i++ {
			clause = append(clause, lits[i])
			from(i + 1)
			clause = clause[:len(clause)-1]
		}
	}
	from(0)
}

// subsets returns the number of subsets of k of n, or a number above [mostSubsets].
func subsets(n, k int) int {
	count := 1
	for i := 1; i <= min(k, n-k) && count <= mostSubsets; i++ {
		count = count * (n - i + 1) / i
	}
	return count
}
