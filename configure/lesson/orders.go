package lesson

import (
	"context"
	"strings"
	"time"

	"queens/ask"
	"queens/backends/bdd"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// maxProfiles is the maximum number of orders in one question.
const maxProfiles = 4

// Profile is the diagram of a board in one variable order, level by level.
type Profile struct {
	Order string `json:"order"` // a name, or all cells from the top level down
	// Levels holds each cell's level in the order, row by row, from 0 at the top.
	Levels []int `json:"levels"`
	Nodes  int   `json:"nodes"`
	// Widths is the number of nodes on each level, the top level first.
	Widths []int `json:"widths"`
	// Reached is, for each level, the number of nodes on a path from the root to
	// true that the placement allows.
	Reached      []int   `json:"reached"`
	ReachedTotal int     `json:"reached_total"`
	Compile      float64 `json:"compile"`  // seconds, the median
	Compiles     int     `json:"compiles"` // times that it was compiled
}

// Profiles returns the diagrams of one placement's board in several variable orders.
func Profiles(ctx context.Context, warm *pool.Pool, state configure.State, orders []string) ([]Profile, error) {
	if len(orders) < 1 || len(orders) > maxProfiles {
		return nil, badInput("%d orders: expected 1 to %d", len(orders), maxProfiles)
	}
	var list []Profile
	for _, name := range orders {
		compiled, o, first, err := compiledIn(ctx, warm, state.N, name)
		if err != nil {
			return nil, err
		}
		took, times := repeated([]float64{first}, func() (float64, error) {
			if !strings.Contains(name, ",") {
				return warm.Recompile(ctx, state.N, name)
			}
			_, _, took, err := compiledIn(ctx, warm, state.N, name)
			return took, err
		})
		diagram, err := compiled.As(ctx, robdd.BDD)
		if err != nil {
			return nil, err
		}
		p := Profile{
			Order: name, Levels: o.Levels(), Nodes: diagram.Len(), Widths: diagram.Widths(),
			Compile: took, Compiles: times, Reached: make([]int, diagram.Vars()),
		}
		_, live := reach(diagram, state)
		for id, level := range levels(diagram) {
			if id > 1 && live[id] {
				p.Reached[level]++
				p.ReachedTotal++
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// compiledIn returns the diagram in an order and the seconds that it took to compile. The diagram comes
// from the pool for a named order; for an order given cell by cell it is compiled here.
func compiledIn(
	ctx context.Context, warm *pool.Pool, n int, name string,
) (*bdd.Compiled, order.Order, float64, error) {
	if !strings.Contains(name, ",") {
		d, err := warm.Compile(ctx, n, name)
		if err != nil {
			return nil, nil, 0, err
		}
		return d.Compiled, d.Order, d.Seconds, nil
	}
	if n > MaxOwn {
		return nil, nil, 0, badInput("board size n = %d: a custom order is drawn for 1 to %d", n, MaxOwn)
	}
	o, err := orderOf(n, name)
	if err != nil {
		return nil, nil, 0, err
	}
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, nil, 0, err
	}
	start := time.Now()
	made, err := ask.Compile(ctx, problem, ask.Choice{}, ask.Resources{Order: o, Bytes: warm.Limits().CompileBytes})
	return made, o, Seconds(start), err
}

// levels returns the level of each node, including the terminals, whose level is below all others.
func levels(d *robdd.Diagram) []int {
	of := make([]int, d.Len()+2)
	of[0], of[1] = d.Vars(), d.Vars()
	for level := range d.Vars() {
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			of[id] = level
		}
	}
	return of
}

// reach returns a function that reports whether a placement allows a node's low or high edge. It also
// returns, for each node including the terminals, whether the node is on a path from the root to true
// that the placement allows. In a ZDD the levels that an edge skips hold no queen.
func reach(d *robdd.Diagram, state configure.State) (open func(id uint32, high bool) bool, live []bool) {
	queen, blocked := make([]bool, d.Vars()), make([]bool, d.Vars())
	for _, l := range state.Assumptions() {
		level := d.LevelOf(robdd.Var(l.Var()))
		queen[level], blocked[level] = l.Positive(), !l.Positive()
	}
	above := make([]int, d.Vars()+1) // queens above each level
	for level, is := range queen {
		above[level+1] = above[level]
		if is {
			above[level+1]++
		}
	}
	level := levels(d)
	skips := func(from int, child uint32) bool { // a queen
		return d.Kind() == robdd.ZDD && above[level[child]] != above[from]
	}
	open = func(id uint32, high bool) bool {
		at, e := level[id], d.Node(id)
		if high {
			return !blocked[at] && !skips(at+1, e.High)
		}
		return !queen[at] && !skips(at+1, e.Low)
	}
	size := uint32(d.Len() + 2)
	alive := make([]bool, size) // there is a path from it to true
	alive[1] = true
	for id := uint32(2); id < size; id++ { // children come first
		e := d.Node(id)
		alive[id] = alive[e.Low] && open(id, false) || alive[e.High] && open(id, true)
	}
	live = make([]bool, size)
	live[d.Root()] = alive[d.Root()] && !skips(0, d.Root())
	for id := size - 1; id >= 2; id-- {
		if e := d.Node(id); live[id] {
			live[e.Low] = live[e.Low] || alive[e.Low] && open(id, false)
			live[e.High] = live[e.High] || alive[e.High] && open(id, true)
		}
	}
	return open, live
}
