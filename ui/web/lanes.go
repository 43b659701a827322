package web

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"queens/ui/web/api"
)

// A question waits in one of two lanes. The fast lane has as many places as there are processors. A
// question that occupies a place for longer than a time slice moves to the slow lane, where questions
// that are known to take long start. The slow lane has half as many places, so a click finds a processor
// even if there are many expensive questions. If the slow lane is full, a question that moves there is
// stopped, waits, and starts over.

// slice is how long a question may occupy a place in the fast lane: many times what a click takes, and
// short enough to be spent twice.
const slice = 100 * time.Millisecond

var (
	errFull = &api.Error{Status: http.StatusServiceUnavailable,
		Message: "too many requests are waiting; try again in a second"}
	// errNoPlace says that the time ran out before work on the question began.
	errNoPlace = &api.Error{Status: http.StatusServiceUnavailable,
		Message: "no processor became free in time; try again in a second"}
)

// lane lends places, first come, first served.
type lane struct {
	places  chan struct{}
	waiting atomic.Int64
	most    int64 // how many questions may wait
}

func newLane(places, most int) *lane {
	return &lane{places: make(chan struct{}, places), most: int64(most)}
}

// enter waits for a place. It fails if too many questions wait, or when the context ends.
func (l *lane) enter(ctx context.Context) error {
	if l.waiting.Add(1) > l.most {
		l.waiting.Add(-1)
		return errFull
	}
	defer l.waiting.Add(-1)
	select {
	case l.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return errNoPlace
		}
		return ctx.Err()
	}
}

// try takes a place if one is free and no question waits for it.
func (l *lane) try() bool {
	if l.waiting.Load() > 0 {
		return false
	}
	select {
	case l.places <- struct{}{}:
		return true
	default:
		return false
	}
}

func (l *lane) leave() { <-l.places }
