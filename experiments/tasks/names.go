package tasks

import (
	"queens/backends/bdd"
	"queens/backends/sat/external"
	"queens/encode/amo"
	"queens/order"
)

// Names with a closed set of values, each taken from the package that owns them,
// so that a new order or encoding is known to every experiment at once.

// Order is the name of a variable order.
type Order string

// Values lists the named orders.
func (Order) Values() []string {
	var names []string
	for _, o := range order.All() {
		names = append(names, o.Name)
	}
	return names
}

// Pattern accepts any seed.
func (Order) Pattern() (expression, title string) {
	return "^(force|random):[0-9]{1,19}$", "force:SEED or random:SEED"
}

// Construction is the name of a way to build a diagram.
type Construction string

// Values lists the constructions.
func (Construction) Values() []string {
	var names []string
	for _, c := range bdd.Constructions() {
		names = append(names, c.Name)
	}
	return names
}

// AMO is the name of an at-most-one encoding.
type AMO string

// Values lists the encodings.
func (AMO) Values() []string {
	var names []string
	for _, a := range amo.All() {
		names = append(names, a.Name)
	}
	return names
}

// Diagram is a kind of decision diagram.
type Diagram string

// Values lists the kinds.
func (Diagram) Values() []string { return []string{"bdd", "zdd"} }

// Backend is the name of a back-end of ours.
type Backend string

// Values lists the back-ends.
func (Backend) Values() []string { return []string{"bdd", "sat", "search"} }

// Finder is the name of a back-end that finds valid cells: one of ours, or a
// solver on the PATH.
type Finder string

// Values lists the back-ends.
func (Finder) Values() []string {
	return append(Backend("").Values(), external.Names()...)
}
