package encode

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/encode/cnf"
)

// recovered turns clauses into constraints. It recovers at-most-ones that were written as a binary clause
// for each pair of literals, and exactly-ones, which also have a clause of all their literals (Biere, Le
// Berre, Lonca and Manthey, Detecting cardinality constraints in CNF, SAT 2014: syntactic detection). All
// other clauses stay as they are. The constraints keep the order of their clauses and have the same
// solutions.
func recovered(c clauses) []Constraint {
	x := newExclusions(c)
	budget := x.budget // a part for each search
	for _, i := range x.choices {
		if lits := c.At(int(i)); x.part[i] < 0 && x.all(lits) {
			x.take(int(i), 1, lits)
		}
	}
	x.budget = budget
	for l, pairs := range x.of { // a literal may exclude hundreds in an exactly-one, and few by other clauses
		x.of[l] = slices.DeleteFunc(pairs, func(p pair) bool { return x.part[p.clause] != free })
	}
	for _, i := range x.pairs {
		if x.part[i] == free && x.budget > 0 {
			if clique := x.greedyClique(int(i)); len(clique) > 2 {
				x.take(int(i), 0, sorted(clique))
			}
		}
	}
	constraints := make([]Constraint, 0, c.Len()-x.merged)
	var names strings.Builder // a large file has little but clauses: one piece of memory for all their names
	names.Grow(len("line 123456") * cap(constraints))
	for i, of := range x.part {
		switch {
		case of == free:
			constraints = append(constraints, asWritten(lines(&names, c.first[i], c.last[i]), c.At(i)))
		case of >= 0:
			found := x.found[of]
			constraints = append(constraints, Constraint{
				Name: found.name, Least: found.least, Most: 1, Lits: found.lits,
			})
		}
	}
	return constraints
}

// sorted returns literals by rising number.
func sorted(of []index) []cnf.Lit {
	lits := make([]cnf.Lit, len(of))
	for i, l := range of {
		lits[i] = l.lit()
	}
	slices.Sort(lits)
	return lits
}

// asWritten returns a clause, or the at-most-one that a clause of two negative literals stands for. The constraint takes over
// the literals.
func asWritten(name string, lits []cnf.Lit) Constraint {
	if len(lits) == 2 && lits[1] < 0 {
		lits[0], lits[1] = lits[1].Not(), lits[0].Not()
		return AtMostOne(name, lits...)
	}
	return AtLeastOne(name, lits...)
}

// lines names a constraint after the first and the last line that express it. It writes the name after other ones.
func lines(names *strings.Builder, first, last int32) string {
	begin := names.Len()
	if first == last {
		names.Write(strconv.AppendInt(append(make([]byte, 0, 16), "line "...), int64(first), 10))
	} else {
		fmt.Fprintf(names, "lines %d to %d", first, last)
	}
	return names.String()[begin:]
}

// several names a constraint after the lines that express it. If all of them are given, it names each of two, and
// each of three with gaps between.
func several(of []int32, all bool) string {
	of = distinct(of)
	first, last := of[0], of[len(of)-1]
	switch {
	case !all, len(of) == int(last-first)+1 && len(of) != 2:
		return lines(new(strings.Builder), first, last)
	case len(of) == 2:
		return fmt.Sprintf("lines %d and %d", first, last)
	case len(of) == 3:
		return fmt.Sprintf("lines %d, %d and %d", first, of[1], last)
	}
	return fmt.Sprintf("%d lines from %d to %d", len(of), first, last)
}

// distinct returns numbers by rising size, each once. Where they lie close together, as the lines of a large group do, it marks
// them instead of sorting.
func distinct(of []int32) []int32 {
	if increasing(of) {
		return of
	}
	first, last := slices.Min(of), slices.Max(of)
	span := int(last-first) + 1
	if span > 8*len(of) {
		return slices.Compact(slices.Sorted(slices.Values(of)))
	}
	seen := make([]bool, span)
	for _, n := range of {
		seen[n-first] = true
	}
	list := make([]int32, 0, len(of))
	for i, is := range seen {
		if is {
			list = append(list, first+int32(i))
		}
	}
	return list
}

// exclusions are the pairs of literals that exclude each other by a binary clause, as the
// edges of a graph.
type exclusions struct {
	clauses
	choices []int32    // clauses that, with pairs, may be an exactly-one: of three literals or more, or two positive ones
	pairs   []int32    // clauses of two literals that takeNeighbours leaves
	of      [][]pair   // by literal: what it excludes, each literal once, in the sequence of the clauses
	part    []int32    // by clause: free, merged, or the place in found of the constraint that begins with it
	found   []recovery // constraints made of several clauses
	merged  int        // clauses that are part of another's constraint, or redundant given an earlier one
	seen    []mark     // by literal
	search  int32      // counts the searches that use seen
	tried   [2][]index // memory of greedyClique
	budget  int        // pairs that may still be visited
}

const free, merged = -1, -2

// pair is a literal that another one excludes, and the first clause that says so.
type pair struct {
	other  index
	clause int32
}

// mark counts how often a literal was seen in a search; in a later one, not at all.
type mark struct{ search, times int32 }

// recovery is a constraint made of several clauses: an at-most-one, or an exactly-one if least is 1.
type recovery struct {
	least int
	lits  []cnf.Lit
	name  string
}

// budgetPerPair bounds both searches, for exactly-ones and for cliques, to a time that is linear in the
// number of pairs. Toroidal boards of size 30 need 19 visits a pair, other families at most 6.
const budgetPerPair = 24

func newExclusions(c clauses) *exclusions {
	x := &exclusions{clauses: c, part: slices.Repeat([]int32{free}, c.Len())}
	vars := cnf.Var(0) // the largest that occurs: a file may declare millions more
	for i := range c.Len() {
		lits := c.At(i)
		if len(lits) > 0 {
			vars = max(vars, lits[0].Var(), lits[len(lits)-1].Var())
		}
		if len(lits) == 2 {
			x.budget += budgetPerPair
		}
		if len(lits) > 2 || len(lits) == 2 && lits[0] > 0 {
			x.choices = append(x.choices, int32(i))
		}
	}
	x.seen = make([]mark, 2*vars)
	x.takeNeighbours()
	x.link()
	return x
}

// link lists what each literal excludes by the clauses in pairs.
func (x *exclusions) link() {
	degree := make([]int32, len(x.seen))
	for _, i := range x.pairs {
		lits := x.At(int(i))
		degree[indexOf(lits[0]).not()]++
		degree[indexOf(lits[1]).not()]++
	}
	x.of = Lists[pair](degree)
	for _, i := range x.pairs {
		lits := x.At(int(i))
		a, b := indexOf(lits[0]).not(), indexOf(lits[1]).not()
		x.of[a] = append(x.of[a], pair{b, i})
		x.of[b] = append(x.of[b], pair{a, i})
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
}

// see returns how often it has seen a literal in this search.
func (x *exclusions) see(l index) int32 {
	m := &x.seen[l]
	if m.search != x.search {
		*m = mark{x.search, 0}
	}
	m.times++
	return m.times
}

// sees reports whether a literal was seen this often.
func (x *exclusions) sees(l index, times int) bool {
	return x.seen[l] == mark{x.search, int32(times)}
}

// all reports whether all the literals exclude each other; it returns false when the budget is used up.
func (x *exclusions) all(lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(x.of[indexOf(l)]) < len(lits)-1 {
			return false
		}
	}
	x.begin(lits)
	for _, l := range lits {
		among, excluded := 1, x.of[indexOf(l)] // it and those that it excludes
		for _, p := range excluded {
			if x.sees(p.other, 1) {
				among++
			}
		}
		if x.budget -= len(excluded); x.budget < 0 || among < len(lits) {
			return false
		}
	}
	return true
}

// begin begins a search in which literals have been seen.
func (x *exclusions) begin(lits []cnf.Lit) {
	x.search++
	for _, l := range lits {
		x.see(indexOf(l))
	}
}

// take makes a constraint of literals that exclude each other and the clauses that say so. It stands in the place of
// the given clause.
func (x *exclusions) take(clause, least int, lits []cnf.Lit) {
	each := x.first[clause] == x.last[clause]
	from := append(make([]int32, 0, 2+len(lits)*(len(lits)-1)), x.first[clause], x.last[clause])
	x.begin(lits)
	for _, l := range lits {
		for _, p := range x.of[indexOf(l)] {
			if p.other < indexOf(l) || !x.sees(p.other, 1) { // each pair once
				continue
			}
			if x.part[p.clause] == free {
				x.part[p.clause] = merged
				x.merged++
			}
			from = append(from, x.first[p.clause], x.last[p.clause])
			each = each && x.first[p.clause] == x.last[p.clause] // otherwise resolution made it from lines between, too
		}
	}
	if x.part[clause] == merged {
		x.merged--
	}
	x.part[clause] = int32(len(x.found))
	x.found = append(x.found, recovery{least, lits, several(from, each)})
}

// greedyClique returns literals that exclude each other by free clauses, the two of the given clause among
// them. It adds them in the order of the clauses: whoever writes a constraint in pairs writes the pairs one
// after another. It may miss a larger set.
func (x *exclusions) greedyClique(first int) []index {
	best := x.tried[0][:0]
	for k, l := range x.At(first) {
		l := indexOf(l).not()
		x.search++
		clique, of := append(x.tried[k][:0], l), x.of[l]
		from, _ := slices.BinarySearchFunc(of, int32(first), func(p pair, first int32) int { return cmp.Compare(p.clause, first) })
		if of = of[from:]; len(of) < len(best) { // no larger one
			break
		}
		if other := of[0].other; len(of) == 1 || len(x.of[other]) == 1 { // no third, as for a child that only its parent limits
			x.budget -= len(of) + len(x.of[other])
			x.tried[k] = append(clique, other)
			best = x.tried[k]
			continue
		}
		for _, p := range of {
			if x.budget--; x.budget < 0 {
				break
			}
			// Each literal of the clique but l has seen what it excludes.
			if x.part[p.clause] != free || len(clique) > 1 && !x.sees(p.other, len(clique)-1) {
				continue
			}
			clique = append(clique, p.other)
			x.budget -= len(x.of[p.other])
			for _, q := range x.of[p.other] {
				if x.part[q.clause] == free {
					x.see(q.other)
				}
			}
		}
		if x.tried[k] = clique; len(clique) > len(best) {
			best = clique
		}
	}
	return best
}
