package search

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"queens/backends/crew"
	"queens/encode/cnf"
	"queens/order"
)

// LevelBound is a lower bound proved for one level of the ROBDD, over all
// orders.
type LevelBound struct {
	Above int    // variables above the level
	Width int    // no set of this many variables above leaves a level with fewer nodes
	Exact bool   // whether a set was found that attains this width
	Nodes int64  // of the search tree in which the width was proved
	set   uint64 // the set that was found, bit v-1 for variable v
}

// LevelBounds proves a lower bound on the width of each level of the ROBDD, over all
// sets of variables that could be above it; the sum bounds the size under any order.
// No single order passes through all the sets with the least widths, so the sum is
// below the minimum even where all widths are exact.
//
// It is a branch and bound over the variables, each put above or below the level. With
// some variables put, two solutions can still belong to the same cofactor only if each
// could replace the other above the level: if some solution agrees with one on all
// variables put above, and with the other on all variables put below. (When all are
// put, this says that the part below of one completes the part above of the other.) So
// solutions that are pairwise incompatible belong to different cofactors, and the size
// of a greedily found set of them is the bound. The variable put next is the one that
// separates the most pairs.
//
// The subsets of one orbit of the symmetries are the roots of search trees, one for
// each subset up to symmetry. A level's bound is the largest that was proved with at
// most the given number of nodes in all its trees. The result does not depend on the
// number of workers. At most 64 variables and 64 solutions are allowed.
func LevelBounds(
	ctx context.Context, s *Sizer, symmetries [][]cnf.Var, nodes int64, workers int,
) ([]LevelBound, error) {
	if s.vars > 64 || s.NumSolutions() > 64 || s.NumSolutions() == 0 {
		return nil, fmt.Errorf("%d variables and %d solutions, expected 1 to 64 of each: %w",
			s.vars, s.NumSolutions(), ErrTooMany)
	}
	l, err := newLevelTree(s, symmetries)
	if err != nil {
		return nil, err
	}
	bounds := make([]LevelBound, s.vars)
	return bounds, crew.Each(workers, s.vars, func(above int) error {
		bounds[above] = l.bound(ctx, above, nodes)
		return ctx.Err()
	})
}

// levelTree holds the variables as sets of solutions, and the roots of the
// search.
type levelTree struct {
	vars, solutions int
	holds           []uint64    // by variable: bit i for solution i
	roots           []levelNode // the subsets of one orbit, up to symmetry
}

// levelNode is a partial choice of the variables above a level.
type levelNode struct {
	above, below uint64     // variables put there
	same         [64]uint64 // by solution: those that agree with it on all variables above ...
	rest         [64]uint64 // ... and on all below
}

func newLevelTree(s *Sizer, symmetries [][]cnf.Var) (*levelTree, error) {
	l := &levelTree{vars: s.vars, solutions: s.NumSolutions(), holds: make([]uint64, s.vars)}
	sets := make([]uint64, l.solutions)
	for v := range s.vars {
		for _, i := range s.holds[s.first[v]:s.first[v+1]] {
			l.holds[v] |= 1 << i
			sets[i] |= 1 << v
		}
	}
	slices.Sort(sets)
	orbit := make([]uint64, s.vars)
	for i, symmetry := range symmetries {
		if err := checkSymmetry(i+1, symmetry, s.vars, sets); err != nil {
			return nil, err
		}
		for v := range orbit {
			orbit[v] |= 1 << (symmetry[v] - 1)
		}
	}
	// Choose the orbit that separates the most pairs of solutions.
	most, chosen := -1, uint64(0)
	for v, variables := range orbit {
		held := bits.OnesCount64(l.holds[v])
		if apart := bits.OnesCount64(variables) * held * (l.solutions - held); apart > most {
			most, chosen = apart, variables
		}
	}
	root := levelNode{}
	for i := range l.solutions {
		root.same[i], root.rest[i] = 1<<l.solutions-1, 1<<l.solutions-1
	}
	for above := chosen; ; above = (above - 1) & chosen {
		first := true
		for _, symmetry := range symmetries {
			first = first && image(symmetry, above) >= above
		}
		if first {
			n := root
			for left := chosen; left != 0; left &= left - 1 {
				v := bits.TrailingZeros64(left)
				l.put(&n, v, above>>v&1 != 0)
			}
			l.roots = append(l.roots, n)
		}
		if above == 0 {
			return l, nil
		}
	}
}

// checkSymmetry returns an error unless a permutation of the variables is a symmetry of
// the solutions, which are sorted sets of variables. The number is for the error.
func checkSymmetry(number int, symmetry []cnf.Var, vars int, solutions []uint64) error {
	if err := order.Order(symmetry).Check(vars); err != nil {
		return fmt.Errorf("symmetry %d: %w", number, err)
	}
	for _, solution := range solutions {
		if _, is := slices.BinarySearch(solutions, image(symmetry, solution)); !is {
			return fmt.Errorf("symmetry %d does not map every solution to a solution", number)
		}
	}
	return nil
}

// image returns the image of a set of variables under a symmetry.
func image(symmetry []cnf.Var, set uint64) (turned uint64) {
	for ; set != 0; set &= set - 1 {
		turned |= 1 << (symmetry[bits.TrailingZeros64(set)] - 1)
	}
	return turned
}

// put puts a variable above or below the level.
func (l *levelTree) put(n *levelNode, v int, above bool) {
	held := l.holds[v]
	agree := &n.rest
	if above {
		agree = &n.same
		n.above |= 1 << v
	} else {
		n.below |= 1 << v
	}
	for i := range l.solutions {
		if held>>i&1 != 0 {
			agree[i] &= held
		} else {
			agree[i] &^= held
		}
	}
}

// bound raises a level's bound as far as trees with this many nodes prove it.
func (l *levelTree) bound(ctx context.Context, above int, nodes int64) LevelBound {
	b := LevelBound{Above: above, Width: 1}
	for {
		t := levelSearch{levelTree: l, ctx: ctx, above: above, width: b.Width + 1, left: nodes}
		for _, root := range l.roots {
			if bits.OnesCount64(root.above) <= above && bits.OnesCount64(root.below) <= l.vars-above && t.err == nil {
				t.visit(&root)
			}
		}
		if errors.Is(t.err, errSmaller) {
			b.Exact, b.set = true, t.met
		}
		if t.err != nil {
			return b
		}
		b.Width, b.Nodes = b.Width+1, nodes-t.left
	}
}

var (
	errSmaller  = errors.New("a smaller width was found")
	errTooLarge = errors.New("the tree has too many nodes")
)

// levelSearch looks for a set of variables below which the level has fewer nodes
// than width.
type levelSearch struct {
	*levelTree
	ctx          context.Context
	above, width int
	left         int64 // nodes that the tree may still have
	err          error // errSmaller once such a set is found
	met          uint64
}

func (t *levelSearch) visit(n *levelNode) {
	if t.left--; t.left < 0 {
		t.err = errTooLarge
		return
	}
	if t.left&0xfff == 0 && t.ctx.Err() != nil {
		t.err = t.ctx.Err()
		return
	}
	every := uint64(1)<<t.vars - 1
	switch {
	case bits.OnesCount64(n.above) == t.above:
		t.measure(n.above)
		return
	case bits.OnesCount64(n.below) == t.vars-t.above:
		t.measure(every &^ n.below)
		return
	}
	var together [64]uint64
	if t.apart(n, &together) >= t.width {
		return
	}
	next, most := -1, -1
	for left := every &^ (n.above | n.below); left != 0; left &= left - 1 {
		v := bits.TrailingZeros64(left)
		held, pairs := t.holds[v], 0
		for some := held; some != 0; some &= some - 1 {
			pairs += bits.OnesCount64(together[bits.TrailingZeros64(some)] &^ held)
		}
		if pairs > most {
			next, most = v, pairs
		}
	}
	for _, above := range []bool{true, false} {
		child := *n
		t.put(&child, next, above)
		if t.visit(&child); t.err != nil {
			return
		}
	}
}

// apart sets together[i] to the solutions that can still share a cofactor with solution
// i, and returns the size of a set of solutions of which no two can.
func (t *levelSearch) apart(n *levelNode, together *[64]uint64) int {
	every := ^uint64(0) >> (64 - t.solutions)
	// For each solution, those whose part above it can have, and those whose part
	// below.
	for i := range t.solutions {
		together[i] = every
	}
	for _, side := range [2][2]*[64]uint64{{&n.same, &n.rest}, {&n.rest, &n.same}} {
		for left := every; left != 0; {
			class := side[0][bits.TrailingZeros64(left)]
			left &^= class
			var reached uint64
			for some := class; some != 0; some &= some - 1 {
				reached |= side[1][bits.TrailingZeros64(some)]
			}
			for some := class; some != 0; some &= some - 1 {
				together[bits.TrailingZeros64(some)] &= reached
			}
		}
	}
	count := 0
	for left := every; left != 0; count++ {
		best, fewest := 0, 65
		for some := left; some != 0 && fewest > 1; some &= some - 1 {
			i := bits.TrailingZeros64(some)
			if with := bits.OnesCount64(together[i] & left); with < fewest {
				best, fewest = i, with
			}
		}
		left &^= together[best]
	}
	return count
}

// measure computes the width of the level below a complete set.
func (t *levelSearch) measure(set uint64) {
	n := levelNode{}
	for i := range t.solutions {
		n.same[i], n.rest[i] = 1<<t.solutions-1, 1<<t.solutions-1
	}
	for v := range t.vars {
		t.put(&n, v, set>>v&1 != 0)
	}
	// A cofactor is the set of completions of a part above, represented by all
	// solutions whose part below completes it.
	cofactors := make(map[uint64]bool)
	for left := uint64(1)<<t.solutions - 1; left != 0; {
		class := n.same[bits.TrailingZeros64(left)]
		left &^= class
		var completions uint64
		for some := class; some != 0; some &= some - 1 {
			completions |= n.rest[bits.TrailingZeros64(some)]
		}
		cofactors[completions] = true
	}
	if len(cofactors) < t.width {
		t.err, t.met = errSmaller, set
	}
}
