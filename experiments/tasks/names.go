package tasks

import (
	"context"
	"strings"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/diagram"
	"queens/backends/registry"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/amo"
	"queens/experiments"
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

// Pattern accepts any seed, and an order file.
func (Order) Pattern() (expression, title string) {
	return "^((force|random):[0-9]{1,19}|file:.+)$", "force:SEED, random:SEED or file:PATH"
}

var (
	_ experiments.Patterned = Order("")
	_ experiments.Pinned    = Order("")
)

// orderFile begins the name of an order from a file.
const orderFile = "file:"

// Pin implements [experiments.Pinned].
func (o Order) Pin() (string, error) {
	file, isFile := strings.CutPrefix(string(o), orderFile)
	if !isFile {
		return string(o), nil
	}
	_, pin, err := experiments.PinFile(file)
	return orderFile + pin, err
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

// DiagramKind is a kind of decision diagram.
type DiagramKind string

// Values lists the kinds.
func (DiagramKind) Values() []string {
	var names []string
	for _, k := range diagram.Kinds() {
		names = append(names, k.String())
	}
	return names
}

// Finder is the name of a back-end that finds what is possible.
type Finder string

// Values lists the back-ends.
func (Finder) Values() []string { return registry.Names[backends.Oracle]() }

// Lister is the name of a back-end that lists solutions.
type Lister string

// Values lists the back-ends.
func (Lister) Values() []string { return registry.Names[backends.Enumerator]() }

// Solver is the name of a SAT solver.
type Solver string

// Values lists the solvers, installed or not.
func (Solver) Values() []string { return registry.Solvers() }

// Pattern accepts the command of any solver.
func (Solver) Pattern() (expression, title string) {
	return `[ /{\\]`, "a command, as in kissat -q {cnf}; one without {cnf} speaks the line protocol"
}

// Formula is what a SAT solver is asked about.
type Formula string

// Values lists the formulas.
func (Formula) Values() []string {
	var names []string
	for _, f := range sat.Formulas() {
		names = append(names, string(f))
	}
	return names
}

// answerer says who answers: a back-end, and what it uses.
type answerer struct {
	backend string
	order   *Order
	amo     *AMO
	solver  *Solver  // nil where the task has no such axis
	formula *Formula // likewise
	asIs    bool     // whether questions go to the ROBDD itself, and not to the ZDD
}

// normalise sets what the back-end does not use to its default.
func (a answerer) normalise() {
	b, err := registry.Meeting[any](a.backend)
	if err != nil {
		return // the specification's check says so
	}
	if !b.Uses.Order {
		*a.order = "row-major"
	}
	if b.Uses.Solver {
		return
	}
	*a.amo = "pairwise"
	if a.solver != nil {
		*a.solver = "gini"
	}
	if a.formula != nil {
		*a.formula = Formula(sat.Residual)
	}
}

// takes reports why the back-end does not take a problem.
func (a answerer) takes(p encode.Problem) error {
	b, err := registry.Meeting[any](a.backend)
	if err != nil {
		return err
	}
	return b.Takes(p)
}

// make makes the back-end for a problem.
func (a answerer) make(ctx context.Context, p encode.Problem) (any, error) {
	b, err := registry.Meeting[any](a.backend)
	if err != nil {
		return nil, err
	}
	o := registry.Options{AMO: string(*a.amo)}
	if a.solver != nil {
		o.Solver = string(*a.solver)
	}
	if a.formula != nil {
		o.Formula = string(*a.formula)
	}
	if !a.asIs { // then there is no need of an ROBDD
		o.Compile.Kind = diagram.ZDD
	}
	if b.Uses.Order {
		if o.Order, err = orderOf(*a.order, p); err != nil {
			return nil, err
		}
	}
	return b.New(ctx, p, o)
}

// lacking says that a solver is not installed, if it is not.
func lacking(s Solver) string {
	if err := registry.CheckSolver(string(s)); err != nil {
		return err.Error()
	}
	return ""
}

// solverIs describes the SAT solver; empty for a back-end that asks none.
func (a answerer) solverIs(ctx context.Context) string {
	b, err := registry.Meeting[any](a.backend)
	if err != nil || !b.Uses.Solver || a.solver == nil {
		return ""
	}
	command, version := registry.DescribeSolver(ctx, string(*a.solver))
	if command == "" {
		return version
	}
	return version + " (" + command + ")"
}
