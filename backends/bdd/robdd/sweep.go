package robdd

import "fmt"

// Sweep answers questions about one Diagram, under assumptions, and keeps the working
// memory between calls: after the first call of a kind only results are allocated. It
// serves one goroutine at a time; several Sweeps may share a Diagram.
//
// Every question takes assumptions: literals that hold. They may come in any order;
// repeated ones count once, contradictory ones have no solution. A solution assigns
// all variables, including those that the function does not depend on. Without
// assumptions a question takes at most one pass up and one pass down over the
// diagram; with them, over the part that they reach ([Sweep.Visited] returns its
// size).
type Sweep struct {
	d     *Diagram
	value []int8   // by height: 0 free, 1 assumed true, -1 assumed false
	free  []int    // by height: how many variables below it are free
	floor []uint32 // by height: an edge from here to a lower id has no solution
	top   int      // the highest assumed height, -1 without assumptions
	open  int      // variables that are not assumed

	// See rest.go.
	place          []uint32 // by run of ids: its place in the slices below; 0: it has none
	reached, alive []uint64 // by place: one bit per id
	before         []uint32 // by place: the rest's id of its first node
	left           Diagram  // the rest
	visited        int      // see Visited

	// See linear.go.
	small, most int     // nodes of a small diagram; nodes to be reached of a large one
	live        []uint8 // by id

	// See few.go.
	few, mostOpen int     // the most nodes that are few, and open variables with which to try
	head          []uint8 // by height: the place of a node that was met there, the first of its list
	met           []met   // by place

	// See possible.go.
	narrow int      // nodes of a level that are visited first
	seen   []uint8  // by height: canBeTrue, canBeFalse, both or none
	lowest []uint32 // by height: the lowest child of an edge from there

	// See count.go.
	up   []uint64 // solutions below each node, over the free variables
	down []uint64 // paths from the root to each node
	skip []uint64 // by height: difference array of the solutions on edges that skip it
	each []uint64 // by height: solutions with the variable true
}

// NewSweep returns a Sweep over a diagram.
func NewSweep(d *Diagram) *Sweep {
	n := len(d.order)
	return &Sweep{
		d: d, value: make([]int8, n), seen: make([]uint8, n),
		few: maxFew, mostOpen: n / openPart, small: small, most: len(d.nodes) / part, narrow: narrow,
	}
}

// Bytes returns the working memory that the Sweep keeps between calls, in bytes.
func (s *Sweep) Bytes() int64 {
	words := cap(s.place) + cap(s.before) + cap(s.lowest) + cap(s.floor) + cap(s.left.first)
	doubles := cap(s.reached) + cap(s.alive) + cap(s.up) + cap(s.down) + cap(s.skip) + cap(s.each) +
		cap(s.left.nodes) + cap(s.free)
	return 4*int64(words) + 8*int64(doubles) + int64(cap(s.value)+cap(s.seen)+cap(s.live)+cap(s.head)+20*cap(s.met))
}

// assume sets the assumptions and prepares for passes over the diagram. It reports whether
// there can be a solution at all.
func (s *Sweep) assume(lits []Lit) (possible bool, err error) {
	possible, err = s.set(lits)
	return s.settle() && possible, err
}

// set sets the assumptions. It reports whether there can be a solution at all.
func (s *Sweep) set(lits []Lit) (possible bool, err error) {
	clear(s.value)
	possible, s.top, s.visited, s.open = s.d.root != 0, -1, 0, len(s.value)
	for _, l := range lits {
		v := l.Var()
		if v < 1 || int(v) > len(s.value) {
			return false, fmt.Errorf("robdd: assuming literal %d: variables are 1..%d", l, len(s.value))
		}
		want := int8(1)
		if l < 0 {
			want = -1
		}
		h := len(s.value) - 1 - int(s.d.levels[v-1])
		switch s.value[h] {
		case 0:
			s.open--
		case -want:
			possible = false
		}
		s.value[h] = want
		s.top = max(s.top, h)
	}
	return possible, nil
}

// settle computes what the assumptions mean for each height. It reports whether the root
// can have a solution.
func (s *Sweep) settle() bool {
	if s.floor == nil {
		n := len(s.value)
		s.free, s.floor, s.lowest = make([]int, n+1), make([]uint32, n+1), make([]uint32, n)
	}
	for h, value := range s.value {
		s.free[h+1], s.floor[h+1] = s.free[h], s.floor[h]
		switch {
		case s.d.kind == ZDD && value > 0:
			// An edge that skips this level says false here. Only ids from this level
			// on do not skip it.
			s.floor[h+1] = s.d.first[h]
		case s.d.kind == BDD && value == 0:
			s.free[h+1]++
		}
	}
	return s.d.root >= s.floor[len(s.value)]
}

// below returns the lowest id on the level next below height h: an edge from
// height h to a smaller id other than 0 skips a level. At the bottom none does.
func (d *Diagram) below(h int) uint32 {
	if h == 0 {
		return 1
	}
	return d.first[h-1]
}

// set is a set of node ids, one bit each.
type set []uint64

// between returns the bits of a word of a set that stand for lo <= id < hi.
func between(ids uint64, word, lo, hi uint32) uint64 {
	if first := word << 6; first < lo {
		ids &= ^uint64(0) << (lo - first)
	}
	if end := word<<6 + 63; end >= hi {
		ids &= ^uint64(0) >> (end - hi + 1)
	}
	return ids
}
