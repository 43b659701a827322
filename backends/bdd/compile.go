package bdd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"queens/backends/bdd/robdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// Options say how to compile. The zero value is an ROBDD by the construction that fits
// the problem, without limits.
type Options struct {
	Construction string       // a name of [Constructions]; empty: see [Default]
	Kind         robdd.Kind   // what the result is: robdd.BDD or robdd.ZDD
	Limits       robdd.Config // of nodes and bytes, over the whole construction
	// Sift lets the variable order change while the diagram is built: by sifting,
	// whenever the function has doubled since it was last done. The diagram then has
	// another order than was asked for. Only constructions by operations can do it.
	Sift bool
	// Workers is how many processors may work at a time, where the construction can use
	// several; 0 means one. The result is the same whatever it is.
	Workers int
	// Progress, unless nil, is told how far the construction has come: at each level or
	// step, by any of the workers.
	Progress func(Progress)

	eager bool // collect garbage at every step, for tests
}

func (o Options) workers() int { return max(1, o.Workers) }

// Compiled is a problem as a diagram, and what it took.
type Compiled struct {
	Problem      encode.Problem
	Construction string
	Diagram      *robdd.Diagram
	Stats        Stats

	limits robdd.Config // of what is made from it by operations

	// zdd is the same function as a ZDD, from the first where the construction has
	// come by it.
	zdd     *robdd.Diagram
	convert sync.Once

	known knowledge
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

	Takes string // the problems that it is for

	// Dynamic says that the construction works by operations, so that the variable
	// order may change under it (Options.Sift).
	Dynamic bool
	check   func(encode.Problem) error
	build   builder

	operations func(*conjoiner, robdd.Node) robdd.Node // of those by operations: see [OperationsOf]
}

// builder makes the diagram.
type builder func(context.Context, encode.Problem, order.Order, Options) (*Compiled, error)

// Constructions returns the ways to build, the fastest first.
func Constructions() []Construction {
	return []Construction{
		{
			Name:   freeSetName,
			Reason: "top-down, a level at a time: the set of variables that can still be true is the state",
			Source: "after TdZdd (Iwashita and Minato 2013)",
			Takes:  "exactly-one and at-most-one constraints over positive literals",
			check:  topDown,
			build:  freeSet,
		},
		{
			Name:   solutionsName,
			Reason: "every solution by search, sorted in the order and folded into the diagram",
			Source: "after Daciuk, Mihov, Watson and Watson 2000",
			Takes:  "queens",
			check:  onlyQueens,
			build:  solutions,
		},
		byOperations(constraintWiseName, "one constraint after the other, those first that lie lowest in the order",
			"folklore", constraintWise),
		byLines("line-wise", "row-wise made to fit the order: by rows or columns, from the side that lies lower in it",
			"ours", lineWise),
		byLines("row-wise", "from the last row up: a queen in the row, and the rows below without the cells it attacks",
			"folklore", rowWise),
		byLines("bdd-benchmark", "a queen on a cell and nothing it attacks; any cell of a row; all rows, from the first down",
			"bdd-benchmark; Kunkle, Slavici and Cooperman 2010", bddBenchmark),
		byOperations("direction", "conflicts of rows, columns and both kinds of diagonals as four functions, then conjoined",
			"student reports", direction),
		byLines("row-or", "a queen in each row first, then each cell's conflicts",
			"student reports, with JavaBDD", rowOr),
		byLines("per-cell", "each cell's conflicts, then a queen in each column",
			"Andersen 1997, section 6.1", perCell),
		byOperations("pairwise",
			"each pair of cells in conflict, then a queen in each row and column: the CNF, clause by clause",
			"folklore", pairwise),
	}
}

// byOperations makes a construction of any problem by Boolean operations, byLines one
// that goes by lines.
func byOperations(name, reason, source string, build func(*conjoiner, robdd.Node) robdd.Node) Construction {
	return Construction{
		Name: name, Reason: reason, Source: source, Dynamic: true,
		Takes: anyProblem, check: anything, build: conjunction(build), operations: build,
	}
}

func byLines(name, reason, source string, build func(*conjoiner, robdd.Node) robdd.Node) Construction {
	c := byOperations(name, reason, source, build)
	c.Takes, c.check = withLines, hasLines
	return c
}

const (
	freeSetName        = "free-set"
	solutionsName      = "solutions"
	constraintWiseName = "constraint-wise"

	anyProblem = "any problem"
	withLines  = "a problem with a constraint that makes exactly one variable true"
)

// Repeatable reports whether the construction works by operations that another package
// can repeat: see [OperationsOf].
func (c Construction) Repeatable() bool { return c.operations != nil }

// Check says why the construction does not take a problem, nil if it does.
func (c Construction) Check(p encode.Problem) error {
	if err := c.check(p); err != nil {
		return fmt.Errorf("construction %s does not take %s: %w", c.Name, p, err)
	}
	return nil
}

// maxListed is how many rows without a queen leave so few solutions that they can be
// listed: 17 give at most 95,815,104.
const maxListed = 17

func anything(encode.Problem) error { return nil }

func onlyQueens(p encode.Problem) error {
	if !p.IsQueens() {
		return errors.New("it is for queens alone")
	}
	return nil
}

// topDown reports a problem that no plan can be made for. That does not depend on the
// variable order.
func topDown(p encode.Problem) error {
	natural := make(order.Order, p.NumVars())
	for i := range natural {
		natural[i] = cnf.Var(i + 1)
	}
	_, err := newPlan(p, natural)
	return err
}

// Default returns the construction for a problem: solutions for queens with few rows
// open, where listing is cheaper than any sweep whatever the order; else free-set where
// it takes the problem, and constraint-wise where it does not.
func Default(p encode.Problem) Construction {
	all := Constructions()
	named := func(name string) Construction {
		return all[slices.IndexFunc(all, func(c Construction) bool { return c.Name == name })]
	}
	if p.IsQueens() && p.N-len(p.Placed()) <= maxListed {
		return named(solutionsName)
	}
	if c := named(freeSetName); c.check(p) == nil {
		return c
	}
	return named(constraintWiseName)
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
	fail := func(err error) (*Compiled, error) { return nil, fmt.Errorf("compiling %s: %w", p, err) }
	c := Default(p)
	if options.Construction != "" {
		var err error
		if c, err = ConstructionNamed(options.Construction); err != nil {
			return nil, err
		}
		if err := c.check(p); err != nil {
			return fail(fmt.Errorf("construction %s does not take it: %w", c.Name, err))
		}
	}
	if options.Sift && !c.Dynamic {
		return fail(fmt.Errorf("construction %s keeps its order: it cannot sift", c.Name))
	}
	if err := CheckSize(p); err != nil {
		return fail(err)
	}
	if err := o.Check(p.NumVars()); err != nil {
		return fail(fmt.Errorf("variable order: %w", err))
	}
	compiled, err := c.build(ctx, p, o, options)
	if err != nil {
		return nil, fmt.Errorf("compiling %s by %s: %w", p, c.Name, err)
	}
	compiled.Problem, compiled.Construction, compiled.limits = p, c.Name, options.Limits
	compiled.Stats.Nodes = compiled.Diagram.Len()
	return compiled, nil
}

// Count returns the number of solutions by the free-set sweep, without making a
// diagram: it holds one frontier, so it goes further than [Compile].
//
// Of the options it takes Limits, Workers and Progress.
func Count(ctx context.Context, p encode.Problem, o order.Order, options Options) (uint64, Stats, error) {
	fail := func(err error) (uint64, Stats, error) {
		return 0, Stats{}, fmt.Errorf("counting %s by free-set: %w", p, err)
	}
	if err := CheckSize(p); err != nil {
		return fail(err)
	}
	if err := o.Check(p.NumVars()); err != nil {
		return fail(fmt.Errorf("variable order: %w", err))
	}
	pl, err := newPlan(p, o)
	if err != nil {
		return fail(err)
	}
	s := newSweeper(ctx, pl, o, options)
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

// MaxN is the largest board that is compiled: a row lies in a word of the free-set
// sweep, and nothing else goes further. Memory ends long before, unless most queens are
// placed.
const MaxN = maxWidth

// CheckSize reports a problem that is too large to be tried.
func CheckSize(p encode.Problem) error {
	if p.IsBoard() && p.N > MaxN {
		return fmt.Errorf("boards of up to %d are compiled", MaxN)
	}
	return nil
}
