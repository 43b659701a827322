package lesson

import (
	"cmp"
	"context"

	"queens/backends/bdd"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// MaxDrawn is the largest board whose whole diagram is drawn: at most 167 nodes as a BDD.
const MaxDrawn = 6

// Drawing is a diagram small enough to draw.
type Drawing struct {
	N     int         `json:"n"`
	Order string      `json:"order"`
	Kind  string      `json:"kind"`  // bdd, zdd
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
	// LowOpen and HighOpen say that the placement allows the node's low and high edge,
	// wherever they lead.
	LowOpen  bool `json:"low_open"`
	HighOpen bool `json:"high_open"`
}

// Draw returns the diagram of a placement's board in the named order, as a BDD or a ZDD, with
// the paths that the placement allows. The empty kind is bdd.
func Draw(
	ctx context.Context, warm *pool.Pool, state configure.State, orderName, kind string,
) (*Drawing, error) {
	kind = cmp.Or(kind, "bdd")
	as, known := map[string]robdd.Kind{"bdd": robdd.BDD, "zdd": robdd.ZDD}[kind]
	if !known {
		return nil, badInput("kind %q: expected bdd or zdd", kind)
	}
	if state.N > MaxDrawn {
		return nil, badInput("board size n = %d: a diagram is drawn for 1 to %d", state.N, MaxDrawn)
	}
	lease, err := warm.Borrow(ctx, pool.Key{Backend: "bdd", N: state.N, Order: orderName})
	if err != nil {
		return nil, err
	}
	defer warm.Return(lease)
	diagram, err := lease.Diagram.As(ctx, as)
	if err != nil {
		return nil, err
	}
	return &Drawing{N: state.N, Order: lease.Key.Order, Kind: kind, Nodes: drawn(diagram, state)}, nil
}

func drawn(d *robdd.Diagram, state configure.State) []DrawnNode {
	open, live := reach(d, state)
	nodes := []DrawnNode{}
	for level := range d.Vars() {
		c := encode.VarCell(state.N, cnf.Var(d.VarAt(level)))
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			e := d.Node(id)
			low, high := open(id, false), open(id, true)
			nodes = append(nodes, DrawnNode{
				ID: int(id), Level: level, Cell: c.String(), Low: child(e.Low), High: child(e.High), Live: live[id],
				LowLive: live[id] && live[e.Low] && low, HighLive: live[id] && live[e.High] && high,
				LowOpen: low, HighOpen: high,
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

// NodesAsked returns the number of nodes of the diagram that a method asks: the ZDD's or the
// BDD's.
func NodesAsked(d *pool.CompiledBoard, method string) int {
	if method == bdd.SweepZDD {
		return d.Compiled.Nodes(robdd.ZDD)
	}
	return d.Nodes
}
