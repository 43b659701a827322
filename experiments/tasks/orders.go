package tasks

import (
	"context"
	"fmt"
	"strings"

	"queens/backends/bdd"
	"queens/backends/diagram"
	"queens/encode"
	"queens/experiments"
	"queens/order"
	"queens/order/search"
)

// OrderSize computes the sizes of both diagrams under an order.
type OrderSize struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=14"`
	// Variable order.
	Order Order `json:"order"`
	// Kind of diagram that the order is first sifted for, or no.
	Sift Sift `json:"sift"`
	// How the sizes are computed: from the listed solutions, or by building the diagrams with
	// the engine.
	Method SizeMethod `json:"method"`
}

// SizeMethod is a way to compute the sizes under an order.
type SizeMethod string

// Values lists the ways: from the listed solutions, and with the engine.
func (SizeMethod) Values() []string { return []string{"listed", "engine"} }

// Sift is the kind of diagram that an order is sifted for before its sizes are computed, or no.
type Sift string

// Values lists no and the kinds of diagram.
func (Sift) Values() []string { return []string{"no", "bdd", "zdd"} }

var (
	_ experiments.Task     = (*OrderSize)(nil)
	_ experiments.Referred = (*OrderSize)(nil)
	_ experiments.Task     = (*OrderSearch)(nil)
	_ experiments.Task     = (*OrderProof)(nil)
	_ experiments.Referred = (*OrderProof)(nil)
	_ experiments.Task     = (*OrderBound)(nil)
)

// OrderSizeResult is what an OrderSize run found.
type OrderSizeResult struct {
	// Internal nodes of the plain ROBDD: no terminals, no complement edges.
	BDDNodes int `json:"bdd_nodes"`
	// Internal nodes of the ZDD: no terminals.
	ZDDNodes int `json:"zdd_nodes"`
	// Number of ROBDD nodes at each level, from the top.
	BDDWidths []int `json:"bdd_widths"`
	// Number of ZDD nodes at each level, from the top.
	ZDDWidths []int `json:"zdd_widths"`
	// Level of each cell, counted from 0 at the top; cells are listed row by row.
	Levels []int `json:"levels"`
}

func orderSizeKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name:   "order-size",
		Doc:    "Computes the sizes of the ROBDD and the ZDD under a variable order.",
		New:    func() experiments.Task { return &OrderSize{Order: "row-major", Sift: "no", Method: "listed"} },
		Result: OrderSizeResult{},
	}
}

// References returns the same question for the other method.
func (t *OrderSize) References() []experiments.Task {
	other := *t
	other.Method = "engine"
	if t.Method == "engine" {
		other.Method = "listed"
	}
	return []experiments.Task{&other}
}

// Run computes the sizes.
func (t *OrderSize) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	o, err := orderOfBoard(t.Order, t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	problem, err := encode.Queens(t.N, nil, nil)
	if err != nil {
		return experiments.Finding{}, err
	}
	vars := problem.NumVars()
	result := OrderSizeResult{BDDWidths: make([]int, vars), ZDDWidths: make([]int, vars)}
	var s *search.Sizer
	if t.Method == "listed" || t.Sift != "no" {
		if s, err = listed(ctx, m, problem); err != nil {
			return experiments.Finding{}, err
		}
	}
	if t.Sift != "no" {
		d, err := diagram.ParseKind(string(t.Sift))
		if err != nil {
			return experiments.Finding{}, err
		}
		if o, _, err = search.Sift(ctx, s, d, o, 1); err != nil {
			return experiments.Finding{}, err
		}
	}
	result.Levels = o.Levels()
	err = m.Time(experiments.Build, func() error {
		if t.Method == "listed" {
			s.Widths(o, result.BDDWidths, result.ZDDWidths)
			return nil
		}
		for kind, widths := range map[diagram.Kind]*[]int{
			diagram.BDD: &result.BDDWidths, diagram.ZDD: &result.ZDDWidths,
		} {
			c, err := bdd.Compile(ctx, problem, o, bdd.Options{Kind: kind})
			if err != nil {
				return err
			}
			*widths = c.Diagram.Widths()
		}
		return nil
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	for level := range vars {
		result.BDDNodes += result.BDDWidths[level]
		result.ZDDNodes += result.ZDDWidths[level]
	}
	answer := fmt.Sprintf("ROBDD %d, ZDD %d", result.BDDNodes, result.ZDDNodes)
	return experiments.Finding{Answer: answer, Values: result}, nil
}

// OrderSearch searches for an order with a smaller or a larger diagram.
type OrderSearch struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=14"`
	// Kind of diagram whose nodes are counted.
	Diagram DiagramKind `json:"diagram"`
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

func orderSearchKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name: "order-search",
		Doc:  "Searches for a variable order with a smaller diagram, or a larger one.",
		New: func() experiments.Task {
			return &OrderSearch{Diagram: "bdd", Seed: 1, Evaluations: 1_000_000, Aim: "smallest"}
		},
		Result: OrderSearchResult{},
	}
}

// Run searches with one ensemble, so a run uses one core.
func (t *OrderSearch) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	s, d, err := sizerOf(ctx, m, t.N, t.Diagram)
	if err != nil {
		return experiments.Finding{}, err
	}
	looking, err := search.NewSearch(ctx, s,
		search.Options{Diagram: d, Seed: uint64(t.Seed), Largest: t.Aim == "largest"})
	if err != nil {
		return experiments.Finding{}, err
	}
	_, start := looking.Best()
	if err := m.Time(experiments.FirstQuery,
		func() error { return looking.Run(ctx, int64(t.Evaluations), nil) }); err != nil {
		return experiments.Finding{}, err
	}
	best, nodes := looking.Best()
	best = search.Canonical(t.N, best)
	return experiments.Finding{Values: OrderSearchResult{
		Nodes: nodes, RowMajor: start, Evaluated: looking.Evaluations(),
		Cells: cellsText(t.N, best), Levels: best.Levels(),
	}}, nil
}

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
	s, d, err := sizerOf(ctx, m, t.N, t.Diagram)
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
	start, err := orderOfBoard("row-major", t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	if nodes := s.Sizes(proof.Order).Of(d); nodes != proof.Nodes {
		return experiments.Finding{}, &experiments.Contradiction{By: "size",
			Err: fmt.Errorf("the proof's order has %d nodes, not %d", nodes, proof.Nodes)}
	}
	return experiments.Finding{Answer: fmt.Sprint(proof.Nodes), Values: OrderProofResult{
		Nodes: proof.Nodes, RowMajor: s.Sizes(start).Of(d), Sets: proof.States, Solved: proof.Solved,
		Cells: cellsText(t.N, proof.Order), Levels: proof.Order.Levels(),
	}}, nil
}

// OrderBound proves a lower bound over all orders.
type OrderBound struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=8"`
	// Kind of diagram whose nodes are counted.
	Diagram DiagramKind `json:"diagram"`
}

// OrderBoundResult is what an OrderBound run found.
type OrderBoundResult struct {
	// Lower bound on the internal nodes: no order has fewer.
	LowerBound int `json:"lower_bound"`
	// Internal nodes under the best order known.
	BestKnown int `json:"best_known_nodes"`
}

func orderBoundKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name:   "order-bound",
		Doc:    "Proves a lower bound on the size of the diagram over all variable orders.",
		New:    func() experiments.Task { return &OrderBound{Diagram: "bdd"} },
		Result: OrderBoundResult{},
	}
}

// Run proves the bound.
func (t *OrderBound) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	s, d, err := sizerOf(ctx, m, t.N, t.Diagram)
	if err != nil {
		return experiments.Finding{}, err
	}
	bound, err := experiments.Measured(m, experiments.FirstQuery, func() (search.Bound, error) {
		return search.LowerBound(ctx, s, d, search.Symmetries(t.N))
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	best, err := orderOfBoard(Order("best-"+t.Diagram), t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	known := s.Sizes(best).Of(d)
	if bound.Nodes > known {
		return experiments.Finding{}, &experiments.Contradiction{By: "best order",
			Err: fmt.Errorf("the lower bound %d is above the %d nodes of a known order", bound.Nodes, known)}
	}
	return experiments.Finding{Values: OrderBoundResult{LowerBound: bound.Nodes, BestKnown: known}}, nil
}

// sizerOf returns the sizer of an empty board, made from its solutions.
func sizerOf(ctx context.Context, m *experiments.Meter, n int, name DiagramKind) (*search.Sizer, diagram.Kind, error) {
	d, err := diagram.ParseKind(string(name))
	if err != nil {
		return nil, 0, err
	}
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, 0, err
	}
	s, err := listed(ctx, m, problem)
	return s, d, err
}

// listed returns the sizer of a problem, made from its solutions.
func listed(ctx context.Context, m *experiments.Meter, p encode.Problem) (*search.Sizer, error) {
	return experiments.Measured(m, experiments.Count, func() (*search.Sizer, error) { return search.Of(ctx, p) })
}

// cellsText formats an order as in an order file.
func cellsText(n int, o order.Order) string {
	names := make([]string, len(o))
	for i, c := range o.Cells(n) {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}
