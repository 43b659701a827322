package encode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"queens/encode/cnf"
)

// clause is a clause of a file: its literals, sorted and of distinct variables, and its line.
type clause struct {
	lits []cnf.Lit
	line int32
}

// recovered makes constraints of clauses. An at-most-one that was written as a binary clause
// for each pair of its literals is found again, and so is an exactly-one, which has a clause
// of all its literals as well (Biere, Le Berre, Lonca and Manthey, Detecting cardinality
// constraints in CNF, SAT 2014: syntactic detection). All other clauses stay what they are.
// The constraints come in the sequence of their clauses, and have the same solutions.
func recovered(vars int, clauses []clause) []Constraint {
	x := newExclusions(vars, clauses)
	for i, c := range clauses {
		if (len(c.lits) > 2 || len(c.lits) == 2 && c.lits[0] > 0) && x.all(c.lits) {
			x.take(i, ExactlyOne, c.lits)
		}
	}
	for i, c := range clauses {
		if len(c.lits) == 2 && !x.taken[i] && x.budget > 0 {
			if lits := x.clique(i); len(lits) > 2 {
				x.take(i, AtMostOne, lits)
			}
		}
	}
	for i, c := range clauses {
		switch {
		case x.taken[i]:
		case len(c.lits) == 2 && c.lits[1] < 0:
			x.take(i, AtMostOne, []cnf.Lit{c.lits[1].Not(), c.lits[0].Not()})
		default:
			x.take(i, AtLeastOne, c.lits)
		}
	}
	return x.constraints()
}

// exclusions are the pairs of literals that exclude each other by a binary clause, as the
// edges of a graph. Literals are denoted by their indices.
type exclusions struct {
	clauses []clause
	first   []int32 // by literal: where its pairs begin
	pairs   []pair  // of each literal, sorted by the other one
	written []pair  // the same, in the sequence of the clauses
	taken   []bool  // by clause: it is part of a constraint, or says what an earlier one says
	found   []found // by the first of its clauses
	budget  int     // pairs that may still be looked up in search of cliques
}

type pair struct {
	other  int32
	clause int32
}

// found is a constraint and the lines that say it; without lines there is none.
type found struct {
	bound       Bound
	first, last int32
	lits        []cnf.Lit
}

// budgetPerPair bounds the search for cliques to a time that is linear in the formula's size.
// Boards need 2, most families nothing.
const budgetPerPair = 3

func newExclusions(vars int, clauses []clause) *exclusions {
	x := &exclusions{
		clauses: clauses, first: make([]int32, 2*vars+1),
		taken: make([]bool, len(clauses)), found: make([]found, len(clauses)),
	}
	for _, c := range clauses {
		if len(c.lits) == 2 {
			for _, l := range c.lits {
				x.first[indexOf(l.Not())+1]++
			}
		}
	}
	for i := range 2 * vars {
		x.first[i+1] += x.first[i]
	}
	x.pairs = make([]pair, x.first[2*vars])
	x.budget = budgetPerPair * len(x.pairs)
	next := slices.Clone(x.first)
	for i, c := range clauses {
		if len(c.lits) == 2 {
			a, b := int32(indexOf(c.lits[0].Not())), int32(indexOf(c.lits[1].Not()))
			x.pairs[next[a]], x.pairs[next[b]] = pair{b, int32(i)}, pair{a, int32(i)}
			next[a]++
			next[b]++
		}
	}
	x.written = slices.Clone(x.pairs)
	for l := range 2 * vars {
		of := x.of(int32(l))
		slices.SortFunc(of, func(a, b pair) int {
			return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(a.clause, b.clause))
		})
		for i := 1; i < len(of); i++ {
			if of[i].other == of[i-1].other {
				x.taken[of[i].clause] = true
			}
		}
	}
	return x
}

func (x *exclusions) of(l int32) []pair { return x.pairs[x.first[l]:x.first[l+1]] }

// excluding returns the first clause that makes two literals exclude each other, or -1.
func (x *exclusions) excluding(a, b int32) int32 {
	if x.first[a+1]-x.first[a] > x.first[b+1]-x.first[b] {
		a, b = b, a
	}
	of := x.of(a)
	i, _ := slices.BinarySearchFunc(of, b, func(p pair, b int32) int { return cmp.Compare(p.other, b) })
	if i < len(of) && of[i].other == b {
		return of[i].clause
	}
	return -1
}

// all reports whether all the literals exclude each other.
func (x *exclusions) all(lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(x.of(int32(indexOf(l)))) < len(lits)-1 {
			return false
		}
	}
	for i, a := range lits {
		for _, b := range lits[:i] {
			if x.excluding(int32(indexOf(a)), int32(indexOf(b))) < 0 {
				return false
			}
		}
	}
	return true
}

// take makes a constraint of the clauses that say it: the given one and, unless it is an
// at-least-one, the binary ones between its literals.
func (x *exclusions) take(clause int, bound Bound, lits []cnf.Lit) {
	f := found{bound, math.MaxInt32, 0, lits}
	say := func(clause int32) {
		x.taken[clause] = true
		f.first, f.last = min(f.first, x.clauses[clause].line), max(f.last, x.clauses[clause].line)
	}
	say(int32(clause))
	if bound != AtLeastOne {
		for i, a := range lits {
			for _, b := range lits[:i] {
				say(x.excluding(int32(indexOf(a)), int32(indexOf(b))))
			}
		}
	}
	x.found[clause] = f
}

// constraints returns what was found, with the lines as names.
func (x *exclusions) constraints() []Constraint {
	var names []byte
	count := 0
	ends := make([]int, len(x.found))
	for i, f := range x.found {
		if f.last > 0 {
			count++
			if f.first == f.last {
				names = strconv.AppendInt(append(names, "line "...), int64(f.first), 10)
			} else {
				names = fmt.Appendf(names, "lines %d to %d", f.first, f.last)
			}
		}
		ends[i] = len(names)
	}
	text, start := string(names), 0 // one string for all: a file may have millions of clauses
	all := make([]Constraint, 0, count)
	for i, f := range x.found {
		if f.last > 0 {
			all = append(all, Constraint{Name: text[start:ends[i]], Bound: f.bound, Lits: f.lits})
		}
		start = ends[i]
	}
	return all
}

// clique returns literals that exclude each other by clauses not yet taken, the two of the
// given clause among them. They are found greedily, in the sequence of the clauses: whoever
// writes a constraint in pairs writes the pairs one after another.
func (x *exclusions) clique(first int) []cnf.Lit {
	var largest []int32
	for _, l := range x.clauses[first].lits {
		clique := []int32{int32(indexOf(l.Not()))}
		of := x.written[x.first[clique[0]]:x.first[clique[0]+1]]
		after, _ := slices.BinarySearchFunc(of, first, func(p pair, first int) int { return cmp.Compare(int(p.clause), first) })
		for _, p := range of[after:] {
			if x.budget--; x.budget < 0 {
				break
			}
			if !x.taken[p.clause] && x.extends(clique, p.other) {
				clique = append(clique, p.other)
			}
		}
		if len(clique) > len(largest) {
			largest = clique
		}
	}
	lits := make([]cnf.Lit, len(largest))
	for i, l := range largest {
		lits[i] = index(l).lit()
	}
	slices.Sort(lits)
	return lits
}

// extends reports whether a literal excludes all of a clique but the first, by clauses not yet
// taken.
func (x *exclusions) extends(clique []int32, l int32) bool {
	for _, other := range clique[1:] {
		x.budget--
		if c := x.excluding(other, l); c < 0 || x.taken[c] {
			return false
		}
	}
	return true
}
