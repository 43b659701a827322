package robdd

// Converting between the two kinds, in two passes.
//
// The kinds differ only in what a skipped level means. A node f of the source,
// seen from level k, is a chain of nodes on the levels k..level(f)-1 which spell
// that out (in a BDD low == high, in a ZDD high == 0), and then f itself with its
// children seen from the level below. Seen from the same level, different nodes
// are different functions, so no chain node ever equals another node, and no
// unique table is needed: it is enough to know, for each f, the highest level
// that f is seen from. Only f itself may turn out redundant in the other kind.

// Convert returns the same function as a diagram of the given kind, in the same
// order. It takes O(size of both) time, and 4 bytes a node beside them. A
// conversion grows a diagram by at most the factor levels+1.
func (d *Diagram) Convert(kind Kind) *Diagram {
	if kind == d.kind {
		return d
	}
	c := d.plan(kind)
	levels := len(d.order)
	out := &Diagram{kind: kind, order: d.order, levels: d.levels, first: make([]uint32, levels+1)}
	out.first[0] = 2
	out.nodes = make([]Edges, 0, c.size)
	// seen[f] is the id of f as seen from the level above the one being made:
	// heights up to h are done, and f's chain has been drawn up to there.
	seen := make([]uint32, len(d.nodes)+2)
	seen[1] = 1
	var growing []uint32 // nodes whose chain goes on above height h
	if c.top[1] > 0 {
		growing = append(growing, 1)
	}
	for h := range levels {
		// Chains first: a node on this level must not see itself in growing.
		lo, hi := d.first[h], d.first[h+1]
		// The children of this level's own nodes are seen from height h, before
		// chains are drawn over it.
		base := uint32(len(out.nodes)) + 2
		for id := lo; id < hi; id++ {
			e := d.nodes[id-2]
			e = Edges{seen[e.Low], seen[e.High]}
			if out.redundant(e) {
				seen[id] = e.Low
				continue
			}
			seen[id] = base
			base++
			out.nodes = append(out.nodes, e)
		}
		still := growing[:0]
		for _, f := range growing {
			e := Edges{Low: seen[f]}
			if d.kind == BDD {
				e.High = seen[f]
			}
			seen[f] = uint32(len(out.nodes)) + 2
			out.nodes = append(out.nodes, e)
			if int(c.top[f]) > h+1 {
				still = append(still, f)
			}
		}
		growing = still
		for id := lo; id < hi; id++ {
			if int(c.top[id]) > h+1 {
				growing = append(growing, id)
			}
		}
		out.first[h+1] = uint32(len(out.nodes)) + 2
	}
	out.root = seen[d.root]
	out.findLowest()
	return out
}

// ConvertedLen returns the node count of the same function in the given kind,
// without making that diagram.
func (d *Diagram) ConvertedLen(kind Kind) int {
	if kind == d.kind {
		return len(d.nodes)
	}
	return d.plan(kind).size
}

// plan holds, for each node, how far up it is seen: the number of heights that
// lie below the highest level which sees it. A chain covers the heights from the
// node's own (exclusive; from 0 for a terminal) up to top (exclusive).
type plan struct {
	top  []uint16
	size int
}

func (d *Diagram) plan(kind Kind) plan {
	levels := len(d.order)
	c := plan{top: make([]uint16, len(d.nodes)+2)}
	c.top[d.root] = uint16(levels)
	for h := levels - 1; h >= 0; h-- {
		for id := d.first[h+1] - 1; id >= d.first[h]; id-- {
			e := d.nodes[id-2]
			c.top[e.Low] = max(c.top[e.Low], uint16(h))
			c.top[e.High] = max(c.top[e.High], uint16(h))
			c.size += int(c.top[id]) - (h + 1) // the chain above it
			switch {
			case kind == BDD && e.Low == e.High, kind == ZDD && e.High == 0:
			default:
				c.size++
			}
		}
	}
	c.top[0] = 0 // false looks the same from everywhere
	c.size += int(c.top[1])
	return c
}
