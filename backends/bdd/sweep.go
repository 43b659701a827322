package bdd

import (
	"context"
	"sync/atomic"

	"queens/order"
	"queens/robdd"
)

// The states of a free-set sweep: sets of free variables, collected by level as they arrive
// from above, each kept once. freeset.go makes their choices.

// pile collects the states whose first free variable is on one level, as they arrive
// from above, including duplicates.
type pile[S bitset] []chunk[S]

// set returns the arrival with an index, which is its chunk's index in the pile, times
// chunkSize, plus its place in the chunk.
func (p pile[S]) set(i int) *S { return &p[i/chunkSize].items[i%chunkSize] }

// sweep is one run of the free-set construction over sets of type S. A state is numbered as
// it arrives. Once its level has been expanded, only the slot of the first arrival of a state
// is as in a graph; the others have the index of the first one. Once its level has been
// reduced, all have their node.
type sweep[S bitset] struct {
	*layout[S]
	graph
	output output[S]     // whose choices are the graph's
	chunks atomic.Uint32 // given out
	total  uint64        // states of all levels
	chain  chain         // of the present level

	expanders chan *expander[S] // those that are idle
	outputs   []output[S]       // of the tasks of a level
}

// output is what expanding states produces: choices, and further states. The outputs
// of consecutive runs of states, appended in order, are the output of all of them.
type output[S bitset] struct {
	states  []series[S]      // by the level of the first free variable, in the sequence of their arrival
	choices []series[choice] // by the level of their variable
	deepest int              // no level below it has any
}

// append moves the content of another output to the end of o.
func (o *output[S]) append(other *output[S], from int) {
	for level := from; level <= other.deepest; level++ {
		o.states[level].append(&other.states[level])
		o.choices[level].append(&other.choices[level])
	}
	other.deepest = 0
}

func newSweep[S bitset](ctx context.Context, pl *plan, o order.Order, options Options) *sweep[S] {
	s := &sweep[S]{
		layout:    newLayout[S](pl),
		graph:     newGraph(ctx, o, options),
		chain:     make(chain, len(o)),
		expanders: make(chan *expander[S], options.workers()),
	}
	s.output = output[S]{states: make([]series[S], len(o)), choices: s.graph.choices}
	for range options.workers() {
		s.expanders <- &expander[S]{sweep: s}
	}
	return s
}

// expander is a worker with the memory that it reuses. What it writes for every choice it
// keeps on its stack: beside the fields of another expander it would delay that one.
type expander[S bitset] struct {
	*sweep[S]
	spare        spare[S]
	spareChoices spare[choice]
}

// push puts a state on its pile. Its first free variable is not above level from; a
// state without any is true.
func (w *expander[S]) push(to *output[S], set *S, from int) (ref uint32, err error) {
	level := w.first(set, from)
	if level == len(to.states) {
		return 1, nil
	}
	pile := &to.states[level]
	if pile.open.len%chunkSize == 0 {
		id := w.chunks.Add(1)
		if id >= maxChunks {
			return 0, &robdd.LimitError{What: "states", Limit: maxChunks * chunkSize, Want: maxChunks*chunkSize + 1}
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

// unite finds the equal states of the pile of a level, for their slots.
func (s *sweep[S]) unite(level int) error {
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

// settle gives the arrivals of a level that are not the first of their state its node.
func (s *sweep[S]) settle(level int) {
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
