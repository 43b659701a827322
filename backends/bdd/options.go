package bdd

import (
	"strings"

	"queens/order"
	"queens/robdd"
)

// Options say how to compile. The zero value takes the construction that fits the problem, and
// no limits.
type Options struct {
	Construction string // a name of [Constructions]; empty: see [Default]
	MaxBytes     int64  // limit of what the construction holds, and of converting; 0: none
	// Sift lets the variable order change while the diagram is built: variables are
	// sifted whenever the function has doubled since the last time. The diagram then
	// has a different order from the one asked for. Only constructions by operations
	// can do this.
	Sift bool
	// Trace counts the nodes that a construction by operations holds after each step
	// ([Stats.Growth]), which takes longer than the step on a formula of thousands of clauses.
	Trace bool
	// Workers is how many processors may work at a time, where the construction can use
	// several; 0 means one. The result does not depend on it.
	Workers int
	// Progress, unless nil, is called with how far the construction has come: at each
	// level or step, by any of the workers.
	Progress func(Progress)

	eager bool // collect garbage at every step, for tests
}

func (o Options) workers() int { return max(1, o.Workers) }

// Progress says how far a construction or a count has come.
type Progress struct {
	Step  string // what Done counts: "level", "constraint"
	Done  int
	Total int    // 0: not known
	Items uint64 // how many there are by now
	Unit  string // of Items: "states", "nodes", "solutions"
}

// Share returns the share of the step's work that is done, from 0 to 1, for estimating
// the time left, or 0 if it is not known. The levels of a diagram do not show it: half of
// the work lies in a tenth of them.
func (p Progress) Share() float64 {
	if p.Total == 0 || strings.HasSuffix(p.Step, "level") {
		return 0
	}
	return float64(p.Done) / float64(p.Total)
}

// variables converts an order to the engine's variables.
func variables(o order.Order) []robdd.Var {
	vars := make([]robdd.Var, len(o))
	for i, v := range o {
		vars[i] = robdd.Var(v)
	}
	return vars
}
