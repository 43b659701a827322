package tasks

import (
	"context"
	"fmt"

	"queens/backends/bdd"
	"queens/encode"
	"queens/experiments"
	"queens/order/search"
)

// OrderRows proves the smallest size over the orders that keep each row together.
type OrderRows struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=14"`
	// Kind of diagram whose nodes are counted.
	Diagram DiagramKind `json:"diagram"`
	// Sequences of rows that the proof covers: all, or those in which each row is the first or
	// the last of the rows left (ends).
	Sequences Sequences `json:"sequences"`
}

// Sequences names a set of sequences of rows that a proof covers.
type Sequences string

// Values lists them: all, and those in which each row is the first or the last of the rows
// left.
func (Sequences) Values() []string { return []string{"all", "ends"} }

var (
	_ experiments.Task       = (*OrderRows)(nil)
	_ experiments.Normaliser = (*OrderRows)(nil)
)

// OrderRowsResult is what an OrderRows run found.
type OrderRowsResult struct {
	// The smallest number of internal nodes over these orders.
	Nodes int `json:"nodes"`
	// Internal nodes under the order row-major.
	RowMajor int `json:"row_major_nodes"`
	// Number of sets of rows that the proof covers.
	Sets int `json:"sets"`
	// Number of steps from one set to the next whose least cost was computed; the others are
	// their mirror images.
	Steps int `json:"steps"`
	// An order with the smallest number of nodes, from the top level.
	Cells string `json:"cells"`
	// Level of each cell, counted from 0 at the top; cells are listed row by row.
	Levels []int `json:"levels"`
}

func orderRowsKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name:   "order-rows",
		Doc:    "Proves the smallest size of the diagram over all orders that keep each row together.",
		New:    func() experiments.Task { return &OrderRows{Diagram: "bdd", Sequences: "all"} },
		Result: OrderRowsResult{},
	}
}

// Normalise rejects proofs over all sequences on boards larger than 12.
func (t *OrderRows) Normalise() bool { return t.Sequences != "all" || t.N <= search.LargestAllRows }

// Run proves the minimum, and has the engine confirm the size of the order found.
func (t *OrderRows) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	s, d, err := sizerOf(ctx, m, t.N, t.Diagram)
	if err != nil {
		return experiments.Finding{}, err
	}
	var allowed func(rows uint32) bool
	if t.Sequences == "ends" {
		allowed = search.FromEnds(t.N)
	}
	proof, err := experiments.Measured(m, experiments.FirstQuery, func() (search.Rows, error) {
		return search.MinimumByRows(ctx, s, t.N, d, allowed, 1)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	problem, err := encode.Queens(t.N, nil, nil)
	if err != nil {
		return experiments.Finding{}, err
	}
	compiled, err := bdd.Compile(ctx, problem, proof.Order, bdd.Options{Kind: d})
	if err != nil {
		return experiments.Finding{}, err
	}
	if nodes := compiled.Diagram.Len(); nodes != proof.Nodes {
		return experiments.Finding{}, &experiments.Contradiction{
			By: "engine", Err: fmt.Errorf("the proof's order has %d nodes, not %d", nodes, proof.Nodes)}
	}
	start, err := orderOfBoard("row-major", t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	best := search.Canonical(t.N, proof.Order)
	return experiments.Finding{Answer: fmt.Sprint(proof.Nodes), Values: OrderRowsResult{
		Nodes: proof.Nodes, RowMajor: s.Sizes(start).Of(d), Sets: proof.Sets, Steps: proof.Steps,
		Cells: cellsText(t.N, best), Levels: best.Levels(),
	}}, nil
}
