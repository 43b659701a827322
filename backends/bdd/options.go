package bdd

import (
	"queens/backends"
	"queens/order"
	"queens/robdd"
)

// Options say how to compile. The zero value selects the construction that fits the problem, with no
// limits.
type Options struct {
	Construction string // a name of [Constructions]; empty: see [Default]
	MaxBytes     int64  // limit for the construction and for converting, in bytes; 0: no limit
	// More, unless nil, is called by construction constraint-wise again and again with how far it has come. It may take its
	// time. It returns the limit of memory from then on, or an error that ends the construction.
	More func(Growth) (maxBytes int64, err error)
	// Sift is a name of [Reorderings], which changes the variable order while the diagram is built, whenever the
	// function has doubled since the last time; empty: none. The diagram then has another order than the one
	// passed to [Compile]. Only constructions by operations can do this.
	Sift string
	// Trace counts, after each step, the nodes that a construction by operations holds ([Stats.Growth]).
	// On a formula of thousands of clauses this takes longer than the step.
	Trace bool
	// Workers is the largest number of processors that work at a time, if the construction can use
	// several; 0 means one. The result does not depend on it.
	Workers int
	// Progress, unless nil, is called after each level or step with the progress of the construction.
	// Any worker may call it.
	Progress func(backends.Progress)

	eager bool // collect garbage at every step, for tests
}

// Growth is how far a construction has come.
type Growth struct {
	Steps uint64         // of operations
	Bytes int64          // held
	Want  func() float64 // returns how many steps are expected in all; infinite if that is not known
}

func (o Options) workers() int { return max(1, o.Workers) }

// variables converts an order to the engine's variables.
func variables(o order.Order) []robdd.Var {
	vars := make([]robdd.Var, len(o))
	for i, v := range o {
		vars[i] = robdd.Var(v)
	}
	return vars
}
