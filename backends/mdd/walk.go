package mdd

import (
	"context"
	"fmt"
	"slices"

	"queens/encode/cnf"
)

// walk is the part of a diagram that a question's assumptions leave. It serves one question after
// another.
//
// Assumptions restrict the values of lines. The walk visits the nodes reached by paths with these
// values. It ends below the last line with an assumption: from there on every node has a solution below
// it, since the diagram stores no other nodes. So the cost of a question is the number of nodes that its
// assumptions reach down to there, and is least if they are about the first lines.
type walk struct {
	*Diagram
	all     []uint64 // by level: the values of the line
	allowed []uint64 // by level: the values that the assumptions leave
	last    int      // the level below the last assumption
	end     int      // the level at which the walk ends: last, or the terminal's
	turn    *turn    // maps the question's variables before it is asked

	reached [][]uint32 // by level down to end: the nodes
	fork    int        // the level below which there are several ways
	mark    []uint32   // by id: tick if the walk has reached the node, tick+1 if it also has a solution below
	tick    uint32
	visited int      // nodes that the walk has reached
	shown   []uint64 // by level above end: the values that solutions have
}

func newWalk(d *Diagram) *walk {
	w := &walk{
		Diagram: d, all: make([]uint64, len(d.lines)), allowed: make([]uint64, len(d.lines)), turn: &d.turns[0], shown: make([]uint64, len(d.lines)),
		reached: make([][]uint32, len(d.lines)+1), mark: make([]uint32, d.ids()),
	}
	for r, line := range d.lines {
		w.all[r] = ^uint64(0) >> (maxValues - len(line))
	}
	return w
}

// bytes returns the memory that the walk keeps.
func (w *walk) bytes() int64 {
	n := int64(cap(w.mark))
	for _, ids := range w.reached {
		n += int64(cap(ids))
	}
	return 4*n + 24*int64(cap(w.all))
}

// assume sets the assumptions, and lets the walk end below the last line with one. It returns false if
// they leave some line above without a value. It need not restrict the lines below: every node there has
// only values that are consistent with the true variables above.
func (w *walk) assume(assume []cnf.Lit) (possible bool) {
	w.last, w.visited = 0, 0
	for _, l := range assume {
		w.last = max(w.last, int(w.turn.at[l.Var()-1].level)+1)
	}
	w.end = w.last
	copy(w.allowed, w.all)
	allowed := w.allowed[:w.last]
	for _, l := range assume {
		at := w.turn.at[l.Var()-1]
		if !l.Positive() {
			allowed[at.level] &^= 1 << at.value
			continue
		}
		k := &w.keeps[w.lines[at.level][at.value]-1]
		for i, values := range k.values[:min(len(k.values), max(0, w.last-k.first))] {
			allowed[k.first+i] &= values
		}
	}
	return !w.empty && !slices.Contains(allowed, 0)
}

// down finds the nodes that the assumptions reach, on the levels down to w.end.
func (w *walk) down(ctx context.Context) error {
	if w.tick += 2; w.tick == 0 {
		clear(w.mark)
		w.tick = 2
	}
	at := w.trunk()
	w.reached[w.fork] = append(w.reached[w.fork][:0], at)
	for r := w.fork; r < w.end; r++ {
		if err := ctx.Err(); err != nil {
			return w.stopped(err)
		}
		w.visited += len(w.reached[r])
		allowed, below := w.allowed[r], w.reached[r+1][:0]
		for _, at := range w.reached[r] {
			n := w.node(at)
			for values := n.values() & allowed; values != 0; values &= values - 1 {
				child := n.child(values & -values)
				if mark := &w.mark[id(child)]; *mark != w.tick {
					*mark = w.tick
					below = append(below, child)
				}
			}
		}
		w.reached[r+1] = below
	}
	if w.end < len(w.lines) { // the terminal does not count
		w.visited += len(w.reached[w.end])
	}
	return nil
}

// trunk follows the path from the root while it is the only one. It sets w.fork to the level at which this ends,
// and returns the node there.
func (w *walk) trunk() (at uint32) {
	for w.fork = 0; w.fork < w.end; w.fork++ {
		n := w.node(at)
		value := n.values() & w.allowed[w.fork]
		if value == 0 || value&(value-1) != 0 {
			break
		}
		w.reached[w.fork] = append(w.reached[w.fork][:0], at)
		w.shown[w.fork] = value
		at = n.child(value)
	}
	w.visited = w.fork
	return at
}

// up finds which of the reached nodes have a solution below, from w.fork down, and sets w.shown to the values
// that solutions have on their levels. It returns false if there is no solution.
func (w *walk) up(ctx context.Context) (possible bool, err error) {
	alive := w.tick + 1
	for _, at := range w.reached[w.end] {
		w.mark[id(at)] = alive
	}
	for r := w.end - 1; r >= w.fork; r-- {
		if err := ctx.Err(); err != nil {
			return false, w.stopped(err)
		}
		allowed, shown := w.allowed[r], uint64(0)
		for _, at := range w.reached[r] {
			n, some := w.node(at), uint64(0)
			for values := n.values() & allowed; values != 0; values &= values - 1 {
				if value := values & -values; w.alive(n.child(value)) {
					some |= value
				}
			}
			if some != 0 {
				w.mark[id(at)] = alive
				shown |= some
			}
		}
		w.shown[r] = shown
	}
	return w.alive(w.reached[w.fork][0]), nil
}

// alive reports whether a node that the walk has reached has a solution below.
func (w *walk) alive(at uint32) bool { return w.mark[id(at)] == w.tick+1 }

func (d *Diagram) stopped(err error) error {
	return fmt.Errorf("walking a multi-valued diagram of %d nodes: %w", d.Len(), err)
}
