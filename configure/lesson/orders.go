package lesson

import (
	"context"
	"strings"
	"time"

	"queens/ask"
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
		_, live, err := left(ctx, diagram, state)
		if err != nil {
			return nil, err
		}
		for level := range p.Reached {
			for lo, hi := diagram.Level(level); lo < hi; lo++ {
				if live[lo] {
					p.Reached[level]++
					p.ReachedTotal++
				}
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
) (*ask.Compiled, order.Order, float64, error) {
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

// left returns what a placement leaves of a diagram; see [robdd.Diagram.Left].
func left(ctx context.Context, d *robdd.Diagram, state configure.State) ([]robdd.Node, []bool, error) {
	var assume []robdd.Lit
	for _, l := range state.Assumptions() {
		assume = append(assume, robdd.Lit(l))
	}
	return d.Left(ctx, assume)
}
