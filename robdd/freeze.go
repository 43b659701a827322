package robdd

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Freeze and Thaw convert between the two halves: from a Manager to a Diagram, and back.

// Freeze returns f as a Diagram. Within a level, nodes are numbered in the order in which a
// breadth-first walk from the root meets them, so the same function in the same variable order becomes
// the same diagram, whatever the Manager did before. It takes O(nodes of f) time. In addition to the
// diagram it uses 4 bytes per id of the store and 4 per plain node of f.
func (m *Manager) Freeze(f Func) *Diagram {
	levels := len(m.order)
	d := &Diagram{
		kind:   BDD,
		order:  slices.Clone(m.order),
		levels: slices.Clone(m.levels),
		first:  make([]uint32, levels+1),
		nodes:  make([]Node, m.reach(f)),
	}
	place, plain := m.widths(d.first)
	id := make([]uint32, plain) // the id in the diagram; 0 if not met yet
	id[place[1]] = 1
	next := slices.Clone(d.first) // by height: the id of the next node met
	// Nodes that have been met wait in their places, each as its id and run.
	visit := func(f Func) uint32 {
		at := &id[place[f.id()]+f.run()]
		if *at == 0 && f != False {
			h := levels - 1 - int(m.levelOf(f))
			*at = next[h]
			d.nodes[*at-2] = Node{f.id(), f.run()}
			next[h]++
		}
		return *at
	}
	d.root = visit(f)
	for h := levels - 1; h >= 0; h-- {
		for i := d.first[h]; i < d.first[h+1]; i++ {
			low, high := m.children(edge(d.nodes[i-2].Low, d.nodes[i-2].High))
			d.nodes[i-2] = Node{visit(low), visit(high)}
		}
	}
	return d
}

// widths fills first, as in a Diagram, for the plain nodes that were reached. The plain nodes of a node
// and its runs have consecutive places, from place[id] on; plain is the number of places.
func (m *Manager) widths(first []uint32) (place []uint32, plain uint32) {
	place = make([]uint32, m.next)
	levels := len(first) - 1
	for id := range m.next {
		place[id] = plain
		seen := *m.seenOf(id)
		plain += uint32(seen)
		if seen == 0 || id == 0 {
			continue
		}
		// It has nodes on this height and seen - 1 above; a terminal has none below 0.
		h := levels - 1 - int(m.at(id).level)
		first[max(h, 0)]++
		if above := h + int(seen); above <= levels {
			first[above]--
		}
	}
	id, width := uint32(2), uint32(0)
	for h := range first {
		width += first[h]
		first[h], id = id, id+width
	}
	return place, plain
}

// Thaw copies a diagram's function into the Manager, which must have the diagram's variable order. A ZDD
// becomes the ROBDD of the same function.
func (m *Manager) Thaw(ctx context.Context, d *Diagram) (Func, error) {
	if !slices.Equal(m.order, d.order) {
		return False, errors.New("robdd: thawing a diagram: its variable order differs from the manager's")
	}
	if d.kind != BDD {
		d = d.Convert(BDD)
	}
	m.begin(ctx)
	made := make([]Func, len(d.nodes)+2)
	made[1] = True
	for h := range d.order {
		if err := ctx.Err(); err != nil {
			return False, fmt.Errorf("robdd: thawing a diagram: %w", err)
		}
		for id := d.first[h]; id < d.first[h+1]; id++ {
			e := d.nodes[id-2]
			r := m.mk(uint32(len(d.order)-1-h), made[e.Low], made[e.High])
			if r == failed {
				return m.end(r)
			}
			made[id] = r
		}
	}
	return m.end(made[d.root])
}
