package amo

import (
	"fmt"

	"queens/encode/cnf"
)

// Count adds clauses that say that from least to most of the literals are true. It uses Encode for at most
// one, a clause for at least one, and for other numbers the encoding that [Encoding.Counting] returns.
func (e Encoding) Count(f *cnf.Formula, lits []cnf.Lit, least, most int) {
	switch {
	case least > min(most, len(lits)):
		f.Add() // false
	case least == most && min(most, len(lits)-most) > 1:
		e.bound(f, lits, most, Exactly)
	default:
		e.bound(f, lits, least, AtLeast)
		f.Rename(func(name string) string {
			if least > 1 { // the same names are taken
				name = fmt.Sprintf("%s (at most %d)", name, most)
			}
			return name
		}, func() { e.bound(f, lits, most, AtMost) })
	}
}

// Counting returns the encoding that counts k of n literals in place of e, 1 < k <= n/2: e itself if it counts beyond
// one and, being Pairwise, has at most [mostSubsets] subsets to forbid; otherwise Sequential.
func (e Encoding) Counting(n, k int) Encoding {
	if e.Bound == nil || e.Name == Pairwise.Name && subsets(n, k+1) > mostSubsets {
		return Sequential
	}
	return e
}

// Counters names the encodings that Count uses for numbers beyond one.
func (e Encoding) Counters(n, least, most int) (names []string) {
	for _, k := range []int{least, most} {
		if k = min(k, n-k); k > 1 && least <= most {
			names = append(names, e.Counting(n, k).Name)
		}
	}
	return names
}

// mostSubsets bounds the clauses that Pairwise has for one bound.
const mostSubsets = 1000

// bound says how many of the literals are true, or how many are false, whichever number is smaller.
func (e Encoding) bound(f *cnf.Formula, lits []cnf.Lit, k int, is Relation) {
	n := len(lits)
	switch {
	case is == AtLeast && k <= 0, is == AtMost && k >= n:
	case is == AtLeast && k == 1:
		f.Add(lits...)
	case is == AtMost && k == 1:
		e.Encode(f, lits)
	case is == AtLeast && k == n:
		units(f, lits)
	case is == AtMost && k == 0:
		units(f, cnf.Negated(lits))
	case 2*k > n:
		f.Rename(func(name string) string { return name + " are false" },
			func() { e.bound(f, cnf.Negated(lits), n-k, opposite(is)) })
	default:
		e.Counting(n, k).Bound(f, lits, k, is)
	}
}

// opposite returns the relation that the number of false literals then has to its bound.
func opposite(is Relation) Relation {
	if is == Exactly {
		return is
	}
	return Exactly ^ is
}

func units(f *cnf.Formula, lits []cnf.Lit) {
	for _, l := range lits {
		f.Add(l)
	}
}
