package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/ask"
	"queens/encode"
	"queens/experiments"
	"queens/order"
	"queens/order/optimize"
)

// OrderRows proves the smallest size over the orders by whole rows.
type OrderRows struct {
	// Board size; up to 12 for all sequences.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=14"`
	// Kind of diagram whose nodes are counted.
	Diagram ask.DiagramName `json:"diagram"`
	// Sequences of rows that the proof covers: all; those in which each row is the first or the
	// last of the rows left (ends); or one (turn).
	Sequences Sequences `json:"sequences"`
	// The sequence of turn: the first rows up to this one, then from the last row back; n for
	// the rows as they are. 0 for all and ends.
	Turn int `json:"turn" jsonschema:"minimum=0"`
}

// Sequences names a set of sequences of rows that a proof covers.
type Sequences string

// Values lists them: all, those in which each row is the first or the last of the rows left, and
// one alone.
func (Sequences) Values() []string { return []string{"all", "ends", "turn"} }

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
	// The rows of an order with the smallest number of nodes, from the top, as in 1 2 4 3.
	Rows string `json:"rows"`
	// That order, from the top level.
	Cells string `json:"cells"`
	// Level of each cell, counted from 0 at the top; cells are listed row by row.
	Levels []int `json:"levels"`
}

func orderRowsKind() *experiments.TaskKind {
	return experiments.Kind[OrderRows]{
		Name:      "order-rows",
		Doc:       "Proves the smallest size of the diagram over the orders by whole rows.",
		Default:   OrderRows{Diagram: "bdd", Sequences: "all"},
		Result:    OrderRowsResult{},
		Normalise: (*OrderRows).normalise,
		Run:       (*OrderRows).run,
	}.Erase()
}

// normalise rejects proofs over all sequences on boards that are too large, and turns that are
// not a row; only turn has one.
func (t *OrderRows) normalise() error {
	if t.Sequences == "turn" {
		return unless(t.Turn >= 1 && t.Turn <= t.N)
	}
	t.Turn = 0
	return unless(t.Sequences != "all" || t.N <= optimize.LargestAllRows)
}

// allowed returns which sets of rows can be above; nil for all.
func (t *OrderRows) allowed() func(rows uint32) bool {
	switch t.Sequences {
	case "ends":
		return optimize.FromEnds(t.N)
	case "turn":
		rows := make([]int, t.N)
		for i := range rows {
			rows[i] = i
		}
		slices.Reverse(rows[t.Turn:])
		return optimize.InSequence(rows)
	}
	return nil
}

// run proves the minimum, and has the engine confirm the size of the order found.
func (t *OrderRows) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	s, d, err := sizer(ctx, m, t.N, t.Diagram)
	if err != nil {
		return experiments.Finding{}, err
	}
	proof, err := experiments.Measured(m, experiments.FirstQuery, func() (optimize.Rows, error) {
		return optimize.MinimumByRows(ctx, s, t.N, d, t.allowed(), 1)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	if err := confirm(ctx, t.N, d, proof.Order, proof.Nodes); err != nil {
		return experiments.Finding{}, err
	}
	best := optimize.Canonical(t.N, proof.Order)
	return experiments.Finding{Answer: fmt.Sprint(proof.Nodes), CheckedBy: engine, Values: OrderRowsResult{
		Nodes: proof.Nodes, RowMajor: s.RowMajor(d), Sets: proof.Sets, Steps: proof.Steps,
		Rows: rowsText(t.N, proof.Order), Cells: cellsText(t.N, best), Levels: best.Levels(),
	}}, nil
}

// rowsText lists the rows of an order by whole rows, from the top: of the sequence and its mirror
// image, the one that is smaller where they first differ.
func rowsText(n int, o order.Order) string {
	var rows, mirrored []int
	for i := 0; i < len(o); i += n {
		row := encode.VarCell(n, o[i]).Row
		rows, mirrored = append(rows, row+1), append(mirrored, n-row)
	}
	if slices.Compare(mirrored, rows) < 0 {
		rows = mirrored
	}
	return strings.Trim(fmt.Sprint(rows), "[]")
}
