package tasks

import (
	"context"
	"fmt"

	"queens/backends/diagram"
	"queens/experiments"
	"queens/order/search"
)

// OrderBound proves a lower bound over all orders.
type OrderBound struct {
	// Board size; 4 to 7 for levels.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=8"`
	// Kind of diagram whose nodes are counted; bdd for levels.
	Diagram DiagramKind `json:"diagram"`
	// How the bound is proved: by the minimum with a queen on one cell, or by the least width of
	// each level over all sets of cells above it.
	Method BoundMethod `json:"method"`
	// Maximum number of nodes in the search tree of a level, for levels; 0 for cell.
	Tree int64 `json:"tree" jsonschema:"minimum=0"`
}

// BoundMethod is a way to prove a lower bound.
type BoundMethod string

// Values lists the ways.
func (BoundMethod) Values() []string { return []string{"cell", "levels"} }

var (
	_ experiments.Task       = (*OrderBound)(nil)
	_ experiments.Normaliser = (*OrderBound)(nil)
)

// OrderBoundResult is what an OrderBound run found.
type OrderBoundResult struct {
	// Lower bound on the internal nodes: no order has fewer.
	LowerBound int `json:"lower_bound"`
	// Number of levels whose bound some set of cells attains; empty for cell.
	ExactLevels *int `json:"exact_levels"`
	// Internal nodes under the best order known.
	BestKnown int `json:"best_known_nodes"`
}

func orderBoundKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name:   "order-bound",
		Doc:    "Proves a lower bound on the size of the diagram over all variable orders.",
		New:    func() experiments.Task { return &OrderBound{Diagram: "bdd", Method: "cell"} },
		Result: OrderBoundResult{},
	}
}

// Normalise rejects what the method cannot bound; cell has no tree.
func (t *OrderBound) Normalise() bool {
	if t.Method == "cell" {
		t.Tree = 0
		return true
	}
	return t.Diagram == "bdd" && t.N >= 4 && t.N <= 7 && t.Tree > 0
}

// Run proves the bound, and compares it with the size of a known order.
func (t *OrderBound) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	s, d, err := sizer(ctx, m, t.N, t.Diagram)
	if err != nil {
		return experiments.Finding{}, err
	}
	result, err := experiments.Measured(m, experiments.FirstQuery,
		func() (OrderBoundResult, error) { return t.bound(ctx, s, d) })
	if err != nil {
		return experiments.Finding{}, err
	}
	const known = "best order"
	best, err := orderOfBoard(Order("best-"+t.Diagram), t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	result.BestKnown = s.Sizes(best).Of(d)
	if result.LowerBound > result.BestKnown {
		return experiments.Finding{}, &experiments.Contradiction{By: known, Err: fmt.Errorf(
			"the lower bound %d is above the %d nodes of a known order", result.LowerBound, result.BestKnown)}
	}
	return experiments.Finding{CheckedBy: known, Values: result}, nil
}

func (t *OrderBound) bound(ctx context.Context, s *search.Sizer, d diagram.Kind) (result OrderBoundResult, err error) {
	if t.Method == "cell" {
		bound, err := search.LowerBound(ctx, s, d, search.Symmetries(t.N))
		return OrderBoundResult{LowerBound: bound.Nodes}, err
	}
	levels, err := search.LevelBounds(ctx, s, search.Symmetries(t.N), t.Tree, 1)
	result.ExactLevels = new(int)
	for _, level := range levels {
		result.LowerBound += level.Width
		if level.Exact {
			*result.ExactLevels++
		}
	}
	return result, err
}
