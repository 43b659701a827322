package robdd

import (
	"context"
	"fmt"
	"sync/atomic"

	"queens/backends/crew"
)

// Converting between the two kinds, in two passes.
//
// The kinds differ only in what a skipped level means. A node f of the source, seen
// from level k, is a chain of nodes on the levels k..level(f)-1 that make the skipped
// levels explicit (in a BDD low == high, in a ZDD high == 0), and then f itself with
// its children seen from the level below. Seen from the same level, different nodes
// are different functions, so no chain node ever equals another node, and no unique
// table is needed: it is enough to know, for each f, the highest level that f is seen
// from. Only f itself may turn out to be redundant in the other kind, which its
// children show before anything is drawn.
//
// So each node's place in the result is known from counts alone, and the nodes of a
// level can be drawn in any sequence. Both passes work level by level, and divide a
// level into blocks that workers take in turn; the result does not depend on which
// worker took which block.

// Conversion is a diagram that can be drawn in the other kind.
type Conversion struct {
	d       *Diagram
	kind    Kind
	workers int
	size    int
	// top holds, for each node, how far up it is seen: the number of heights below
	// the highest level from which it is seen. A chain covers the heights from the
	// node's own (exclusive; from 0 for a terminal) up to top (exclusive). Ids 2i and
	// 2i+1 share word i, since nothing smaller can be set atomically.
	top    []uint32
	blocks []block // of the source's nodes, by id
	start  []int   // by height: its first block
}

// block is a range of nodes of one level of the source.
type block struct {
	lo, hi  uint32   // ids
	kept    int      // nodes that are not redundant in the other kind
	before  int      // those of the blocks before it on its level
	growing []uint32 // nodes whose chain continues above the level that is being drawn
	lowest  uint32   // child drawn there, see lowestChild
}

const (
	blockNodes = 1 << 13 // nodes in a block
	alone      = 1 << 12 // nodes up to which waking another worker does not pay
)

// Conversion prepares to draw the same function as a diagram of another kind, in the
// same order, with the given number of workers. It takes O(nodes) time and 2 bytes per
// node.
func (d *Diagram) Conversion(kind Kind, workers int) *Conversion {
	c := &Conversion{d: d, kind: kind, workers: workers, size: len(d.nodes)}
	if kind == d.kind {
		return c
	}
	levels := len(d.order)
	c.top = make([]uint32, len(d.nodes)/2+2)
	c.start = make([]int, levels+1)
	for h := range levels {
		for lo, hi := d.first[h], d.first[h+1]; lo < hi; {
			end := lo + min(blockNodes, hi-lo)
			c.blocks = append(c.blocks, block{lo: lo, hi: end})
			lo = end
		}
		c.start[h+1] = len(c.blocks)
	}
	c.see(d.root, uint32(levels))
	var size atomic.Int64
	for h := levels - 1; h >= 0; h-- {
		blocks := c.of(h)
		c.each(len(blocks), int(d.first[h+1]-d.first[h]), func(i int) {
			size.Add(int64(c.look(&blocks[i], uint32(h))))
		})
		kept := 0
		for i := range blocks {
			blocks[i].before = kept
			kept += blocks[i].kept
		}
	}
	c.size = int(size.Load()) + int(c.seenFrom(1))
	return c
}

// Len returns the number of nodes that the diagram will have.
func (c *Conversion) Len() int { return c.size }

// of returns the blocks of a height.
func (c *Conversion) of(h int) []block { return c.blocks[c.start[h]:c.start[h+1]] }

// each calls do for each number below n; together they stand for the given number of
// nodes.
func (c *Conversion) each(n, nodes int, do func(i int)) {
	workers := c.workers
	if nodes < alone {
		workers = 1
	}
	_ = crew.Each(workers, n, func(i int) error { do(i); return nil })
}

// see records that a node is seen from a height; heights come in descending order, so
// the first one stays. Workers that see the same node at the same time see it from
// the same height.
func (c *Conversion) see(id, h uint32) {
	word, shift := &c.top[id/2], id%2*16
	if atomic.LoadUint32(word)>>shift&0xffff == 0 && id != 0 {
		atomic.OrUint32(word, h<<shift)
	}
}

func (c *Conversion) seenFrom(id uint32) uint32 {
	return atomic.LoadUint32(&c.top[id/2]) >> (id % 2 * 16) & 0xffff
}

// stays reports whether a node of the source still has its own node in the other
// kind.
func (c *Conversion) stays(e Edges) bool {
	if c.kind == ZDD {
		return e.High != 0
	}
	return e.Low != e.High
}

// look records from where the children of a block's nodes are seen, and returns how
// many nodes the block's nodes will become, including the chains above them.
func (c *Conversion) look(b *block, h uint32) (size int) {
	for i, e := range c.d.nodes[b.lo-2 : b.hi-2] {
		c.see(e.Low, h)
		c.see(e.High, h)
		size += int(c.seenFrom(b.lo+uint32(i)) - (h + 1))
		if c.stays(e) {
			b.kept++
		}
	}
	return size + b.kept
}

// Convert returns the same function as a diagram of the given kind, in the same
// order. It takes O(size of both) time, and 6 bytes per node besides them. A
// conversion grows a diagram by at most the factor levels+1.
func (d *Diagram) Convert(kind Kind) *Diagram {
	converted, err := d.Conversion(kind, 1).Draw(context.Background())
	if err != nil {
		panic(err) // cannot happen: nothing ends it
	}
	return converted
}

// ConvertedLen returns the node count of the same function in the given kind,
// without making that diagram.
func (d *Diagram) ConvertedLen(kind Kind) int { return d.Conversion(kind, 1).Len() }

// drawing is a conversion in progress, from the bottom up.
type drawing struct {
	*Conversion
	out *Diagram
	// seen[f] is the id of f as seen from the level above the one being made:
	// heights up to h are done, and f's chain has been drawn up to there.
	seen []uint32
	// growing lists the nodes whose chain continues above height h, in pieces.
	growing []*block
}

// Draw returns the diagram, which is the same for any number of workers. It can be
// called once. It takes 4 bytes per node besides both diagrams. The error is the
// context's, or a [LimitError] when there are more nodes than ids.
func (c *Conversion) Draw(ctx context.Context) (*Diagram, error) {
	d := c.d
	if c.kind == d.kind {
		return d, nil
	}
	if uint64(c.size) > maxNodes {
		return nil, &LimitError{What: "nodes", Limit: maxNodes, Want: int64(c.size)}
	}
	levels := len(d.order)
	w := drawing{Conversion: c, seen: make([]uint32, len(d.nodes)+2), out: &Diagram{
		kind: c.kind, order: d.order, levels: d.levels, first: make([]uint32, levels+1), lowest: make([]uint32, levels),
		nodes: make([]Edges, c.size),
	}}
	w.out.first[0] = 2
	w.seen[1] = 1
	if c.seenFrom(1) > 0 {
		w.growing = append(w.growing, &block{growing: []uint32{1}})
	}
	for h := range levels {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("robdd: drawing a diagram of %d nodes: %w", c.size, err)
		}
		w.level(h)
	}
	w.out.root = w.seen[d.root]
	return w.out, nil
}

// level draws a level: its own nodes, then those of the chains that pass it. (The children
// of its own nodes are seen from its height, before the chains are extended past it.)
func (w *drawing) level(h int) {
	blocks := w.of(h)
	base := w.out.first[h]
	w.each(len(blocks), int(w.d.first[h+1]-w.d.first[h]), func(i int) {
		w.own(&blocks[i], h, base+uint32(blocks[i].before))
	})
	for i := range blocks {
		base += uint32(blocks[i].kept)
	}
	starts := make([]uint32, len(w.growing))
	end := base
	for i, b := range w.growing {
		starts[i] = end
		end += uint32(len(b.growing))
	}
	w.each(len(starts), int(end-base), func(i int) { w.chains(w.growing[i], h, starts[i]) })
	lowest := ^uint32(0)
	still := w.growing[:0]
	for _, b := range w.growing {
		lowest = min(lowest, b.lowest)
		if len(b.growing) > 0 {
			still = append(still, b)
		}
	}
	for i := range blocks {
		lowest = min(lowest, blocks[i].lowest)
		if len(blocks[i].growing) > 0 {
			still = append(still, &blocks[i])
		}
	}
	if lowest != ^uint32(0) {
		lowest++ // see lowestOf
	}
	w.growing, w.out.lowest[h], w.out.first[h+1] = still, lowest, end
}

// own draws the nodes of a block, with ids from next on.
func (w *drawing) own(b *block, h int, next uint32) {
	seen, nodes := w.seen, w.out.nodes
	for i, e := range w.d.nodes[b.lo-2 : b.hi-2] {
		id := b.lo + uint32(i)
		if int(w.seenFrom(id)) > h+1 {
			b.growing = append(b.growing, id)
		}
		stays := w.stays(e)
		e = Edges{seen[e.Low], seen[e.High]}
		if !stays {
			seen[id] = e.Low
			continue
		}
		seen[id] = next
		nodes[next-2] = e
		next++
	}
	b.lowest = lowestOf(nodes[next-2-uint32(b.kept) : next-2])
}

// chains draws one node above each of a block's growing chains, with ids from next
// on.
func (w *drawing) chains(b *block, h int, next uint32) {
	seen, both := w.seen, w.d.kind == BDD
	nodes := w.out.nodes[next-2:][:len(b.growing)]
	still := b.growing[:0]
	lowest := ^uint32(0)
	for i, f := range b.growing {
		e := Edges{Low: seen[f]}
		lowest = min(lowest, e.Low-1) // never 0: false has no chain
		if both {
			e.High = e.Low
		}
		seen[f] = next + uint32(i)
		nodes[i] = e
		if int(w.seenFrom(f)) > h+1 {
			still = append(still, f)
		}
	}
	b.growing, b.lowest = still, lowest
}
