package tasks

import (
	"cmp"
	"context"
	"fmt"

	"queens/ask"
	"queens/encode"
	"queens/experiments"
	"queens/order/optimize"
	"queens/robdd"
)

// OrderSize computes the sizes of both diagrams under an order.
type OrderSize struct {
	// Board size; up to 14 where solutions are listed.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=17"`
	// Variable order.
	Order ask.OrderName `json:"order"`
	// Kind of diagram that the order is first sifted for, or no.
	Sift Sift `json:"sift"`
	// How the sizes are computed: from the listed solutions, or by building the diagrams with
	// the engine.
	Method SizeMethod `json:"method"`
}

// SizeMethod is a way to compute the sizes under an order.
type SizeMethod string

// Values lists the ways: from the listed solutions, and with the engine.
func (SizeMethod) Values() []string { return []string{"listed", engine} }

// Sift is the kind of diagram that an order is sifted for before its sizes are computed, or no.
type Sift string

// Values lists no and the kinds of diagram.
func (Sift) Values() []string { return []string{"no", "bdd", "zdd"} }

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

func orderSizeKind() *experiments.TaskKind {
	return experiments.Kind[OrderSize]{
		Name:       "order-size",
		Doc:        "Computes the sizes of the ROBDD and the ZDD under a variable order.",
		Default:    OrderSize{Order: ask.RowMajor, Sift: "no", Method: "listed"},
		Result:     OrderSizeResult{},
		Ways:       []string{"method"},
		Normalise:  (*OrderSize).normalise,
		References: (*OrderSize).references,
		Run:        (*OrderSize).run,
	}.Erase()
}

// normalise rejects boards with too many solutions to list, where they are needed.
func (t *OrderSize) normalise() error {
	p, err := encode.Queens(t.N, nil, nil)
	if err == nil {
		t.Order, err = t.Order.Pinned(p)
	}
	return cmp.Or(err, unless(t.N <= optimize.MostListed || t.Method == engine && t.Sift == "no"))
}

// references returns the same question for the other method.
func (t *OrderSize) references() []OrderSize {
	other := *t
	if other.Method = engine; t.Method == engine {
		other.Method = "listed"
	}
	if other.normalise() != nil {
		return nil
	}
	return []OrderSize{other}
}

// run computes the sizes. On a board that no reference can check, the solutions are counted on
// the ZDD.
func (t *OrderSize) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	o, err := t.Order.OfBoard(t.N)
	if err != nil {
		return experiments.Finding{}, err
	}
	var s *optimize.Sizer
	if t.Method == "listed" || t.Sift != "no" {
		if s, err = listed(ctx, m, t.N); err != nil {
			return experiments.Finding{}, err
		}
	}
	if t.Sift != "no" {
		d, err := robdd.ParseKind(string(t.Sift))
		if err != nil {
			return experiments.Finding{}, err
		}
		if o, _, err = optimize.Sift(ctx, s, d, o, 1); err != nil {
			return experiments.Finding{}, err
		}
	}
	result := OrderSizeResult{Levels: o.Levels()}
	var compiled *ask.Compiled
	err = m.Time(experiments.Build, func() (err error) {
		if t.Method != engine {
			result.BDDWidths, result.ZDDWidths = s.Widths(o)
			return nil
		}
		if compiled, err = compileBoard(ctx, t.N, o); err != nil {
			return err
		}
		zdd, err := compiled.As(ctx, robdd.ZDD)
		if err != nil {
			return err
		}
		result.ZDDWidths = zdd.Widths()
		converted, err := compiled.As(ctx, robdd.BDD)
		if err == nil {
			result.BDDWidths = converted.Widths()
		}
		return err
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	for level := range o {
		result.BDDNodes += result.BDDWidths[level]
		result.ZDDNodes += result.ZDDWidths[level]
	}
	f := experiments.Finding{Answer: fmt.Sprintf("ROBDD %d, ZDD %d", result.BDDNodes, result.ZDDNodes), Values: result}
	if compiled != nil && len(t.references()) == 0 {
		board := ask.Setup{Problem: ask.Queens, N: t.N}
		known, source := board.Known()
		f.CheckedBy = source
		count, err := ask.Oracle(compiled).Count(ctx, nil)
		if err != nil {
			return f, err
		}
		if count.String() != known {
			return f, &experiments.Contradiction{By: source,
				Err: fmt.Errorf("the ZDD has %v solutions, not %s", count, known)}
		}
	}
	return f, nil
}
