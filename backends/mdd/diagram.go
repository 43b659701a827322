package mdd

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sync"

	"queens/backends"
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

	// The nodes, level by level from the top: those of level r begin at first[r], the root at 0. The terminal is
	// the last. A node holds its edges, so that a path reads little memory.
	words  []uint32
	first  []uint32
	widths []int // by level: the number of nodes
	count  int   // of all nodes but the terminal
	empty  bool  // there is no solution, and no node but the terminal

	keeps []keep // by variable-1: the values that lines keep when the variable is true
	turns []turn // the first is the identity

	construction string
	stats        bdd.Stats
	limit        int64 // in bytes; 0: no limit
	mutex        sync.Mutex
	below        []uint64 // the annotation; nil until a question needs it
}

// keep is the values that each line keeps, from the first line that loses some to the last.
type keep struct {
	first  int // level
	values []uint64
}

// place is the place of a variable: its line's level, and its value in that line.
type place struct{ level, value uint16 }

// node is a node: two words with a bit for each value that has an edge, and its children, that of the lowest
// value first. A node is given by the index of its first word.
type node []uint32

const head = 2 // words before the children

func (d *Diagram) node(at uint32) node { return d.words[at:] }

func (n node) values() uint64 { return uint64(n[1])<<32 | uint64(n[0]) }

// id returns a node's index in tables over all nodes, which have length d.ids(). Nodes have different ones,
// since each has at least one child, and so three words.
func id(at uint32) int { return int(at / (head + 1)) }

// ids returns the length of a table by id: an entry for each node, and some that stay empty.
func (d *Diagram) ids() int { return len(d.words)/(head+1) + 1 }

// child returns the child of a value that has an edge.
func (n node) child(value uint64) uint32 { return n[head+bits.OnesCount64(n.values()&(value-1))] }

func (n node) children() []uint32 { return n[head:][:bits.OnesCount64(n.values())] }

// level returns the nodes of a level.
func (d *Diagram) level(r int) iter.Seq2[uint32, node] {
	return func(yield func(uint32, node) bool) {
		for at := d.first[r]; at < d.first[r+1] && yield(at, d.node(at)); at += uint32(head + len(d.node(at).children())) {
		}
	}
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
		problem: p, lines: lines, place: make([]place, p.NumVars()), limit: options.MaxBytes,
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
		d.first, d.words, d.widths = make([]uint32, len(d.lines)+1), make([]uint32, head), make([]int, len(d.lines))
		return nil
	}
	here, start := []uint32{zdd.Root()}, 0 // ZDD ids of the nodes of a level, and its first ZDD level
	var at []uint32                        // by id
	for _, line := range d.lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		var below []uint32
		next := uint32(len(at) + len(here)) // the id of the first node of the level below
		d.first = append(d.first, uint32(len(d.words)))
		d.widths, d.count = append(d.widths, len(here)), d.count+len(here)
		for _, id := range here {
			n, values := len(d.words), uint64(0)
			d.words = append(d.words, 0, 0)
			at = append(at, uint32(n))
			for ; id > 1; id = zdd.Node(id).Low {
				values |= 1 << (int(level[id]) - start)
				high := zdd.Node(id).High
				if number[high] == 0 {
					number[high] = next + uint32(len(below))
					below = append(below, high)
				}
				d.words = append(d.words, number[high])
			}
			d.words[n], d.words[n+1] = uint32(values), uint32(values>>32)
		}
		if err := d.fits(zdd.Bytes() + 6*int64(len(level)) + 4*int64(cap(below)+cap(at))); err != nil {
			return err
		}
		if len(d.words) > math.MaxUint32-head {
			return &backends.LimitError{What: "words", Limit: math.MaxUint32, Want: int64(len(d.words))}
		}
		here, start = below, start+len(line)
	}
	at = append(at, uint32(len(d.words)))
	d.first = append(d.first, uint32(len(d.words)))
	d.words = append(d.words, 0, 0) // the terminal
	for r := range d.lines {
		for _, n := range d.level(r) {
			for i, child := range n.children() {
				n.children()[i] = at[child]
			}
		}
	}
	return nil
}

// exclude computes, for every variable, the values that lines keep when it is true.
func (d *Diagram) exclude() {
	constraints := make([][]encode.Constraint, d.problem.NumVars()) // by variable-1
	for _, c := range d.problem.Constraints {
		for _, l := range c.Lits {
			if c.Excludes() && l.Positive() && int(l) <= len(constraints) {
				constraints[l-1] = append(constraints[l-1], c)
			}
		}
	}
	d.keeps = make([]keep, len(constraints))
	for v, in := range constraints {
		kept, from, to := slices.Repeat([]uint64{^uint64(0)}, len(d.lines)), len(d.lines), 0
		for _, c := range in {
			for _, l := range c.Lits {
				if l.Positive() && int(l) <= len(constraints) && int(l) != v+1 {
					at := d.place[l-1]
					kept[at.level] &^= 1 << at.value
					from, to = min(from, int(at.level)), max(to, int(at.level)+1)
				}
			}
		}
		if from < to {
			d.keeps[v] = keep{from, slices.Clone(kept[from:to])}
		}
	}
}

// Construction returns the name of the construction that made the ZDD.
func (d *Diagram) Construction() string { return d.construction }

// Stats returns the cost of the construction, including the ZDD.
func (d *Diagram) Stats() bdd.Stats { return d.stats }

// Len returns the number of nodes, without the terminal.
func (d *Diagram) Len() int { return d.count }

// Edges returns the number of edges. The diagram has no edges to false.
func (d *Diagram) Edges() int { return len(d.words) - head*(d.count+1) }

// Widths returns the number of nodes of each level, from the top.
func (d *Diagram) Widths() []int { return slices.Clone(d.widths) }

// fits returns an error if the limit does not allow the given number of bytes in addition to the nodes
// and edges.
func (d *Diagram) fits(more int64) error {
	if want := d.Bytes() + more; d.limit > 0 && want > d.limit {
		return &backends.LimitError{What: "bytes", Limit: d.limit, Want: want}
	}
	return nil
}

// Bytes returns the memory of the nodes and edges, without the annotation.
func (d *Diagram) Bytes() int64 { return 4 * int64(cap(d.words)) }
