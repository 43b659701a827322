package tasks

import (
	"context"

	"queens/ask"
	"queens/experiments"
	"queens/order/optimize"
	"queens/robdd"
)

// KindName is the kind of a diagram with one order of all variables.
type KindName string

// Values lists the kinds.
func (KindName) Values() []string { return []string{robdd.BDD.String(), robdd.ZDD.String()} }

// OrderSearch searches for an order with a smaller or a larger diagram.
type OrderSearch struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=14"`
	// Kind of diagram whose nodes are counted.
	Diagram KindName `json:"diagram"`
	// Seed of the search.
	Seed int `json:"seed" jsonschema:"minimum=0"`
	// Minimum number of orders whose size is computed.
	Evaluations int `json:"evaluations" jsonschema:"minimum=1"`
	// Whether to search for the smallest diagram or the largest.
	Aim Aim `json:"aim"`
}

// Aim says whether a search is for the smallest diagram or the largest.
type Aim string

// Values lists the aims.
func (Aim) Values() []string { return []string{"smallest", "largest"} }

// OrderSearchResult is what an OrderSearch run found.
type OrderSearchResult struct {
	// Internal nodes under the best order found.
	Nodes int `json:"nodes"`
	// Internal nodes under the order row-major, where the search starts.
	RowMajor int `json:"row_major_nodes"`
	// Number of orders whose size was computed.
	Evaluated int64 `json:"evaluated"`
	// The best order found, from the top level.
	Cells string `json:"cells"`
	// Level of each cell, counted from 0 at the top; cells are listed row by row.
	Levels []int `json:"levels"`
}

func orderSearchKind() *experiments.TaskKind {
	return experiments.Kind[OrderSearch]{
		Name:    "order-search",
		Doc:     "Searches for a variable order with a smaller diagram, or a larger one.",
		Default: OrderSearch{Diagram: KindName(ask.ROBDD), Seed: 1, Evaluations: 1_000_000, Aim: "smallest"},
		Result:  OrderSearchResult{},
		Run:     (*OrderSearch).run,
	}.Erase()
}

// run searches with one worker, so a run uses one core.
func (t *OrderSearch) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	d, err := robdd.ParseKind(string(t.Diagram))
	if err != nil {
		return experiments.Finding{}, err
	}
	s, err := listed(ctx, m, t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	looking := optimize.NewSearch(s, optimize.Options{Diagram: d, Seed: uint64(t.Seed), Largest: t.Aim == "largest"})
	_, start := looking.Best()
	if err := m.Time(experiments.FirstQuery,
		func() error { return looking.Run(ctx, int64(t.Evaluations), nil) }); err != nil {
		return experiments.Finding{}, err
	}
	best, nodes := looking.Best()
	if err := confirm(ctx, t.N, d, best, nodes); err != nil {
		return experiments.Finding{}, err
	}
	best = optimize.Canonical(t.N, best)
	return experiments.Finding{CheckedBy: engine, Values: OrderSearchResult{
		Nodes: nodes, RowMajor: start, Evaluated: looking.Evaluations(),
		Cells: cellsText(t.N, best), Levels: best.Levels(),
	}}, nil
}
