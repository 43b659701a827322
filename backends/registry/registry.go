package registry

import (
	"context"
	"fmt"
	"io"
	"strings"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/sat/external"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// Backend is one entry of the list.
type Backend struct {
	Name string
	Doc  string // how it answers, in a line
	// Counting says in a word how it counts solutions; empty where it does not.
	Counting string
	Uses     Uses
	// Takes reports why the back-end does not take a problem, and names those that
	// do. What it takes may still be beyond the time or memory that there is.
	Takes func(encode.Problem) error
	// make makes it for a problem that it takes.
	make func(context.Context, encode.Problem, Options) (any, error)
}

// Uses says which of the [Options] a back-end reads; the others change nothing.
type Uses struct {
	Order   bool // and Compile's limits
	Diagram bool // and Compile's construction
	Solver  bool // and AMO, Formula
	Workers bool
}

// PeakCounter is a back-end that tells how many bytes its last answer took at most.
type PeakCounter interface{ PeakBytes() uint64 }

// Options say how to make a back-end. The zero value is the defaults.
type Options struct {
	Order   order.Order   // of the problem's variables; nil: as they are numbered
	Diagram *bdd.Compiled // of the problem, where there is one already: Order and Compile are then of no use
	Compile bdd.Options   // how a diagram is compiled
	AMO     string        // at-most-one encoding; empty: chosen by the formula's size
	Solver  string        // SAT solver; empty: gini
	Formula string        // of SAT's valid-cell methods; empty: residual
	Workers int           // processors that may work at a time; 0 means one. The answers are the same
	// Program is the SAT solver in place of the one that Solver names.
	Program *external.Solver
}

// order returns the variable order.
func (o Options) order(p encode.Problem) order.Order {
	if o.Order != nil {
		return o.Order
	}
	natural := make(order.Order, p.NumVars())
	for i := range natural {
		natural[i] = cnf.Var(i + 1)
	}
	return natural
}

// New makes the back-end for a problem. It meets the interfaces that [Meeting] says,
// and is an io.Closer where it holds more than memory; [Close] it. The error is that
// of Takes, of an option without a meaning, or of making it.
func (b Backend) New(ctx context.Context, p encode.Problem, o Options) (any, error) {
	if err := b.Takes(p); err != nil {
		return nil, err
	}
	return b.make(ctx, p, o)
}

// Close ends what a back-end holds beside memory.
func Close(backend any) error {
	if c, closes := backend.(io.Closer); closes {
		return c.Close()
	}
	return nil
}

// New makes the named back-end for a problem, as something that meets T. The error for
// one that does not names those that do.
func New[T any](ctx context.Context, name string, p encode.Problem, o Options) (made T, err error) {
	b, err := Meeting[T](name)
	if err != nil {
		return made, err
	}
	one, err := b.New(ctx, p, o)
	if err != nil {
		return made, err
	}
	return one.(T), nil
}

// sample is a problem that every back-end takes and answers at once, made to see what
// a back-end can do.
func sample(b Backend) any {
	p, err := encode.Queens(1, nil, nil)
	if err != nil {
		panic(err)
	}
	made, err := b.New(context.Background(), p, Options{})
	if err != nil {
		panic(fmt.Sprintf("back-end %s for a board of one cell: %v", b.Name, err))
	}
	return made
}

// Names lists the back-ends that meet T, in the list's order: [backends.Finder],
// [backends.Counter] and so on, or any for all of them.
func Names[T any]() []string {
	var names []string
	for _, b := range All() {
		if _, meets := sample(b).(T); meets {
			names = append(names, b.Name)
		}
	}
	return names
}

// Meeting returns the named back-end, which meets T. The error lists the names of
// those that do.
func Meeting[T any](name string) (Backend, error) {
	for _, b := range All() {
		if b.Name != name {
			continue // a sample takes longer than a name: a grid asks for thousands
		}
		if _, meets := sample(b).(T); meets {
			return b, nil
		}
	}
	return Backend{}, fmt.Errorf("back-end %q: expected one of %s", name, strings.Join(Names[T](), ", "))
}

// Methods lists the ways in which a back-end finds what is possible, the best in
// general first; none for one that cannot.
func (b Backend) Methods() []string {
	if finder, can := sample(b).(backends.ValidFinder); can {
		return finder.Methods()
	}
	return nil
}
