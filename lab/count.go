package lab

import (
	"context"
	"errors"
	"iter"
	"time"

	"queens/backends"
	"queens/board"
	"queens/configure"
	"queens/configure/engines"
)

const (
	// maxOpen is the number of rows without a queen past which counting by search
	// takes longer than anybody waits: 14.8 million solutions at n = 16.
	maxOpen = 16
	// maxListed is the largest board whose solutions a solver lists, by a blocking
	// clause each; beyond, search does.
	maxListed = 12

	searcher = "search" // the back-end that counts and lists without preparation
)

// Count counts the completions of a session's state, and those through every cell:
// by the session's own back-end if that is a diagram, and else by search, for so
// long. It returns who counted. Counts are nil when the time was too short, or would
// be.
func Count(
	ctx context.Context, pool *engines.Pool, s *configure.Session, own *engines.Lease, within time.Duration,
) (*configure.Counts, string, error) {
	limited, counter := ctx, own
	if own.Diagram == nil {
		if state := s.State(); state.N-len(state.Placed) > maxOpen {
			return nil, "", nil
		}
		if own.Key.Backend != searcher {
			var err error
			if counter, err = pool.Borrow(ctx, engines.Key{Backend: searcher, N: own.Key.N}); err != nil {
				return nil, "", err
			}
			defer pool.Return(counter)
		}
		var cancel context.CancelFunc
		limited, cancel = WithTimeout(ctx, within)
		defer cancel()
	}
	counts, err := s.Count(limited, counter.Oracle.(backends.VarCounter)) // a diagram and search are
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, "", nil
	}
	return counts, counter.Key.Backend, err
}

// Solutions lists the completions of a session's state, by the session's own back-end
// or, where that would list them slowly, by search. It returns who lists them.
func Solutions(
	ctx context.Context, pool *engines.Pool, s *configure.Session, own *engines.Lease,
) (iter.Seq2[[]board.Cell, error], string) {
	if own.Diagram != nil || own.Key.Backend == searcher || s.State().N <= maxListed {
		return s.Solutions(ctx), own.Key.Backend
	}
	return func(yield func([]board.Cell, error) bool) {
		lister, err := pool.Borrow(ctx, engines.Key{Backend: searcher, N: own.Key.N})
		if err != nil {
			yield(nil, err)
			return
		}
		defer pool.Return(lister)
		s.SolutionsBy(ctx, lister.Oracle)(yield)
	}, searcher
}
