package bdd

import (
	"context"
	"math/big"

	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// Growing is a diagram that grows by constraints which a caller chooses one after the other, so that the
// caller can examine each step.
type Growing struct {
	c *conjoiner
	f robdd.Func
}

// Grow returns the diagram of no constraints, which is true, in an order of all variables. It may grow
// to maxNodes nodes.
func Grow(o order.Order, maxNodes int) (*Growing, error) {
	m, err := robdd.NewManager(variables(o), robdd.Config{MaxNodes: maxNodes})
	return &Growing{c: &conjoiner{levels: o.Levels(), m: m}, f: robdd.True}, err
}

// And conjoins the constraints with each other, and then with the diagram. The error wraps a
// *backends.LimitError if the diagram becomes too large.
func (g *Growing) And(ctx context.Context, constraints []encode.Constraint) error {
	g.c.ctx = ctx
	all := robdd.True
	for _, c := range constraints {
		all = g.c.and(all, g.c.constraint(c))
	}
	g.f = g.c.and(g.f, all)
	g.c.m.Collect(g.f)
	return Limited(g.c.err)
}

// Nodes returns the node count. Created returns the number of nodes made so far, including dropped ones.
// Count returns the number of assignments that satisfy the constraints.
func (g *Growing) Nodes() int      { return g.c.m.NodeCount(g.f) }
func (g *Growing) Created() uint64 { return g.c.m.Stats().Created }
func (g *Growing) Count() *big.Int { return g.c.m.SatCount(g.f) }

// Diagram returns the present diagram. It must be the last call.
func (g *Growing) Diagram() *robdd.Diagram { return g.c.m.Freeze(g.f) }
