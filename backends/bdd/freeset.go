package bdd

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends/bdd/robdd"
	"queens/encode"
	"queens/order"
)

// free-set: from the top down, without a single Boolean operation.
//
// After any prefix of the variables, what is left of the function depends only on the
// variables that can still be true: neither excluded, nor fixed, nor decided. (An
// exactly-one constraint without such a variable has its true one, since whatever leaves
// one without is dropped as false.) So the set of free variables is the state. Its first
// one in the order is the variable of its node: high takes away what that excludes, low
// the variable itself. As long as the next free variable shares a constraint with it and
// all that were passed over, low is not made a state, but branched on at once (see
// [branching]), so that in row-major order a state of queens has a node for each of its
// choices in a row. Equal sets meet in a hash table; sets that differ and still mean the
// same function are merged afterwards, from the bottom up. The result is the ZDD, and the
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

// compile builds the ZDD: all levels downward, then all levels upward.
func (s *sweep[S]) compile() (*robdd.Diagram, error) {
	start, alive := s.initial()
	if !alive {
		return robdd.Constant(robdd.ZDD, variables(s.order), false)
	}
	root, _, err := s.push(&start, 0)
	if err != nil {
		return nil, err
	}
	if root == 1 {
		return s.reduce(root) // no variable is left: all of them are false
	}
	for level := range s.piles {
		if err := s.expand(level); err != nil {
			return nil, err
		}
	}
	s.budget.give(int64(len(s.spare))*chunkSize*s.setBytes() + int64(len(s.table))*8)
	s.spare, s.table = nil, nil
	return s.reduce(root)
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
	chain := s.chainFrom(level, s.chain)
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
				if high, _, err = s.push(&s.high, s.vars[at].past); err != nil {
					return err
				}
			}
			low := uint32(0)
			switch goes = s.pass(&b, chain); goes {
			case solved:
				low = 1
			case open:
				if low, _, err = s.push(&b.rest, b.level); err != nil {
					return err
				}
			}
			if low != 0 {
				s.lows[state/chunkSize][state%chunkSize] = low
				state |= lastChoice
			}
			if high != 0 || low != 0 {
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
func (s *sweep[S]) reduce(root uint32) (*robdd.Diagram, error) {
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
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, node(root), s.workers)
}
