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
	Doc  string // how it answers, in one line
	// Counting says in one word how it counts solutions; empty if it does not
	// count.
	Counting string
	Uses     Uses
	// Takes returns an error if the back-end does not take a problem; the error
	// names back-ends that do. A problem that it takes may still need more time or
	// memory than there is.
	Takes func(encode.Problem) error
	// Reference reports whether experiments compare the answers of others with its own.
	Reference bool
	// make makes the back-end for a problem that it takes.
	make func(context.Context, encode.Problem, Options) (any, error)
}

// Uses says which of the [Options] a back-end reads; it ignores the others.
type Uses struct {
	Order   bool // and Compile's limits
	Diagram bool // and Compile's construction
	Solver  bool // and AMO, Formula
	Workers bool
}

// Options says how to make a back-end. The zero value means the defaults.
type Options struct {
	Order   order.Order   // of the problem's variables; nil: by number
	Diagram *bdd.Compiled // of the problem, if already compiled; Order and Compile are then ignored
	Compile bdd.Options   // how a diagram is compiled
	AMO     string        // at-most-one encoding; empty: chosen by the formula's size
	Solver  string        // SAT solver; empty: gini
	Formula string        // for SAT's valid-cell methods; empty: residual
	Workers int           // goroutines that may work at the same time; 0 means one. The answers do not depend on it
	// Program, if not nil, is the SAT solver to use instead of the one that
	// Solver names.
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

// New makes the back-end for a problem. The result implements the interfaces that
// [Meeting] checks, and is an io.Closer if it holds more than memory; [Close] it
// after use. New fails if the back-end does not take the problem, if an option is
// invalid, or if making it fails.
func (b Backend) New(ctx context.Context, p encode.Problem, o Options) (any, error) {
	if err := b.Takes(p); err != nil {
		return nil, err
	}
	return b.make(ctx, p, o)
}

// Close releases what a back-end holds besides memory.
func Close(backend any) error {
	if c, closes := backend.(io.Closer); closes {
		return c.Close()
	}
	return nil
}

// New makes the named back-end for a problem, as a T. If the back-end does not
// implement T, the error names those that do.
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

// sample makes a back-end for a problem that every back-end takes and answers at
// once, to see which interfaces it implements.
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

// Names lists the back-ends that implement T, in the order of [All]:
// [backends.Finder], [backends.Counter] and so on, or any for all of them.
func Names[T any]() []string {
	var names []string
	for _, b := range All() {
		if _, meets := sample(b).(T); meets {
			names = append(names, b.Name)
		}
	}
	return names
}

// Meeting returns the named back-end if it implements T. Otherwise the error
// lists the back-ends that do.
func Meeting[T any](name string) (Backend, error) {
	for _, b := range All() {
		if b.Name != name {
			continue // compare names first: making a sample is slower, and a grid asks thousands of times
		}
		if _, meets := sample(b).(T); meets {
			return b, nil
		}
	}
	return Backend{}, fmt.Errorf("back-end %q: expected one of %s", name, strings.Join(Names[T](), ", "))
}

// Methods lists the back-end's methods for finding what is possible, the one
// that is best in general first. The list is empty if the back-end has none.
func (b Backend) Methods() []string {
	if finder, can := sample(b).(backends.ValidFinder); can {
		return finder.Methods()
	}
	return nil
}
