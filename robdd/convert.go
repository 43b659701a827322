package robdd

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Converting between the two kinds.
//
// The kinds differ only in the meaning of a skipped level. A node f of the source, seen from level k, is
// a chain of nodes on the levels k..level(f)-1 that make the skipped levels explicit (in a BDD low ==
// high, in a ZDD high == 0), followed by f itself with its children seen from the level below. Seen from
// the same level, different nodes are different functions. So no chain node ever equals another node,
// and no unique table is needed: for each f, it is enough to know the highest level from which f is
// seen. Only f itself may turn out to be redundant in the other kind, and its children show whether it
// is. So one pass makes the result level by level from the bottom.

// conversion is a diagram that is about to be converted to the other kind.
type conversion struct {
	d    *Diagram
	kind Kind
	size int      // the number of nodes of the result
	top  []uint16 // by id: the height of the node's highest parent; for the root the number of levels
}

// conversion prepares to convert the diagram to the other kind. It takes O(nodes) time and 2
// bytes per node.
func (d *Diagram) conversion() *conversion {
	c := &conversion{d: d, kind: BDD + ZDD - d.kind, top: make([]uint16, len(d.nodes)+2)}
	for h := range d.order {
		for _, e := range d.nodes[d.first[h]-2 : d.first[h+1]-2] {
			c.top[e.Low], c.top[e.High] = uint16(h), uint16(h)
			if c.stays(e) {
				c.size++
			}
		}
	}
	c.top[d.root] = uint16(len(d.order))
	c.size += int(c.top[1])
	for h := range d.order {
		for _, top := range c.top[d.first[h]:d.first[h+1]] {
			c.size += int(top) - h - 1
		}
	}
	return c
}

// stays reports whether a node of the source also has a node in the other kind.
func (c *conversion) stays(e Node) bool {
	if c.kind == ZDD {
		return e.High != 0
	}
	return e.Low != e.High
}

// Convert returns the same function as a diagram of the given kind, in the same order.
func (d *Diagram) Convert(kind Kind) *Diagram {
	converted, _, err := d.ConvertWithin(context.Background(), kind, 0, 1)
	if err != nil {
		panic(err) // more nodes than ids
	}
	return converted
}

// ConvertedLen returns the node count of the same function in the given kind. It does not make that
// diagram.
func (d *Diagram) ConvertedLen(kind Kind) int {
	if kind == d.kind {
		return len(d.nodes)
	}
	return d.conversion().size
}

// ConvertWithin is Convert within a limit of bytes; 0 means no limit. The limit covers both diagrams and
// 6 bytes more for each node of the source; bytes is that sum. The error is the context's, or a [LimitError], which it also
// returns if the result has more nodes than there are ids. Several workers help: at n = 16 the kernel
// takes half of the time to provide pages that are written for the first time.
func (d *Diagram) ConvertWithin(
	ctx context.Context, kind Kind, maxBytes int64, workers int,
) (converted *Diagram, bytes int64, err error) {
	return d.convert(ctx, kind, maxBytes, workers, 1<<14)
}

func (d *Diagram) convert(
	ctx context.Context, kind Kind, maxBytes int64, workers, partly int,
) (converted *Diagram, bytes int64, err error) {
	if kind == d.kind {
		return d, d.Bytes(), nil
	}
	c, levels := d.conversion(), len(d.order)
	if uint64(c.size) > maxNodes {
		return nil, 0, &LimitError{What: "nodes", Limit: maxNodes, Want: int64(c.size)}
	}
	if bytes = int64(c.size)*8 + int64(len(d.nodes))*(8+6); maxBytes > 0 && bytes > maxBytes {
		return nil, 0, &LimitError{What: "bytes", Limit: maxBytes, Want: bytes}
	}
	w := converting{
		conversion: c, workers: workers, partly: partly,
		out: &Diagram{
			kind: c.kind, order: d.order, levels: d.levels, first: make([]uint32, levels+1),
			nodes: make([]Node, c.size),
		},
		next: 2, place: make([]uint32, len(c.top)), chains: make([]chain, levels+1), begun: make([]uint32, levels+1),
	}
	w.place[1] = 1
	for h := range levels {
		if err := ctx.Err(); err != nil {
			return nil, 0, fmt.Errorf("robdd: converting a diagram of %d nodes: %w", c.size, err)
		}
		w.out.first[h] = w.next
		w.own(h)
		w.extend(h)
	}
	w.out.first[levels] = w.next
	w.out.root = w.seen(d.root, d.below(levels))
	return w.out, bytes, nil
}

// converting is a conversion in progress. Chains of nodes that are seen from the same height lie side by
// side. A chain keeps its number among them from level to level, so the upper part of a chain, which is
// most of an ROBDD of queens, is written without any lookups.
type converting struct {
	*conversion
	workers, partly int // partly: the number of nodes of a level that is worth another worker
	out             *Diagram
	next            uint32   // the next id
	place           []uint32 // by id: on the level next below, its id in out; further down, the number of its chain
	chains          []chain  // by the height from which their nodes are seen
	open            []uint16 // the heights in chains that have nodes at the present height, ascending
	begun           []uint32 // by the same height: chains that begin below the present height
}

// chain is a group of chains on the level next below: len nodes, from id start on.
type chain struct{ start, len uint32 }

// seen returns the id in the result of a source node as seen from a level; below is the first id of the
// level next below.
func (w *converting) seen(id, below uint32) uint32 {
	if id >= below || id == 0 {
		return w.place[id]
	}
	return w.chains[w.top[id]].start + w.place[id]
}

// below returns the lowest id on the level next below height h.
func (d *Diagram) below(h int) uint32 {
	if h == 0 {
		return 1
	}
	return d.first[h-1]
}

// inParts divides 0 to n-1 into parts, calls do for each of them, numbered from 0, and waits.
func (w *converting) inParts(n int, do func(part, from, to int)) {
	parts := min(w.workers, max(1, n/w.partly))
	var wait sync.WaitGroup
	for part := 1; part < parts; part++ {
		wait.Go(func() { do(part, n*part/parts, n*(part+1)/parts) })
	}
	do(0, 0, n/parts)
	wait.Wait()
}

// own makes the nodes of a height that are not redundant in the other kind.
func (w *converting) own(h int) {
	lo, hi, below := w.d.first[h], w.d.first[h+1], w.d.below(h)
	nodes, stay := w.d.nodes[lo-2:hi-2], make([]uint32, w.workers) // by part: the number of nodes that stay
	w.inParts(len(nodes), func(part, from, to int) {
		staying := uint32(0)
		for _, e := range nodes[from:to] {
			if w.stays(e) {
				staying++
			}
		}
		stay[part] = staying
	})
	for part, staying := range stay {
		stay[part] = w.next
		w.next += staying
	}
	w.inParts(len(nodes), func(part, from, to int) {
		next := stay[part]
		for i, e := range nodes[from:to] {
			low := w.seen(e.Low, below)
			if w.stays(e) {
				w.out.nodes[next-2] = Node{low, w.seen(e.High, below)}
				low = next
				next++
			}
			w.place[lo+uint32(from+i)] = low
		}
	})
}

// extend makes the nodes of chains at a height, and begins the chains of the level below.
func (w *converting) extend(h int) {
	lo, hi := uint32(1), uint32(2) // the terminal true
	if h > 0 {
		lo, hi = w.d.first[h-1], w.d.first[h]
	}
	tops := w.top[lo:hi]
	for len(w.open) > 0 && int(w.open[0]) <= h {
		w.open = w.open[1:]
	}
	before := len(w.open)
	for _, top := range tops {
		if int(top) > h {
			if w.begun[top] == 0 && w.chains[top].len == 0 {
				w.open = append(w.open, top)
			}
			w.begun[top]++
		}
	}
	if len(w.open) > before {
		slices.Sort(w.open)
	}
	for _, top := range w.open {
		c := &w.chains[top]
		nodes, start := w.out.nodes[w.next-2:][:c.len], c.start
		w.inParts(len(nodes), func(_, from, to int) {
			for i := from; i < to; i++ {
				nodes[i] = w.link(start + uint32(i))
			}
		})
		c.start = w.next
		w.next += c.len + w.begun[top]
		w.begun[top] = 0
	}
	for i, top := range tops {
		if int(top) > h {
			id, c := lo+uint32(i), &w.chains[top]
			w.out.nodes[c.start+c.len-2] = w.link(w.place[id])
			w.place[id] = c.len
			c.len++
		}
	}
}

// link returns the node of a chain above another node.
func (w *converting) link(below uint32) Node {
	if w.kind == BDD {
		return Node{Low: below}
	}
	return Node{below, below}
}
