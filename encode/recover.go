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
			x.take(i, 1, c.lits)
		}
	}
	x.budget = budget
	for i, c := range clauses {
		if len(c.lits) == 2 && x.part[i] == free && x.budget > 0 {
			if lits := x.largestClique(i); lits != nil {
				x.take(i, 0, lits)
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
	clauses []clause
	written [][]pair   // by literal: its pairs, in the sequence of the clauses
	table   []edge     // a hash table of the pairs
	part    []int32    // by clause: free, merged, or the place in found of the constraint that begins with it
	found   []recovery // constraints made of several clauses
	merged  int        // clauses that are part of another's constraint, or redundant given an earlier one
	clique  []cnf.Lit  // memory for largestClique
	budget  int        // pairs that may still be looked up
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

// all reports whether all the literals exclude each other; it returns false when the budget is used up.
func (x *exclusions) all(lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(x.written[l.Index()]) < len(lits)-1 {
			return false
		}
	}
	for i, a := range lits {
		for _, b := range lits[:i] {
			if x.budget--; x.budget < 0 || x.excluding(a, b) < 0 {
				return false
			}
		}
	}
	return true
}

// take makes a constraint of the clauses that express it: the given one, and the binary ones between its
// literals.
func (x *exclusions) take(clause, least int, lits []cnf.Lit) {
	first, last := x.clauses[clause].first, x.clauses[clause].last
	for i, a := range lits {
		for _, b := range lits[:i] {
			c := x.excluding(a, b)
			if x.part[c] == free {
				x.part[c] = merged
				x.merged++
			}
			first, last = min(first, x.clauses[c].first), max(last, x.clauses[c].last)
		}
	}
	if x.part[clause] == merged {
		x.merged--
	}
	x.part[clause] = int32(len(x.found))
	x.found = append(x.found, recovery{least, lits, first, last})
}

// largestClique returns more than two literals that exclude each other by free clauses, including the two of
// the given clause, or nil. It finds them greedily, in the order of the clauses: whoever writes a constraint in pairs
// writes the pairs one after another.
func (x *exclusions) largestClique(first int) []cnf.Lit {
	var largest []cnf.Lit
	for _, l := range x.clauses[first].lits {
		clique := append(x.clique[:0], l.Not())
		of := x.written[clique[0].Index()]
		after, _ := slices.BinarySearchFunc(of, int32(first), func(p pair, first int32) int { return cmp.Compare(p.clause, first) })
		for _, p := range of[after:] {
			if x.budget--; x.budget < 0 {
				break
			}
			if x.part[p.clause] == free && x.extends(clique, p.other) {
				clique = append(clique, p.other)
			}
		}
		if x.clique = clique; len(clique) > max(2, len(largest)) {
			largest = slices.Clone(clique)
		}
	}
	slices.Sort(largest)
	return largest
}

// extends reports whether a literal excludes all of a clique but the first, by free clauses.
func (x *exclusions) extends(clique []cnf.Lit, l cnf.Lit) bool {
	for _, other := range clique[1:] {
		x.budget--
		if c := x.excluding(other, l); c < 0 || x.part[c] != free {
			return false
		}
	}
	return true
}
