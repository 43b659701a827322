package robdd

import (
	"fmt"
	"slices"
)

// The form with complement edges (Brace, Rudell, Bryant, "Efficient implementation of a BDD package",
// 1990), which CUDD and dd for Python write. Its only terminal is true. An edge may be complemented; a
// high edge never is, which makes the form canonical. The engine itself does not use it: see doc.go.

// signed is an edge in the complement form: twice the node's number, plus one if the edge is
// complemented. Node 0 is the terminal true.
type signed uint32

func (e signed) node() uint32     { return uint32(e) >> 1 }
func (e signed) complement() bool { return e&1 != 0 }

// complementForm is a diagram with complement edges: nodes from 1, the bottom level
// first, children before parents.
type complementForm struct {
	first []uint32 // by height, as in Diagram, but from 1
	low   []signed // of node i at i-1
	high  []signed
	root  signed
}

// complementForm converts a BDD to the form, level by level from the bottom. It takes
// O(nodes) time and 12 bytes per node.
func (d *Diagram) complementForm() (*complementForm, error) {
	if len(d.nodes) >= 1<<31-2 {
		return nil, fmt.Errorf("%d nodes are too many for complement edges", len(d.nodes))
	}
	c := &complementForm{first: []uint32{1}}
	edge := make([]signed, len(d.nodes)+2)
	edge[0], edge[1] = 1, 0
	var slots []uint32
	for h := range d.order {
		lo, hi := d.first[h], d.first[h+1]
		size := 2*int(hi-lo) + 1
		slots = slices.Grow(slots[:0], size)[:size]
		clear(slots)
		for id := lo; id < hi; id++ {
			e := d.nodes[id-2]
			low, high := edge[e.Low], edge[e.High]
			sign := high & 1
			low, high = low^sign, high^sign
			i := slotOf(hashPair(uint32(low), uint32(high)), size)
			for slots[i] != 0 && (c.low[slots[i]-1] != low || c.high[slots[i]-1] != high) {
				if i++; i == size {
					i = 0
				}
			}
			if slots[i] == 0 {
				c.low, c.high = append(c.low, low), append(c.high, high)
				slots[i] = uint32(len(c.low))
			}
			edge[id] = signed(slots[i])<<1 | sign
		}
		c.first = append(c.first, uint32(len(c.low))+1)
	}
	c.root = edge[d.root]
	return c, nil
}
