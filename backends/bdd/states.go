package bdd

import (
	"context"
	"iter"
	"math/bits"

	"queens/backends/bdd/robdd"
	"queens/order"
)

// The states of a free-set sweep: sets of free variables, collected by level as they arrive
// from above, and each kept once. What is done with them is in freeset.go, which makes
// the diagram. Counting, in
// statecount.go, has piles of its own.

// sweeper is a sweep over sets of some width.
type sweeper interface {
	compile() (*robdd.Diagram, error)
	count() (uint64, error)
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
// arrivals are numbered in chunks, so that each level's lie together. Chunk 0 is
// left out.
const (
	chunkBits = 8
	chunkSize = 1 << chunkBits
	maxChunks = 1 << (32 - chunkBits)
)

// pile collects the states whose first free variable is on one level, as they arrive
// from above, repeated ones included. Uniting equal ones leaves each once, in front.
type pile[S bitset] struct {
	sets   []*[chunkSize]S
	chunks []uint32 // the numbers of the chunks
	len    int      // arrivals
	states int      // different ones, when united
}

func (p *pile[S]) set(i uint32) *S { return &p.sets[i/chunkSize][i%chunkSize] }

// sweep is one run of the free-set construction over sets of type S.
type sweep[S bitset] struct {
	*layout[S]
	ctx     context.Context
	order   order.Order
	budget  budget
	workers int

	piles []pile[S]       // by level
	spare []*[chunkSize]S // chunks that piles no longer need
	// slots[c] belongs to chunk c: what has become of each arrival. When its level
	// has been expanded, the number of its state; when it has been reduced, its node.
	// Counting does without.
	slots  []*[chunkSize]uint32
	chunks int // given out

	table []uint64 // of the present level
	total uint64   // states of all levels

	// In memory that is used again.
	high  S     // what a choice leaves
	chain chain // of the present level

	// Not when counting.
	choices []choices // by level
	// lows holds a number for each state: what its last choice leaves to low, a
	// reference; when a choice has been reduced, the node that it has become.
	lows []*[chunkSize]uint32
}

func newSweep[S bitset](ctx context.Context, pl *plan, o order.Order, options Options) *sweep[S] {
	return &sweep[S]{
		layout:  newLayout[S](pl),
		ctx:     ctx,
		order:   o,
		budget:  budget{limit: options.Limits.MaxBytes},
		piles:   make([]pile[S], len(o)),
		slots:   make([]*[chunkSize]uint32, 1),
		chunks:  1,
		choices: make([]choices, len(o)),
		chain:   make(chain, len(o)),
		workers: options.workers(),
	}
}

func (s *sweep[S]) spent() Stats {
	return Stats{States: s.total, PeakBytes: uint64(s.budget.peak)}
}

// push puts a state, whose first free variable is not above a level, on its pile. A
// state without any is true.
func (s *sweep[S]) push(set *S, from int) (ref uint32, p *pile[S], err error) {
	level := s.first(set, from)
	if level == len(s.piles) {
		return 1, nil, nil
	}
	p = &s.piles[level]
	at := p.len % chunkSize
	if at == 0 {
		if err := s.extend(p); err != nil {
			return 0, nil, err
		}
	}
	last := len(p.sets) - 1
	p.sets[last][at] = *set
	p.len++
	return p.chunks[last]<<chunkBits | uint32(at), p, nil
}

// extend gives a pile one more chunk.
func (s *sweep[S]) extend(p *pile[S]) error {
	if s.chunks == maxChunks {
		return &robdd.LimitError{What: "states", Limit: maxChunks * chunkSize, Want: maxChunks*chunkSize + 1}
	}
	if len(s.spare) == 0 {
		if err := s.budget.take(chunkSize * s.setBytes()); err != nil {
			return err
		}
		s.spare = append(s.spare, new([chunkSize]S))
	}
	last := len(s.spare) - 1
	p.sets = append(p.sets, s.spare[last])
	s.spare = s.spare[:last]
	p.chunks = append(p.chunks, uint32(s.chunks))
	s.chunks++
	return nil
}

// unite leaves in a pile its different states, in order of arrival, and says of each
// arrival which state it is.
func (s *sweep[S]) unite(p *pile[S], met func(chunk, at int, state uint32)) error {
	size := 1 << bits.Len(uint(p.len+p.len/2))
	if size > len(s.table) {
		if err := s.budget.take(int64(size-len(s.table)) * 8); err != nil {
			return err
		}
		s.table = make([]uint64, size)
	}
	table := s.table[:size]
	clear(table)
	shift := 64 - bits.Len(uint(size-1))
	left := p.len
	states := uint32(0)
	for chunk, sets := range p.sets {
		for at := range min(left, chunkSize) {
			set := &sets[at]
			h := s.hash(set)
			// An entry is a state's number, from 1, below the half of the hash that
			// has the least to do with its slot.
			tag := h << 32
			slot := h >> shift
			var state uint32
			for {
				e := table[slot]
				if e == 0 {
					*p.set(states) = *set
					state = states
					states++
					table[slot] = tag | uint64(states)
					break
				}
				if (e^tag)>>32 == 0 && *p.set(uint32(e) - 1) == *set {
					state = uint32(e) - 1
					break
				}
				slot = (slot + 1) & uint64(size-1)
			}
			met(chunk, at, state)
		}
		left -= chunkSize
	}
	used := (int(states) + chunkSize - 1) / chunkSize
	s.spare = append(s.spare, p.sets[used:]...)
	p.sets = p.sets[:used]
	p.states = int(states)
	s.total += uint64(states)
	return nil
}

// take iterates over the states of a pile that has been united, and gives up their
// memory as it goes.
func (s *sweep[S]) take(p *pile[S]) iter.Seq2[int, *S] {
	return func(yield func(int, *S) bool) {
		for chunk, sets := range p.sets {
			for at := range min(p.states-chunk*chunkSize, chunkSize) {
				if !yield(chunk*chunkSize+at, &sets[at]) {
					return
				}
			}
			s.spare = append(s.spare, sets)
		}
		p.sets = nil
	}
}
