package amo

import (
	"fmt"
	"slices"
	"sort"

	"queens/encode/cnf"
)

// Sequential (Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, CP
// 2005: LT-SEQ) counts along the literals: s_i,j is true if at least j of the first i are, for
// i < n and j <= k. At most k of n literals takes 2nk+n-3k-1 clauses and k(n-1) auxiliary
// variables, and at most one 3n-4 and n-1.
//
// For at least k the implications point the other way: s_i,j is true only if at least j of the
// first i literals are. That takes 2nk-n-3k+4 clauses for k >= 2, and as many variables. Exactly
// k takes both on the same variables, which the literals then determine.
//
// With weights, what is left for the literals from the i-th on becomes a node of a BDD, and sums that the rest cannot tell
// apart share one (Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell and Mayer-Eichberger, A New Look at BDDs for
// Pseudo-Boolean Constraints, JAIR 45, 2012). A node takes a variable and at most two clauses, and unit propagation finds
// all that follows.
var Sequential = Encoding{
	Name: "sequential",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		if len(lits) > 1 {
			sequential(f, lits, 1, AtMost)
		}
	},
	Bound: sequential,
	weigh: sequentialWeights,
}

func sequential(f *cnf.Formula, lits []cnf.Lit, k int, is Relation) {
	last := len(lits) - 1
	s, next := make([]cnf.Lit, k), make([]cnf.Lit, k)
	count(f, s, 1)
	if is&AtMost != 0 {
		f.Add(lits[0].Not(), s[0])
	}
	if is&AtLeast != 0 {
		f.Add(s[0].Not(), lits[0])
	}
	units(f, cnf.Negated(s[1:]))
	for i, x := range lits[1:last] {
		count(f, next, i+2)
		if is&AtMost != 0 {
			f.Add(x.Not(), next[0])
			f.Add(s[0].Not(), next[0])
			for j := 1; j < k; j++ {
				f.Add(x.Not(), s[j-1].Not(), next[j])
				f.Add(s[j].Not(), next[j])
			}
			f.Add(x.Not(), s[k-1].Not())
		}
		if is&AtLeast != 0 {
			f.Add(next[0].Not(), s[0], x)
			for j := 1; j < k; j++ {
				f.Add(next[j].Not(), s[j], x)
				f.Add(next[j].Not(), s[j-1])
			}
		}
		s, next = next, s
	}
	if is&AtMost != 0 {
		f.Add(lits[last].Not(), s[k-1].Not())
	}
	if is&AtLeast != 0 {
		f.Add(s[k-1], lits[last])
		if k > 1 {
			f.Add(s[k-2])
		}
	}
}

// count fills s with new variables that count the first i literals. They have names only if there are several: naming
// those of the boards' many at-most-ones would take four times as long.
func count(f *cnf.Formula, s []cnf.Lit, i int) {
	for j := range s {
		s[j] = f.NewNamed(len(s) > 1, func() string { return fmt.Sprintf("at least %d of the first %d", j+1, i) }).Pos()
	}
}

// rest is a node of the BDD: the true terms from a place on weigh at most what is left. Whatever is left from low to high,
// the same sets of terms fit.
type rest struct {
	place     int
	low, high int
	no, yes   *rest // the rest if the term at the place is false, and if it is true
	lit       cnf.Lit
}

// The values of high of the rests that need no variable: any sets of terms fit, or none does.
const always, never = 1 << 60, -1

// rests makes the nodes, children first.
type rests struct {
	terms weighted
	from  []int // by place: the weight of the terms from there on
	at    [][]*rest
	all   []*rest
}

func sequentialWeights(f *cnf.Formula, terms weighted, most int) bool {
	r := &rests{terms: terms, from: make([]int, len(terms)+1), at: make([][]*rest, len(terms))}
	for i, t := range slices.Backward(terms) {
		r.from[i] = r.from[i+1] + t.weight
	}
	root := r.make(0, most)
	if root == nil {
		return false
	}
	for _, n := range r.all {
		var head []cnf.Lit
		if n != root {
			n.lit = f.NewNamed(true, func() string { return fmt.Sprintf("from %d on at most %d", n.place+1, n.high) }).Pos()
			head = []cnf.Lit{n.lit.Not()}
		}
		if n.no.high < always {
			f.Add(append(slices.Clone(head), n.no.lit)...)
		}
		if head = append(head, terms[n.place].lit.Not()); n.yes.high == never {
			f.Add(head...)
		} else if n.yes.high < always && n.yes != n.no {
			f.Add(append(head, n.yes.lit)...)
		}
	}
	return true
}

// make returns the node for a place and what is left there; nil if there are more than mostWeighed nodes.
func (r *rests) make(place, left int) *rest {
	if left < 0 {
		return &rest{low: -always, high: never}
	}
	if left >= r.from[place] {
		return &rest{low: r.from[place], high: always}
	}
	known := r.at[place]
	i := sort.Search(len(known), func(i int) bool { return known[i].high >= left })
	if i < len(known) && known[i].low <= left {
		return known[i]
	}
	w := r.terms[place].weight
	no := r.make(place+1, left)
	if no == nil {
		return nil
	}
	yes := r.make(place+1, left-w)
	if yes == nil || len(r.all) == mostWeighed {
		return nil
	}
	n := &rest{place: place, low: max(no.low, yes.low+w), high: min(no.high, yes.high+w), no: no, yes: yes}
	r.all = append(r.all, n)
	r.at[place] = slices.Insert(r.at[place], i, n)
	return n
}
