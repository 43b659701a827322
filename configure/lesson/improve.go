package lesson

import (
	"context"
	"errors"
	"time"

	"queens/ask"
	"queens/order/optimize"
)

const (
	// MaxOwn is the largest board on which a custom order is drawn or improved.
	MaxOwn      = 9
	improveTime = 350 * time.Millisecond
)

// Improvement is the result of some steps of a search for a smaller diagram.
type Improvement struct {
	Order       []string `json:"order"` // the best found, top level first
	Start       int      `json:"start"` // nodes under the starting order
	Nodes       int      `json:"nodes"` // nodes under the best order
	Evaluations int64    `json:"evaluations"`
}

// Improve searches briefly for an order with a smaller diagram, by annealing from the given order. To
// continue the search, call Improve with the order returned.
func Improve(ctx context.Context, n int, orderText string, seed uint64) (*Improvement, error) {
	if n < 1 || n > MaxOwn {
		return nil, badInput("board size n = %d: the search for orders is shown for 1 to %d", n, MaxOwn)
	}
	start, err := orderOf(n, orderText)
	if err != nil {
		return nil, err
	}
	sizer, err := ask.Sizer(ctx, n)
	if err != nil {
		return nil, err
	}
	before := sizer.Sizes(start).BDD
	if sizer.NumSolutions() == 0 {
		return &Improvement{Order: Names(start.Cells(n))}, nil
	}
	limited, cancel := WithTimeout(ctx, improveTime)
	defer cancel()
	s := optimize.NewSearch(sizer, optimize.Options{Seed: seed, Start: start})
	if err := s.Run(limited, 1<<40, nil); err != nil &&
		(ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return nil, err
	}
	best, nodes := s.Best()
	return &Improvement{Order: Names(best.Cells(n)), Start: before, Nodes: nodes, Evaluations: s.Evaluations()}, nil
}
