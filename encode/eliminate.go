package encode

import (
	"cmp"
	"slices"

	"queens/encode/cnf"
)

// eliminator takes auxiliary variables out of clauses by resolution (Davis and Putnam, A computing
// procedure for quantification theory, 1960): the clauses with a variable are replaced by their
// resolvents, which leaves the same solutions for the other variables. It does so where no more
// clauses of three or more literals result (NiVER: Subbarayan and Pradhan, SAT 2004). Pairs of
// literals that exclude each other may become more, within a bound for all: the at-most-one
// constraints that an encoding has hidden are found in them again, so that a board is a board
// whatever its encoding was. What is left is for the back-ends.
type eliminator struct {
	clauses []clause
	gone    []bool    // by clause
	in      [][]int32 // by literal of an auxiliary variable: its clauses, some of them gone
	own     index     // the first literal of an auxiliary variable
	seen    []int32   // by literal: the last clause whose literal it was seen to be
	stamp   int32
	live    int // clauses that are not gone
	most    int // of them
	left    int // literals that may still be looked at
}

// Bounds that keep the time linear in the size of the formula.
const (
	growth       = 4       // of the number of clauses
	spareClauses = 1000    // that a small formula may have beyond that
	perLiteral   = 50      // literals looked at
	spareVisits  = 1 << 20 // beyond that
	mostPairs    = 1 << 12 // of clauses resolved for one variable
)

// eliminated returns clauses without as many auxiliary variables as possible, those with a
// number above own. They are in the sequence of their first lines.
func eliminated(vars, own int, clauses []clause) []clause {
	e := &eliminator{
		clauses: clauses, gone: make([]bool, len(clauses)), in: make([][]int32, 2*(vars-own)), own: index(2 * own),
		seen: make([]int32, 2*vars), live: len(clauses), most: growth*len(clauses) + spareClauses, left: spareVisits,
	}
	for i, c := range clauses {
		e.left += perLiteral * len(c.lits)
		e.enter(i)
	}
	for again := true; again; {
		again = false
		rest := make([]index, 0, len(e.in)/2)
		for l := index(0); int(l) < len(e.in); l += 2 {
			if len(e.in[l])+len(e.in[l+1]) > 0 {
				rest = append(rest, l)
			}
		}
		slices.SortStableFunc(rest, func(a, b index) int { return cmp.Compare(e.pairs(a), e.pairs(b)) })
		for _, l := range rest {
			again = e.eliminate(l) || again
		}
	}
	kept := make([]clause, 0, e.live)
	for i, c := range e.clauses {
		if !e.gone[i] {
			kept = append(kept, c)
		}
	}
	slices.SortStableFunc(kept, func(a, b clause) int { return cmp.Compare(a.first, b.first) })
	return kept
}

// enter notes the auxiliary variables of a clause.
func (e *eliminator) enter(i int) {
	for _, l := range e.clauses[i].lits {
		if l := indexOf(l); l >= e.own {
			e.in[l-e.own] = append(e.in[l-e.own], int32(i))
		}
	}
}

// pairs returns how many pairs of clauses a variable has to resolve.
func (e *eliminator) pairs(l index) int { return len(e.in[l]) * len(e.in[l+1]) }

// eliminate takes a variable out, and reports whether it did.
func (e *eliminator) eliminate(l index) bool {
	isGone := func(i int32) bool { return e.gone[i] }
	e.in[l], e.in[l+1] = slices.DeleteFunc(e.in[l], isGone), slices.DeleteFunc(e.in[l+1], isGone)
	with, without := e.in[l], e.in[l+1]
	if e.pairs(l) > mostPairs || e.left < 0 {
		return false
	}
	long := 0
	for _, i := range slices.Concat(with, without) {
		if len(e.clauses[i].lits) > 2 {
			long++
		}
	}
	var resolvents []clause
	for _, i := range with {
		for _, j := range without {
			c, holds := e.resolve(e.clauses[i], e.clauses[j], (l + e.own).lit())
			if holds {
				continue
			}
			if len(c.lits) > 2 {
				if long--; long < 0 {
					return false
				}
			}
			resolvents = append(resolvents, c)
		}
	}
	slices.SortStableFunc(resolvents, func(a, b clause) int { return slices.Compare(a.lits, b.lits) })
	resolvents = slices.CompactFunc(resolvents, func(a, b clause) bool { return slices.Equal(a.lits, b.lits) })
	live := e.live + len(resolvents) - len(with) - len(without)
	if live > e.most && len(resolvents) > len(with)+len(without) {
		return false
	}
	e.live = live
	for _, i := range slices.Concat(with, without) {
		e.gone[i] = true
	}
	e.in[l], e.in[l+1] = nil, nil
	for _, c := range resolvents {
		e.clauses, e.gone = append(e.clauses, c), append(e.gone, false)
		e.enter(len(e.clauses) - 1)
	}
	return true
}

// resolve returns the clause that follows from two: one has a literal, the other its
// negation, and whether it holds anyway.
func (e *eliminator) resolve(a, b clause, pivot cnf.Lit) (c clause, holds bool) {
	e.stamp++
	e.left -= len(a.lits) + len(b.lits)
	c = clause{make([]cnf.Lit, 0, len(a.lits)+len(b.lits)-2), min(a.first, b.first), max(a.last, b.last)}
	for _, l := range a.lits {
		if l != pivot {
			e.seen[indexOf(l)] = e.stamp
			c.lits = append(c.lits, l)
		}
	}
	for _, l := range b.lits {
		switch {
		case l == pivot.Not() || e.seen[indexOf(l)] == e.stamp:
		case e.seen[indexOf(l.Not())] == e.stamp:
			return c, true
		default:
			c.lits = append(c.lits, l)
		}
	}
	slices.Sort(c.lits)
	return c, false
}
