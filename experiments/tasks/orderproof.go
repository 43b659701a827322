package tasks

import (
	"context"
	"fmt"

	"queens/experiments"
	"queens/order/search"
)

// OrderProof proves the smallest size over all orders.
type OrderProof struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=6"`
	// Kind of diagram whose nodes are counted.
	Diagram DiagramKind `json:"diagram"`
	// How the minimum is proved: over sets of variables, or from truth tables (n up to 4).
	Method ProofMethod `json:"method"`
}

// ProofMethod is a way to prove a minimum.
type ProofMethod string

// Values lists the ways: over sets of variables from the solutions, and from the
// truth table.
func (ProofMethod) Values() []string { return []string{"sets", "tables"} }

var (
	_ experiments.Task       = (*OrderProof)(nil)
	_ experiments.Normaliser = (*OrderProof)(nil)
	_ experiments.Referred   = (*OrderProof)(nil)
)

// OrderProofResult is what an OrderProof run found.
type OrderProofResult struct {
	// The smallest number of internal nodes over all orders.
	Nodes int `json:"nodes"`
	// Internal nodes under the order row-major.
	RowMajor int `json:"row_major_nodes"`
	// Number of sets of variables that the proof covers.
	Sets int `json:"sets"`
	// Number of sets computed; the others are their images under the board's symmetries.
	Solved int `json:"sets_solved"`
	// An order with the smallest number of nodes, from the top level.
	Cells string `json:"cells"`
	// Level of each cell, counted from 0 at the top; cells are listed row by row.
	Levels []int `json:"levels"`
}

func orderProofKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name:   "order-proof",
		Doc:    "Proves the smallest size of the diagram over all variable orders.",
		New:    func() experiments.Task { return &OrderProof{Diagram: "bdd", Method: "sets"} },
		Result: OrderProofResult{},
	}
}

// Normalise rejects truth tables on boards larger than 4.
func (t *OrderProof) Normalise() bool { return t.Method != "tables" || t.N <= mostTable }

// mostTable is the largest board whose truth table has at most 2^16 entries.
const mostTable = 4

// References returns the proof by the other method, on boards small enough for both.
func (t *OrderProof) References() []experiments.Task {
	if t.N > mostTable {
		return nil
	}
	other := *t
	other.Method = "tables"
	if t.Method == "tables" {
		other.Method = "sets"
	}
	return []experiments.Task{&other}
}

// Run proves the minimum.
func (t *OrderProof) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	s, d, err := sizer(ctx, m, t.N, t.Diagram)
	if err != nil {
		return experiments.Finding{}, err
	}
	proof, err := experiments.Measured(m, experiments.FirstQuery, func() (search.Proof, error) {
		if t.Method == "tables" {
			return search.MinimumByTables(ctx, search.TruthTable(t.N), d)
		}
		return search.Minimum(ctx, s, d, search.Symmetries(t.N))
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	if err := confirm(ctx, t.N, d, proof.Order, proof.Nodes); err != nil {
		return experiments.Finding{}, err
	}
	start, err := rowMajorNodes(s, t.N, d)
	if err != nil {
		return experiments.Finding{}, err
	}
	return experiments.Finding{Answer: fmt.Sprint(proof.Nodes), CheckedBy: engine, Values: OrderProofResult{
		Nodes: proof.Nodes, RowMajor: start, Sets: proof.States, Solved: proof.Solved,
		Cells: cellsText(t.N, proof.Order), Levels: proof.Order.Levels(),
	}}, nil
}
