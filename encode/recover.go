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
		if len(c.lits) == 2 && !x.taken[i] && x.budget > 0 {
			if lits := x.clique(i); len(lits) > 2 {
				x.take(i, 0, lits)
			}
		}
	}
	size := len(x.found)
	for _, taken := range x.taken {
		if !taken {
			size++
		}
	}
	constraints := make([]Constraint, 0, size)
	for i, c := range clauses {
		if x.taken[i] {
			if found, begins := x.found[i]; begins {
				constraints = append(constraints, found)
			}
			continue
		}
		constraints = append(constraints, asWritten(lines(c.first, c.last), c.lits))
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
	written [][]pair           // by literal: its pairs, in the sequence of the clauses
	sorted  [][]pair           // the same, by the other literal
	taken   []bool             // by clause: it is part of a constraint, or redundant given an earlier one
	found   map[int]Constraint // made of several clauses, by the first of them
	budget  int                // pairs that may still be looked up
}

type pair struct {
	other  cnf.Lit
	clause int32
}

// budgetPerPair bounds both searches, for exactly-ones and for cliques, to a time that is linear in the
// number of pairs. Boards need 2, most families nothing.
const budgetPerPair = 3

func newExclusions(clauses []clause) *exclusions {
	vars := 0 // the largest that occurs: a file may declare millions more
	for _, c := range clauses {
		for _, l := range c.lits {
			vars = max(vars, int(l.Var()))
		}
	}
	x := &exclusions{
		clauses: clauses, written: make([][]pair, 2*vars), sorted: make([][]pair, 2*vars),
		taken: make([]bool, len(clauses)), found: map[int]Constraint{},
	}
	degree := make([]int, 2*vars) // counted first: growing lists would take half as much memory again
	for _, c := range clauses {
		if len(c.lits) == 2 {
			degree[indexOf(c.lits[0].Not())]++
			degree[indexOf(c.lits[1].Not())]++
			x.budget += 2 * budgetPerPair
		}
	}
	for l, pairs := range degree {
		x.written[l] = make([]pair, 0, pairs)
	}
	for i, c := range clauses {
		if len(c.lits) == 2 {
			a, b := c.lits[0].Not(), c.lits[1].Not()
			x.written[indexOf(a)] = append(x.written[indexOf(a)], pair{b, int32(i)})
			x.written[indexOf(b)] = append(x.written[indexOf(b)], pair{a, int32(i)})
		}
	}
	for l, of := range x.written {
		of = slices.Clone(of)
		slices.SortFunc(of, func(a, b pair) int {
			return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(a.clause, b.clause))
		})
		for i := 1; i < len(of); i++ {
			if of[i].other == of[i-1].other {
				x.taken[of[i].clause] = true
			}
		}
		x.sorted[l] = of
	}
	return x
}

// excluding returns the first clause that makes two literals exclude each other, or -1.
func (x *exclusions) excluding(a, b cnf.Lit) int32 {
	of := x.sorted[indexOf(a)]
	i, is := slices.BinarySearchFunc(of, b, func(p pair, b cnf.Lit) int { return cmp.Compare(p.other, b) })
	if is {
		return of[i].clause
	}
	return -1
}

// all reports whether all the literals exclude each other; it returns false when the budget is used up.
func (x *exclusions) all(lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(x.written[indexOf(l)]) < len(lits)-1 {
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

// take makes a constraint that at most one literal is true, of the clauses that express it: the given one,
// and the binary ones between its literals.
func (x *exclusions) take(clause, least int, lits []cnf.Lit) {
	first, last := x.clauses[clause].first, x.clauses[clause].last
	x.taken[clause] = true
	for i, a := range lits {
		for _, b := range lits[:i] {
			c := x.excluding(a, b)
			x.taken[c] = true
			first, last = min(first, x.clauses[c].first), max(last, x.clauses[c].last)
		}
	}
	x.found[clause] = Constraint{lines(first, last), least, 1, lits}
}

// clique returns literals that exclude each other by clauses not yet taken, including the two of the
// given clause. It finds them greedily, in the order of the clauses: whoever writes a constraint in pairs
// writes the pairs one after another.
func (x *exclusions) clique(first int) []cnf.Lit {
	var largest []cnf.Lit
	for _, l := range x.clauses[first].lits {
		clique := []cnf.Lit{l.Not()}
		of := x.written[indexOf(clique[0])]
		after, _ := slices.BinarySearchFunc(of, int32(first), func(p pair, first int32) int { return cmp.Compare(p.clause, first) })
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
	slices.Sort(largest)
	return largest
}

// extends reports whether a literal excludes all of a clique but the first, by clauses not yet
// taken.
func (x *exclusions) extends(clique []cnf.Lit, l cnf.Lit) bool {
	for _, other := range clique[1:] {
		x.budget--
		if c := x.excluding(other, l); c < 0 || x.taken[c] {
			return false
		}
	}
	return true
}
