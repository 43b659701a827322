package bdd

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"queens/backends/bdd/robdd"
	"queens/encode"
	"queens/order"
)

// Options say how to compile. The zero value is the free-set construction of an
// ROBDD without limits.
type Options struct {
	Construction string       // a name of [Constructions]; empty: free-set
	Kind         robdd.Kind   // what the result is: robdd.BDD or robdd.ZDD
	Limits       robdd.Config // of nodes and bytes, over the whole construction
	// Sift lets the variable order change while the diagram is built: by sifting,
	// whenever the function has doubled since it was last done. The diagram then has
	// another order than was asked for. Only constructions by operations can do it.
	Sift bool

	eager bool // collect garbage at every step, for tests
}

// Compiled is a problem as a diagram, and what it took.
type Compiled struct {
	Problem      encode.Problem
	Construction string
	Diagram      *robdd.Diagram
	Stats        Stats

	// zdd is the same function as a ZDD, from the first where the construction has
	// come by it.
	zdd     *robdd.Diagram
	convert sync.Once
}

// ZDD returns the same function as a ZDD. When the construction did not leave one, the
// first call makes it, in one pass over the diagram, for all who share c.
func (c *Compiled) ZDD() *robdd.Diagram {
	c.convert.Do(func() {
		if c.zdd == nil {
			c.zdd = c.Diagram.Convert(robdd.ZDD)
		}
	})
	return c.zdd
}

// Bytes returns the memory of the nodes of both diagrams, in bytes. It makes the ZDD if
// need be.
func (c *Compiled) Bytes() int64 {
	if c.ZDD() == c.Diagram {
		return c.Diagram.Bytes()
	}
	return c.Diagram.Bytes() + c.ZDD().Bytes()
}

// Stats says what a construction took, in units that are the same at each run.
type Stats struct {
	Nodes        int    // of the result
	NodesCreated uint64 // in all, those that did not last included
	PeakNodes    uint64 // that existed at a time, garbage included
	PeakBytes    uint64 // of nodes, states, tables and caches at their fullest
	States       uint64 // different sets of free cells met; free-set only
	Siftings     int    // times that the variables were sifted
	Growth       []Step // the nodes held after each step
}

// Step is one step of a construction.
type Step struct {
	Name  string
	Nodes int // of the diagrams that the construction holds after the step
}

// Construction is a way to build the diagram.
type Construction struct {
	Name   string
	Reason string // what it does, in a line
	Source string // whose it is

	// Dynamic says that the construction works by operations, so that the variable
	// order may change under it (Options.Sift).
	Dynamic bool
	build   func(context.Context, encode.Problem, order.Order, Options) (*Compiled, error)
}

// Constructions returns the ways to build, the fastest first.
func Constructions() []Construction {
	return []Construction{
		{
			Name:   "free-set",
			Reason: "top-down, a level at a time: the set of cells that can still take a queen is the state",
			Source: "after TdZdd (Iwashita and Minato 2013)",
			build:  freeSet,
		},
		{
			Name:   "solutions",
			Reason: "every solution by search, sorted in the order and folded into the diagram",
			Source: "after Daciuk, Mihov, Watson and Watson 2000",
			build:  solutions,
		},
		{
			Name:    "line-wise",
			Reason:  "row-wise made to fit the order: by rows or columns, from the side that lies lower in it",
			Source:  "ours",
			Dynamic: true,
			build:   conjunction(lineWise),
		},
		{
			Name:    "row-wise",
			Reason:  "from the last row up: a queen in the row, and the rows below without the cells it attacks",
			Source:  "folklore",
			Dynamic: true,
			build:   conjunction(rowWise),
		},
		{
			Name:    "bdd-benchmark",
			Reason:  "a queen on a cell and nothing it attacks; any cell of a row; all rows, from the first down",
			Source:  "bdd-benchmark; Kunkle, Slavici and Cooperman 2010",
			Dynamic: true,
			build:   conjunction(bddBenchmark),
		},
		{
			Name:    "direction",
			Reason:  "conflicts of rows, columns and both kinds of diagonals as four functions, then conjoined",
			Source:  "student reports",
			Dynamic: true,
			build:   conjunction(direction),
		},
		{
			Name:    "row-or",
			Reason:  "a queen in each row first, then each cell's conflicts",
			Source:  "student reports, with JavaBDD",
			Dynamic: true,
			build:   conjunction(rowOr),
		},
		{
			Name:    "per-cell",
			Reason:  "each cell's conflicts, then a queen in each column",
			Source:  "Andersen 1997, section 6.1",
			Dynamic: true,
			build:   conjunction(perCell),
		},
		{
			Name:    "pairwise",
			Reason:  "each pair of cells in conflict, then a queen in each row and column: the CNF, clause by clause",
			Source:  "folklore",
			Dynamic: true,
			build:   conjunction(pairwise),
		},
	}
}

// ConstructionNamed returns a construction; the error lists the names there are.
func ConstructionNamed(name string) (Construction, error) {
	var names []string
	for _, c := range Constructions() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Construction{}, fmt.Errorf("construction %q: expected one of %s", name, strings.Join(names, ", "))
}

// Compile builds the diagram of a problem in a variable order. A problem without
// solutions gives the constant false, which has no nodes. The error is a
// *robdd.LimitError, wrapped, when a limit stood in the way. Whatever the
// construction, the diagram is the same.
func Compile(ctx context.Context, p encode.Problem, o order.Order, options Options) (*Compiled, error) {
	if options.Construction == "" {
		options.Construction = "free-set"
	}
	c, err := ConstructionNamed(options.Construction)
	if err != nil {
		return nil, err
	}
	if options.Sift && !c.Dynamic {
		return nil, fmt.Errorf("compiling n = %d: construction %s keeps its order: it cannot sift", p.N, c.Name)
	}
	if p.N > MaxN {
		return nil, fmt.Errorf("compiling n = %d: boards of up to %d are compiled", p.N, MaxN)
	}
	if err := o.Check(p.NumVars()); err != nil {
		return nil, fmt.Errorf("compiling n = %d: variable order: %w", p.N, err)
	}
	compiled, err := c.build(ctx, p, o, options)
	if err != nil {
		return nil, fmt.Errorf("compiling n = %d by %s: %w", p.N, c.Name, err)
	}
	compiled.Problem, compiled.Construction = p, c.Name
	compiled.Stats.Nodes = compiled.Diagram.Len()
	return compiled, nil
}

// Count returns the number of solutions by the free-set sweep, without making a
// diagram: it holds one frontier, so it goes further than [Compile].
func Count(ctx context.Context, p encode.Problem, o order.Order, limits robdd.Config) (uint64, Stats, error) {
	fail := func(err error) (uint64, Stats, error) {
		return 0, Stats{}, fmt.Errorf("counting n = %d by free-set: %w", p.N, err)
	}
	if p.N > MaxN {
		return fail(fmt.Errorf("boards of up to %d are counted", MaxN))
	}
	if err := o.Check(p.NumVars()); err != nil {
		return fail(fmt.Errorf("variable order: %w", err))
	}
	s := newSweeper(ctx, p, o, limits)
	count, err := s.count()
	if err != nil {
		return fail(err)
	}
	return count, s.spent(), nil
}

// variables returns an order in the engine's terms.
func variables(o order.Order) []robdd.Var {
	vars := make([]robdd.Var, len(o))
	for i, v := range o {
		vars[i] = robdd.Var(v)
	}
	return vars
}

// MaxN is the largest board that is compiled: the free-set sweep keeps a row in a
// word. Memory ends long before, unless most queens are placed.
const MaxN = 64
