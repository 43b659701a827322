package tasks

import (
	"context"
	"fmt"
	"strings"

	"queens/ask"
	"queens/encode"
	"queens/experiments"
	"queens/order"
	"queens/order/optimize"
	"queens/robdd"
)

// The tasks about orders, one a file, begin with the solutions of an empty board (listed) and end
// with an order, whose size the engine confirms (confirm).

// listed returns the sizer of an empty board, made from its solutions.
func listed(ctx context.Context, m *experiments.Meter, n int) (*optimize.Sizer, error) {
	return experiments.Measured(m, experiments.Count, func() (*optimize.Sizer, error) { return ask.Sizer(ctx, n) })
}

// compileBoard has the engine build the diagram of an empty board under an order.
func compileBoard(ctx context.Context, n int, o order.Order) (*ask.Compiled, error) {
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
