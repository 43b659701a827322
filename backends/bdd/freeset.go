package bdd

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"runtime/debug"
	"slices"

	"queens/backends/bdd/robdd"
	"queens/encode"
	"queens/encode/order"
)

// free-set: from the top down, without a single Boolean operation.
//
// After any prefix of the variables, what is left of the function depends only
// on the cells that can still take a queen: neither attacked, nor blocked, nor
// decided. (A row or column without such a cell has its queen, since whatever
// leaves one empty is dropped as false.) So the set of free cells is the state. Its
// first free cell in the order is the variable of its node: high takes away what a
// queen there attacks, low the cell itself. As long as the next free cell lies in the
// same row or column, low is not made a state, but branched on at once (see
// [branching]), so that in row-major order a state has a node for each of its choices
// in a row. Equal sets meet in a hash table; sets that differ and still mean the same
// function are merged afterwards, from the bottom up. The result is the ZDD, and the
// ROBDD is drawn from it ([robdd.Diagram.Convert]).
//
// It goes breadth-first, a level at a time, as TdZdd does (Iwashita and Minato,
// "Efficient top-down ZDD construction techniques using recursive
// specifications", Hokkaido University TCS-TR-A-13-69, 2013): the table lives for
// one level only, and what is kept are references, so that memory
// is touched in streams and not at random.
//
// It takes 8 bytes a choice, 8 a state, and the sets of one frontier
// (docs/performance.md).
func freeSet(ctx context.Context, p encode.Problem, o order.Order, options Options) (*Compiled, error) {
	s := newSweeper(ctx, p, o, options.Limits)
	zdd, err := s.compile()
	if err != nil {
		return nil, err
	}
	return drawn(zdd, s.spent(), options)
}

// drawn makes what is asked for of a ZDD that a construction has made.
func drawn(zdd *robdd.Diagram, stats Stats, options Options) (*Compiled, error) {
	stats.NodesCreated = uint64(zdd.Len())
	stats.PeakNodes = stats.NodesCreated
	stats.Growth = append(stats.Growth, Step{"zdd", zdd.Len()})
	nodes := int64(zdd.Len())
	if options.Kind == robdd.BDD {
		nodes = int64(zdd.ConvertedLen(robdd.BDD))
	}
	if limit := options.Limits.MaxNodes; limit > 0 && nodes > int64(limit) {
		return nil, &robdd.LimitError{What: "nodes", Limit: int64(limit), Want: nodes}
	}
	if options.Kind == robdd.ZDD {
		return &Compiled{Diagram: zdd, Stats: stats, zdd: zdd}, nil
	}
	// Beside the two diagrams, converting takes 10 bytes a node of the ZDD.
	bytes := nodes*8 + int64(zdd.Len())*(8+10)
	if limit := options.Limits.MaxBytes; limit > 0 && bytes > limit {
		return nil, &robdd.LimitError{What: "bytes", Limit: limit, Want: bytes}
	}
	if stats.PeakBytes > returned {
		debug.FreeOSMemory()
	}
	bdd := zdd.Convert(robdd.BDD)
	stats.NodesCreated += uint64(bdd.Len())
	stats.PeakNodes = stats.NodesCreated
	stats.PeakBytes = max(stats.PeakBytes, uint64(bytes))
	stats.Growth = append(stats.Growth, Step{"robdd", bdd.Len()})
	return &Compiled{Diagram: bdd, Stats: stats, zdd: zdd}, nil
}

// returned is how much a construction must have held, in bytes, for its memory to be given
// back to the system before the diagram is drawn. The collector would otherwise
// let the two lie side by side, which doubles the peak.
const returned = 32 << 20

// sweeper is a sweep over sets of some width.
type sweeper interface {
	compile() (*robdd.Diagram, error)
	count() (uint64, error)
	spent() Stats
}

func newSweeper(ctx context.Context, p encode.Problem, o order.Order, limits robdd.Config) sweeper {
	switch perWord := 64 / p.N; {
	case p.N <= 4*perWord:
		return newSweep[[1]block](ctx, p, o, limits)
	case p.N <= 8*perWord:
		return newSweep[[2]block](ctx, p, o, limits)
	case p.N <= 16*perWord:
		return newSweep[[4]block](ctx, p, o, limits)
	}
	return newSweep[[16]block](ctx, p, o, limits)
}

// A reference to a state is 0 for false, 1 for true, or the number of an arrival:
// arrivals are numbered in chunks, so that each level's lie together. Chunk 0 is
// left out.
const (
	chunkBits = 8
	chunkSize = 1 << chunkBits
	maxChunks = 1 << (32 - chunkBits)
)

// pile collects the states whose first free cell is on one level, as they arrive
// from above, repeated ones included. Uniting equal ones leaves each once, in front.
type pile[S cellSet] struct {
	sets    []*[chunkSize]S
	weights []*[chunkSize]uint64 // when counting: ways from the root to each
	chunks  []uint32             // the numbers of the chunks
	len     int                  // arrivals
	states  int                  // different ones, when united
}

func (p *pile[S]) set(i uint32) *S { return &p.sets[i/chunkSize][i%chunkSize] }

// sweep is one run of the free-set construction over sets of type S.
type sweep[S cellSet] struct {
	*cellSets[S]
	ctx     context.Context
	problem encode.Problem
	order   order.Order
	budget  budget

	piles []pile[S]       // by level
	spare []*[chunkSize]S // chunks that piles no longer need
	// slots[c] belongs to chunk c: what has become of each arrival. When its level
	// has been expanded, the number of its state; when it has been reduced, its node.
	// Counting does without.
	slots  []*[chunkSize]uint32
	chunks int // given out

	table []uint64 // of the present level
	total uint64   // states of all levels

	high S // what a choice leaves, in memory that is used again

	// Not when counting.
	choices []choices // by level
	// lows holds a number for each state: what its last choice leaves to low, a
	// reference; when a choice has been reduced, the node that it has become.
	lows []*[chunkSize]uint32
}

// choices collects the choices of a cell, of all states that branch on it.
type choices struct {
	chunks []*[chunkSize]choice
	len    int
}

// choice is a queen on a cell, in a state that branches there.
type choice struct {
	state uint32 // its number; lastChoice is set on the last of its choices that leaves low a state
	high  uint32 // a reference
}

const lastChoice = 1 << 31

func newSweep[S cellSet](ctx context.Context, p encode.Problem, o order.Order, limits robdd.Config) *sweep[S] {
	return &sweep[S]{
		cellSets: newCellSets[S](p.N, o),
		ctx:      ctx,
		problem:  p,
		order:    o,
		budget:   budget{limit: limits.MaxBytes},
		piles:    make([]pile[S], len(o)),
		slots:    make([]*[chunkSize]uint32, 1),
		chunks:   1,
		choices:  make([]choices, len(o)),
	}
}

func (s *sweep[S]) spent() Stats {
	return Stats{States: s.total, PeakBytes: uint64(s.budget.peak)}
}

// push puts a state, whose first free cell is not above a level, on its pile.
func (s *sweep[S]) push(set *S, from int) (ref uint32, p *pile[S], err error) {
	p = &s.piles[s.first(set, from)]
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

// compile builds the ZDD: all levels downward, then all levels upward.
func (s *sweep[S]) compile() (*robdd.Diagram, error) {
	start, alive := s.start(s.problem)
	if !alive {
		return robdd.Constant(robdd.ZDD, variables(s.order), false)
	}
	if _, _, err := s.push(&start, 0); err != nil {
		return nil, err
	}
	for level := range s.piles {
		if err := s.expand(level); err != nil {
			return nil, err
		}
	}
	s.budget.give(int64(len(s.spare))*chunkSize*s.setBytes() + int64(len(s.table))*8)
	s.spare, s.table = nil, nil
	return s.reduce()
}

// expand makes the states of a level and sends what they can become down.
func (s *sweep[S]) expand(level int) error {
	p := &s.piles[level]
	if p.len == 0 {
		return nil
	}
	if err := s.budget.take(int64(len(p.chunks)) * chunkSize * 4); err != nil {
		return err
	}
	s.slots = append(s.slots, make([]*[chunkSize]uint32, s.chunks-len(s.slots))...)
	for _, chunk := range p.chunks {
		s.slots[chunk] = new([chunkSize]uint32)
	}
	first := uint32(s.total)
	err := s.unite(p, func(chunk, at int, state uint32) { s.slots[p.chunks[chunk]][at] = first + state })
	if err != nil {
		return err
	}
	if s.total > lastChoice {
		return &robdd.LimitError{What: "states", Limit: lastChoice, Want: int64(s.total)}
	}
	for int(s.total) > len(s.lows)*chunkSize {
		if err := s.budget.take(chunkSize * 4); err != nil {
			return err
		}
		s.lows = append(s.lows, new([chunkSize]uint32))
	}
	var b branching[S]
	for i, set := range s.take(p) {
		if i%(1<<16) == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		state := first + uint32(i)
		s.branch(&b, set, level)
		for goes := more; goes == more; {
			var high uint32
			at := b.level
			switch s.choose(&b, &s.high) {
			case solved:
				high = 1
			case open:
				if high, _, err = s.push(&s.high, s.cells[at].past); err != nil {
					return err
				}
			}
			if goes = s.pass(&b); goes == open {
				low, _, err := s.push(&b.rest, b.level)
				if err != nil {
					return err
				}
				s.lows[state/chunkSize][state%chunkSize] = low
				state |= lastChoice
			}
			if high != 0 || goes == open {
				if err := s.note(at, choice{state, high}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// note adds a choice to those of a level.
func (s *sweep[S]) note(level int, c choice) error {
	cs := &s.choices[level]
	at := cs.len % chunkSize
	if at == 0 {
		if err := s.budget.take(chunkSize * 8); err != nil {
			return err
		}
		cs.chunks = append(cs.chunks, new([chunkSize]choice))
	}
	cs.chunks[len(cs.chunks)-1][at] = c
	cs.len++
	return nil
}

// reduce turns choices into nodes from the bottom up and merges those with the same
// children; a choice whose high is false is its low.
func (s *sweep[S]) reduce() (*robdd.Diagram, error) {
	vars := variables(s.order)
	first := append(make([]uint32, 0, len(vars)+1), 2)
	var nodes []robdd.Edges
	var table []uint32
	node := func(ref uint32) uint32 {
		if ref < 2 {
			return ref
		}
		return s.slots[ref>>chunkBits][ref%chunkSize]
	}
	for level, choices := range slices.Backward(s.choices) {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		size := 1 << bits.Len(uint(choices.len+choices.len/2))
		if size > len(table) {
			if err := s.budget.take(int64(size-len(table)) * 4); err != nil {
				return nil, err
			}
			table = make([]uint32, size)
		}
		clear(table[:size])
		shift := 64 - bits.Len(uint(size-1))
		left := choices.len
		for _, chunk := range choices.chunks {
			for _, c := range chunk[:min(left, chunkSize)] {
				// The choices further down of the same state have been reduced before.
				low := &s.lows[c.state&^lastChoice/chunkSize][c.state%chunkSize]
				if c.state >= lastChoice {
					*low = node(*low)
				}
				e := robdd.Edges{Low: *low, High: node(c.high)}
				if e.High == 0 {
					continue
				}
				h := (uint64(e.Low)<<32 | uint64(e.High)) * mix1
				slot := (h ^ h>>32) * mix2 >> shift
				id := table[slot]
				for ; id != 0 && nodes[id-2] != e; id = table[slot] {
					slot = (slot + 1) & uint64(size-1)
				}
				if id == 0 {
					if len(nodes) == cap(nodes) {
						if err := s.budget.take(int64(len(nodes)/4+chunkSize) * 8); err != nil {
							return nil, err
						}
						nodes = append(make([]robdd.Edges, 0, len(nodes)+len(nodes)/4+chunkSize), nodes...)
					}
					nodes = append(nodes, e)
					id = uint32(len(nodes) + 1)
					table[slot] = id
				}
				*low = id
			}
			left -= chunkSize
		}
		s.budget.give(int64(len(choices.chunks)) * chunkSize * 8)
		s.choices[level].chunks = nil
		p := &s.piles[level]
		left = p.len
		for _, chunk := range p.chunks {
			slots := s.slots[chunk]
			for at := range min(left, chunkSize) {
				state := slots[at]
				slots[at] = s.lows[state/chunkSize][state%chunkSize]
			}
			left -= chunkSize
		}
		first = append(first, uint32(len(nodes)+2))
	}
	if len(nodes) == 0 {
		return robdd.Constant(robdd.ZDD, vars, false)
	}
	// Only what the first state reaches has become a node, and every such node is
	// below the one it became itself: that is the last.
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, uint32(len(nodes)+1))
}

// count adds up the ways from the root to each state, downward, so that it needs no
// state but those of the frontier.
func (s *sweep[S]) count() (uint64, error) {
	start, alive := s.start(s.problem)
	if !alive {
		return 0, nil
	}
	var total, overflow uint64
	add := func(sum *uint64, ways uint64) {
		var carry uint64
		*sum, carry = bits.Add64(*sum, ways, 0)
		overflow |= carry
	}
	var spare []*[chunkSize]uint64
	send := func(set *S, from int, ways uint64) error {
		ref, p, err := s.push(set, from)
		if err != nil {
			return err
		}
		at := ref % chunkSize
		if at == 0 {
			if len(spare) == 0 {
				if err := s.budget.take(chunkSize * 8); err != nil {
					return err
				}
				spare = append(spare, new([chunkSize]uint64))
			}
			last := len(spare) - 1
			p.weights = append(p.weights, spare[last])
			spare = spare[:last]
		}
		p.weights[len(p.weights)-1][at] = ways
		return nil
	}
	if err := send(&start, 0, 1); err != nil {
		return 0, err
	}
	var b branching[S]
	for level := range s.piles {
		p := &s.piles[level]
		// The weights of equal states are added up in front, where unite leaves the sets.
		united := uint32(0)
		if err := s.unite(p, func(chunk, at int, state uint32) {
			to, ways := &p.weights[state/chunkSize][state%chunkSize], p.weights[chunk][at]
			if state == united {
				*to = 0
				united++
			}
			add(to, ways)
		}); err != nil {
			return 0, err
		}
		for i, set := range s.take(p) {
			if i%(1<<16) == 0 && s.ctx.Err() != nil {
				return 0, s.ctx.Err()
			}
			ways := p.weights[i/chunkSize][i%chunkSize]
			s.branch(&b, set, level)
			for goes := more; goes == more; {
				at := b.level
				switch s.choose(&b, &s.high) {
				case solved:
					add(&total, ways)
				case open:
					if err := send(&s.high, s.cells[at].past, ways); err != nil {
						return 0, err
					}
				}
				if goes = s.pass(&b); goes == open {
					if err := send(&b.rest, b.level, ways); err != nil {
						return 0, err
					}
				}
			}
		}
		spare = append(spare, p.weights...)
		p.weights = nil
	}
	if overflow != 0 {
		return 0, fmt.Errorf("the number of solutions does not fit 64 bits")
	}
	return total, nil
}

// budget keeps account of bytes.
type budget struct{ limit, used, peak int64 }

func (b *budget) take(bytes int64) error {
	if b.limit > 0 && b.used+bytes > b.limit {
		return &robdd.LimitError{What: "bytes", Limit: b.limit, Want: b.used + bytes}
	}
	b.used += bytes
	b.peak = max(b.peak, b.used)
	return nil
}

func (b *budget) give(bytes int64) { b.used -= bytes }
