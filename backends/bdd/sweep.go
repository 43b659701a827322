package bdd

import (
	"context"
	"sync/atomic"

	"queens/backends/bdd/robdd"
	"queens/order"
)

// The states of a free-set sweep: sets of free variables, collected by level as they arrive
// from above, each kept once. freeset.go makes the diagram from them.

// sweeper is a sweep over sets of any width.
type sweeper interface {
	compile() (*robdd.Diagram, error)
	spent() Stats
}

func newSweeper(ctx context.Context, pl *plan, o order.Order, options Options) sweeper {
	switch pl.blocks {
	case 1:
		return newSweep[[1]block](ctx, pl, o, options)
	case 2:
		return newSweep[[2]block](ctx, pl, o, options)
	case 4:
		return newSweep[[4]block](ctx, pl, o, options)
	}
	return newSweep[[maxBlocks]block](ctx, pl, o, options)
}

// A reference to a state is 0 for false, 1 for true, or the number of an arrival:
// arrivals are numbered by chunk, so those of a level lie together. Chunk 0 is not
// used.
const (
	chunkBits = 6
	chunkSize = 1 << chunkBits        // as many as the bits of chunk.firsts
	maxChunks = 1 << (31 - chunkBits) // a bit of a reference is left for lastChoice
	slab      = 8                     // chunks that are allocated together
)

// chunk is a part of a series; it may be partly filled.
type chunk[T any] struct {
	items  *[chunkSize]T // of states: nil once they have been expanded
	firsts uint64        // of states: the arrivals that are the first of their state, once expanded
	id     uint32        // of states
	len    uint32
}

// series collects what expanding states produces on one level. The chunk being filled is not
// among the others: what is written for every state lies in memory of one worker only.
type series[T any] struct {
	chunks []chunk[T]
	open   chunk[T]
}

// close moves the chunk being filled, if there is one, to the others.
func (s *series[T]) close() {
	if s.open.len > 0 {
		s.chunks = append(s.chunks, s.open)
		s.open = chunk[T]{}
	}
}

// append moves the content of another series to the end of s.
func (s *series[T]) append(other *series[T]) {
	if other.close(); len(other.chunks) > 0 { // most levels have none
		s.close()
		s.chunks = append(s.chunks, other.chunks...)
		clear(other.chunks)
		other.chunks = other.chunks[:0]
	}
}

// spare is memory for chunks.
type spare[T any] []*[chunkSize]T

// take makes an empty chunk the one to be filled of a series.
func (sp *spare[T]) take(b *budget, size int64, to *series[T], id uint32) error {
	if len(*sp) == 0 {
		if err := b.take(slab * chunkSize * size); err != nil {
			return err
		}
		fresh := make([][chunkSize]T, slab)
		for i := range fresh {
			*sp = append(*sp, &fresh[i])
		}
	}
	to.close()
	last := len(*sp) - 1
	to.open = chunk[T]{items: (*sp)[last], id: id}
	*sp = (*sp)[:last]
	return nil
}

// pile collects the states whose first free variable is on one level, as they arrive
// from above, including duplicates.
type pile[S bitset] []chunk[S]

// set returns the arrival with an index, which is its chunk's index in the pile, times
// chunkSize, plus its place in the chunk.
func (p pile[S]) set(i int) *S { return &p[i/chunkSize].items[i%chunkSize] }

// sweep is one run of the free-set construction over sets of type S.
type sweep[S bitset] struct {
	*layout[S]
	ctx     context.Context
	order   order.Order
	workers int
	budget  budget
	output[S]
	// slots[c] says what has become of each arrival of chunk c. Once its level has been
	// expanded, the first arrival of a state has a reference to what the last choice leaves
	// to low, and then the node that the choices reduced so far have become; others have
	// the index of the first one. Once its level has been reduced, all have their node.
	slots    []*[chunkSize]uint32
	arrivals [][]uint32    // by level: the slots of its chunks, one after another
	chunks   atomic.Uint32 // given out
	distinct distinct
	total    uint64 // states of all levels
	chain    chain  // of the present level

	expanders chan *expander[S] // those that are idle
	outputs   []output[S]       // of the tasks of a level
}

// output is what expanding states produces: choices, and further states. The outputs
// of consecutive runs of states, appended in order, are the output of all of them.
type output[S bitset] struct {
	levels  []made[S]
	deepest int // no level below it has any
}

// made is the output on one level: states whose first free variable is there, in the sequence
// of their arrival, and choices of its variable.
type made[S bitset] struct {
	states  series[S]
	choices series[choice]
}

func newOutput[S bitset](levels int) output[S] {
	return output[S]{levels: make([]made[S], levels)}
}

// append moves the content of another output to the end of o.
func (o *output[S]) append(other *output[S], from int) {
	for level := from; level <= other.deepest; level++ {
		o.levels[level].states.append(&other.levels[level].states)
		o.levels[level].choices.append(&other.levels[level].choices)
	}
	other.deepest = 0
}

func newSweep[S bitset](ctx context.Context, pl *plan, o order.Order, options Options) *sweep[S] {
	s := &sweep[S]{
		layout:    newLayout[S](pl),
		ctx:       ctx,
		order:     o,
		workers:   options.workers(),
		budget:    budget{limit: options.Limits.MaxBytes, progress: options.Progress},
		output:    newOutput[S](len(o)),
		slots:     make([]*[chunkSize]uint32, 1),
		arrivals:  make([][]uint32, len(o)),
		distinct:  distinct{workers: options.workers()},
		chain:     make(chain, len(o)),
		expanders: make(chan *expander[S], options.workers()),
	}
	for range s.workers {
		s.expanders <- &expander[S]{sweep: s}
	}
	return s
}

func (s *sweep[S]) spent() Stats {
	return Stats{States: s.total, PeakBytes: uint64(s.budget.peak)}
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
	if level == len(to.levels) {
		return 1, nil
	}
	c := &to.levels[level].states.open
	if c.len%chunkSize == 0 {
		id := w.chunks.Add(1)
		if id >= maxChunks {
			return 0, &robdd.LimitError{What: "states", Limit: maxChunks * chunkSize, Want: maxChunks*chunkSize + 1}
		}
		if err := w.spare.take(&w.budget, w.setBytes(), &to.levels[level].states, id); err != nil {
			return 0, err
		}
		to.deepest = max(to.deepest, level)
	}
	c.items[c.len] = *set
	ref = c.id<<chunkBits | c.len
	c.len++
	return ref, nil
}

// note adds a choice to those of a level.
func (w *expander[S]) note(to *output[S], level int, c choice) error {
	chunk := &to.levels[level].choices.open
	if chunk.len%chunkSize == 0 {
		if err := w.spareChoices.take(&w.budget, 8, &to.levels[level].choices, 0); err != nil {
			return err
		}
		to.deepest = max(to.deepest, level)
	}
	chunk.items[chunk.len] = c
	chunk.len++
	return nil
}

// unite finds the equal states of the pile of a level, for their slots.
func (s *sweep[S]) unite(level int) error {
	p := pile[S](s.levels[level].states.chunks)
	n := len(p) * chunkSize
	if err := s.budget.take(int64(n) * 4); err != nil {
		return err
	}
	given := int(s.chunks.Load()) + 1
	s.slots = append(s.slots, make([]*[chunkSize]uint32, given-len(s.slots))...)
	all := make([]uint32, n)
	s.arrivals[level] = all
	for k := range p {
		s.slots[p[k].id] = (*[chunkSize]uint32)(all[k*chunkSize:])
	}
	states, err := s.distinct.find(n, &s.budget, all, func(from, to int, into []uint64) {
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
