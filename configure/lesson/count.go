package lesson

import (
	"context"
	"errors"
	"iter"
	"time"

	"queens/ask"
	"queens/board"
	"queens/configure"
	"queens/configure/pool"
)

// Count counts the completions of a session's state, and those through every cell. The session's own
// back-end counts if it counts at once, as a diagram does; otherwise search does, within a time limit. Count also returns the
// name of the back-end that counted. The counts are nil if the time limit was exceeded, or was sure to
// be.
func Count(
	ctx context.Context, warm *pool.Pool, s *configure.Board, own *pool.Lease, within time.Duration,
) (*configure.Counts, string, error) {
	state := s.State()
	by := pool.WhoCounts(own.Descriptor, state.N-len(state.Placed))
	if by == "" {
		return nil, "", nil
	}
	limited, counter := ctx, own
	if by != own.Key.Backend {
		var err error
		if counter, err = warm.Lend(ctx, own.Key.N, ask.Choice{Backend: by}); err != nil {
			return nil, "", err
		}
		defer warm.Return(counter)
	}
	if !counter.Descriptor.AtOnce {
		var cancel context.CancelFunc
		limited, cancel = WithTimeout(ctx, within)
		defer cancel()
	}
	counts, err := s.Count(limited, counter.Opened)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, "", nil
	}
	return counts, string(counter.Key.Backend), err
}

// Solutions lists the completions of a session's state. The session's own back-end lists them; if it would
// be slow, search does. Solutions also returns the name of the back-end used.
func Solutions(
	ctx context.Context, warm *pool.Pool, s *configure.Board, own *pool.Lease,
) (iter.Seq2[[]board.Cell, error], string) {
	by := pool.WhoLists(own.Descriptor, own.Key.N)
	if by == own.Key.Backend {
		return s.Solutions(ctx, own), string(by)
	}
	return func(yield func([]board.Cell, error) bool) {
		lister, err := warm.Lend(ctx, own.Key.N, ask.Choice{Backend: by})
		if err != nil {
			yield(nil, err)
			return
		}
		defer warm.Return(lister)
		s.Solutions(ctx, lister)(yield)
	}, string(by)
}
