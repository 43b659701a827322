package bdd

import (
	"context"
	"slices"

	"queens/backends/bdd/robdd"
	"queens/backends/crew"
	"queens/encode"
	"queens/order"
)

// free-set: from the top down, without a single Boolean operation.
//
// After any prefix of the variables, what is left of the function depends only on the
// variables that can still be true: neither excluded, nor fixed, nor decided. (An
// exactly-one constraint without such a variable already has its true one, since a
// choice that leaves a constraint without any is dropped as false.) So the set of free
// variables is the state. Its first one in the order is the variable of its node: high
// removes the variables that it excludes, low the variable itself. As long as the next
// free variable shares a constraint with it and all that were passed over, low does not
// become a state but is branched on at once (see [branching]), so in row-major order a
// state of queens has one node for each of its choices in a row. Equal sets are found in
// a hash table; different sets that represent the same function are merged afterwards,
// from the bottom up. The result is the ZDD, and the ROBDD is drawn from it
// ([robdd.Diagram.Convert]).
//
// It works breadth-first, one level at a time, as TdZdd does (Iwashita and Minato,
// "Efficient top-down ZDD construction techniques using recursive specifications",
// Hokkaido University TCS-TR-A-13-69, 2013): the table lives for one level only, and
// only references are kept, so memory is accessed sequentially rather than at random.
//
// It takes 8 bytes per choice, 8 per state, and the sets of one frontier
// (docs/performance.md).
func freeSet(ctx context.Context, p encode.Problem, o order.Order, options Options) (*Compiled, error) {
	pl, err := newPlan(p, o)
	if err != nil {
		return nil, err
	}
	s := newSweeper(ctx, pl, o, options)
	zdd, err := s.compile()
	if err != nil {
		return nil, err
	}
	return drawn(ctx, zdd, s.spent(), options)
}

// choices collects the choices of one cell, from all states that branch on it.
type choices []choiceChunk

type choiceChunk struct {
	choices *[chunkSize]choice
	len     int
}

// choice is a queen on a cell, in a state that branches there.
type choice struct {
	state uint32 // its number; lastChoice is set on its last choice, if that leaves a state for low
	high  uint32 // a reference
}

const lastChoice = 1 << 31

// compile builds the ZDD: all levels downward, then all levels upward.
func (s *sweep[S]) compile() (*robdd.Diagram, error) {
	start, alive := s.initial()
	if !alive {
		return robdd.Constant(robdd.ZDD, variables(s.order), false)
	}
	w := <-s.expanders
	root, err := w.push(&s.output, &start, 0)
	if err != nil {
		return nil, err
	}
	s.expanders <- w
	if root == 1 {
		return s.reduce(root) // no free variable is left: all variables are false
	}
	for level := range s.piles {
		if err := s.expand(level); err != nil {
			return nil, err
		}
		s.budget.tell("level", level+1, len(s.piles), s.total, "states")
	}
	for range s.workers {
		w := <-s.expanders
		s.budget.give(int64(len(w.spare)) * chunkSize * s.setBytes())
	}
	return s.reduce(root)
}

// tasks is how many parts each worker's share of a level is divided into, taskChunks the
// fewest chunks in a part: each part leaves some partly filled chunks.
const (
	tasks      = 4
	taskChunks = 16
)

// expand makes the states of a level and sends their successors down.
func (s *sweep[S]) expand(level int) error {
	p := s.piles[level]
	if len(p) == 0 {
		return nil
	}
	if _, err := s.unite(p); err != nil {
		return err
	}
	for int(s.total) > len(s.lows)*chunkSize {
		if err := s.budget.take(slab * chunkSize * 4); err != nil {
			return err
		}
		fresh := make([][chunkSize]uint32, slab)
		for i := range fresh {
			s.lows = append(s.lows, &fresh[i])
		}
	}
	s.chainFrom(level, s.chain)
	parts := 1
	if s.workers > 1 {
		parts = max(1, min(tasks*s.workers, len(p)/taskChunks))
	}
	for len(s.outputs) < parts {
		s.outputs = append(s.outputs, newOutput[S](len(s.piles)))
	}
	err := crew.Each(s.workers, parts, func(i int) error {
		to := &s.output
		if parts > 1 {
			to = &s.outputs[i]
		}
		w := <-s.expanders
		defer func() { s.expanders <- w }()
		return w.expand(to, level, len(p)*i/parts, len(p)*(i+1)/parts)
	})
	if err != nil {
		return err
	}
	if parts > 1 {
		for i := range s.outputs[:parts] {
			s.append(&s.outputs[i], level)
		}
	}
	for i := range p {
		p[i].sets = nil
	}
	return nil
}

// expand branches on the states in some chunks of a level.
func (w *expander[S]) expand(to *output[S], level, from, end int) error {
	p := w.piles[level]
	var b branching[S]
	for k := from; k < end; k++ {
		if k%(1<<10) == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		c := &p[k]
		slots := w.slots[c.id]
		for at := range c.len {
			if w.alike.isFirst(k*chunkSize + at) {
				if err := w.state(to, &b, level, &c.sets[at], slots[at]); err != nil {
					return err
				}
			}
		}
		w.spare = append(w.spare, c.sets)
	}
	return nil
}

// state branches on a state.
func (w *expander[S]) state(to *output[S], b *branching[S], level int, set *S, state uint32) error {
	var left S
	w.branch(b, set, level)
	for goes := more; goes == more; {
		var high, low uint32
		var err error
		at := b.level
		switch w.choose(b, &left) {
		case solved:
			high = 1
		case open:
			if high, err = w.push(to, &left, w.vars[at].past); err != nil {
				return err
			}
		}
		switch goes = w.pass(b, w.chain); goes {
		case solved:
			low = 1
		case open:
			if low, err = w.push(to, &b.rest, b.level); err != nil {
				return err
			}
		}
		if low != 0 {
			w.lows[state/chunkSize][state%chunkSize] = low
			state |= lastChoice
		}
		if high != 0 || low != 0 {
			if err := w.note(to, at, choice{state, high}); err != nil {
				return err
			}
		}
	}
	return nil
}

// reducing is the way up: choices become nodes, level by level.
type reducing[S bitset] struct {
	*sweep[S]
	edges []robdd.Edges // of a level's choices
	next  uint32        // id
}

// reduce turns choices into nodes from the bottom up and merges those with the same
// children; a choice whose high child is false is replaced by its low child.
func (s *sweep[S]) reduce(root uint32) (*robdd.Diagram, error) {
	vars := variables(s.order)
	first := append(make([]uint32, 0, len(vars)+1), 2)
	levels := make([][]robdd.Edges, 0, len(vars)) // the nodes, from the bottom up
	r := reducing[S]{sweep: s, next: 2}
	for level := range slices.Backward(s.choices) {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		nodes, err := r.level(level)
		if err != nil {
			return nil, err
		}
		levels = append(levels, nodes)
		first = append(first, r.next)
		s.budget.tell("upward, level", len(s.choices)-level, len(s.choices), uint64(r.next-2), "nodes")
	}
	nodes := make([]robdd.Edges, r.next-2)
	err := crew.Each(s.workers, len(levels), func(h int) error {
		copy(nodes[first[h]-2:], levels[h])
		levels[h] = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, s.node(root), s.workers)
}

// node returns the node that a reference has become.
func (s *sweep[S]) node(ref uint32) uint32 {
	if ref < 2 {
		return ref
	}
	return s.slots[ref>>chunkBits][ref%chunkSize]
}

// level makes the nodes of a level.
func (r *reducing[S]) level(level int) ([]robdd.Edges, error) {
	s, all := r.sweep, r.choices[level]
	n := len(all) * chunkSize
	if n > len(r.edges) {
		if err := s.budget.take(int64(n-len(r.edges)) * 8); err != nil {
			return nil, err
		}
		r.edges = make([]robdd.Edges, n)
	}
	low := func(i int) *uint32 {
		state := all[i/chunkSize].choices[i%chunkSize].state &^ lastChoice
		return &s.lows[state/chunkSize][state%chunkSize]
	}
	different, err := s.alike.find(n, &s.budget, func(from, to int, into []uint64) {
		for i := range into {
			into[i] = 0
			chunk := &all[(from+i)/chunkSize]
			if i%chunkSize >= chunk.len {
				continue
			}
			c := chunk.choices[i%chunkSize]
			// The state's choices on lower levels have already been reduced.
			state := c.state &^ lastChoice
			low := &s.lows[state/chunkSize][state%chunkSize]
			if c.state >= lastChoice {
				*low = s.node(*low)
			}
			e := robdd.Edges{Low: *low, High: s.node(c.high)}
			r.edges[from+i] = e
			if e.High != 0 {
				h := (uint64(e.Low)<<32 | uint64(e.High)) * mix1
				into[i] = max(1, (h^h>>32)*mix2)
			}
		}
	}, func(i, k int) bool { return r.edges[i] == r.edges[k] })
	if err != nil {
		return nil, err
	}
	if err := s.budget.take(int64(different) * 16); err != nil { // with the copy of reduce
		return nil, err
	}
	nodes := make([]robdd.Edges, different)
	s.alike.number(n, func(from, to, number int) {
		for i := from; i < to; i++ {
			if s.alike.isFirst(i) {
				nodes[number] = r.edges[i]
				*low(i) = r.next + uint32(number)
				number++
			}
		}
	}, func(from, to int) {
		for i := from; i < to; i++ {
			if first := s.alike.first[i]; first != uint32(i) && s.alike.isThere(i) {
				*low(i) = *low(int(first))
			}
		}
	})
	r.next += uint32(different)
	s.budget.give(int64(len(all)) * chunkSize * 8)
	s.choices[level] = nil
	p := s.piles[level]
	return nodes, crew.Each(s.alike.by(len(p)*chunkSize), (len(p)+taskChunks-1)/taskChunks, func(i int) error {
		for _, c := range p[i*taskChunks : min((i+1)*taskChunks, len(p))] {
			slots := s.slots[c.id]
			for at := range c.len {
				slots[at] = s.lows[slots[at]/chunkSize][slots[at]%chunkSize]
			}
		}
		return nil
	})
}
