package robdd

import (
	"context"
	"fmt"
)

// Converting a diagram in which no edge skips a level, except to false, as in the ROBDD of
// a problem with exactly-one constraints over all variables. Then every node is seen from
// right above only, so there are no chains: a node is either drawn or the same as its low
// child, and what a child has become is one look-up. A level is divided among the workers.

// skipsNothing reports whether no edge skips a level, except to false.
func (d *Diagram) skipsNothing() bool {
	if len(d.nodes) == 0 || d.root < d.first[len(d.order)-1] {
		return false
	}
	for h, lowest := range d.lowest {
		if lowest < d.below(h) {
			return false
		}
	}
	return true
}

// count counts the nodes that stay, which is all that shrink needs to know.
func (c *Conversion) count() {
	_ = c.each(func(i int) error {
		b := &c.blocks[i]
		for _, e := range c.d.nodes[max(b.lo, 2)-2 : max(b.hi, 2)-2] {
			if c.stays(e) {
				b.kept++
			}
		}
		return nil
	})
	c.size = 0
	for _, b := range c.blocks[2:] {
		c.size += int(b.kept)
	}
}

// shrink draws the diagram. Besides both diagrams it takes 4 bytes per node.
func (c *Conversion) shrink(ctx context.Context) (*Diagram, error) {
	d, levels := c.d, len(c.d.order)
	out := &Diagram{
		kind: c.kind, order: d.order, levels: d.levels, first: make([]uint32, levels+1), lowest: make([]uint32, levels),
		nodes: uncleared[Edges](c.size),
	}
	own := make([]uint32, len(d.nodes)+2) // by id: what the node is, seen from right above
	own[1] = 1
	next := uint32(2)
	for rest := c.blocks[2:]; len(rest) > 0; {
		h, n := rest[0].height, 0
		out.first[h] = next
		for ; n < len(rest) && rest[n].height == h; n++ {
			rest[n].rows = []row{{start: next, len: rest[n].kept}}
			next += rest[n].kept
		}
		err := c.crew.Each(c.workers, n, func(i int) error {
			b := &rest[i]
			id, end := b.rows[0].start, b.rows[0].start+b.kept
			drawn, what := out.nodes[id-2:end-2], own[b.lo:b.hi]
			for i, e := range d.nodes[b.lo-2 : b.hi-2] {
				if !c.stays(e) {
					what[i] = own[e.Low]
					continue
				}
				drawn[0], drawn = Edges{own[e.Low], own[e.High]}, drawn[1:]
				what[i] = id
				id++
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("robdd: drawing a diagram of %d nodes: %w", c.size, err)
		}
		out.first[h+1] = next
		out.lowest[h] = lowestChild(out.nodes[out.first[h]-2 : next-2])
		rest = rest[n:]
	}
	out.root = own[d.root]
	return out, nil
}
