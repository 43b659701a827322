package bdd

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"queens/backends/crew"
)

// Counting by the free-set sweep: the paths from the root to each state are counted,
// downward, so only the states of the frontier are kept. States are divided by their
// hashes among parts, which workers take in turn, one level at a time; the sums do not
// depend on which worker adds them up.

// bundle holds some states of one level and part, and the number of paths to each; 0
// for a duplicate of an earlier state.
type bundle[S bitset] struct {
	sets [bundleSize]S
	ways [bundleSize]uint64
	len  int
}

const bundleSize = 64

// bundles collects the states of one level and part from all workers.
type bundles[S bitset] struct {
	sync.Mutex
	all []*bundle[S]
}

// counting is one count.
type counting[S bitset] struct {
	*layout[S]
	ctx    context.Context
	budget *budget
	parts  int
	piles  []bundles[S] // by level*parts+part
	chain  chain        // of the present level
	idle   chan *counter[S]
	all    []*counter[S]
}

// counter is a worker with its private data.
type counter[S bitset] struct {
	*counting[S]
	open            []*bundle[S] // by level*parts+part: not yet full
	spare           []*bundle[S]
	table           []uint64
	high            S
	total, overflow uint64
	states          uint64
}

func (s *sweep[S]) count() (uint64, error) {
	start, alive := s.initial()
	if !alive {
		return 0, nil
	}
	c := &counting[S]{
		layout: s.layout, ctx: s.ctx, budget: &s.budget, chain: s.chain,
		parts: 1, idle: make(chan *counter[S], s.workers),
	}
	for s.workers > 1 && c.parts < 2*s.workers {
		c.parts *= 2
	}
	c.piles = make([]bundles[S], len(s.vars)*c.parts)
	for range s.workers {
		w := &counter[S]{counting: c, open: make([]*bundle[S], len(c.piles))}
		c.all = append(c.all, w)
		c.idle <- w
	}
	if err := c.all[0].send(&start, 0, 1); err != nil {
		return 0, err
	}
	for level := range s.vars {
		if err := c.level(level); err != nil {
			return 0, err
		}
		states := uint64(0)
		for _, w := range c.all {
			states += w.states
		}
		c.budget.tell("level", level+1, len(s.vars), states, "states")
	}
	var total, overflow uint64
	for _, w := range c.all {
		var carry uint64
		total, carry = bits.Add64(total, w.total, 0)
		overflow |= carry | w.overflow
		s.total += w.states
	}
	if overflow != 0 {
		return 0, fmt.Errorf("the number of solutions does not fit in 64 bits")
	}
	return total, nil
}

// level processes the states of a level, once all states that lead to them are done.
func (c *counting[S]) level(level int) error {
	at := level * c.parts
	some := false
	for part := range c.parts {
		for _, w := range c.all {
			if b := w.open[at+part]; b != nil {
				c.piles[at+part].all = append(c.piles[at+part].all, b)
				w.open[at+part] = nil
			}
		}
		some = some || len(c.piles[at+part].all) > 0
	}
	if !some {
		return nil
	}
	c.chainFrom(level, c.chain)
	return crew.Each(len(c.all), c.parts, func(part int) error {
		w := <-c.idle
		defer func() { c.idle <- w }()
		pile := &c.piles[at+part]
		err := w.unite(pile.all)
		for _, b := range pile.all {
			if err == nil {
				err = w.expand(b, level)
			}
			w.spare = append(w.spare, b)
		}
		pile.all = nil
		return err
	})
}

// unite adds up the paths to equal states at the first of them.
func (w *counter[S]) unite(all []*bundle[S]) error {
	size := 1 << bits.Len(uint(len(all)*bundleSize*3/2))
	if size > len(w.table) {
		if err := w.budget.take(int64(size-len(w.table)) * 8); err != nil {
			return err
		}
		w.table = make([]uint64, size)
	}
	table := w.table[:size]
	clear(table)
	mask := uint64(size - 1)
	for i, b := range all {
		for k := range b.len {
			set := &b.sets[k]
			// The highest bits have already selected the part.
			h := w.hash(set)
			tag := h << 32
			for slot := h >> 20 & mask; ; slot = (slot + 1) & mask {
				e := table[slot]
				if e == 0 {
					table[slot] = tag | uint64(i*bundleSize+k+1)
					w.states++
					break
				}
				first := uint32(e) - 1
				if to := all[first/bundleSize]; (e^tag)>>32 == 0 && to.sets[first%bundleSize] == *set {
					w.add(&to.ways[first%bundleSize], b.ways[k])
					b.ways[k] = 0
					break
				}
			}
		}
	}
	return nil
}

// expand passes the paths to each state on to the states that its choices leave.
func (w *counter[S]) expand(from *bundle[S], level int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	var b branching[S]
	for k := range from.len {
		ways := from.ways[k]
		if ways == 0 {
			continue
		}
		w.branch(&b, &from.sets[k], level)
		for goes := more; goes == more; {
			at := b.level
			switch w.choose(&b, &w.high) {
			case solved:
				w.add(&w.total, ways)
			case open:
				if err := w.send(&w.high, w.vars[at].past, ways); err != nil {
					return err
				}
			}
			switch goes = w.pass(&b, w.chain); goes {
			case solved:
				w.add(&w.total, ways)
			case open:
				if err := w.send(&b.rest, b.level, ways); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// send puts a state in the bundle where it belongs. Its first free variable is not
// above level from.
func (w *counter[S]) send(set *S, from int, ways uint64) error {
	level := w.first(set, from)
	if level == len(w.vars) {
		w.add(&w.total, ways)
		return nil
	}
	at := level * w.parts
	if w.parts > 1 {
		at += int(w.hash(set) >> 32 * uint64(w.parts) >> 32)
	}
	b := w.open[at]
	if b == nil {
		if len(w.spare) == 0 {
			if err := w.budget.take(bundleSize * (w.setBytes() + 8)); err != nil {
				return err
			}
			w.spare = append(w.spare, new(bundle[S]))
		}
		last := len(w.spare) - 1
		b = w.spare[last]
		w.spare = w.spare[:last]
		b.len = 0
		w.open[at] = b
	}
	b.sets[b.len], b.ways[b.len] = *set, ways
	if b.len++; b.len == bundleSize {
		pile := &w.piles[at]
		pile.Lock()
		pile.all = append(pile.all, b)
		pile.Unlock()
		w.open[at] = nil
	}
	return nil
}

func (w *counter[S]) add(sum *uint64, ways uint64) {
	var carry uint64
	*sum, carry = bits.Add64(*sum, ways, 0)
	w.overflow |= carry
}
