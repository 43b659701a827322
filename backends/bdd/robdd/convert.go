package robdd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"queens/backends/crew"
)

// Converting between the two kinds.
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
// Every place in the result follows from these levels alone. The nodes of a level are
// divided into blocks, and those of a block are put in the sequence of how far up they
// are seen, the furthest first. The block then becomes a row of consecutive nodes on
// its own level and on each level that its chains pass; each row is a prefix of the one
// below, so a node has the same place in all of them. Which rows there are is known
// after one pass over the source, so the blocks can be drawn in any sequence, by several
// workers, and a chain is written without reading anything.

// Conversion is a diagram that can be drawn in the other kind.
type Conversion struct {
	d       *Diagram
	kind    Kind
	workers int
	crew    *crew.Crew // while preparing, and while drawing
	size    int
	// top holds, for each node, how far up it is seen: the number of heights below
	// the highest level from which it is seen. A chain covers the heights from the
	// node's own (exclusive; from 0 for a terminal) up to top (exclusive).
	top []uint16
	// place holds, for each node, the number of its block, times blockNodes, and its slot
	// there. Draw fills it in.
	place []uint32
	// blocks are those of the terminals false and true, then those of the nodes, by id.
	blocks []block
	bare   bool // some nodes are redundant in the other kind
	direct bool // there are no chains: see shrink.go
}

// block is a range of nodes of one level of the source, or a terminal.
type block struct {
	lo, hi uint32 // ids; none for a terminal
	height int    // -1 for a terminal
	kept   uint32 // nodes that are not redundant in the other kind: they have the first slots
	// rows holds the row of the kept nodes on each height from the block's own on, bare
	// that of the redundant ones, which have none on their own.
	rows, bare []row
	lowest     [2]uint32 // of the nodes in rows[0], and in bare[1]: see lowestOf
}

// row is a run of ids in the result.
type row struct{ start, len uint32 }

const (
	blockNodes = 1 << 13 // nodes in a block
	maxBlocks  = 1 << 32 / blockNodes
	alone      = 1 << 12 // nodes up to which waking another worker does not pay
)

// Conversion prepares to draw the same function as a diagram of another kind, in the
// same order, with the given number of workers. It takes O(nodes) time and 2 bytes per
// node, 6 with several workers.
func (d *Diagram) Conversion(kind Kind, workers int) *Conversion {
	c := &Conversion{d: d, kind: kind, workers: workers, size: len(d.nodes)}
	if kind == d.kind {
		return c
	}
	if len(d.nodes) < alone {
		c.workers = 1
	}
	c.crew = crew.New(c.workers)
	defer c.crew.Dismiss()
	c.blocks = []block{{height: -1, kept: 1}, {height: -1, kept: 1}}
	for h := range d.order {
		for lo, hi := d.first[h], d.first[h+1]; lo < hi; {
			end := lo + min(blockNodes, hi-lo)
			c.blocks = append(c.blocks, block{lo: lo, hi: end, height: h})
			lo = end
		}
	}
	if c.direct = d.skipsNothing(); c.direct {
		c.count()
		return c
	}
	views := c.look()
	for _, view := range views[1:] {
		c.top[1] = max(c.top[1], view[1])
	}
	var size, kept atomic.Int64
	_ = c.each(func(i int) error {
		b := &c.blocks[i]
		size.Add(int64(c.measure(b, views)))
		if b.hi > b.lo {
			kept.Add(int64(b.kept))
		}
		return nil
	})
	c.bare = int(kept.Load()) < len(d.nodes)
	c.size = int(size.Load()+kept.Load()) + int(c.top[1])
	return c
}

// Len returns the number of nodes that the diagram will have.
func (c *Conversion) Len() int { return c.size }

// each calls do for each block.
func (c *Conversion) each(do func(i int) error) error {
	return c.crew.Each(c.workers, len(c.blocks), do)
}

// look finds how far up the nodes of each block see their children, and counts the nodes
// that stay. A worker takes its blocks from the bottom up and notes what it sees in a view of
// its own: what it sees last is furthest up, so nothing has to be compared. There are up to
// three views: top, and two in the memory of the places, which are not needed before.
func (c *Conversion) look() (views [][]uint16) {
	c.top = uncleared[uint16](len(c.d.nodes) + 2)
	views = append(views, c.top)
	if c.workers > 1 {
		c.place = uncleared[uint32](len(c.top))
		both := unsafe.Slice((*uint16)(unsafe.Pointer(&c.place[0])), 2*len(c.place))
		views = append(views, both[:len(c.top)], both[len(c.top):])[:min(3, c.workers)]
	}
	_ = c.crew.Each(len(views), len(views), func(k int) error { clear(views[k]); return nil })
	_ = c.crew.Hire(len(views), len(c.blocks)-2, func(worker int) func(i int) error {
		view := views[worker]
		return func(i int) error {
			b := &c.blocks[i+2]
			h, kept := uint16(b.height), uint32(0)
			for _, e := range c.d.nodes[b.lo-2 : b.hi-2] {
				view[e.Low], view[e.High] = h, h
				if c.stays(e) {
					kept++
				}
			}
			b.kept = kept
			return nil
		}
	})
	c.top[c.d.root] = uint16(len(c.d.order))
	return views
}

// measure merges the views of a block's nodes, and gives its rows their lengths. It returns
// the length of its chains.
func (c *Conversion) measure(b *block, views [][]uint16) (chains int) {
	if b.lo == b.hi {
		return 0
	}
	tops := c.top[b.lo:b.hi]
	for _, view := range views[1:] {
		for i, seen := range view[b.lo:b.hi] {
			tops[i] = max(tops[i], seen)
		}
	}
	n := int(slices.Max(tops)) - b.height
	rows := make([]row, n)
	b.rows = rows
	// The kept nodes, then the redundant ones: first how many are seen from each height,
	// then from there or above.
	if b.kept == b.hi-b.lo {
		for _, top := range tops {
			rows[int(top)-b.height-1].len++
		}
	} else {
		b.bare = make([]row, n)
		for id := b.lo; id < b.hi; id++ {
			r, _ := c.last(b, id)
			r.len++
		}
	}
	for _, rows := range [2][]row{b.rows, b.bare} {
		for k := len(rows) - 2; k >= 0; k-- {
			chains += int(rows[k+1].len)
			rows[k].start = rows[k+1].len
			rows[k].len += rows[k+1].len
		}
	}
	return chains
}

// last returns the highest row of a node of a block with redundant ones, and how many slots
// of the block come before those of its rows.
func (c *Conversion) last(b *block, id uint32) (r *row, before uint32) {
	k := int(c.top[id]) - b.height - 1
	if c.stays(c.d.nodes[id-2]) {
		return &b.rows[k], 0
	}
	return &b.bare[k], b.kept
}

// stays reports whether a node of the source still has its own node in the other
// kind.
func (c *Conversion) stays(e Edges) bool {
	if c.kind == ZDD {
		return e.High != 0
	}
	return e.Low != e.High
}

// Convert returns the same function as a diagram of the given kind, in the same
// order. It takes O(size of both) time; [Conversion.Draw] says how much memory. A
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

// drawing is a conversion in progress.
type drawing struct {
	*Conversion
	out *Diagram
	own []uint32 // by id: what a redundant node is, seen from right above; nil if there is none
}

// Draw returns the diagram, which is the same for any number of workers. It can be
// called once. Besides both diagrams it takes 6 bytes per node, 4 more if any is redundant,
// and 8 per row. The error is the context's, or a [LimitError] when there are more nodes
// than ids.
func (c *Conversion) Draw(ctx context.Context) (*Diagram, error) {
	d := c.d
	if c.kind == d.kind {
		return d, nil
	}
	if uint64(c.size) > maxNodes || len(c.blocks) > maxBlocks {
		return nil, &LimitError{What: "nodes", Limit: maxNodes, Want: int64(max(c.size, len(c.blocks)*blockNodes))}
	}
	c.crew = crew.New(c.workers)
	defer c.crew.Dismiss()
	if c.direct {
		return c.shrink(ctx)
	}
	levels := len(d.order)
	if c.place == nil {
		c.place = uncleared[uint32](len(c.top))
	}
	w := drawing{Conversion: c, out: &Diagram{
		kind: c.kind, order: d.order, levels: d.levels, first: make([]uint32, levels+1), lowest: make([]uint32, levels),
		nodes: uncleared[Edges](c.size),
	}}
	w.terminals()
	err := w.each(func(i int) error { w.arrange(i); return ctx.Err() })
	if err == nil {
		w.number()
		err = w.skip(ctx)
	}
	if err == nil {
		err = w.each(func(i int) error { w.block(&w.blocks[i]); return ctx.Err() })
	}
	if err != nil {
		return nil, fmt.Errorf("robdd: drawing a diagram of %d nodes: %w", c.size, err)
	}
	w.findLowest()
	w.out.root = w.seen(d.root, levels)
	return w.out, nil
}

// uncleared returns memory with arbitrary content, unlike make, which would write all of it
// once more, and by one processor. (A Builder grows by such memory.)
func uncleared[T Edges | uint16 | uint32](n int) []T {
	var item T
	size := n * int(unsafe.Sizeof(item))
	var b strings.Builder
	b.Grow(max(1, size))
	b.WriteByte(0)
	first := unsafe.StringData(b.String())
	hugePages(unsafe.Slice(first, size))
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}

// terminals makes the rows of the terminals: false is the same from everywhere.
func (w *drawing) terminals() {
	w.blocks[0].rows = make([]row, len(w.d.order)+1)
	rows := make([]row, int(w.top[1])+1)
	for k := range rows {
		rows[k].len = 1
	}
	rows[0] = row{start: 1}
	w.blocks[1].rows = rows
	w.place[0], w.place[1] = 0, blockNodes
}

// arrange gives the nodes of a block their slots.
func (w *drawing) arrange(i int) {
	b := &w.blocks[i]
	base := uint32(i) * blockNodes
	if b.bare == nil {
		place, rows := w.place[b.lo:b.hi], b.rows
		for i, top := range w.top[b.lo:b.hi] {
			r := &rows[int(top)-b.height-1]
			place[i] = base + r.start
			r.start++
		}
		return
	}
	for id := b.lo; id < b.hi; id++ {
		r, before := w.last(b, id)
		w.place[id] = base + before + r.start
		r.start++
	}
	b.bare[0].len = 0
}

// number gives the rows their ids: on each height, the rows of its own nodes, then those
// of chains, both in the sequence of blocks.
func (w *drawing) number() {
	first := w.out.first
	next := make([]uint32, len(first)) // by height: first how many nodes, then the next one's id
	owns := func(do func(r *row, h int)) {
		for i := range w.blocks[2:] {
			b := &w.blocks[i+2]
			do(&b.rows[0], b.height)
		}
	}
	chains := func(do func(r *row, h int)) {
		for i := range w.blocks[1:] {
			b := &w.blocks[i+1]
			for _, rows := range [2][]row{b.rows, b.bare} {
				for k := 1; k < len(rows); k++ {
					do(&rows[k], b.height+k)
				}
			}
		}
	}
	count := func(r *row, h int) { next[h] += r.len }
	give := func(r *row, h int) { r.start, next[h] = next[h], next[h]+r.len }
	owns(count)
	chains(count)
	id := uint32(2)
	for h := range next {
		first[h], next[h], id = id, id, id+next[h]
	}
	owns(give)
	chains(give)
}

// seen returns the id of a node of the source as seen from a height.
func (w *drawing) seen(id uint32, h int) uint32 {
	place := w.place[id]
	b, slot := &w.blocks[place/blockNodes], place%blockNodes
	k := h - 1 - b.height
	switch {
	case slot < b.kept:
		return b.rows[k].start + slot
	case k == 0:
		return w.own[id]
	}
	return b.bare[k].start + slot - b.kept
}

// skip finds what redundant nodes are, seen from right above, from the bottom up.
func (w *drawing) skip(ctx context.Context) error {
	if !w.bare {
		return nil
	}
	w.own = make([]uint32, len(w.place))
	for rest := w.blocks[2:]; len(rest) > 0; {
		h, n := rest[0].height, 1
		for n < len(rest) && rest[n].height == h {
			n++
		}
		err := w.crew.Each(w.workers, n, func(i int) error {
			b := &rest[i]
			for id := b.lo; id < b.hi && b.bare != nil; id++ {
				if w.place[id]%blockNodes >= b.kept {
					w.own[id] = w.seen(w.d.nodes[id-2].Low, h)
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// block draws the rows of a block.
func (w *drawing) block(b *block) {
	b.lowest = [2]uint32{^uint32(0), ^uint32(0)}
	if b.lo < b.hi {
		w.nodes(b)
	}
	w.chains(b.rows, 1)
	w.chains(b.bare, 2)
}

// nodes draws the nodes of a block that are not like those below them in their chain: the
// kept ones, and the lowest of a redundant node's chain.
func (w *drawing) nodes(b *block) {
	own := w.out.nodes[b.rows[0].start-2:][:b.rows[0].len]
	var bare []Edges
	if len(b.bare) > 1 {
		bare = w.out.nodes[b.bare[1].start-2:][:b.bare[1].len]
	}
	for i, e := range w.d.nodes[b.lo-2 : b.hi-2] {
		id := b.lo + uint32(i)
		if slot := w.place[id] % blockNodes; slot < b.kept {
			own[slot] = Edges{w.seen(e.Low, b.height), w.seen(e.High, b.height)}
		} else if slot -= b.kept; int(slot) < len(bare) {
			bare[slot] = w.link(w.own[id])
		}
	}
	b.lowest = [2]uint32{lowestOf(own), lowestOf(bare)}
}

// chains draws rows of chains, from the k-th on.
func (w *drawing) chains(rows []row, k int) {
	for ; k < len(rows) && rows[k].len > 0; k++ {
		nodes := w.out.nodes[rows[k].start-2:][:rows[k].len]
		for i := range nodes {
			nodes[i] = w.link(rows[k-1].start + uint32(i))
		}
	}
}

// link returns the node of a chain above another node.
func (w *drawing) link(below uint32) Edges {
	if w.kind == BDD {
		return Edges{Low: below}
	}
	return Edges{below, below}
}

// findLowest finds the lowest child of each height from those of the rows.
func (w *drawing) findLowest() {
	lowest := w.out.lowest
	for h := range lowest {
		lowest[h] = ^uint32(0)
	}
	for i := range w.blocks[1:] {
		b := &w.blocks[i+1]
		for kind, rows := range [2][]row{b.rows, b.bare} {
			for k, r := range rows {
				switch h := b.height + k; {
				case r.len == 0 || h < 0:
				case k == kind:
					lowest[h] = min(lowest[h], b.lowest[kind])
				default:
					lowest[h] = min(lowest[h], rows[k-1].start-1)
				}
			}
		}
	}
	for h := range lowest {
		if lowest[h] != ^uint32(0) {
			lowest[h]++
		}
	}
}
