package lesson

import (
	"context"
	"errors"
	"iter"
	"time"

	"queens/backends"
	"queens/board"
	"queens/configure"
	"queens/configure/pool"
)

const (
	// maxOpen is the number of rows without a queen beyond which counting by
	// search takes longer than anyone would wait: 14.8 million solutions at n =
	// 16.
	maxOpen = 16
	// maxListed is the largest board whose solutions a solver lists, with one
	// blocking clause each; on larger boards search does.
	maxListed = 12

	searcher = "search" // the back-end that counts and lists without preparation
)

// Count counts the completions of a session's state, and those through every cell.
// The session's own back-end counts if it is a diagram; otherwise search does,
// within a time limit. Count also returns the name of the back-end that counted. The
// counts are nil if the time was too short, or would be.
func Count(
	ctx context.Context, warm *pool.Pool, s *configure.Board, own *pool.Lease, within time.Duration,
) (*configure.Counts, string, error) {
	limited, counter := ctx, own
	if own.Diagram == nil {
		if state := s.State(); state.N-len(state.Placed) > maxOpen {
			return nil, "", nil
		}
		if own.Key.Backend != searcher {
			var err error
			if counter, err = warm.Borrow(ctx, pool.Key{Backend: searcher, N: own.Key.N}); err != nil {
				return nil, "", err
			}
			defer warm.Return(counter)
		}
		var cancel context.CancelFunc
		limited, cancel = WithTimeout(ctx, within)
		defer cancel()
	}
	counts, err := s.Count(limited, counter.Oracle.(backends.VarCounter)) // a diagram and search are VarCounters
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, "", nil
	}
	return counts, counter.Key.Backend, err
}

// Solutions lists the completions of a session's state, by the session's own back-end
// or, if that would be slow, by search. It also returns the name of the back-end that
// lists them.
func Solutions(
	ctx context.Context, warm *pool.Pool, s *configure.Board, own *pool.Lease,
) (iter.Seq2[[]board.Cell, error], string) {
	if own.Diagram != nil || own.Key.Backend == searcher || s.State().N <= maxListed {
		return s.Solutions(ctx, own.Oracle), own.Key.Backend
	}
	return func(yield func([]board.Cell, error) bool) {
		lister, err := warm.Borrow(ctx, pool.Key{Backend: searcher, N: own.Key.N})
		if err != nil {
			yield(nil, err)
			return
		}
		defer warm.Return(lister)
		s.Solutions(ctx, lister.Oracle)(yield)
	}, searcher
}
