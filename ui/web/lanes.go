package web

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// A question waits in one of two lanes. The fast lane has as many places as there are
// processors, and its questions are quick: one that turns out not to be is stopped
// after a slice of time and asked anew in the slow lane, where those begin that are
// known to take long. The slow lane has half as many places, so that however many
// expensive questions come, a click finds a processor.

// slice is how long a question may hold a place of the fast lane: many times what a
// click takes, and little enough to be spent twice.
const slice = 100 * time.Millisecond

// errFull says that too many wait already.
var errFull = errors.New("too many requests are waiting; try again in a second")

// lane lends places, to those who have waited longest first.
type lane struct {
	places  chan struct{}
	waiting atomic.Int64
	most    int64 // that may wait
}

func newLane(places, most int) *lane {
	return &lane{places: make(chan struct{}, places), most: int64(most)}
}

// enter waits for a place. It fails with errFull, or when the context ends.
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
		return ctx.Err()
	}
}

func (l *lane) leave() { <-l.places }

// busy is the number of places taken.
func (l *lane) busy() int { return len(l.places) }
