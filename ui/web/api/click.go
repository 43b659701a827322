package api

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"time"

	"queens/ask"
	"queens/configure"
	"queens/configure/pool"
)

// Board is the part that requests about a placement share: the placement, and who answers.
type Board struct {
	configure.State
	ask.Choice
}

// board returns the board, for requests that embed it.
func (b Board) board() Board { return b }

func (b Board) check() error {
	if err := checkState(b.State); err != nil {
		return err
	}
	if _, linked := b.Solver.Linked(); b.Counter != "" || !linked {
		return failure(http.StatusUnprocessableEntity, "solver, counter: this server starts no programs")
	}
	return checkOrders(string(b.Order))
}

// checkState returns an error for a placement that is not on its board.
func checkState(s configure.State) error {
	if err := s.Check(); err != nil {
		return badRequest("%v", err)
	}
	return nil
}

// checkOrders returns an error for an order that names a file: only the person who runs the program may
// have files read.
func checkOrders(orders ...string) error {
	for _, o := range orders {
		if ask.OrderName(o).IsFile() {
			return failure(http.StatusUnprocessableEntity, "order: this server reads no files")
		}
	}
	return nil
}

// placed is a placement opened with a back-end of the pool.
type placed struct {
	*configure.Board // nil if the placement was refused
	lease            *pool.Lease
	began            time.Time
	refused          *configure.Refusal // for a placement without a completion; otherwise nil
}

// click returns an operation on a placement. The key is made once, when the request is read, and the
// back-end is borrowed while the request is answered.
func click[Request interface{ board() Board }, Answer any](
	name, doc string, s *Service, slow func(Request, pool.Key) bool,
	do func(context.Context, *placed, Request) (Answer, error),
) Operation {
	read := func(body []byte) (*Call, error) {
		request, err := decode[Request](body)
		if err != nil {
			return nil, err
		}
		b := request.board()
		key, err := s.pool.Key(b.N, b.Choice)
		if err != nil {
			return nil, err
		}
		return &Call{Slow: slow(request, key), Answer: func(ctx context.Context) (any, error) {
			lease, err := s.pool.Borrow(ctx, key)
			if err != nil {
				return nil, err
			}
			defer s.pool.Return(lease)
			on := &placed{lease: lease, began: time.Now()}
			on.Board, err = configure.Open(ctx, b.State, lease)
			if err != nil && !errors.As(err, &on.refused) {
				return nil, err
			}
			return do(ctx, on, request)
		}}, nil
	}
	return Operation{name, doc, reflect.TypeFor[Request](), reflect.TypeFor[Answer](), read}
}
