package encode

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

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
			x.take(i, 1, clique{c.lits, x.tried.clauses})
		}
	}
	x.budget = budget
	for i, c := range clauses {
		if len(c.lits) == 2 && x.part[i] == free && x.budget > 0 {
			if c := x.largestClique(i); len(c.lits) > 2 {
				c.lits = slices.Sorted(slices.Values(c.lits))
				x.take(i, 0, c)
			}
		}
	}
	var names lineNames
	constraints := make([]Constraint, 0, len(clauses)-x.merged)
	for i, c := range clauses {
		switch of := x.part[i]; {
		case of == free:
			constraints = append(constraints, asWritten(names.of(c.first, c.last), c.lits))
		case of >= 0:
			found := x.found[of]
			constraints = append(constraints, Constraint{names.of(found.first, found.last), found.least, 1, found.lits})
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

// lineNames makes names of constraints, in a few pieces of memory rather than one for each.
type lineNames struct{ piece strings.Builder }

// of names a constraint after the first and the last line that express it.
func (n *lineNames) of(first, last int32) string {
	const longest = len("lines 2147483647 to 2147483647")
	if n.piece.Cap()-n.piece.Len() < longest {
		n.piece = strings.Builder{}
		n.piece.Grow(1 << 14)
	}
	start, digits := n.piece.Len(), [20]byte{}
	n.piece.WriteString("line")
	if first != last {
		n.piece.WriteString("s ")
		n.piece.Write(strconv.AppendInt(digits[:0], int64(first), 10))
		n.piece.WriteString(" to")
	}
	n.piece.WriteByte(' ')
	n.piece.Write(strconv.AppendInt(digits[:0], int64(last), 10))
	return n.piece.String()[start:]
}

// exclusions are the pairs of literals that exclude each other by a binary clause, as the
// edges of a graph.
type exclusions struct {
	clauses        []clause
	written        [][]pair   // by literal: its pairs, in the sequence of the clauses
	table          []edge     // a hash table of the pairs
	part           []int32    // by clause: free, merged, or the place in found of the constraint that begins with it
	found          []recovery // constraints made of several clauses
	merged         int        // clauses that are part of another's constraint, or redundant given an earlier one
	tried, largest clique
	budget         int // pairs that may still be looked up
}

const free, merged = -1, -2

// pair is a literal that another one excludes, and the clause that says so.
type pair struct {
	other  cnf.Lit
	clause int32
}

// edge is a pair of literals, the smaller one first, with the first clause of both. An empty one is zero.
type edge struct {
	a, b   cnf.Lit
	clause int32
}

// recovery is a constraint made of several clauses: an at-most-one, or an exactly-one if least is 1.
type recovery struct {
	least       int
	lits        []cnf.Lit
	first, last int32 // lines
}

// budgetPerPair bounds both searches, for exactly-ones and for cliques, to a time that is linear in the
// number of pairs. Boards need 2, most families nothing.
const budgetPerPair = 3

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
		clauses: clauses, written: make([][]pair, 2*vars), part: slices.Repeat([]int32{free}, len(clauses)),
		table: make([]edge, 1<<bits.Len(uint(pairs+pairs/2))), budget: 2 * budgetPerPair * pairs,
	}
	degree := make([]int, 2*vars)
	for _, c := range clauses {
		if len(c.lits) == 2 {
			degree[c.lits[0].Not().Index()]++
			degree[c.lits[1].Not().Index()]++
		}
	}
	memory := make([]pair, 2*pairs)
	for l, pairs := range degree {
		x.written[l], memory = memory[:0:pairs], memory[pairs:]
	}
	for i, c := range clauses {
		if len(c.lits) != 2 {
			continue
		}
		a, b := c.lits[0].Not(), c.lits[1].Not()
		x.written[a.Index()] = append(x.written[a.Index()], pair{b, int32(i)})
		x.written[b.Index()] = append(x.written[b.Index()], pair{a, int32(i)})
		if at := x.find(a, b); at.a != 0 {
			x.part[i] = merged
			x.merged++
		} else {
			*at = edge{min(a, b), max(a, b), int32(i)}
		}
	}
	return x
}

// find returns the place of a pair in the table, which is empty if the pair is not there.
func (x *exclusions) find(a, b cnf.Lit) *edge {
	a, b = min(a, b), max(a, b)
	mask := len(x.table) - 1
	for h := int((uint64(uint32(a))<<32|uint64(uint32(b)))*0x9e3779b97f4a7c15>>32) & mask; ; h = (h + 1) & mask {
		if at := &x.table[h]; at.a == 0 || at.a == a && at.b == b {
			return at
		}
	}
}

// excluding returns the first clause that makes two literals exclude each other, or -1.
func (x *exclusions) excluding(a, b cnf.Lit) int32 {
	if at := x.find(a, b); at.a != 0 {
		return at.clause
	}
	return -1
}

// clique is a set of literals that exclude each other, with the clauses that say so.
type clique struct {
	lits    []cnf.Lit
	clauses []int32
}

// all reports whether all the literals exclude each other, and makes the clauses that say so those of x.tried; it
// returns false when the budget is used up.
func (x *exclusions) all(lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(x.written[l.Index()]) < len(lits)-1 {
			return false
		}
	}
	x.tried.clauses = x.tried.clauses[:0]
	for i, a := range lits {
		for _, b := range lits[:i] {
			x.budget--
			c := x.excluding(a, b)
			if x.budget < 0 || c < 0 {
				return false
			}
			x.tried.clauses = append(x.tried.clauses, c)
		}
	}
	return true
}

// take makes a constraint of a clique and the clauses that express it, first among them the given one.
func (x *exclusions) take(clause, least int, of clique) {
	first, last := x.clauses[clause].first, x.clauses[clause].last
	for _, c := range of.clauses {
		if x.part[c] == free {
			x.part[c] = merged
			x.merged++
		}
		first, last = min(first, x.clauses[c].first), max(last, x.clauses[c].last)
	}
	if x.part[clause] == merged {
		x.merged--
	}
	x.part[clause] = int32(len(x.found))
	x.found = append(x.found, recovery{least, of.lits, first, last})
}

// largestClique returns literals that exclude each other by free clauses, the two of the given clause among
// them. It finds them greedily, in the order of the clauses: whoever writes a constraint in pairs
// writes the pairs one after another.
func (x *exclusions) largestClique(first int) clique {
	x.largest.lits = x.largest.lits[:0]
	for _, l := range x.clauses[first].lits {
		x.tried = clique{append(x.tried.lits[:0], l.Not()), x.tried.clauses[:0]}
		of := x.written[l.Not().Index()]
		after, _ := slices.BinarySearchFunc(of, int32(first), func(p pair, first int32) int { return cmp.Compare(p.clause, first) })
		for _, p := range of[after:] {
			if x.budget--; x.budget < 0 {
				break
			}
			if x.part[p.clause] == free && x.extend(p.other) {
				x.tried.lits, x.tried.clauses = append(x.tried.lits, p.other), append(x.tried.clauses, p.clause)
			}
		}
		if len(x.tried.lits) > len(x.largest.lits) {
			x.tried, x.largest = x.largest, x.tried
		}
	}
	return x.largest
}

// extend reports whether a literal excludes all literals of x.tried but the first, by free clauses, and adds
// these to its clauses.
func (x *exclusions) extend(l cnf.Lit) bool {
	before := len(x.tried.clauses)
	for _, other := range x.tried.lits[1:] {
		x.budget--
		c := x.excluding(other, l)
		if c < 0 || x.part[c] != free {
			x.tried.clauses = x.tried.clauses[:before]
			return false
		}
		x.tried.clauses = append(x.tried.clauses, c)
	}
	return true
}
