package portfolio

import (
	"queens/backends"
	"queens/backends/recall"
	"queens/backends/search"
	"queens/encode"
)

// Oracle answers questions about one queens problem. Make it with [New].
type Oracle struct {
	problem encode.Problem
	exact   *search.Oracle // nil where exact search alone is too slow: see search.OnMasks
	whole   *search.Oracle // searches where more rows are open than [search.Rows] takes; nil until needed
	memory  *recall.Memory // of the method remember; nil until needed
}

var _ backends.Bounded = (*Oracle)(nil)

// New returns an Oracle for a problem that is a board of queens.
func New(p encode.Problem) *Oracle {
	o := &Oracle{problem: p}
	if search.OnMasks(p) {
		o.exact = search.New(p)
	}
	return o
}

// large returns the search of the whole board.
func (o *Oracle) large() *search.Oracle {
	if o.whole == nil {
		o.whole = search.New(o.problem)
	}
	return o.whole
}

// Stats implements [backends.Backend]. The Oracle holds only the constraints, and the answers of the method remember.
func (o *Oracle) Stats() backends.Stats {
	bytes := int64(32 * o.problem.NumVars())
	if o.memory != nil {
		bytes += o.memory.Bytes()
	}
	return backends.Stats{Bytes: bytes}
}

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }
