package amo

import "queens/encode/cnf"

// Count adds clauses that say that from least to most of the literals are true. It uses Encode for at most
// one, a clause for at least one, and for other numbers the encoding that [Encoding.Counting] returns. It
// counts the true or the false literals, whichever number is smaller.
func (e Encoding) Count(f *cnf.Formula, lits []cnf.Lit, least, most int) {
	if least > min(most, len(lits)) {
		f.Add() // false
		return
	}
	e.atLeast(f, lits, least)
	e.atMost(f, lits, most)
}

// Counting returns the encoding that counts k of n literals in place of e, 1 < k <= n/2: e itself if it is
// for more than one and takes at most [mostSubsets] clauses, otherwise Sequential.
func (e Encoding) Counting(n, k int) Encoding {
	if e.AtMost == nil || e.Name == Pairwise.Name && subsets(n, k+1) > mostSubsets {
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

// mostSubsets bounds the clauses that Pairwise has for one constraint.
const mostSubsets = 1000

func (e Encoding) atLeast(f *cnf.Formula, lits []cnf.Lit, k int) {
	switch {
	case k <= 0:
	case k == 1:
		f.Add(lits...)
	case k == len(lits):
		units(f, lits)
	case 2*k > len(lits):
		f.Rename(func(name string) string { return name + " are false" }, func() { e.atMost(f, negated(lits), len(lits)-k) })
	default:
		e.Counting(len(lits), k).AtLeast(f, lits, k)
	}
}

func (e Encoding) atMost(f *cnf.Formula, lits []cnf.Lit, k int) {
	switch {
	case k >= len(lits):
	case k == 0:
		units(f, negated(lits))
	case k == 1:
		e.Encode(f, lits)
	case 2*k > len(lits):
		f.Rename(func(name string) string { return name + " are false" }, func() { e.atLeast(f, negated(lits), len(lits)-k) })
	default:
		e.Counting(len(lits), k).AtMost(f, lits, k)
	}
}

func units(f *cnf.Formula, lits []cnf.Lit) {
	for _, l := range lits {
		f.Add(l)
	}
}

func negated(lits []cnf.Lit) []cnf.Lit {
	not := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		not[i] = l.Not()
	}
	return not
}
