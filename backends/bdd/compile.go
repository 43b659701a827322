package bdd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Construction is a way to build the diagram.
type Construction struct {
	Name   string
	Reason string // what it does, in a line
	Source string // where it comes from

	// Dynamic says that the construction works by operations, so the variable order may change while it
	// runs ([Reorderings]), and another package can repeat the operations ([OperationsOf]).
	Dynamic bool

	check func(encode.Problem) error
	// One of the two is set.
	build      func(context.Context, encode.Problem, order.Order, Options) (*Compiled, error)
	operations func(c *conjoiner, start robdd.Func) robdd.Func
}

// Constructions returns the ways to build, the fastest first.
func Constructions() []Construction {
	return []Construction{
		{
			Name:   FreeSet,
			Reason: "top-down, level by level: a state is the set of variables that can still be true",
			Source: "after TdZdd (Iwashita and Minato 2013)",
			check:  hasPlan,
			build:  freeSet,
		},
		{
			Name:   solutionsName,
			Reason: "every solution by search, sorted in the variable order and folded into the diagram",
			Source: "after Daciuk, Mihov, Watson and Watson 2000",
			check:  onlyQueens,
			build:  solutions,
		},
		byOperations(constraintWiseName, "the constraints with the same first variable, then with those below; foresees a lack of memory",
			"bucket elimination; Dechter 1999", anything, constraintWise),
		byOperations("line-wise", "row-wise adapted to the order: by rows or columns, from the side that lies lower in it",
			"ours", anything, lineWise),
		byOperations("row-wise", "from the last row up: a queen in the row, and the rows below without the cells it attacks",
			"folklore", hasRows, rowWise),
		byOperations("bdd-benchmark",
			"a queen on a cell and on none it attacks; any cell of a row; all rows, from the first down",
			"bdd-benchmark; Kunkle, Slavici and Cooperman 2010", hasRows, bddBenchmark),
		byOperations("direction",
			"conflicts of rows, columns and both kinds of diagonals as four functions, then conjoined",
			"student reports", isBoard, direction),
		byOperations("row-or", "a queen in each row first, then each cell's conflicts",
			"student reports, with JavaBDD", isBoard, rowOr),
		byOperations("per-cell", "each cell's conflicts, then a queen in each column",
			"Andersen 1997, section 6.1", isBoard, perCell),
		byOperations("pairwise",
			"each pair of cells in conflict, then a queen in each row and column: the CNF, clause by clause",
			"folklore", isBoard, pairwise),
	}
}

// byOperations makes a construction by Boolean operations. build calls [conjoiner.step] whenever it has grown the
// function: there garbage is collected and the order may change. The historic ones are defined in terms of a board's
// cells, or of one queen in each row.
func byOperations(
	name, reason, source string, check func(encode.Problem) error, build func(*conjoiner, robdd.Func) robdd.Func,
) Construction {
	return Construction{Name: name, Reason: reason, Source: source, Dynamic: true, check: check, operations: build}
}

// FreeSet names the construction of queens that experiments use by default.
const FreeSet = "free-set"

const (
	solutionsName      = "solutions"
	constraintWiseName = "constraint-wise"
)

// Check returns an error that says why the construction cannot build a problem, or nil if it can.
func (c Construction) Check(p encode.Problem) error {
	if err := c.check(p); err != nil {
		return fmt.Errorf("construction %s does not take %s: %w", c.Name, p, err)
	}
	return nil
}

// maxListed is the largest number of rows without a queen for which all solutions are listed: with 17
// there are at most 95,815,104.
const maxListed = 17

func anything(encode.Problem) error { return nil }

func onlyQueens(p encode.Problem) error {
	if !p.IsQueens() {
		return errors.New("it takes only queens")
	}
	return nil
}

// hasPlan returns an error if the problem has no plan. That does not depend on the variable order.
func hasPlan(p encode.Problem) error {
	if p.Auxiliary > 0 {
		return errors.New("it takes no auxiliary variables")
	}
	natural := make(order.Order, p.NumVars())
	for i := range natural {
		natural[i] = cnf.Var(i + 1)
	}
	_, err := newPlan(p, natural)
	return err
}

// Default returns the construction for a problem. For queens with few open rows it is solutions, since
// listing is faster than free-set in any order; otherwise it is free-set if that takes the problem, and
// constraint-wise if not.
func Default(p encode.Problem) Construction {
	all := Constructions()
	named := func(name string) Construction {
		return all[slices.IndexFunc(all, func(c Construction) bool { return c.Name == name })]
	}
	if p.IsQueens() && p.N-len(p.Placed()) <= maxListed {
		return named(solutionsName)
	}
	if c := named(FreeSet); c.check(p) == nil {
		return c
	}
	return named(constraintWiseName)
}

// ConstructionNamed returns the construction with the given name. The error for an unknown name lists
// the known names.
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

// Compile builds the diagram of a problem in a variable order. A problem without solutions becomes the
// constant false, which has no nodes. If a limit is reached, the error wraps a *backends.LimitError. Every
// construction produces the same function, as a diagram of one kind; [Compiled.As] converts it to the
// other kind.
func Compile(ctx context.Context, p encode.Problem, o order.Order, options Options) (*Compiled, error) {
	fail := func(err error) (*Compiled, error) { return nil, fmt.Errorf("compiling %s: %w", p, err) }
	c := Default(p)
	if options.Construction != "" {
		var err error
		if c, err = ConstructionNamed(options.Construction); err != nil {
			return nil, err
		}
		if err := c.Check(p); err != nil {
			return nil, err
		}
	}
	if change, err := reorderingNamed(options.Sift); err != nil {
		return fail(err)
	} else if change != nil && !c.Dynamic {
		return fail(fmt.Errorf("construction %s keeps its order: it takes no reordering", c.Name))
	}
	if err := CheckSize(p); err != nil {
		return fail(err)
	}
	for v := p.NumVars() + 1; len(o) < p.AllVars() && v <= p.AllVars(); v++ { // the order may leave them out
		o = append(o[:len(o):len(o)], cnf.Var(v))
	}
	if err := o.Check(p.AllVars()); err != nil {
		return fail(fmt.Errorf("variable order: %w", err))
	}
	var told atomic.Bool
	if report := options.Progress; report != nil {
		options.Progress = func(p backends.Progress) { told.Store(true); report(p) }
	}
	var compiled *Compiled
	var err error
	if c.Dynamic {
		compiled, err = conjoin(ctx, p, o, options, c.operations)
	} else {
		compiled, err = c.build(ctx, p, o, options)
	}
	if err != nil {
		return nil, fmt.Errorf("compiling %s by %s: %w", p, c.Name, Limited(err))
	}
	compiled.Problem, compiled.Construction = p, c.Name
	compiled.finish(options.Trace || !c.Dynamic)
	if options.Progress != nil && !told.Load() {
		options.Progress(backends.Progress{Step: c.Name, Done: 1, Total: 1, Items: uint64(compiled.made.Len()), Unit: "nodes"})
	}
	compiled.limit, compiled.workers = options.MaxBytes, options.workers()
	return compiled, nil
}

// CheckSize returns an error if a problem is too large to try. A board's row must fit in one word of a
// free-set state. No other construction goes further: memory runs out long before that, unless most
// queens are placed.
func CheckSize(p encode.Problem) error {
	if p.IsBoard() && p.N > maxWidth {
		return fmt.Errorf("boards of up to %d are compiled", maxWidth)
	}
	if p.AllVars() > robdd.MaxVars {
		return fmt.Errorf("problems of up to %d variables are compiled", robdd.MaxVars)
	}
	return nil
}

// OperationsOf records the operations that a construction performs: see [Construction.Dynamic].
func OperationsOf(p encode.Problem, o order.Order, construction string) (*Operations, error) {
	c, err := ConstructionNamed(construction)
	if err != nil {
		return nil, err
	}
	if !c.Dynamic {
		return nil, fmt.Errorf("construction %s does not use operations that others can repeat, as row-wise does",
			c.Name)
	}
	if err := c.Check(p); err != nil {
		return nil, err
	}
	return record(p, o, c.operations), nil
}
