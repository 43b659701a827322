package bdd

import (
	"context"
	"slices"

	"queens/backends/bdd/robdd"
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
// It takes 8 bytes per choice, 4 per arrival of a state, and the sets of one frontier
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
	return topDown(zdd, s.spent()), nil
}

// choice is a queen on a cell, in a state that branches there.
type choice struct {
	state uint32 // a reference; lastChoice is set on its last choice, if that leaves a state for low
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
	totals := make([]uint64, len(s.levels))
	for level := range s.levels {
		if err := s.expand(level); err != nil {
			return nil, err
		}
		totals[level] = s.total
		if err := s.budget.foresee(totals[:level+1], len(s.levels)); err != nil {
			return nil, err
		}
		s.budget.tell("level", level+1, len(s.levels), s.total, "states")
	}
	for range s.workers {
		w := <-s.expanders
		s.budget.give(int64(len(w.spare)) * chunkSize * s.setBytes())
	}
	return s.reduce(root)
}

// taskChunks is the fewest chunks of a task of several workers: the output of each leaves
// some chunks partly filled.
const taskChunks = 4

// cut divides the chunks of a level into tasks, and returns where each ends. A task takes a
// worker's share of half of what is left, so workers end at about the same time.
func (s *sweep[S]) cut(chunks int) (ends []int) {
	for at := 0; at < chunks; {
		size := chunks
		if s.distinct.by(chunks*chunkSize) > 1 {
			size = max(taskChunks, chunks/(16*s.workers), (chunks-at)/(2*s.workers))
		}
		at = min(at+size, chunks)
		ends = append(ends, at)
	}
	return ends
}

// expand makes the states of a level and sends their successors down.
func (s *sweep[S]) expand(level int) error {
	made := &s.levels[level].states
	made.close()
	if len(made.chunks) == 0 {
		return nil
	}
	if err := s.unite(level); err != nil {
		return err
	}
	s.chainFrom(level, s.chain)
	ends := s.cut(len(made.chunks))
	for len(s.outputs) < len(ends)-1 {
		s.outputs = append(s.outputs, newOutput[S](len(s.levels)))
	}
	err := each(s.workers, len(ends), func(i int) error {
		to, from := &s.output, 0
		if i > 0 {
			to, from = &s.outputs[i-1], ends[i-1]
		}
		w := <-s.expanders
		defer func() { s.expanders <- w }()
		return w.expand(to, level, from, ends[i])
	})
	if err != nil {
		return err
	}
	for i := range ends[1:] {
		s.append(&s.outputs[i], level)
	}
	return nil
}

// expand branches on the states in some chunks of a level.
func (w *expander[S]) expand(to *output[S], level, from, end int) error {
	p := w.levels[level].states.chunks
	var b branching[S]
	for k := from; k < end; k++ {
		if k%(1<<10) == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		c := &p[k]
		slots := w.slots[c.id]
		for at := range c.len {
			if first := slots[at]; first != uint32(k*chunkSize)+at {
				continue
			}
			c.firsts |= 1 << at
			low, err := w.state(to, &b, level, &c.items[at], c.id<<chunkBits|at)
			if err != nil {
				return err
			}
			slots[at] = low
		}
		w.spare = append(w.spare, c.items)
		c.items = nil
	}
	return nil
}

// state branches on a state. It returns a reference to what the last choice leaves to low.
func (w *expander[S]) state(
	to *output[S], b *branching[S], level int, set *S, state uint32,
) (low uint32, err error) {
	var left S
	w.branch(b, set, level)
	for goes := more; goes == more; {
		var high uint32
		at := b.level
		switch w.choose(b, &left) {
		case solved:
			high = 1
		case open:
			if high, err = w.push(to, &left, w.vars[at].past); err != nil {
				return 0, err
			}
		}
		switch goes = w.pass(b, w.chain); goes {
		case solved:
			low = 1
		case open:
			if low, err = w.push(to, &b.rest, b.level); err != nil {
				return 0, err
			}
		}
		if low != 0 {
			state |= lastChoice
		}
		if high != 0 || low != 0 {
			if err := w.note(to, at, choice{state, high}); err != nil {
				return 0, err
			}
		}
	}
	return low, nil
}

// reducing is the way up: choices become nodes, level by level.
type reducing[S bitset] struct {
	*sweep[S]
	edges []robdd.Edges // of a level's choices
	first []uint32      // by choice: the first one with the same edges
	next  uint32        // id
}

// reduce turns choices into nodes from the bottom up and merges those with the same
// children; a choice whose high child is false is replaced by its low child.
func (s *sweep[S]) reduce(root uint32) (*robdd.Diagram, error) {
	vars := variables(s.order)
	first := append(make([]uint32, 0, len(vars)+1), 2)
	levels := make([][]robdd.Edges, 0, len(vars)) // the nodes, from the bottom up
	r := reducing[S]{sweep: s, next: 2}
	for level := range slices.Backward(s.levels) {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		nodes, err := r.level(level)
		if err != nil {
			return nil, err
		}
		levels = append(levels, nodes)
		first = append(first, r.next)
		s.budget.tell("upward, level", len(s.levels)-level, len(s.levels), uint64(r.next-2), "nodes")
	}
	nodes := make([]robdd.Edges, r.next-2)
	for h := range levels {
		copy(nodes[first[h]-2:], levels[h])
		levels[h] = nil
	}
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, s.node(root))
}

// node returns the node that a reference has become.
func (s *sweep[S]) node(ref uint32) uint32 {
	if ref < 2 {
		return ref
	}
	return s.slots[ref>>chunkBits][ref%chunkSize]
}

// low returns the slot of a choice's state. The state's choices on lower levels have
// already been reduced.
func (r *reducing[S]) low(c choice) *uint32 {
	state := c.state &^ lastChoice
	return &r.slots[state>>chunkBits][state%chunkSize]
}

// level makes the nodes of a level.
func (r *reducing[S]) level(level int) ([]robdd.Edges, error) {
	s, made := r.sweep, &r.levels[level].choices
	made.close()
	all := made.chunks
	n := len(all) * chunkSize
	if n > len(r.edges) {
		if err := s.budget.take(int64(n-len(r.edges)) * 12); err != nil {
			return nil, err
		}
		r.edges, r.first = make([]robdd.Edges, n), make([]uint32, n)
	}
	different, err := s.distinct.find(n, &s.budget, r.first, func(from, to int, into []uint64) {
		for i := range into {
			into[i] = 0
			chunk := &all[(from+i)/chunkSize]
			if i%chunkSize >= int(chunk.len) {
				continue
			}
			c := chunk.items[i%chunkSize]
			low := r.low(c)
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
	r.number(all, nodes)
	r.next += uint32(different)
	s.budget.give(int64(len(all)) * chunkSize * 8)
	made.chunks = nil
	r.settle(level)
	return nodes, nil
}

// number numbers the different nodes of a level, in the sequence of their first choices,
// and notes for each choice which one it has become.
func (r *reducing[S]) number(all []chunk[choice], nodes []robdd.Edges) {
	numbers := r.distinct.hashes // of nodes, for first choices that have been passed
	next := 0
	for i := range len(all) * chunkSize {
		if !r.distinct.isThere(i) {
			continue
		}
		first := r.first[i]
		if first == uint32(i) {
			nodes[next], numbers[i] = r.edges[i], uint64(next)
			next++
		}
		*r.low(all[i/chunkSize].items[i%chunkSize]) = r.next + uint32(numbers[first])
	}
}

// settle gives the arrivals of a level that are not the first of their state its node.
func (r *reducing[S]) settle(level int) {
	slots := r.arrivals[level]
	for k, c := range r.levels[level].states.chunks {
		here := slots[k*chunkSize:][:c.len]
		for at := range here {
			if c.firsts>>at&1 == 0 {
				here[at] = slots[here[at]]
			}
		}
	}
}
