package web

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"queens/ui/web/api"
)

// A question waits in one of two lanes. The fast lane has as many places as there are
// processors. A question that holds one for longer than a time slice moves to the slow lane, where
// questions that are known to take long start. The slow lane has half as many places, so however
// many expensive questions come, there is a processor for a click: if the slow lane is full, the
// question is stopped, waits there, and only then is begun again.

// slice is how long a question may hold a place in the fast lane: many times what a click
// takes, and short enough to be spent twice.
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
	most    int64 // how many may wait
}

func newLane(places, most int) *lane {
	return &lane{places: make(chan struct{}, places), most: int64(most)}
}

// enter waits for a place. It fails if too many do, or when the context ends.
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

// try takes a place if one is free and nobody waits for it.
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
