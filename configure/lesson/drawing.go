package lesson

import (
	"cmp"
	"context"

	"queens/ask"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

const (
	// MaxDrawn is the largest board whose whole diagram is drawn: at most 167 nodes as a BDD.
	MaxDrawn = 6
	// maxReached is the maximum number of nodes drawn of a larger board's diagram. With more, they would
	// lie on top of each other.
	maxReached = 400
)

// Drawing is a diagram small enough to draw.
type Drawing struct {
	N     int         `json:"n"`
	Order string      `json:"order"`
	Kind  string      `json:"kind"`  // bdd, zdd
	Nodes []DrawnNode `json:"nodes"` // top level first; terminals not listed
	// Whole is how many nodes the diagram has, and Reached how many of them are on a path to true that
	// the placement allows. Of a large diagram only these are drawn, and none if there are too many.
	Whole   int `json:"whole"`
	Reached int `json:"reached"`
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
	// LowOpen and HighOpen say that the placement allows the node's low and high edge, and that they do not
	// lead to false.
	LowOpen  bool `json:"low_open"`
	HighOpen bool `json:"high_open"`
}

// Draw returns the diagram of a placement's board in the named order, as a BDD or a ZDD, with
// the paths that the placement allows. The empty kind is bdd.
func Draw(
	ctx context.Context, warm *pool.Pool, state configure.State, orderName, kind string,
) (*Drawing, error) {
	kind = cmp.Or(kind, robdd.BDD.String())
	as, err := robdd.ParseKind(kind)
	if err != nil {
		return nil, badInput("kind %q: expected bdd or zdd", kind)
	}
	lease, err := warm.Lend(ctx, state.N, ask.Choice{Backend: ask.Diagram, Order: ask.OrderName(orderName)})
	if err != nil {
		return nil, err
	}
	defer warm.Return(lease)
	diagram, err := lease.Diagram.As(ctx, as)
	if err != nil {
		return nil, err
	}
	nodes, reached, err := drawn(ctx, diagram, state, state.N <= MaxDrawn)
	if err != nil {
		return nil, err
	}
	return &Drawing{
		N: state.N, Order: string(lease.Key.Order), Kind: kind, Nodes: nodes, Whole: diagram.Len(), Reached: reached,
	}, nil
}

// drawn returns the nodes of a diagram and the number of live ones. If whole is false, it returns only
// the live nodes, with edges to others leading to false, and none if there are too many.
func drawn(ctx context.Context, d *robdd.Diagram, state configure.State, whole bool) (
	nodes []DrawnNode, reached int, err error) {
	edges, live, err := left(ctx, d, state)
	if err != nil {
		return nil, 0, err
	}
	nodes = []DrawnNode{}
	for level := range d.Vars() {
		c := encode.VarCell(state.N, cnf.Var(d.VarAt(level)))
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			if live[id] {
				reached++
			}
			if !whole && (!live[id] || reached > maxReached) {
				continue
			}
			e, open := d.Node(id), edges[id]
			node := DrawnNode{
				ID: int(id), Level: level, Cell: c.String(), Low: child(e.Low), High: child(e.High), Live: live[id],
				LowLive: live[id] && live[open.Low], HighLive: live[id] && live[open.High],
				LowOpen: open.Low != 0, HighOpen: open.High != 0,
			}
			if !whole && !node.LowLive {
				node.Low = child(0)
			}
			if !whole && !node.HighLive {
				node.High = child(0)
			}
			nodes = append(nodes, node)
		}
	}
	if !whole && reached > maxReached {
		nodes = nodes[:0]
	}
	return nodes, reached, nil
}

// child returns a child's ID in the drawing; the terminals are negative.
func child(id uint32) int {
	if id < 2 {
		return int(id) - 2 // false -2, true -1
	}
	return int(id)
}
