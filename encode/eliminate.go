package encode

import (
	"cmp"
	"slices"

	"queens/encode/cnf"
)

// clause is a clause while variables are eliminated: its literals, and the first and last line that it comes from.
type clause struct {
	lits        []cnf.Lit
	first, last int32
}

// eliminator removes auxiliary variables from clauses by resolution (Davis and Putnam, A computing
// procedure for quantification theory, 1960): it replaces the clauses that contain a variable by their
// resolvents, which preserves the solutions over the other variables. It does so only if the number of
// clauses with three or more literals does not grow (NiVER: Subbarayan and Pradhan, SAT 2004). The number
// of binary clauses may grow, up to a bound for the whole formula: the at-most-one constraints that an
// encoding has hidden are recovered from them, so a board is recognized whatever its encoding was. The
// back-ends handle the auxiliary variables that remain.
type eliminator struct {
	clauses []clause
	gone    []bool    // by clause
	in      [][]int32 // by literal of an auxiliary variable: its clauses, some of them gone
	own     index     // the first literal of an auxiliary variable
	seen    []int32   // by literal: the last clause whose literal it was seen to be
	stamp   int32
	live    int // clauses that are not gone
	most    int // upper bound of live
	left    int // literals that may still be visited
}

// Bounds that keep the time linear in the size of the formula.
const (
	growth       = 4       // factor by which the number of clauses may grow
	spareClauses = 1000    // clauses allowed beyond that, for small formulas
	perLiteral   = 50      // literals visited per literal of the formula
	spareVisits  = 1 << 20 // literals visited beyond that
	mostPairs    = 1 << 12 // pairs of clauses to resolve for one variable; with more, it stays
)

// eliminated returns the clauses after eliminating as many auxiliary variables, those numbered above own, as the
// bounds allow. The clauses are sorted by their first lines.
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

// enter adds a clause to the lists of its auxiliary literals.
func (e *eliminator) enter(i int) {
	for _, l := range e.clauses[i].lits {
		if l := indexOf(l); l >= e.own {
			e.in[l-e.own] = append(e.in[l-e.own], int32(i))
		}
	}
}

// pairs returns the number of pairs of clauses to resolve to eliminate a variable.
func (e *eliminator) pairs(l index) int { return len(e.in[l]) * len(e.in[l+1]) }

// eliminate tries to eliminate a variable, and reports whether it did.
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

// resolve returns the resolvent of two clauses, the first with the pivot and the second with its
// negation, and reports whether the resolvent is a tautology.
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
