package contexttest

import "context"

// Ending is a context that is canceled once its error has been asked for a number of times.
type Ending struct {
	context.Context
	Left int // how many times more; negative if it has been asked after its end
}

// After returns a context that ends after its error has been asked for times times.
func After(times int) *Ending { return &Ending{context.Background(), times} }

// Err implements context.Context.
func (e *Ending) Err() error {
	if e.Left--; e.Left < 0 {
		return context.Canceled
	}
	return nil
}
