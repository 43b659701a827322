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
// Assumptions restrict the values of lines. A pass down finds the nodes reached by paths with these
// values. It ends below the last line with an assumption: from there on every node has a solution below
// it, since the diagram stores no other nodes. So the cost of a question is the number of nodes that its
// assumptions reach above that line, and is least if they are about the first lines.
type walk struct {
	*Diagram
	all     []uint64 // by level: the values of the line
	allowed []uint64 // by level: the values that the assumptions leave
	last    int      // the level below the last assumption
	end     int      // the level at which the pass down ends: last, or the terminal's
	turn    *turn    // maps the question's variables before it is asked

	reached [][]uint32 // by level down to end: the ids
	mark    []uint32   // by id: tick if the walk has reached the node, tick+1 if it also has a solution below
	tick    uint32
	visited int      // nodes that the walk has reached
	shown   []uint64 // by level above end: the values that solutions have
}

func newWalk(d *Diagram) *walk {
	w := &walk{
		Diagram: d, all: make([]uint64, len(d.lines)), allowed: make([]uint64, len(d.lines)), turn: &d.turns[0], shown: make([]uint64, len(d.lines)),
		reached: make([][]uint32, len(d.lines)+1), mark: make([]uint32, len(d.nodes)+1),
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
		w.last = max(w.last, int(w.turn.level[l.Var()-1])+1)
	}
	w.end = w.last
	copy(w.allowed, w.all)
	allowed := w.allowed[:w.last]
	for _, l := range assume {
		v := w.turn.image[l.Var()-1]
		at := w.place[v-1]
		if !l.Positive() {
			allowed[at.level] &^= 1 << at.value
			continue
		}
		allowed[at.level] &= 1 << at.value
		for _, k := range w.keeps[v-1] {
			if k.level >= len(allowed) {
				break // they are sorted
			}
			allowed[k.level] &= k.values
		}
	}
	return !w.empty && !slices.Contains(allowed, 0)
}

// down finds the nodes that the assumptions reach, on the levels down to w.end. It returns false if
// there are none at w.end.
func (w *walk) down(ctx context.Context) (bool, error) {
	if w.tick += 2; w.tick == 0 {
		clear(w.mark)
		w.tick = 2
	}
	w.reached[0] = append(w.reached[0][:0], 0) // the root
	for r := range w.end {
		if err := ctx.Err(); err != nil {
			return false, w.stopped(err)
		}
		w.visited += len(w.reached[r])
		allowed, below := w.allowed[r], w.reached[r+1][:0]
		for _, id := range w.reached[r] {
			n := &w.nodes[id]
			for values := n.values & allowed; values != 0; values &= values - 1 {
				child := w.edges[n.child(values&-values)]
				if w.mark[child] != w.tick {
					w.mark[child] = w.tick
					below = append(below, child)
				}
			}
		}
		w.reached[r+1] = below
	}
	if w.end < len(w.lines) { // the terminal does not count
		w.visited += len(w.reached[w.end])
	}
	return len(w.reached[w.end]) > 0, nil
}

// up finds which of the reached nodes have a solution below, and sets w.shown to the values that
// solutions have on their levels.
func (w *walk) up(ctx context.Context) error {
	alive := w.tick + 1
	for _, id := range w.reached[w.end] {
		w.mark[id] = alive
	}
	for r := w.end - 1; r >= 0; r-- {
		if err := ctx.Err(); err != nil {
			return w.stopped(err)
		}
		allowed, shown := w.allowed[r], uint64(0)
		for _, id := range w.reached[r] {
			n, some := &w.nodes[id], uint64(0)
			for values := n.values & allowed; values != 0; values &= values - 1 {
				value := values & -values
				if w.mark[w.edges[n.child(value)]] == alive {
					some |= value
				}
			}
			if some != 0 {
				w.mark[id] = alive
				shown |= some
			}
		}
		w.shown[r] = shown
	}
	return nil
}

// alive reports whether a node that the walk has reached has a solution below.
func (w *walk) alive(id uint32) bool { return w.mark[id] == w.tick+1 }

// noneTrue returns the assignment that makes every variable false.
func (d *Diagram) noneTrue() []cnf.Lit {
	model := make([]cnf.Lit, len(d.place))
	for i := range model {
		model[i] = -cnf.Lit(i + 1)
	}
	return model
}

func (d *Diagram) stopped(err error) error {
	return fmt.Errorf("walking a multi-valued diagram of %d nodes: %w", len(d.nodes), err)
}
