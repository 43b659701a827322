package lab

import (
	"context"

	"queens/backends/bdd/robdd"
	"queens/configure"
	"queens/configure/engines"
	"queens/encode"
	"queens/encode/cnf"
)

// MaxDrawn is the largest board whose whole diagram is drawn: 167 nodes.
const MaxDrawn = 5

// Drawing is a diagram small enough to draw.
type Drawing struct {
	N     int         `json:"n"`
	Order string      `json:"order"`
	Nodes []DrawnNode `json:"nodes"` // top level first; terminals not listed
}

// DrawnNode is one node. Children are IDs of nodes, or -1 for true and -2 for
// false.
type DrawnNode struct {
	ID    int    `json:"id"`
	Level int    `json:"level"`
	Cell  string `json:"cell"`
	Low   int    `json:"low"`
	High  int    `json:"high"`
	// Live says that a path allowed by the placement runs through the node to
	// true. LowLive and HighLive say the same of the node's low and high edge.
	Live     bool `json:"live"`
	LowLive  bool `json:"low_live"`
	HighLive bool `json:"high_live"`
}

// Draw returns the diagram of a placement's board in the named order, with the paths
// that the placement allows.
func Draw(ctx context.Context, pool *engines.Pool, state configure.State, orderName string) (*Drawing, error) {
	if state.N > MaxDrawn {
		return nil, badInput("board size n = %d: a diagram is drawn for 1 to %d", state.N, MaxDrawn)
	}
	lease, err := pool.Borrow(ctx, engines.Key{Backend: "bdd", N: state.N, Order: orderName})
	if err != nil {
		return nil, err
	}
	defer pool.Return(lease)
	diagram, err := lease.Diagram.As(ctx, robdd.BDD)
	if err != nil {
		return nil, err
	}
	return &Drawing{N: state.N, Order: lease.Key.Order, Nodes: drawn(diagram, state)}, nil
}

func drawn(d *robdd.Diagram, state configure.State) []DrawnNode {
	value := decided(d, state)
	live := reach(d, value)
	nodes := []DrawnNode{}
	for level := range d.Vars() {
		c := encode.VarCell(state.N, cnf.Var(d.VarAt(level)))
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			e := d.Node(id)
			nodes = append(nodes, DrawnNode{
				ID: int(id), Level: level, Cell: c.String(), Low: child(e.Low), High: child(e.High), Live: live[id],
				LowLive:  live[id] && live[e.Low] && value[level] <= 0,
				HighLive: live[id] && live[e.High] && value[level] >= 0,
			})
		}
	}
	return nodes
}

// child returns a child's ID as drawn; the terminals are negative.
func child(id uint32) int {
	if id < 2 {
		return int(id) - 2 // false -2, true -1
	}
	return int(id)
}
