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
	chunkSize = 1 << chunkBits
	maxChunks = 1 << (32 - chunkBits)
	slab      = 8 // chunks that are allocated together
)

// chunk holds arrivals; it may be partly filled.
type chunk[S bitset] struct {
	sets *[chunkSize]S
	id   uint32
	len  int
}

// pile collects the states whose first free variable is on one level, as they arrive
// from above, including duplicates.
type pile[S bitset] []chunk[S]

// set returns the arrival with an index, which is its chunk's index in the pile, times
// chunkSize, plus its place in the chunk.
func (p pile[S]) set(i int) *S { return &p[i/chunkSize].sets[i%chunkSize] }

// sweep is one run of the free-set construction over sets of type S.
type sweep[S bitset] struct {
	*layout[S]
	ctx     context.Context
	order   order.Order
	workers int
	budget  budget
	output[S]
	// slots[c] says what has become of each arrival of chunk c: the number of its
	// state once its level has been expanded, and its node once it has been reduced.
	slots  []*[chunkSize]uint32
	chunks atomic.Uint32 // given out
	alike  alike
	total  uint64 // states of all levels
	chain  chain  // of the present level
	// lows holds a number for each state: first a reference to what its last choice
	// leaves to low; once a choice has been reduced, the node that it has become.
	lows []*[chunkSize]uint32

	expanders chan *expander[S] // those that are idle
	outputs   []output[S]       // of the tasks of a level
}

// output is what expanding states produces: choices, and further states. The outputs
// of consecutive runs of states, appended in order, are the output of all of them.
type output[S bitset] struct {
	piles   []pile[S] // by level
	choices []choices // by level
}

func newOutput[S bitset](levels int) output[S] {
	return output[S]{make([]pile[S], levels), make([]choices, levels)}
}

// append moves the content of another output to the end of o.
func (o *output[S]) append(other *output[S], from int) {
	for level := from; level < len(o.piles); level++ {
		move(&o.piles[level], &other.piles[level])
		move(&o.choices[level], &other.choices[level])
	}
}

// move moves the content of a slice to the end of another.
func move[T ~[]E, E any](to, from *T) {
	if len(*from) > 0 { // most are empty
		*to = append(*to, *from...)
		clear(*from)
		*from = (*from)[:0]
	}
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
		alike:     alike{workers: options.workers()},
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
	spare        []*[chunkSize]S
	spareChoices []*[chunkSize]choice
}

// push puts a state on its pile. Its first free variable is not above level from; a
// state without any is true.
func (w *expander[S]) push(to *output[S], set *S, from int) (ref uint32, err error) {
	level := w.first(set, from)
	if level == len(to.piles) {
		return 1, nil
	}
	p := to.piles[level]
	if len(p) == 0 || p[len(p)-1].len == chunkSize {
		c, err := w.chunk()
		if err != nil {
			return 0, err
		}
		p = append(p, c)
		to.piles[level] = p
	}
	c := &p[len(p)-1]
	c.sets[c.len] = *set
	ref = c.id<<chunkBits | uint32(c.len)
	c.len++
	return ref, nil
}

// chunk returns an empty chunk.
func (w *expander[S]) chunk() (chunk[S], error) {
	id := w.chunks.Add(1)
	if id >= maxChunks {
		return chunk[S]{}, &robdd.LimitError{
			What:  "states",
			Limit: maxChunks * chunkSize,
			Want:  maxChunks*chunkSize + 1,
		}
	}
	if len(w.spare) == 0 {
		if err := w.budget.take(slab * chunkSize * w.setBytes()); err != nil {
			return chunk[S]{}, err
		}
		fresh := make([][chunkSize]S, slab)
		for i := range fresh {
			w.spare = append(w.spare, &fresh[i])
		}
	}
	last := len(w.spare) - 1
	c := chunk[S]{sets: w.spare[last], id: id}
	w.spare = w.spare[:last]
	return c, nil
}

// note adds a choice to those of a level.
func (w *expander[S]) note(to *output[S], level int, c choice) error {
	cs := to.choices[level]
	if len(cs) == 0 || cs[len(cs)-1].len == chunkSize {
		if len(w.spareChoices) == 0 {
			if err := w.budget.take(slab * chunkSize * 8); err != nil {
				return err
			}
			fresh := make([][chunkSize]choice, slab)
			for i := range fresh {
				w.spareChoices = append(w.spareChoices, &fresh[i])
			}
		}
		last := len(w.spareChoices) - 1
		cs = append(cs, choiceChunk{choices: w.spareChoices[last]})
		w.spareChoices = w.spareChoices[:last]
		to.choices[level] = cs
	}
	chunk := &cs[len(cs)-1]
	chunk.choices[chunk.len] = c
	chunk.len++
	return nil
}

// unite finds the distinct states of a pile, and stores their numbers in its slots.
func (s *sweep[S]) unite(p pile[S]) (states int, err error) {
	if err := s.budget.take(int64(len(p)) * chunkSize * 4); err != nil {
		return 0, err
	}
	given := int(s.chunks.Load()) + 1
	s.slots = append(s.slots, make([]*[chunkSize]uint32, given-len(s.slots))...)
	fresh := make([][chunkSize]uint32, len(p))
	for i := range p {
		s.slots[p[i].id] = &fresh[i]
	}
	n := len(p) * chunkSize
	states, err = s.alike.find(n, &s.budget, func(from, to int, into []uint64) {
		for i := range into {
			into[i] = 0
			if c := &p[(from+i)/chunkSize]; (from+i)%chunkSize < c.len {
				into[i] = max(1, s.hash(&c.sets[i%chunkSize]))
			}
		}
	}, func(i, k int) bool { return *p.set(i) == *p.set(k) })
	if err != nil {
		return 0, err
	}
	base := uint32(s.total)
	if s.total += uint64(states); s.total > lastChoice {
		return 0, &robdd.LimitError{What: "states", Limit: lastChoice, Want: int64(s.total)}
	}
	s.alike.number(n, func(from, to, number int) {
		for i := from; i < to; i++ {
			if s.alike.isFirst(i) {
				fresh[i/chunkSize][i%chunkSize] = base + uint32(number)
				number++
			}
		}
	}, func(from, to int) {
		for i := from; i < to; i++ {
			if first := s.alike.first[i]; first != uint32(i) && s.alike.isThere(i) {
				fresh[i/chunkSize][i%chunkSize] = fresh[first/chunkSize][first%chunkSize]
			}
		}
	})
	return states, nil
}
