package robdd

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Between the two halves: from a Manager to a Diagram, and back.

// Freeze returns f as a Diagram. Nodes are numbered in the sequence of a
// breadth-first walk from the root, so the same function in the same order becomes
// the same diagram, whatever the Manager did before. It takes O(nodes of f) time, 4
// bytes per id of the store and 20 bytes per plain node of f.
func (m *Manager) Freeze(f Node) *Diagram {
	f = m.in(f)
	levels := len(m.order)
	d := &Diagram{
		kind:   BDD,
		order:  slices.Clone(m.order),
		levels: slices.Clone(m.levels),
		first:  make([]uint32, levels+1),
	}
	total := m.reach(f)
	// The plain nodes of a node and its runs have consecutive places in index.
	place, end := make([]uint32, m.next), uint32(0)
	for id := range place {
		place[id] = end
		end += uint32(*m.seenOf(uint32(id)))
	}
	index := make([]uint32, end) // place in the list of the level, from 1; then the id
	index[place[1]] = 1          // terminals keep their ids
	of := func(f Node) *uint32 { return &index[place[f.id()]+f.run()] }
	met := make([][]Node, levels)
	visit := func(f Node) {
		if at := of(f); *at == 0 && f != False {
			level := m.levelOf(f)
			met[level] = append(met[level], f)
			*at = uint32(len(met[level]))
		}
	}
	visit(f)
	for level := range met {
		for _, g := range met[level] {
			low, high := m.children(g)
			visit(low)
			visit(high)
		}
	}
	d.first[0] = 2
	d.nodes = make([]Edges, 0, total)
	for h := range levels {
		base := d.first[h]
		list := met[levels-1-h]
		for i, g := range list {
			low, high := m.children(g)
			d.nodes = append(d.nodes, Edges{*of(low), *of(high)})
			*of(g) = base + uint32(i)
		}
		d.first[h+1] = base + uint32(len(list))
	}
	d.root = *of(f)
	d.findLowest()
	return d
}

// Thaw copies a diagram's function into the Manager, whose order must be the
// diagram's. A ZDD becomes the ROBDD of the same function.
func (m *Manager) Thaw(ctx context.Context, d *Diagram) (Node, error) {
	if !slices.Equal(m.order, d.order) {
		return False, errors.New("robdd: thawing a diagram: its variable order differs from the manager's")
	}
	if d.kind != BDD {
		d = d.Convert(BDD)
	}
	m.begin(ctx)
	made := make([]Node, len(d.nodes)+2)
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
