package bdd

import (
	"context"
	"math/big"

	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// Growing is a diagram that grows by constraints which a caller chooses one after the other, so that each step
// can be looked at.
type Growing struct {
	c *conjoiner
	f robdd.Node
}

// Grow returns the diagram of no constraints, under an order of all variables. It may become as large as a number
// of nodes.
func Grow(o order.Order, maxNodes int) (*Growing, error) {
	m, err := robdd.NewManager(variables(o), robdd.Config{MaxNodes: maxNodes})
	return &Growing{c: &conjoiner{levels: o.Levels(), m: m}, f: robdd.True}, err
}

// And conjoins constraints, after conjoining them with each other. The error wraps a *robdd.LimitError when the
// diagram becomes too large.
func (g *Growing) And(ctx context.Context, constraints []encode.Constraint) error {
	g.c.ctx = ctx
	all := robdd.True
	for _, c := range constraints {
		all = g.c.and(all, g.c.bounded(c.Bound, c.Lits))
	}
	g.f = g.c.and(g.f, all)
	g.c.m.Collect(g.f)
	return g.c.err
}

// Nodes returns the number of nodes, Created the number of those made so far, kept or not, and Count the number
// of assignments that the constraints allow.
func (g *Growing) Nodes() int      { return g.c.m.NodeCount(g.f) }
func (g *Growing) Created() uint64 { return g.c.m.Stats().Created }
func (g *Growing) Count() *big.Int { return g.c.m.SatCount(g.f) }

// Diagram returns the diagram as it is now. It must be the last call.
func (g *Growing) Diagram() *robdd.Diagram { return g.c.m.Freeze(g.f) }
