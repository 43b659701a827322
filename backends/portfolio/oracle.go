package portfolio

import (
	"fmt"

	"queens/backends"
	"queens/backends/recall"
	"queens/backends/search"
	"queens/encode"
)

// Oracle answers questions about one queens problem. Make it with [New].
type Oracle struct {
	problem encode.Problem
	exact   *search.Oracle // nil where exact search alone is too slow: see search.OnMasks
	memory  *recall.Memory // of the method remember; nil until needed
}

var _ backends.Bounded = (*Oracle)(nil)

// Takes returns an error unless the problem is a board of queens, the only one that its parts know.
func Takes(p encode.Problem) error {
	if !p.IsQueens() {
		return fmt.Errorf("%s: back-end portfolio takes only queens; sat takes any problem", p)
	}
	return nil
}

// New returns an Oracle for the problem. The error is that of [Takes].
func New(p encode.Problem) (*Oracle, error) {
	if err := Takes(p); err != nil {
		return nil, err
	}
	o := &Oracle{problem: p}
	if search.OnMasks(p) {
		o.exact = search.New(p)
	}
	return o, nil
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
