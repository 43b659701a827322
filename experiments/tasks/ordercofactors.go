package tasks

import (
	"context"
	"fmt"

	"queens/encode/cnf"
	"queens/experiments"
	"queens/order"
	"queens/order/optimize"
)

// OrderCofactors counts the cofactors that whole rows leave.
type OrderCofactors struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=2,maximum=14"`
	// Number of rows taken: the first ones and the last ones.
	Rows int `json:"rows" jsonschema:"minimum=1"`
	// How many of them are the last rows of the board.
	Last int `json:"last" jsonschema:"minimum=0"`
	// How the cofactors are counted: from the listed solutions, or as nodes of a diagram that
	// the engine builds.
	Method SizeMethod `json:"method"`
}

// OrderCofactorsResult is what an OrderCofactors run found.
type OrderCofactorsResult struct {
	// Number of different functions left by the placements on these rows, not counting false.
	Cofactors int `json:"cofactors"`
}

func orderCofactorsKind() *experiments.TaskKind {
	return experiments.Kind[OrderCofactors]{
		Name:       "order-cofactors",
		Doc:        "Counts the cofactors that whole rows at both ends of the board leave.",
		Default:    OrderCofactors{Rows: 1, Method: "listed"},
		Result:     OrderCofactorsResult{},
		Normalise:  (*OrderCofactors).normalise,
		References: (*OrderCofactors).references,
		Run:        (*OrderCofactors).run,
	}.Erase()
}

// normalise rejects more rows than the board has besides one.
func (t *OrderCofactors) normalise() error { return unless(t.Rows < t.N && t.Last <= t.Rows) }

// references returns the same question for the other method.
func (t *OrderCofactors) references() []OrderCofactors {
	other := *t
	other.Method = t.Method.other()
	return []OrderCofactors{other}
}

// run counts the cofactors as the ROBDD nodes at the level below the rows. Each cofactor has its
// node there: a queen on the next cell and none leave different functions, unless both are
// false, since every solution has one queen in each row.
func (t *OrderCofactors) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	var s *optimize.Sizer
	if t.Method == "listed" {
		var err error
		if s, err = listed(ctx, m, t.N); err != nil {
			return experiments.Finding{}, err
		}
	}
	at, _, _, err := widths(ctx, m, s, t.N, t.order())
	if err != nil {
		return experiments.Finding{}, err
	}
	count := at[t.Rows*t.N]
	return experiments.Finding{Answer: fmt.Sprint(count), Values: OrderCofactorsResult{Cofactors: count}}, nil
}

// order returns an order that begins with the rows: the first ones, the last ones, and those
// between.
func (t *OrderCofactors) order() order.Order {
	var top, bottom order.Order
	first, last := t.Rows-t.Last, t.N-t.Last
	for v := range t.N * t.N {
		if row := v / t.N; row < first || row >= last {
			top = append(top, cnf.Var(v+1))
		} else {
			bottom = append(bottom, cnf.Var(v+1))
		}
	}
	return append(top, bottom...)
}
