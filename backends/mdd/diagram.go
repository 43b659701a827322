package mdd

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Diagram is a reduced multi-valued decision diagram of the solutions of a problem. Level r decides
// which variable of line r is true, so every path from the root to the terminal passes every level, and
// represents one solution. Nodes without a solution below are not stored.
//
// A Diagram never changes, so goroutines may share it.
type Diagram struct {
	OrderName string // the name of the variable order, for display; the caller who chose the order sets it

	problem encode.Problem
	lines   [][]cnf.Var // by level
	place   []place     // by variable-1

	// The nodes, level by level from the top: those of level r are first[r] <= id < first[r+1]. The root
	// has id 0. The terminal's id is the number of nodes, which is first[len(lines)].
	first []uint32
	nodes []node
	edges []uint32 // the children of all nodes
	empty bool     // there is no solution, and no node

	keeps [][]keep // by variable-1: the values that other lines keep when the variable is true
	turns []turn   // the first is the identity

	construction string
	stats        bdd.Stats
	limit        int64 // in bytes; 0: no limit
	packing      packing
	mutex        sync.Mutex
	below        []uint64 // the annotation; nil until a question needs it
}

// keep is a line and the set of values that it keeps.
type keep struct {
	level  int
	values uint64
}

// place is the place of a variable: its line's level, and its value in that line.
type place struct{ level, value uint16 }

// node is a node: a bit for each value that has an edge, and the index in the diagram's edges of the
// child of the lowest value. The other children follow it.
type node struct {
	values uint64
	first  uint32
}

// child returns the index, in the diagram's edges, of the child of a value that has an edge.
func (n *node) child(value uint64) uint32 {
	return n.first + uint32(bits.OnesCount64(n.values&(value-1)))
}

// children returns the children of a node, that of the lowest value first.
func (d *Diagram) children(n *node) []uint32 {
	return d.edges[n.first:][:bits.OnesCount64(n.values)]
}

// Compile makes the diagram of a problem. The order of its lines follows from the variable order.
//
// It compiles a ZDD in an order that goes line by line, and reads the diagram off it one line at a time
// (see read). Building the diagram directly from the top down, from the sets of values that are still
// free, would repeat the construction free-set and gain nothing: those states are the nodes at which the
// ZDD enters a line. And where listing solutions is faster than free-set, the ZDD can be made that way.
func Compile(ctx context.Context, p encode.Problem, o order.Order, options bdd.Options) (*Diagram, error) {
	lines, err := linesOf(p, o)
	if err != nil {
		return nil, err
	}
	compiled, err := bdd.Compile(ctx, p, slices.Concat(lines...), options)
	if err != nil {
		return nil, err
	}
	zdd, err := compiled.As(ctx, robdd.ZDD)
	if err != nil {
		return nil, err
	}
	d := &Diagram{
		problem: p, lines: lines, place: make([]place, p.NumVars()), limit: options.MaxBytes, packing: pack(lines),
	}
	for r, line := range lines {
		for i, v := range line {
			d.place[v-1] = place{uint16(r), uint16(i)}
		}
	}
	if err := d.read(ctx, zdd); err != nil {
		return nil, fmt.Errorf("reading the multi-valued diagram of %s: %w", p, err)
	}
	d.construction = compiled.Construction
	d.stats = compiled.Stats()
	d.stats.PeakBytes = max(d.stats.PeakBytes, uint64(zdd.Bytes()+6*int64(zdd.Len())+d.Bytes()))
	d.exclude()
	d.turns = turnsOf(d)
	return d, nil
}

// read makes the nodes from a ZDD of the same function in an order that goes line by line.
//
// A path of the ZDD has exactly one high edge on a line's levels. So the nodes of a line are the ZDD
// nodes at which a path enters it, and a node's edges are the high edges along its chain of low edges.
// Equal functions are one node of the ZDD, so the result is reduced as well.
func (d *Diagram) read(ctx context.Context, zdd *robdd.Diagram) error {
	level := make([]uint16, zdd.Len()+2)  // by id in the ZDD
	number := make([]uint32, zdd.Len()+2) // by id in the ZDD: the id here, 0 if there is none yet
	for l := range zdd.Vars() {
		for id, end := zdd.Level(l); id < end; id++ {
			level[id] = uint16(l)
		}
	}
	if d.empty = zdd.Root() == 0; d.empty {
		d.first = make([]uint32, len(d.lines)+1)
		return nil
	}
	here, start := []uint32{zdd.Root()}, 0 // ZDD ids of the nodes of a level, and its first ZDD level
	for _, line := range d.lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		var below []uint32
		next := uint32(len(d.nodes) + len(here)) // the id of the first node of the level below
		d.first = append(d.first, uint32(len(d.nodes)))
		for _, id := range here {
			n := node{first: uint32(len(d.edges))}
			for ; id > 1; id = zdd.Node(id).Low {
				n.values |= 1 << (int(level[id]) - start)
				high := zdd.Node(id).High
				if number[high] == 0 {
					number[high] = next + uint32(len(below))
					below = append(below, high)
				}
				d.edges = append(d.edges, number[high])
			}
			d.nodes = append(d.nodes, n)
		}
		if err := d.fits(zdd.Bytes() + 6*int64(len(level)) + 4*int64(cap(below))); err != nil {
			return err
		}
		if len(d.edges) > math.MaxUint32-maxValues {
			return &robdd.LimitError{What: "edges", Limit: math.MaxUint32, Want: int64(len(d.edges))}
		}
		here, start = below, start+len(line)
	}
	d.first = append(d.first, uint32(len(d.nodes)))
	return nil
}

// exclude computes, for every variable, the values that other lines keep when it is true.
func (d *Diagram) exclude() {
	constraints := make([][]encode.Constraint, d.problem.NumVars()) // by variable-1
	for _, c := range d.problem.Constraints {
		for _, l := range c.Lits {
			if c.Bound != encode.AtLeastOne && l.Positive() && int(l) <= len(constraints) {
				constraints[l-1] = append(constraints[l-1], c)
			}
		}
	}
	d.keeps = make([][]keep, len(constraints))
	for v, in := range constraints {
		gone := make([]uint64, len(d.lines))
		for _, c := range in {
			for _, l := range c.Lits {
				if l.Positive() && int(l) <= len(constraints) && int(l) != v+1 {
					at := d.place[l-1]
					gone[at.level] |= 1 << at.value
				}
			}
		}
		for r, values := range gone {
			if values != 0 {
				d.keeps[v] = append(d.keeps[v], keep{r, ^values})
			}
		}
	}
}

// Construction returns the name of the construction that made the ZDD.
func (d *Diagram) Construction() string { return d.construction }

// Stats returns the cost of the construction, including the ZDD.
func (d *Diagram) Stats() bdd.Stats { return d.stats }

// Len returns the number of nodes, without the terminal.
func (d *Diagram) Len() int { return len(d.nodes) }

// Edges returns the number of edges. The diagram has no edges to false.
func (d *Diagram) Edges() int { return len(d.edges) }

// Widths returns the number of nodes of each level, from the top.
func (d *Diagram) Widths() []int {
	widths := make([]int, len(d.lines))
	for r := range widths {
		widths[r] = int(d.first[r+1] - d.first[r])
	}
	return widths
}

// fits returns an error if the limit does not allow the given number of bytes in addition to the nodes
// and edges.
func (d *Diagram) fits(more int64) error {
	if want := d.Bytes() + more; d.limit > 0 && want > d.limit {
		return &robdd.LimitError{What: "bytes", Limit: d.limit, Want: want}
	}
	return nil
}

// Bytes returns the memory of the nodes and edges, without the annotation.
func (d *Diagram) Bytes() int64 { return 16*int64(cap(d.nodes)) + 4*int64(cap(d.edges)) }
