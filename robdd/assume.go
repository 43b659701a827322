package robdd

import (
	"context"
	"fmt"
	"math/bits"
)

// under is a diagram under assumptions, which leave the nodes and edges on a path from the root to a
// solution.
//
// One pass down finds the nodes that the allowed edges reach, and one pass up finds which of them have a
// solution below. Nodes that are not reached are never visited, so the cost of a question is
// proportional to what its assumptions reach. A caller that knows further literals that must hold, say
// from unit propagation, can reduce it by assuming them too.
//
// The nodes reached are kept in bit sets; Possible keeps them in a list while they are few.
type under struct {
	d     *Diagram
	value []int8   // by height: 0 free, 1 assumed true, -1 assumed false
	trues []uint64 // of a ZDD, by height/64: a bit for each variable assumed true
	floor []uint32 // by height: floorAt, once setFloor has been called
	some  bool     // some variable is assumed
	end   int      // nodes below this height are not visited; 0 unless there is an annotation

	bits nodeBits

	seen []uint8  // by height: the values on edges from there that lead to nodes with a solution below
	deep []uint16 // by height: the least top of a child of these edges, that is, how far down they lead
}

// The top of a node is its height plus one; the top of a terminal is 0.

// canBeFalse, canBeTrue and canBeBoth say which values a variable can have.
const (
	canBeTrue uint8 = 1 << iota
	canBeFalse
	canBeBoth = canBeTrue | canBeFalse
)

func newUnder(d *Diagram) under {
	n := len(d.order)
	return under{
		d: d, value: make([]int8, n), trues: make([]uint64, n/64+1), floor: make([]uint32, n+1),
		seen: make([]uint8, n), deep: make([]uint16, n),
	}
}

// Bytes returns the working memory that is kept between questions, in bytes.
func (u *under) Bytes() int64 {
	return int64(cap(u.value)+8*cap(u.trues)+4*cap(u.floor)+cap(u.seen)+2*cap(u.deep)) + u.bits.bytes()
}

// assume sets the assumptions. It returns false if there is plainly no solution: the diagram is false, or
// two literals contradict each other.
func (u *under) assume(lits []Lit) (possible bool, err error) {
	clear(u.value)
	clear(u.trues)
	u.some, u.end = len(lits) > 0, 0
	possible = u.d.root != 0
	for _, l := range lits {
		v := l.Var()
		if v < 1 || int(v) > len(u.value) {
			return false, fmt.Errorf("robdd: assuming literal %d: variables are 1..%d", l, len(u.value))
		}
		h := len(u.value) - 1 - int(u.d.levels[v-1])
		if l < 0 {
			possible = possible && u.value[h] <= 0
			u.value[h] = -1
		} else {
			possible = possible && u.value[h] >= 0
			u.assumeTrue(h)
		}
	}
	return possible, nil
}

func (u *under) assumeTrue(h int) {
	u.value[h] = 1
	if u.d.kind == ZDD {
		u.trues[h>>6] |= 1 << (h & 63)
	}
}

// floorAt returns the lowest id to which an edge from a height can lead: in a ZDD an edge that skips a
// height says false there, so it may not skip a variable that is assumed true.
func (u *under) floorAt(h int) uint32 {
	w := h >> 6
	for below := u.trues[w] & (1<<(h&63) - 1); ; below = u.trues[w] {
		if below != 0 {
			return u.d.first[w<<6+bits.Len64(below)-1]
		}
		if w--; w < 0 {
			return 1
		}
	}
}

// setFloor fills in floor, for a pass over all heights.
func (u *under) setFloor() {
	floor := uint32(1)
	for h := range u.value {
		u.floor[h] = floor
		if u.trues[h>>6]>>(h&63)&1 != 0 {
			floor = u.d.first[h]
		}
	}
	u.floor[len(u.value)] = floor
}

// allowed returns, for nodes at height h, the lowest low child and the lowest high child that the
// assumptions allow. Edges to lower ids count as edges to 0.
func (u *under) allowed(h int) (low, high uint32) {
	low, high = u.floor[h], u.floor[h]
	if u.value[h] > 0 {
		low = ^uint32(0)
	}
	if u.value[h] < 0 {
		high = ^uint32(0)
	}
	return low, high
}

// from returns the edges with children below low and high replaced by 0.
func (e Node) from(low, high uint32) Node {
	if e.Low < low {
		e.Low = 0
	}
	if e.High < high {
		e.High = 0
	}
	return e
}

// rest returns the diagram that the assumptions leave, with its nodes renumbered. It is not reduced: an
// assumed level keeps its nodes.
func (u *under) rest(ctx context.Context) (*Diagram, error) {
	u.setFloor()
	r := &Diagram{kind: u.d.kind, order: u.d.order, levels: u.d.levels, first: make([]uint32, len(u.d.first))}
	if _, err := u.bits.reach(ctx, u, len(u.d.nodes)); err != nil {
		return nil, err
	}
	if err := u.bits.findAlive(ctx, u); err != nil {
		return nil, err
	}
	u.bits.copyTo(r, u)
	return r, nil
}

// Left returns what assumptions leave of a diagram, by id: each node's edges, with forbidden children replaced
// by 0, and whether these edges put the node on a path from the root to true.
func (d *Diagram) Left(ctx context.Context, assume []Lit) (edges []Node, live []bool, err error) {
	u := newUnder(d)
	possible, err := u.assume(assume)
	if err != nil {
		return nil, nil, err
	}
	u.setFloor()
	if _, err = u.bits.reach(ctx, &u, len(d.nodes)); err == nil {
		err = u.bits.findAlive(ctx, &u)
	}
	edges, live = make([]Node, len(d.nodes)+2), make([]bool, len(d.nodes)+2)
	for h := range u.value {
		low, high := u.allowed(h)
		for id := d.first[h]; id < d.first[h+1]; id++ {
			edges[id], live[id] = d.nodes[id-2].from(low, high), possible && u.bits.isAlive(id)
		}
	}
	live[1] = possible && u.bits.reached[0]&2 != 0
	return edges, live, err
}

// topOf returns the top of a child of a node at height h.
func (d *Diagram) topOf(h int, child uint32) int {
	if child < 2 {
		return 0
	}
	return d.heightBelow(h, child) + 1
}

// heightBelow returns the height of a node with id >= 2 that lies below height h. It searches from h
// down, since children usually lie close below.
func (d *Diagram) heightBelow(h int, id uint32) int {
	lo, hi := h-1, h // first[hi] > id, or hi is h
	for step := 1; d.first[lo] > id; step *= 2 {
		lo, hi = max(0, lo-step), lo
	}
	for lo+1 < hi {
		if middle := (lo + hi) / 2; d.first[middle] > id {
			hi = middle
		} else {
			lo = middle
		}
	}
	return lo
}

// ended returns an error if the context has ended.
func (d *Diagram) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(d.nodes), err)
	}
	return nil
}
