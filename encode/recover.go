package encode

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"queens/encode/cnf"
)

// clause is a clause of a file: its literals, sorted and of distinct variables, and the first and last
// line that it comes from.
type clause struct {
	lits        []cnf.Lit
	first, last int32
}

// recovered turns clauses into constraints. It recovers at-most-ones that were written as a binary clause
// for each pair of literals, and exactly-ones, which also have a clause of all their literals (Biere, Le
// Berre, Lonca and Manthey, Detecting cardinality constraints in CNF, SAT 2014: syntactic detection). All
// other clauses stay as they are. The constraints keep the order of their clauses and have the same
// solutions.
func recovered(clauses []clause) []Constraint {
	x := newExclusions(clauses)
	budget := x.budget // a part for each search
	for i, c := range clauses {
		if (len(c.lits) > 2 || len(c.lits) == 2 && c.lits[0] > 0) && x.all(c.lits) {
			x.take(i, 1, c.lits)
		}
	}
	x.budget = budget
	for i, c := range clauses {
		if len(c.lits) == 2 && x.part[i] == free && x.budget > 0 {
			if lits := x.largestClique(i); len(lits) > 2 {
				x.take(i, 0, slices.Sorted(slices.Values(lits)))
			}
		}
	}
	constraints := make([]Constraint, 0, len(clauses)-x.merged)
	for i, c := range clauses {
		switch of := x.part[i]; {
		case of == free:
			constraints = append(constraints, asWritten(lines(c.first, c.last), c.lits))
		case of >= 0:
			found := x.found[of]
			constraints = append(constraints, Constraint{lines(found.first, found.last), found.least, 1, found.lits})
		}
	}
	return constraints
}

// asWritten returns a clause, or the at-most-one that a clause of two negative literals stands for.
func asWritten(name string, lits []cnf.Lit) Constraint {
	if len(lits) == 2 && lits[1] < 0 {
		return AtMostOne(name, lits[1].Not(), lits[0].Not())
	}
	return AtLeastOne(name, lits...)
}

// lines names a constraint after the first and the last line that express it.
func lines(first, last int32) string {
	if first == last {
		return "line " + strconv.Itoa(int(first))
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}

// exclusions are the pairs of literals that exclude each other by a binary clause, as the
// edges of a graph.
type exclusions struct {
	clauses []clause
	of      [][]pair   // by literal: what it excludes, each literal once, in the sequence of the clauses
	part    []int32    // by clause: free, merged, or the place in found of the constraint that begins with it
	found   []recovery // constraints made of several clauses
	merged  int        // clauses that are part of another's constraint, or redundant given an earlier one
	seen    []mark     // by literal
	search  int32      // counts the searches that use seen
	tried   [2][]cnf.Lit
	budget  int // pairs that may still be visited
}

const free, merged = -1, -2

// pair is a literal that another one excludes, and the first clause that says so.
type pair struct {
	other  cnf.Lit
	clause int32
}

// mark counts how often a literal was seen in a search; in a later one, not at all.
type mark struct{ search, times int32 }

// recovery is a constraint made of several clauses: an at-most-one, or an exactly-one if least is 1.
type recovery struct {
	least       int
	lits        []cnf.Lit
	first, last int32 // lines
}

// budgetPerPair bounds both searches, for exactly-ones and for cliques, to a time that is linear in the
// number of pairs. Queens need 8, amazons 23, most families less.
const budgetPerPair = 24

func newExclusions(clauses []clause) *exclusions {
	vars, pairs := 0, 0 // the largest variable that occurs: a file may declare millions more
	for _, c := range clauses {
		for _, l := range c.lits {
			vars = max(vars, int(l.Var()))
		}
		if len(c.lits) == 2 {
			pairs++
		}
	}
	x := &exclusions{
		clauses: clauses, of: make([][]pair, 2*vars), part: slices.Repeat([]int32{free}, len(clauses)),
		seen: make([]mark, 2*vars), budget: budgetPerPair * pairs,
	}
	degree := make([]int32, 2*vars)
	for _, c := range clauses {
		if len(c.lits) == 2 {
			degree[c.lits[0].Not().Index()]++
			degree[c.lits[1].Not().Index()]++
		}
	}
	memory := make([]pair, 2*pairs)
	for l, pairs := range degree {
		x.of[l], memory = memory[:0:pairs], memory[pairs:]
	}
	for i, c := range clauses {
		if len(c.lits) == 2 {
			a, b := c.lits[0].Not(), c.lits[1].Not()
			x.of[a.Index()] = append(x.of[a.Index()], pair{b, int32(i)})
			x.of[b.Index()] = append(x.of[b.Index()], pair{a, int32(i)})
		}
	}
	for l, pairs := range x.of {
		x.search++
		x.of[l] = slices.DeleteFunc(pairs, func(p pair) bool {
			again := x.see(p.other) > 1
			if again && x.part[p.clause] == free {
				x.part[p.clause] = merged
				x.merged++
			}
			return again
		})
	}
	return x
}

// see returns how often it has seen a literal in this search.
func (x *exclusions) see(l cnf.Lit) int32 {
	m := &x.seen[l.Index()]
	if m.search != x.search {
		*m = mark{x.search, 0}
	}
	m.times++
	return m.times
}

// sees reports whether a literal was seen this often.
func (x *exclusions) sees(l cnf.Lit, times int) bool {
	return x.seen[l.Index()] == mark{x.search, int32(times)}
}

// all reports whether all the literals exclude each other; it returns false when the budget is used up.
func (x *exclusions) all(lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(x.of[l.Index()]) < len(lits)-1 {
			return false
		}
	}
	x.begin(lits)
	for _, l := range lits {
		among := 1 // it and those that it excludes
		for _, p := range x.of[l.Index()] {
			if x.sees(p.other, 1) {
				among++
			}
		}
		if x.budget -= len(x.of[l.Index()]); x.budget < 0 || among < len(lits) {
			return false
		}
	}
	return true
}

// begin begins a search in which literals have been seen.
func (x *exclusions) begin(lits []cnf.Lit) {
	x.search++
	for _, l := range lits {
		x.see(l)
	}
}

// take makes a constraint of literals that exclude each other and the clauses that say so. It stands in the place of
// the given clause.
func (x *exclusions) take(clause, least int, lits []cnf.Lit) {
	first, last := x.clauses[clause].first, x.clauses[clause].last
	x.begin(lits)
	for _, l := range lits {
		for _, p := range x.of[l.Index()] {
			if !x.sees(p.other, 1) {
				continue
			}
			if x.part[p.clause] == free {
				x.part[p.clause] = merged
				x.merged++
			}
			first, last = min(first, x.clauses[p.clause].first), max(last, x.clauses[p.clause].last)
		}
	}
	if x.part[clause] == merged {
		x.merged--
	}
	x.part[clause] = int32(len(x.found))
	x.found = append(x.found, recovery{least, lits, first, last})
}

// largestClique returns literals that exclude each other by free clauses, the two of the given clause among
// them. It finds them greedily, in the order of the clauses: whoever writes a constraint in pairs
// writes the pairs one after another.
func (x *exclusions) largestClique(first int) []cnf.Lit {
	for k, l := range x.clauses[first].lits {
		l = l.Not()
		x.search++
		lits, of := append(x.tried[k][:0], l), x.of[l.Index()]
		from, _ := slices.BinarySearchFunc(of, int32(first), func(p pair, first int32) int { return cmp.Compare(p.clause, first) })
		for _, p := range of[from:] {
			if x.budget--; x.budget < 0 {
				break
			}
			// Each literal of the clique but l has seen what it excludes.
			if x.part[p.clause] != free || len(lits) > 1 && !x.sees(p.other, len(lits)-1) {
				continue
			}
			lits = append(lits, p.other)
			x.budget -= len(x.of[p.other.Index()])
			for _, q := range x.of[p.other.Index()] {
				if x.part[q.clause] == free {
					x.see(q.other)
				}
			}
		}
		x.tried[k] = lits
	}
	if len(x.tried[1]) > len(x.tried[0]) {
		return x.tried[1]
	}
	return x.tried[0]
}
