package tasks

import (
	"cmp"
	"context"
	"fmt"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/backends/diagram"
	"queens/choice"
	"queens/encode"
	"queens/experiments"
	"queens/order"
	"queens/order/search"
)

// OrderSize computes the sizes of both diagrams under an order.
type OrderSize struct {
	// Board size; up to 14 where solutions are listed.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=17"`
	// Variable order.
	Order choice.OrderName `json:"order"`
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

// other returns the other way.
func (m SizeMethod) other() SizeMethod {
	if m == engine {
		return "listed"
	}
	return engine
}

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

func orderSizeKind() experiments.TaskKind {
	return experiments.Kind[OrderSize]{
		Name:       "order-size",
		Doc:        "Computes the sizes of the ROBDD and the ZDD under a variable order.",
		Default:    OrderSize{Order: "row-major", Sift: "no", Method: "listed"},
		Result:     OrderSizeResult{},
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
	return cmp.Or(err, unless(t.N <= search.MostListed || t.Method == engine && t.Sift == "no"))
}

// references returns the same question for the other method.
func (t *OrderSize) references() []OrderSize {
	other := *t
	other.Method = t.Method.other()
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
	problem, err := encode.Queens(t.N, nil, nil)
	if err != nil {
		return experiments.Finding{}, err
	}
	var s *search.Sizer
	if t.Method == "listed" || t.Sift != "no" {
		if s, err = listed(ctx, m, t.N); err != nil {
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
	result := OrderSizeResult{Levels: o.Levels()}
	checkedBy := ""
	if t.Method == "listed" {
		err = m.Time(experiments.Build, func() error {
			result.BDDWidths, result.ZDDWidths = s.Widths(o)
			return nil
		})
	} else {
		checkedBy, err = t.build(ctx, m, problem, o, &result)
	}
	if err != nil {
		return experiments.Finding{}, err
	}
	for level := range problem.NumVars() {
		result.BDDNodes += result.BDDWidths[level]
		result.ZDDNodes += result.ZDDWidths[level]
	}
	answer := fmt.Sprintf("ROBDD %d, ZDD %d", result.BDDNodes, result.ZDDNodes)
	return experiments.Finding{Answer: answer, CheckedBy: checkedBy, Values: result}, nil
}

// build fills in the widths of the engine's diagrams. It returns the source of the number of
// solutions if it compared that number.
func (t *OrderSize) build(ctx context.Context, m *experiments.Meter, p encode.Problem, o order.Order,
	result *OrderSizeResult) (checkedBy string, err error) {
	zdd, err := experiments.Measured(m, experiments.Build, func() (*robdd.Diagram, error) {
		c, err := bdd.Compile(ctx, p, o, bdd.Options{})
		if err != nil {
			return nil, err
		}
		drawn, err := c.As(ctx, robdd.BDD)
		if err != nil {
			return nil, err
		}
		result.BDDWidths, result.ZDDWidths = drawn.Widths(), c.ZDD().Widths()
		return c.ZDD(), nil
	})
	if err != nil || len(t.references()) > 0 {
		return "", err
	}
	q := choice.Question{Problem: choice.Queens, N: t.N}
	known := q.Known()
	count, err := robdd.NewCounter(zdd).Count(ctx, nil)
	if err == nil && count.String() != known.Answer {
		err = &experiments.Contradiction{By: known.Source, Err: fmt.Errorf("the ZDD has %v solutions, not %s", count, known.Answer)}
	}
	return known.Source, err
}
