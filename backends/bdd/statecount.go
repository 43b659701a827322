package bdd

import (
	"fmt"
	"math/bits"
)

// count adds up the ways from the root to each state, downward, so that it needs no
// state but those of the frontier.
func (s *sweep[S]) count() (uint64, error) {
	start, alive := s.initial()
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
		if p == nil {
			add(&total, ways)
			return nil
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
		chain := s.chainFrom(level, s.chain)
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
					if err := send(&s.high, s.vars[at].past, ways); err != nil {
						return 0, err
					}
				}
				switch goes = s.pass(&b, chain); goes {
				case solved:
					add(&total, ways)
				case open:
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
