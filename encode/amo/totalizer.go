package amo

import (
	"fmt"
	"slices"

	"queens/encode/cnf"
)

// Totalizer (Bailleux and Boufkhad, Efficient CNF Encoding of Boolean Cardinality
// Constraints, CP 2003: outputs cut at the bound k) adds up the literals in a balanced tree
// of unary adders. Output j of an adder over some literals says that at least j of them are
// true, for j <= k. The root needs no outputs. With a and b inputs on its two sides, each at
// most k,
//
//   - at most k: an adder has a clause for each i <= a and j <= b with 1 <= i+j <= k, and
//     forbids i and j with i+j = k+1; the root only forbids;
//   - at least k: an adder has a clause for each of its outputs m and all i+j = m-1 with i <= a
//     and j <= b: the output needs i+1 on one side or j+1 on the other. The root has those of
//     output k.
//
// Exactly k takes both on the same variables.
//
// With weights, an adder has an output for each sum of some of its literals up to the bound: the generalized totalizer
// (Joshi, Martins and Manquinho, Generalized Totalizer Encoding for Pseudo-Boolean Constraints, CP 2015). Two inputs make
// an output true, or exclude each other. Unit propagation finds all that follows.
//
// At most one takes 3n-5 clauses and n-2 auxiliary variables for n >= 2 literals.
var Totalizer = Encoding{
	Name: "totalizer",
	Encode: func(f *cnf.Formula, lits []cnf.Lit) {
		if len(lits) > 1 {
			totalize(f, lits, 1, AtMost)
		}
	},
	Bound: totalize,
	weigh: totalizeWeights,
}

func totalize(f *cnf.Formula, lits []cnf.Lit, k int, is Relation) {
	t := &totalizer{f: f, k: k, is: is}
	half := len(lits) / 2
	a, b := t.add(lits[:half], 1), t.add(lits[half:], half+1)
	if is&AtMost != 0 {
		t.forbid(a, b)
	}
	if is&AtLeast != 0 {
		t.need(0, a, b, k)
	}
}

// totalizer adds up literals.
type totalizer struct {
	f      *cnf.Formula
	k      int
	is     Relation
	clause []cnf.Lit // memory of reached and need
	room   []cnf.Lit // memory for outputs
}

// add adds the tree over literals, numbered from first on, and returns the outputs of its root.
func (t *totalizer) add(lits []cnf.Lit, first int) []cnf.Lit {
	if len(lits) == 1 {
		return lits
	}
	half := len(lits) / 2
	a, b := t.add(lits[:half], first), t.add(lits[half:], first+half)
	size := min(len(lits), t.k)
	if size > len(t.room) { // one piece for many adders
		t.room = make([]cnf.Lit, max(size, 128))
	}
	sum := t.room[:size:size]
	t.room = t.room[size:]
	for j := range sum {
		sum[j] = t.f.NewNamed(t.k > 1, func() string {
			return fmt.Sprintf("at least %d of %d to %d", j+1, first, first+len(lits)-1)
		}).Pos()
	}
	if t.is&AtMost != 0 {
		for j := range len(b) + 1 {
			for i := range len(a) + 1 {
				if 1 <= i+j && i+j <= len(sum) {
					t.f.Add(append(t.reached(a, b, i, j), sum[i+j-1])...)
				}
			}
		}
		t.forbid(a, b)
	}
	if t.is&AtLeast != 0 {
		for j, output := range sum {
			t.need(output, a, b, j+1)
		}
	}
	return sum
}

// forbid says that the two sides together are at most k.
func (t *totalizer) forbid(a, b []cnf.Lit) {
	for i := range len(a) + 1 {
		if j := t.k + 1 - i; 0 < j && j <= len(b) && i > 0 {
			t.f.Add(t.reached(a, b, i, j)...)
		}
	}
}

// reached returns a clause without its head: if i are true on one side and j on the other, ...
func (t *totalizer) reached(a, b []cnf.Lit, i, j int) []cnf.Lit {
	t.clause = t.clause[:0]
	if i > 0 {
		t.clause = append(t.clause, a[i-1].Not())
	}
	if j > 0 {
		t.clause = append(t.clause, b[j-1].Not())
	}
	return t.clause
}

// need says that output, or true if it is 0, needs m true literals on the two sides together.
func (t *totalizer) need(output cnf.Lit, a, b []cnf.Lit, m int) {
	for i := range m {
		j := m - 1 - i
		if i > len(a) || j > len(b) {
			continue
		}
		t.clause = t.clause[:0]
		if output != 0 {
			t.clause = append(t.clause, output.Not())
		}
		if i < len(a) {
			t.clause = append(t.clause, a[i])
		}
		if j < len(b) {
			t.clause = append(t.clause, b[j])
		}
		t.f.Add(t.clause...)
	}
}

// sums is an adder with weights: the sums that some of its literals can have, ascending, and the output of each. The first
// is 0, which needs none.
type sums struct {
	a, b    *sums
	of      []int
	outputs []cnf.Lit
}

func totalizeWeights(f *cnf.Formula, terms weighted, most int) bool {
	made, clauses := 0, 0
	// make returns the adder over some terms; nil if there are too many outputs or clauses.
	var make func(terms weighted) *sums
	make = func(terms weighted) *sums {
		if len(terms) == 1 {
			return &sums{of: []int{0, terms[0].weight}, outputs: []cnf.Lit{0, terms[0].lit}}
		}
		half := len(terms) / 2
		s := &sums{a: make(terms[:half])}
		if s.a == nil {
			return nil
		}
		if s.b = make(terms[half:]); s.b == nil {
			return nil
		}
		if clauses += len(s.a.of) * len(s.b.of); clauses > clausesPerVariable*mostWeighed {
			return nil
		}
		for _, i := range s.a.of {
			for _, j := range s.b.of {
				if i+j <= most {
					s.of = append(s.of, i+j)
				}
			}
		}
		slices.Sort(s.of)
		s.of = slices.Compact(s.of)
		if made += len(s.of); made > mostWeighed {
			return nil
		}
		return s
	}
	root := make(terms)
	if root == nil {
		return false
	}
	root.add(f, most, true)
	return true
}

// clausesPerVariable, times mostWeighed, bounds the clauses of a generalized totalizer.
const clausesPerVariable = 16

// add adds the clauses of an adder, after those of the adders below it. The root needs no outputs.
func (s *sums) add(f *cnf.Formula, most int, root bool) {
	if s.a == nil {
		return
	}
	s.a.add(f, most, false)
	s.b.add(f, most, false)
	s.outputs = make([]cnf.Lit, len(s.of))
	for i := 1; i < len(s.of) && !root; i++ {
		s.outputs[i] = f.NewNamed(true, func() string { return fmt.Sprintf("sum %d of adder x%d", s.of[i], f.Vars+1) }).Pos()
	}
	for i, of := range s.a.of {
		for j, and := range s.b.of {
			var clause []cnf.Lit
			for _, input := range [2]cnf.Lit{s.a.outputs[i], s.b.outputs[j]} {
				if input != 0 {
					clause = append(clause, input.Not())
				}
			}
			if of+and <= most && !root && of+and > 0 {
				at, _ := slices.BinarySearch(s.of, of+and)
				clause = append(clause, s.outputs[at])
			}
			if of+and > most || !root && of+and > 0 {
				f.Add(clause...)
			}
		}
	}
}
