package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/diagram"
	"queens/backends/registry"
	"queens/backends/sat"
	"queens/backends/sat/external"
	"queens/encode"
	"queens/encode/amo"
	"queens/experiments"
	"queens/order"
)

// The names below have closed sets of values, taken from the packages that own them, so a new
// order or encoding is available to every experiment at once.

// texts returns the text of each item of a list.
func texts[T any](list []T, text func(T) string) []string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = text(item)
	}
	return words
}

// Order is the name of a variable order.
type Order string

// Values lists the named orders.
func (Order) Values() []string {
	return texts(order.All(), func(o order.Named) string { return o.Name })
}

// Pattern accepts any seed and any order file.
func (Order) Pattern() (expression, title string) {
	return "^((force|random):[0-9]{1,19}|file:.+)$", "force:SEED, random:SEED or file:PATH"
}

var (
	_ experiments.Patterned = Order("")
	_ experiments.Pinned    = Order("")
)

// orderFile is the prefix of the name of an order read from a file.
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
	return texts(bdd.Constructions(), func(c bdd.Construction) string { return c.Name })
}

// AMO is the name of an at-most-one encoding.
type AMO string

// Values lists the encodings.
func (AMO) Values() []string {
	return texts(amo.All(), func(a amo.Encoding) string { return a.Name })
}

// DiagramKind is a kind of decision diagram.
type DiagramKind string

// Values lists the kinds.
func (DiagramKind) Values() []string {
	return texts(diagram.Kinds(), func(k diagram.Kind) string { return k.String() })
}

// Finder is the name of a back-end that finds which variables are possible.
type Finder string

// Values lists the back-ends.
func (Finder) Values() []string { return registry.Names[backends.Oracle]() }

// references lists the back-ends that check the others.
func references() []string {
	return slices.DeleteFunc(Finder("").Values(), func(name string) bool {
		b, err := registry.Meeting[any](name)
		return err != nil || !b.Reference
	})
}

// Lister is the name of a back-end that lists solutions.
type Lister string

// Values lists the back-ends.
func (Lister) Values() []string { return registry.Names[backends.Enumerator]() }

// Solver is the name of a SAT solver.
type Solver string

// Values lists the solvers, installed or not.
func (Solver) Values() []string { return registry.Solvers() }

// Pattern accepts the command of any solver, and names defined in a configuration.
func (Solver) Pattern() (expression, title string) {
	return `.`, "a name from solvers, or a command, as in kissat -q {cnf}; one without {cnf} speaks the line protocol"
}

var _ experiments.Programmed = Solver("")

// Unknown implements [experiments.Programmed].
func (s Solver) Unknown(described []string) string {
	return unknown("SAT solver", "solvers", string(s), append(described, s.Values()...))
}

// Reserved implements [experiments.Programmed].
func (Solver) Reserved() []string { return registry.Solvers()[:1] }

// Engine is the name of a diagram package.
type Engine string

// ours is the built-in engine, which runs in this process.
const ours Engine = "queens"

func (e Engine) isOurs() bool { return e == "" || e == ours }

// Values lists the engines that a configuration need not describe.
func (Engine) Values() []string { return []string{string(ours)} }

// Pattern accepts the command of any engine, and names defined in a configuration.
func (Engine) Pattern() (expression, title string) {
	return `.`, "a name from engines, or a command with {cnf} or {ops}, as in bin/engines/buddy {ops}"
}

var _ experiments.Programmed = Engine("")

// Unknown implements [experiments.Programmed].
func (e Engine) Unknown(described []string) string {
	return unknown("engine", "engines", string(e), append(described, e.Values()...))
}

// Reserved implements [experiments.Programmed].
func (e Engine) Reserved() []string { return e.Values() }

// unknown returns a message for a value that is neither a command nor a known name, else
// nothing.
func unknown(what, key, value string, names []string) string {
	if experiments.IsCommand(value) || slices.Contains(names, value) {
		return ""
	}
	return fmt.Sprintf("%s %q: expected one of %s, a name from %s, or a command%s",
		what, value, strings.Join(names, ", "), key, experiments.DidYouMean(value, names))
}

// equipped holds the programs of a task's configuration.
type equipped struct{ programs experiments.Programs }

// Equip implements [experiments.Equipped].
func (e *equipped) Equip(programs experiments.Programs) { e.programs = programs }

// solver returns the program that a name stands for, nil for gini.
func (e *equipped) solver(name Solver) (*external.Solver, error) {
	described, ok := e.programs["solver"][string(name)]
	if !ok {
		return registry.FindSolver(string(name))
	}
	s, err := external.Describe(string(name), described.Command, described.Version)
	return &s, err
}

// Formula is what a SAT solver is asked about.
type Formula string

// Values lists the formulas.
func (Formula) Values() []string {
	return texts(sat.Formulas(), func(f sat.Formula) string { return string(f) })
}

// answerer is the back-end that answers a task's questions, and what it uses.
type answerer struct {
	backend string
	order   *Order
	amo     *AMO
	solver  *Solver
	formula *Formula // nil if the task has no such axis
	workers *int     // nil if the task has no such axis
	asIs    bool     // whether queries go to the ROBDD itself rather than to the ZDD
	*equipped
}

// normalise sets what the back-end does not use to its default.
func (a answerer) normalise() {
	b, err := registry.Meeting[any](a.backend)
	if err != nil {
		return // the check of the specification reports it
	}
	if !b.Uses.Order {
		*a.order = "row-major"
	}
	if a.workers != nil && !b.Uses.Workers {
		*a.workers = 1
	}
	if b.Uses.Solver {
		return
	}
	*a.amo, *a.solver = "pairwise", "gini"
	if a.formula != nil {
		*a.formula = Formula(sat.Residual)
	}
}

// takes returns an error if the back-end does not take the problem.
func (a answerer) takes(p encode.Problem) error {
	b, err := registry.Meeting[any](a.backend)
	if err != nil {
		return err
	}
	return b.Takes(p)
}

// make builds the back-end for a problem.
func (a answerer) make(ctx context.Context, p encode.Problem) (any, error) {
	b, err := registry.Meeting[any](a.backend)
	if err != nil {
		return nil, err
	}
	o := registry.Options{AMO: string(*a.amo)}
	if b.Uses.Solver {
		if o.Program, err = a.equipped.solver(*a.solver); err != nil {
			return nil, err
		}
	}
	if a.formula != nil {
		o.Formula = string(*a.formula)
	}
	if a.workers != nil {
		o.Workers = *a.workers
	}
	if b.Uses.Order {
		if o.Order, err = orderOf(*a.order, p); err != nil {
			return nil, err
		}
	}
	made, err := b.New(ctx, p, o)
	if d, is := made.(*bdd.Oracle); is && a.asIs {
		err = d.Draw(ctx)
	}
	return made, err
}

// start builds the back-end for a problem in the phase Build. solverIs is the SAT solver's
// version and its command, read before that.
func (a answerer) start(ctx context.Context, m *experiments.Meter, p encode.Problem) (
	made any, solverIs string, err error) {
	if solverIs, err = a.solverIs(ctx); err != nil {
		return nil, "", err
	}
	made, err = experiments.Measured(m, experiments.Build, func() (any, error) { return a.make(ctx, p) })
	return made, solverIs, err
}

// lacking reports a solver that is not installed.
func (a answerer) lacking() (parameter, what string) {
	if _, err := a.equipped.solver(*a.solver); err != nil {
		return "solver", err.Error()
	}
	return "", ""
}

// solverIs returns the SAT solver's version and its command; empty for a back-end that uses
// none. A solver that does not report its version is an error.
func (a answerer) solverIs(ctx context.Context) (string, error) {
	b, err := registry.Meeting[any](a.backend)
	if err != nil || !b.Uses.Solver {
		return "", err
	}
	solver, err := a.equipped.solver(*a.solver)
	if err != nil {
		return "", err
	}
	return registry.SolverVersion(ctx, solver)
}
