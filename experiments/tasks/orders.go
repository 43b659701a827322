package tasks

import (
	"context"
	"fmt"
	"strings"

	"queens/ask"
	"queens/backends/bdd"
	"queens/backends/search"
	"queens/encode"
	"queens/experiments"
	"queens/order"
	"queens/order/optimize"
	"queens/robdd"
)

// The tasks about orders, one a file, begin with the solutions of an empty board (sizer) and end
// with an order, whose size the engine confirms (confirm).

// sizer lists the solutions of an empty board and returns the sizer of its orders, and the kind
// of diagram with the name.
func sizer(ctx context.Context, m *experiments.Meter, n int, kind KindName) (*optimize.Sizer, robdd.Kind, error) {
	d, err := robdd.ParseKind(string(kind))
	if err != nil {
		return nil, 0, err
	}
	s, err := listed(ctx, m, n)
	return s, d, err
}

// listed returns the sizer of an empty board, made from its solutions.
func listed(ctx context.Context, m *experiments.Meter, n int) (*optimize.Sizer, error) {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, err
	}
	return experiments.Measured(m, experiments.Count, func() (*optimize.Sizer, error) {
		return optimize.NewSizer(p.NumVars(), search.New(p).Solutions(ctx, nil))
	})
}

// widths counts the nodes at each level of both diagrams of an empty board: from the listed solutions
// or, if there are none, with the engine, whose diagrams it returns.
func widths(ctx context.Context, m *experiments.Meter, s *optimize.Sizer, n int, o order.Order) (
	ofBDD, ofZDD []int, compiled *bdd.Compiled, err error) {
	err = m.Time(experiments.Build, func() error {
		if s != nil {
			ofBDD, ofZDD = s.Widths(o)
			return nil
		}
		if compiled, err = compileBoard(ctx, n, o); err != nil {
			return err
		}
		zdd, err := compiled.As(ctx, robdd.ZDD)
		if err != nil {
			return err
		}
		drawn, err := compiled.As(ctx, robdd.BDD)
		if err == nil {
			ofBDD, ofZDD = drawn.Widths(), zdd.Widths()
		}
		return err
	})
	return ofBDD, ofZDD, compiled, err
}

// compileBoard has the engine build the diagram of an empty board under an order.
func compileBoard(ctx context.Context, n int, o order.Order) (*bdd.Compiled, error) {
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, err
	}
	return ask.Compile(ctx, problem, ask.Choice{Workers: 1}, ask.Resources{Order: o})
}

// engine is what confirms sizes that were computed without it, for the record's checked_by.
const engine = "engine"

// confirm has the engine build the diagram of an empty board under an order. If it does not have
// this many nodes, the error is a Contradiction.
func confirm(ctx context.Context, n int, d robdd.Kind, o order.Order, nodes int) error {
	compiled, err := compileBoard(ctx, n, o)
	if err != nil {
		return err
	}
	if built := compiled.Nodes(d); built != nodes {
		return &experiments.Contradiction{By: engine,
			Err: fmt.Errorf("the %s under the order found has %d nodes, not %d", d, built, nodes)}
	}
	return nil
}

// cellsText formats an order as in an order file.
func cellsText(n int, o order.Order) string {
	names := make([]string, len(o))
	for i, c := range o.Cells(n) {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}
