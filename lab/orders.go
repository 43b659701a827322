package lab

import (
	"context"
	"errors"
	"time"

	"queens/backends/bdd/robdd"
	"queens/configure"
	"queens/configure/engines"
)

const (
	maxProfiles = 4 // orders in one question
	maxGrowth   = 8 // the largest board whose growth is shown
	growthTime  = 1500 * time.Millisecond
)

// Profile is the diagram of a board in one variable order, level by level.
type Profile struct {
	Order string `json:"order"`
	// Levels holds each cell's level in the order, row by row, from 0 at the top.
	Levels []int `json:"levels"`
	Nodes  int   `json:"nodes"`
	// Widths is the number of nodes on each level, the top level first.
	Widths []int `json:"widths"`
	// Reached is, for each level, the number of nodes that the root reaches under
	// the placement and from which there is a solution.
	Reached      []int   `json:"reached"`
	ReachedTotal int     `json:"reached_total"`
	Compile      float64 `json:"compile"` // seconds
	// Growth is the number of nodes that a construction by conjunction, the named
	// one, held after each step: empty for boards that it takes too long for.
	Growth       []int  `json:"growth"`
	Construction string `json:"construction"`
}

// Profiles returns the diagrams of one placement's board in several variable orders.
func Profiles(ctx context.Context, pool *engines.Pool, state configure.State, orders []string) ([]Profile, error) {
	if len(orders) < 1 || len(orders) > maxProfiles {
		return nil, badInput("orders: %d names: expected 1 to %d", len(orders), maxProfiles)
	}
	var list []Profile
	for _, name := range orders {
		d, err := pool.Compile(ctx, state.N, name)
		if err != nil {
			return nil, err
		}
		diagram := d.Compiled.Diagram
		p := Profile{
			Order: name, Levels: d.Order.Levels(), Nodes: diagram.Len(), Widths: diagram.Widths(),
			Compile: d.Seconds, Construction: engines.GrowthConstruction, Reached: make([]int, diagram.Vars()),
		}
		if p.Growth, err = growth(ctx, pool, state.N, name); err != nil {
			return nil, err
		}
		live := reach(diagram, state)
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

// growth returns the growth curve of a small board, and an empty one where the
// construction takes longer than a click may.
func growth(ctx context.Context, pool *engines.Pool, n int, order string) ([]int, error) {
	nodes := []int{}
	if n > maxGrowth {
		return nodes, nil
	}
	limited, cancel := WithTimeout(ctx, growthTime)
	defer cancel()
	steps, err := pool.Growth(limited, n, order)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		return nodes, err
	}
	for _, step := range steps {
		nodes = append(nodes, step.Nodes)
	}
	return nodes, nil
}

// reach marks the nodes, terminals included, on a path from the root to true that
// the placement allows.
func reach(d *robdd.Diagram, state configure.State) []bool {
	value := make([]int8, d.Vars()) // by level
	for _, c := range state.Placed {
		value[d.LevelOf(robdd.Var(c.Index(state.N)+1))] = 1
	}
	for _, c := range state.Blocked {
		value[d.LevelOf(robdd.Var(c.Index(state.N)+1))] = -1
	}
	size := d.Len() + 2
	alive := make([]bool, size) // true is reached from it
	alive[1] = true
	levels := d.Vars()
	for level := levels - 1; level >= 0; level-- { // children first
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			e := d.Node(id)
			alive[id] = value[level] <= 0 && alive[e.Low] || value[level] >= 0 && alive[e.High]
		}
	}
	reached := make([]bool, size)
	reached[d.Root()] = alive[d.Root()]
	for level := range levels {
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			if !reached[id] {
				continue
			}
			e := d.Node(id)
			if value[level] <= 0 && alive[e.Low] {
				reached[e.Low] = true
			}
			if value[level] >= 0 && alive[e.High] {
				reached[e.High] = true
			}
		}
	}
	return reached
}
