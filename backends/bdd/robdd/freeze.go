package robdd

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Between the two halves: a function out of a Manager into a Diagram, and back.

// Freeze returns f as a Diagram. Nodes are numbered by where a breadth-first walk
// from the root meets them, so the same function in the same order gives the same
// diagram, whatever the Manager did before. It takes O(nodes of f) time, 4 bytes
// an id of the store and 12 bytes a node of f.
func (m *Manager) Freeze(f Node) *Diagram {
	levels := len(m.order)
	d := &Diagram{kind: BDD, order: slices.Clone(m.order), levels: slices.Clone(m.levels), first: make([]uint32, levels+1)}
	d.first[0] = 2
	if f < 2 {
		for h := range d.first {
			d.first[h] = 2
		}
		d.root = uint32(f)
		d.findLowest()
		return d
	}
	met := make([][]uint32, levels)
	index := make([]uint32, len(m.chunks)<<chunkBits) // place in the list of the level, from 1
	visit := func(id uint32) {
		if id >= 2 && index[id] == 0 {
			level := m.levelOf(id)
			met[level] = append(met[level], id)
			index[id] = uint32(len(met[level]))
		}
	}
	visit(uint32(f))
	total := 0
	for level := range met {
		for _, id := range met[level] {
			e := m.at(id)
			visit(e.Low)
			visit(e.High)
		}
		total += len(met[level])
	}
	d.nodes = make([]Edges, 0, total)
	index[1] = 1 // terminals keep their ids
	for h := range levels {
		base := d.first[h]
		list := met[levels-1-h]
		for i, id := range list {
			e := m.at(id)
			d.nodes = append(d.nodes, Edges{index[e.Low], index[e.High]})
			index[id] = base + uint32(i)
		}
		d.first[h+1] = base + uint32(len(list))
	}
	d.root = index[f]
	d.findLowest()
	return d
}

// Thaw brings a diagram's function into the Manager, whose order must be the
// diagram's. A ZDD comes in as the ROBDD of the same function.
func (m *Manager) Thaw(ctx context.Context, d *Diagram) (Node, error) {
	if !slices.Equal(m.order, d.order) {
		return False, errors.New("robdd: thawing a diagram of another variable order")
	}
	if d.kind != BDD {
		d = d.Convert(BDD)
	}
	m.begin(ctx)
	ids := make([]uint32, len(d.nodes)+2)
	ids[1] = 1
	for h := range d.order {
		if err := ctx.Err(); err != nil {
			return False, fmt.Errorf("robdd: thawing a diagram: %w", err)
		}
		for id := d.first[h]; id < d.first[h+1]; id++ {
			e := d.nodes[id-2]
			r := m.mk(uint32(len(d.order)-1-h), ids[e.Low], ids[e.High])
			if r == failed {
				return m.end(r)
			}
			ids[id] = r
		}
	}
	return m.end(ids[d.root])
}
