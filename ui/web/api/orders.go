package api

import (
	"context"
	"errors"
	"time"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/configure"
	"queens/configure/engines"
)

const (
	maxOrders  = 4
	maxDiagram = 5 // the largest board whose diagram is drawn: 167 nodes
	maxGrowth  = 8 // the largest board whose growth is shown
	growthTime = 1500 * time.Millisecond
)

// OrdersRequest asks for the diagrams of one board in several variable orders.
type OrdersRequest struct {
	Board
	Orders []string `json:"orders"` // 1 to 4 names
}

// OrdersAnswer describes them.
type OrdersAnswer struct {
	Orders []OrderAnswer `json:"orders"`
}

// OrderAnswer is the diagram of one order.
type OrderAnswer struct {
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

func (s *Service) orders(ctx context.Context, r OrdersRequest) (*OrdersAnswer, error) {
	state, err := r.state()
	if err != nil {
		return nil, err
	}
	if len(r.Orders) < 1 || len(r.Orders) > maxOrders {
		return nil, badRequest("orders: %d names: expected 1 to %d", len(r.Orders), maxOrders)
	}
	answer := &OrdersAnswer{}
	for _, name := range r.Orders {
		d, err := s.pool.Compile(ctx, state.N, name)
		if err != nil {
			return nil, err
		}
		diagram := d.Compiled.Diagram
		a := OrderAnswer{
			Order: name, Levels: d.Order.Levels(), Nodes: diagram.Len(), Widths: diagram.Widths(),
			Compile: d.Seconds, Construction: engines.GrowthConstruction,
		}
		if a.Growth, err = s.growth(ctx, state.N, name); err != nil {
			return nil, err
		}
		a.Reached = make([]int, diagram.Vars())
		live := reach(diagram, state)
		for level := range a.Reached {
			lo, hi := diagram.Level(level)
			for id := lo; id < hi; id++ {
				if live[id] {
					a.Reached[level]++
					a.ReachedTotal++
				}
			}
		}
		answer.Orders = append(answer.Orders, a)
	}
	return answer, nil
}

// growth returns the growth curve of a small board, and an empty one where the
// construction takes longer than a click may.
func (s *Service) growth(ctx context.Context, n int, order string) ([]int, error) {
	growth := []int{}
	if n > maxGrowth {
		return growth, nil
	}
	limited, cancel := withTimeout(ctx, growthTime)
	defer cancel()
	steps, err := s.pool.Growth(limited, n, order)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		return growth, err
	}
	for _, step := range steps {
		growth = append(growth, step.Nodes)
	}
	return growth, nil
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

// DiagramAnswer is a small diagram to draw.
type DiagramAnswer struct {
	N     int           `json:"n"`
	Order string        `json:"order"`
	Nodes []DiagramNode `json:"nodes"` // top level first; terminals not listed
}

// DiagramNode is one node. Children are ids of nodes, or -1 for true, -2 for
// false.
type DiagramNode struct {
	ID    int    `json:"id"`
	Level int    `json:"level"`
	Cell  string `json:"cell"`
	Low   int    `json:"low"`
	High  int    `json:"high"`
	// Live says that a path which the placement allows runs through the node to
	// true; LowLive and HighLive, through the node and that edge.
	Live     bool `json:"live"`
	LowLive  bool `json:"low_live"`
	HighLive bool `json:"high_live"`
}

func (s *Service) diagram(ctx context.Context, r Board) (*DiagramAnswer, error) {
	state, err := r.state()
	if err != nil {
		return nil, err
	}
	if state.N > maxDiagram {
		return nil, badRequest("board size n = %d: a diagram is drawn for 1 to %d", state.N, maxDiagram)
	}
	d, err := s.pool.Compile(ctx, state.N, orderOr(r.Order))
	if err != nil {
		return nil, err
	}
	diagram := d.Compiled.Diagram
	live := reach(diagram, state)
	decided := map[board.Cell]bool{}
	for _, c := range state.Placed {
		decided[c] = true
	}
	for _, c := range state.Blocked {
		decided[c] = false
	}
	child := func(id uint32) int {
		if id < 2 {
			return int(id) - 2 // false -2, true -1
		}
		return int(id)
	}
	answer := &DiagramAnswer{N: state.N, Order: orderOr(r.Order), Nodes: []DiagramNode{}}
	for level := range diagram.Vars() {
		c := board.At(state.N, int(diagram.VarAt(level))-1)
		queen, known := decided[c]
		lo, hi := diagram.Level(level)
		for id := lo; id < hi; id++ {
			e := diagram.Node(id)
			answer.Nodes = append(answer.Nodes, DiagramNode{
				ID: int(id), Level: level, Cell: c.String(), Low: child(e.Low), High: child(e.High), Live: live[id],
				LowLive:  live[id] && live[e.Low] && !(known && queen),
				HighLive: live[id] && live[e.High] && !(known && !queen),
			})
		}
	}
	return answer, nil
}
