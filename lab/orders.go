package lab

import (
	"context"
	"errors"
	"strings"
	"time"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/configure"
	"queens/configure/engines"
	"queens/encode"
	"queens/order"
)

const (
	maxProfiles = 4 // orders in one question
	maxGrowth   = 8 // the largest board whose growth is shown
	growthTime  = 1500 * time.Millisecond
	// growthConstruction is the conjunction that anyone would write first. Its intermediate
	// diagrams depend on the order far more than the result does.
	growthConstruction = "row-or"
)

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
	// Growth is the number of nodes held after each step of the named
	// construction, which works by conjunction; empty for boards for which it
	// takes too long.
	Growth       []int  `json:"growth"`
	Construction string `json:"construction"`
}

// Profiles returns the diagrams of one placement's board in several variable orders.
func Profiles(ctx context.Context, pool *engines.Pool, state configure.State, orders []string) ([]Profile, error) {
	if len(orders) < 1 || len(orders) > maxProfiles {
		return nil, badInput("%d orders: expected 1 to %d", len(orders), maxProfiles)
	}
	var list []Profile
	for _, name := range orders {
		compiled, o, first, err := compiledIn(ctx, pool, state.N, name)
		if err != nil {
			return nil, err
		}
		took, times := repeated([]float64{first}, func() (float64, error) {
			if !strings.Contains(name, ",") {
				return pool.Recompile(ctx, state.N, name)
			}
			_, _, took, err := compiledIn(ctx, pool, state.N, name)
			return took, err
		})
		diagram, err := compiled.As(ctx, robdd.BDD)
		if err != nil {
			return nil, err
		}
		p := Profile{
			Order: name, Levels: o.Levels(), Nodes: diagram.Len(), Widths: diagram.Widths(), Growth: []int{},
			Compile: took, Compiles: times, Construction: growthConstruction, Reached: make([]int, diagram.Vars()),
		}
		if !strings.Contains(name, ",") {
			if p.Growth, err = growth(ctx, pool, compiled, o); err != nil {
				return nil, err
			}
		}
		live := reach(diagram, allows(diagram, state))
		for level := range p.Reached {
			lo, hi := diagram.Level(level)
			for id := lo; id < hi; id++ {
				if live[id] {
					p.Reached[level]++
					p.ReachedTotal++
				}
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// compiledIn returns the diagram in an order and the seconds that compiling took. For a
// named order it is the pool's; for an order given cell by cell it is compiled here.
func compiledIn(
	ctx context.Context, pool *engines.Pool, n int, name string,
) (*bdd.Compiled, order.Order, float64, error) {
	if !strings.Contains(name, ",") {
		d, err := pool.Compile(ctx, n, name)
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
	c, err := bdd.Compile(ctx, problem, o, bdd.Options{Limits: robdd.Config{MaxBytes: pool.Limits().CompileBytes}})
	return c, o, Seconds(start), err
}

// growth returns the nodes held after each step of building a small board; there are none if the
// construction takes longer than a click may.
func growth(ctx context.Context, pool *engines.Pool, of *bdd.Compiled, o order.Order) ([]int, error) {
	nodes := []int{}
	if of.Problem.N > maxGrowth {
		return nodes, nil
	}
	limited, cancel := WithTimeout(ctx, growthTime)
	defer cancel()
	c, err := bdd.Compile(limited, of.Problem, o, bdd.Options{
		Construction: growthConstruction, Limits: robdd.Config{MaxBytes: pool.Limits().CompileBytes},
	})
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		return nodes, err
	}
	for _, step := range c.Stats().Growth {
		nodes = append(nodes, step.Nodes)
	}
	return nodes, nil
}

// allows returns a function that reports whether a placement allows an edge: from a node of a
// level, or to the root from level -1, over the low or the high edge to a child. In a ZDD the
// levels that an edge skips hold no queen.
func allows(d *robdd.Diagram, state configure.State) func(level int, child uint32, high bool) bool {
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
	to := make([]int, d.Len()+2) // each node's level
	to[0], to[1] = d.Vars(), d.Vars()
	for level := range d.Vars() {
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			to[id] = level
		}
	}
	return func(level int, child uint32, high bool) bool {
		if level >= 0 && (high && blocked[level] || !high && queen[level]) {
			return false
		}
		return d.Kind() == robdd.BDD || above[to[child]] == above[level+1]
	}
}

// reach marks the nodes, terminals included, on a path from the root to true of which all
// edges are open.
func reach(d *robdd.Diagram, open func(level int, child uint32, high bool) bool) []bool {
	size := d.Len() + 2
	alive := make([]bool, size) // there is a path from it to true
	alive[1] = true
	levels := d.Vars()
	for level := levels - 1; level >= 0; level-- { // children first
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			e := d.Node(id)
			alive[id] = alive[e.Low] && open(level, e.Low, false) || alive[e.High] && open(level, e.High, true)
		}
	}
	reached := make([]bool, size)
	reached[d.Root()] = alive[d.Root()] && open(-1, d.Root(), false)
	for level := range levels {
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			if !reached[id] {
				continue
			}
			e := d.Node(id)
			if alive[e.Low] && open(level, e.Low, false) {
				reached[e.Low] = true
			}
			if alive[e.High] && open(level, e.High, true) {
				reached[e.High] = true
			}
		}
	}
	return reached
}
