package bdd

import (
	"context"
	"sync/atomic"

	"queens/backends"
	"queens/encode"
	"queens/order"
)

// freeSet builds from the top down, without a single Boolean operation.
//
// After any prefix of the variables, the rest of the function depends only on the variables that can
// still be true: neither excluded, nor fixed, nor decided. (An exactly-one constraint without such a
// variable already has its true one, since a choice that leaves a constraint without any is dropped as
// false.) So the set of free variables is the state. Its first variable in the order is the variable of
// its node: high removes the variables that it excludes, low removes the variable itself. As long as the
// next free variable shares a constraint with the first one and with all that were passed over, low is
// not a state of its own but is branched on at once (see [branching]). So in row-major order a state of
// queens has one node for each of its choices in a row. A hash table finds equal sets; different sets
// that represent the same function are merged afterwards, from the bottom up. The result is the ZDD, and
// the ROBDD is converted from it ([robdd.Diagram.Convert]).
//
// It works breadth-first, one level at a time, like TdZdd (Iwashita and Minato, "Efficient top-down ZDD
// construction techniques using recursive specifications", Hokkaido University TCS-TR-A-13-69, 2013).
// The hash table lives for one level only, and only references are kept, so memory is accessed
// sequentially rather than at random.
//
// It takes 8 bytes per choice, 4 bytes per arrival of a state, and the memory of the sets of one
// frontier.
func freeSet(ctx context.Context, p encode.Problem, o order.Order, options Options) (*Compiled, error) {
	pl, err := newPlan(p, o)
	if err != nil {
		return nil, err
	}
	build := bySets[[maxBlocks]block]
	switch pl.blocks {
	case 1:
		build = bySets[[1]block]
	case 2:
		build = bySets[[2]block]
	case 4:
		build = bySets[[4]block]
	}
	return build(ctx, pl, o, options)
}

func bySets[S bitset](ctx context.Context, pl *plan, o order.Order, options Options) (*Compiled, error) {
	s := newExpansion[S](ctx, pl, o, options)
	root, err := s.expandAll()
	if err != nil {
		return nil, err
	}
	zdd, err := s.reduce(root, s.settle)
	if err != nil {
		return nil, err
	}
	return topDown(zdd, Stats{States: s.total, PeakBytes: uint64(s.budget.peak)}), nil
}

// expandAll makes all states and choices, level by level from the top.
func (s *expansion[S]) expandAll() (root uint32, err error) {
	start, alive := s.initial()
	if !alive {
		return 0, nil
	}
	w := <-s.expanders
	if root, err = w.push(&s.output, &start, 0); err != nil {
		return 0, err
	}
	s.expanders <- w
	if root == 1 {
		return root, nil // no free variable is left: all variables are false
	}
	totals := make([]uint64, len(s.order))
	for level := range s.order {
		if err := s.expand(level); err != nil {
			return 0, err
		}
		totals[level] = s.total
		if err := s.budget.foresee(totals[:level+1], len(totals)); err != nil {
			return 0, err
		}
		s.budget.tell("level", level+1, len(totals), s.total, "states")
	}
	for range cap(s.expanders) {
		w := <-s.expanders
		s.budget.give(int64(len(w.spare)) * chunkSize * s.setBytes())
	}
	return root, nil
}

// The chunks of a level are divided into equal tasks, tasksEach for each worker, of at least taskChunks
// chunks each: the output of each task leaves some chunks partly filled.
const (
	taskChunks = 4
	tasksEach  = 8
)

// expand expands the states of a level, and passes their successors to the levels below.
func (s *expansion[S]) expand(level int) error {
	arrived := &s.output.states[level]
	arrived.close()
	if len(arrived.chunks) == 0 {
		return nil
	}
	if err := s.unite(level); err != nil {
		return err
	}
	s.chainFrom(level, s.chain)
	chunks := len(arrived.chunks)
	size, workers := chunks, s.distinct.by(chunks*chunkSize)
	if workers > 1 {
		size = max(taskChunks, chunks/(tasksEach*workers))
	}
	tasks := (chunks + size - 1) / size
	for len(s.outputs) < tasks-1 {
		levels := len(s.order)
		s.outputs = append(s.outputs, output[S]{states: make([]series[S], levels), choices: make([]series[choice], levels)})
	}
	err := each(workers, tasks, func(i int) error {
		to := &s.output
		if i > 0 {
			to = &s.outputs[i-1]
		}
		w := <-s.expanders
		defer func() { s.expanders <- w }()
		return w.expand(to, level, i*size, min((i+1)*size, chunks))
	})
	if err != nil {
		return err
	}
	for i := range tasks - 1 {
		s.output.append(&s.outputs[i], level)
	}
	return nil
}

// expand branches on the states in some chunks of a level.
func (w *expander[S]) expand(to *output[S], level, from, end int) error {
	p := w.output.states[level].chunks
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

// state branches on a state. It returns a reference to the low child of the last choice.
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
			if err := to.choices[at].add(choice{state, high}, &w.spareChoices, w.budget); err != nil {
				return 0, err
			}
			to.deepest = max(to.deepest, at)
		}
	}
	return low, nil
}

// pile holds the states whose first free variable is on one level, in the order in which they arrive
// from above, with duplicates.
type pile[S bitset] []chunk[S]

// set returns the arrival with an index: chunkSize times its chunk's index in the pile, plus its place
// in the chunk.
func (p pile[S]) set(i int) *S { return &p[i/chunkSize].items[i%chunkSize] }

// expansion is one run of the free-set construction over sets of type S. Every arrival of a state gets a
// number and a slot. After its level has been expanded, the slot of a state's first arrival has the
// meaning that graph describes; the other slots hold the index of the first arrival. After its level has
// been reduced, all slots hold the node.
type expansion[S bitset] struct {
	*layout[S]
	graph
	output output[S]     // whose choices are the graph's
	chunks atomic.Uint32 // the number of chunks handed out
	total  uint64        // states of all levels
	chain  chain         // of the present level

	expanders chan *expander[S] // those that are idle
	outputs   []output[S]       // of the tasks of a level
}

// output is the result of expanding states: choices, and further states. The outputs of consecutive runs
// of states, appended in order, are the output of all of them.
type output[S bitset] struct {
	states  []series[S]      // by the level of the first free variable, in the order of arrival
	choices []series[choice] // by the level of their variable
	deepest int              // no level below has any states or choices
}

// append moves the content of another output to the end of o.
func (o *output[S]) append(other *output[S], from int) {
	for level := from; level <= other.deepest; level++ {
		o.states[level].append(&other.states[level])
		o.choices[level].append(&other.choices[level])
	}
	other.deepest = 0
}

func newExpansion[S bitset](ctx context.Context, pl *plan, o order.Order, options Options) *expansion[S] {
	s := &expansion[S]{
		layout:    newLayout[S](pl),
		graph:     newGraph(ctx, o, options),
		chain:     make(chain, len(o)),
		expanders: make(chan *expander[S], options.workers()),
	}
	s.output = output[S]{states: make([]series[S], len(o)), choices: s.graph.choices}
	for range options.workers() {
		s.expanders <- &expander[S]{expansion: s}
	}
	return s
}

// expander is a worker with memory that it reuses. Data that it writes for every choice stays on its
// stack: next to the fields of another expander, such writes would slow that one down.
type expander[S bitset] struct {
	*expansion[S]
	spare        spare[S]
	spareChoices spare[choice]
}

// push puts a state on its pile. Its first free variable must not lie above level from. A state without
// any free variable is true.
func (w *expander[S]) push(to *output[S], set *S, from int) (ref uint32, err error) {
	level := w.first(set, from)
	if level == len(to.states) {
		return 1, nil
	}
	pile := &to.states[level]
	if pile.open.len%chunkSize == 0 {
		id := w.chunks.Add(1)
		if id >= maxChunks {
			return 0, &backends.LimitError{What: "states", Limit: maxChunks * chunkSize, Want: maxChunks*chunkSize + 1}
		}
		items, err := w.spare.take(w.budget)
		if err != nil {
			return 0, err
		}
		pile.close()
		pile.open = chunk[S]{items: items, id: id}
		to.deepest = max(to.deepest, level)
	}
	c := &pile.open
	c.items[c.len] = *set
	ref = c.id<<chunkBits | c.len
	c.len++
	return ref, nil
}

// unite finds the equal states in the pile of a level, and records the first of each in their slots.
func (s *expansion[S]) unite(level int) error {
	p := pile[S](s.output.states[level].chunks)
	n := len(p) * chunkSize
	if err := s.budget.take(int64(n) * 4); err != nil {
		return err
	}
	given := int(s.chunks.Load()) + 1
	s.slots = append(s.slots, make([]*[chunkSize]uint32, given-len(s.slots))...)
	all := make([]uint32, n)
	for k := range p {
		s.slots[p[k].id] = (*[chunkSize]uint32)(all[k*chunkSize:])
	}
	states, err := s.distinct.find(n, s.budget, all, func(from, to int, into []uint64) {
		for i := range into {
			into[i] = 0
			if c := &p[(from+i)/chunkSize]; (from+i)%chunkSize < int(c.len) {
				into[i] = max(1, s.hash(&c.items[i%chunkSize]))
			}
		}
	}, func(i, k int) bool { return *p.set(i) == *p.set(k) })
	s.total += uint64(states)
	return err
}

// settle copies the node of each state's first arrival to the slots of its other arrivals.
func (s *expansion[S]) settle(level int) {
	chunks := s.output.states[level].chunks
	for _, c := range chunks {
		here := s.slots[c.id][:c.len]
		for at, first := range here {
			if c.firsts>>at&1 == 0 {
				here[at] = s.slots[chunks[first/chunkSize].id][first%chunkSize]
			}
		}
	}
}
