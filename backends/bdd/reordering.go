package bdd

import (
	"context"
	"fmt"

	"queens/robdd"
)

// Reordering is a way to change the variable order between the steps of a construction.
type Reordering struct {
	Name   string
	Reason string // what it does, in a line
	change reordering
}

// reordering changes a manager's order. It returns the roots' new nodes.
type reordering func(*robdd.Manager, context.Context, ...robdd.Func) ([]robdd.Func, error)

// Reorderings returns the ways to change the order; the first leaves it as it is.
func Reorderings() []Reordering {
	return []Reordering{
		{Name: "none", Reason: "the order stays"},
		{"sift", "each variable moves to its best level (Rudell 1993)", (*robdd.Manager).Sift},
		{"window", "each three neighbouring levels take their best order (Ishiura, Sawada and Yajima 1991)", (*robdd.Manager).Window},
	}
}

// reorderingNamed returns the change with a name; nil for the empty name and for the one that changes nothing.
func reorderingNamed(name string) (reordering, error) {
	for _, r := range Reorderings() {
		if name == "" || name == r.Name {
			return r.change, nil
		}
	}
	return nil, fmt.Errorf("reordering %q: there is none of that name", name)
}
