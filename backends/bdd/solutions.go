package bdd

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"queens/backends/bdd/robdd"
	"queens/encode"
	"queens/order"
)

// solutions: every solution by search, sorted in the variable order, and folded from
// the last to the first into the ZDD.
//
// The folding is the construction of a minimal acyclic automaton from sorted words
// (Daciuk, Mihov, Watson and Watson, "Incremental construction of minimal acyclic
// finite-state automata", Computational Linguistics 26(1), 2000): a solution is the
// word of its cells by level, and of the words before it only the last is open.
// A node is looked for once for each prefix that some solution has, so nothing is
// made that is not in the result, and the order hardly matters.
//
// It is here because it is hard to beat: the ZDD of the queens shares so little that
// it is within a few times the size of the list, and search costs nanoseconds a
// solution. What it cannot do is what a diagram is for, a function with more
// solutions than one can list: the list takes 16 or 24 bytes a solution.
func solutions(ctx context.Context, p encode.Problem, o order.Order, options Options) (*Compiled, error) {
	perWord := 64 / max(1, bits.Len(uint(len(o)-1)))
	build := folded[[16]uint64]
	switch words := (p.N + perWord - 1) / perWord; {
	case words <= 2:
		build = folded[[2]uint64]
	case words == 3:
		build = folded[[3]uint64]
	case words <= 8:
		build = folded[[8]uint64]
	}
	b := &budget{limit: options.Limits.MaxBytes}
	zdd, err := build(ctx, p, o, perWord, b)
	if err != nil {
		return nil, err
	}
	return drawn(zdd, Stats{PeakBytes: uint64(b.peak)}, options)
}

// word is a solution: its cells' levels, rising, the first in the highest bits, so
// that words compare as the sequences do.
type word interface {
	[2]uint64 | [3]uint64 | [8]uint64 | [16]uint64
}

func folded[W word](ctx context.Context, p encode.Problem, o order.Order, perWord int, b *budget) (*robdd.Diagram, error) {
	width := 64 / perWord
	words, err := list[W](ctx, p, o, perWord, width, b)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(words, func(x, y W) int {
		for i := 0; i < len(x); i++ {
			if x[i] != y[i] {
				return cmp.Compare(x[i], y[i])
			}
		}
		return 0
	})
	var (
		f     = folder{budget: b}
		last  = make([]uint16, p.N)   // the open word
		rest  = make([]uint32, p.N+1) // rest[d]: the words done that share the open one's first d levels
		level = make([]uint16, p.N)
	)
	// shut folds the open word's levels from depth on.
	shut := func(depth int) error {
		id := uint32(1)
		for d := p.N - 1; d >= depth; d-- {
			if id, err = f.node(last[d], rest[d], id); err != nil {
				return err
			}
			rest[d] = 0
		}
		rest[depth] = id
		return nil
	}
	for i := range slices.Backward(words) {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for d := range level {
			level[d] = uint16(words[i][d/perWord] >> (64 - width - d%perWord*width) & (1<<width - 1))
		}
		if i < len(words)-1 {
			depth := 0
			for level[depth] == last[depth] {
				depth++
			}
			if err := shut(depth); err != nil {
				return nil, err
			}
		}
		copy(last, level)
	}
	if len(words) == 0 {
		return robdd.Constant(robdd.ZDD, variables(o), false)
	}
	if err := shut(0); err != nil {
		return nil, err
	}
	return f.byLevel(variables(o))
}

// lister walks the solutions row by row and keeps them as words.
type lister[W word] struct {
	ctx            context.Context
	budget         *budget
	n              int
	perWord, width int
	allowed        []uint64 // by row: the columns that the problem leaves it
	levels         []int    // by cell
	at             []int    // by row: the level of its queen
	sorted         []int
	words          []W
	steps          int
	err            error
}

// list returns the solutions of a problem, in the sequence of the walk.
func list[W word](ctx context.Context, p encode.Problem, o order.Order, perWord, width int, b *budget) ([]W, error) {
	n := p.N
	l := &lister[W]{
		ctx: ctx, budget: b, n: n, perWord: perWord, width: width,
		// One row beyond the last may always be entered.
		allowed: slices.Repeat([]uint64{^uint64(0) >> (64 - n)}, n+1),
		levels:  o.Levels(), at: make([]int, n), sorted: make([]int, n),
	}
	for _, c := range p.Placed() {
		for row := range n {
			if row != c.Row {
				l.allowed[row] &^= 1 << c.Col
			}
		}
		l.allowed[c.Row] &= 1 << c.Col
	}
	for _, c := range p.Blocked() {
		l.allowed[c.Row] &^= 1 << c.Col
	}
	if l.err = ctx.Err(); l.err == nil {
		l.walk(0, l.allowed[0], 0, 0, 0)
	}
	return l.words, l.err
}

// walk tries the free columns of a row; taken, up and down are the columns and
// diagonals that the rows before have taken. It looks a row ahead, which spares
// most of the steps.
func (l *lister[W]) walk(row int, free, taken, up, down uint64) {
	if l.steps++; l.steps%(1<<20) == 0 && l.err == nil {
		l.err = l.ctx.Err()
	}
	if l.err != nil {
		return
	}
	levels := l.levels[row*l.n : row*l.n+l.n]
	next := l.allowed[row+1]
	for ; free != 0; free &= free - 1 {
		q := free & -free
		taken, up, down := taken|q, (up|q)<<1, (down|q)>>1
		l.at[row] = levels[bits.TrailingZeros64(q)]
		if row == l.n-1 {
			l.keep()
		} else if below := next &^ (taken | up | down); below != 0 {
			l.walk(row+1, below, taken, up, down)
		}
	}
}

// keep adds the solution that the walk has come to.
func (l *lister[W]) keep() {
	copy(l.sorted, l.at)
	slices.Sort(l.sorted)
	var w W
	for d, level := range l.sorted {
		w[d/l.perWord] |= uint64(level) << (64 - l.width - d%l.perWord*l.width)
	}
	if len(l.words) == cap(l.words) {
		more := max(1<<10, len(l.words)/4)
		if err := l.budget.take(int64(more*len(w)) * 8); err != nil {
			l.err = err
			return
		}
		l.words = slices.Grow(l.words, more)
	}
	l.words = append(l.words, w)
}

// folder is a unique table over all levels, and its nodes in the sequence in which
// they were made: children first.
type folder struct {
	budget *budget
	nodes  []robdd.Edges // by id-2
	level  []uint16
	table  []uint32
}

// node returns the node with these children, made if need be.
func (f *folder) node(level uint16, low, high uint32) (uint32, error) {
	if len(f.nodes)*3 >= len(f.table)*2 {
		if err := f.grow(); err != nil {
			return 0, err
		}
	}
	e := robdd.Edges{Low: low, High: high}
	at := f.slot(level, e)
	for ; f.table[at] != 0; at = (at + 1) & (len(f.table) - 1) {
		if id := f.table[at]; f.nodes[id-2] == e && f.level[id-2] == level {
			return id, nil
		}
	}
	if len(f.nodes) == 1<<32-2 {
		return 0, &robdd.LimitError{What: "nodes", Limit: 1<<32 - 2, Want: 1<<32 - 1}
	}
	f.nodes = append(f.nodes, e)
	f.level = append(f.level, level)
	f.table[at] = uint32(len(f.nodes) + 1)
	return f.table[at], nil
}

func (f *folder) slot(level uint16, e robdd.Edges) int {
	h := (uint64(e.Low)<<32 | uint64(e.High)) * mix1
	h = (h ^ h>>32 ^ uint64(level)) * mix2
	return int(h >> 32 & uint64(len(f.table)-1))
}

// grow doubles the table, and makes room for the nodes that it will hold.
func (f *folder) grow() error {
	size := max(1<<12, 2*len(f.table))
	room := size*2/3 + 1
	if err := f.budget.take(int64(size-len(f.table))*4 + int64(room-cap(f.nodes))*10); err != nil {
		return err
	}
	f.table = make([]uint32, size)
	f.nodes = slices.Grow(f.nodes, room-len(f.nodes))
	f.level = slices.Grow(f.level, room-len(f.level))
	for i, e := range f.nodes {
		at := f.slot(f.level[i], e)
		for f.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		f.table[at] = uint32(i + 2)
	}
	return nil
}

// byLevel makes the diagram: the nodes of a level together, in the sequence in which
// they were made.
func (f *folder) byLevel(vars []robdd.Var) (*robdd.Diagram, error) {
	f.table = nil
	if err := f.budget.take(int64(len(f.nodes)) * 12); err != nil {
		return nil, err
	}
	first := make([]uint32, len(vars)+1)
	for _, level := range f.level {
		first[len(vars)-int(level)]++
	}
	first[0] = 2
	for h := range vars {
		first[h+1] += first[h]
	}
	next := slices.Clone(first)
	ids := make([]uint32, len(f.nodes)+2)
	ids[1] = 1
	for i, level := range f.level {
		h := len(vars) - 1 - int(level)
		ids[i+2] = next[h]
		next[h]++
	}
	nodes := make([]robdd.Edges, len(f.nodes))
	for i, e := range f.nodes {
		nodes[ids[i+2]-2] = robdd.Edges{Low: ids[e.Low], High: ids[e.High]}
	}
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, uint32(len(nodes)+1))
}
