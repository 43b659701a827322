package tasks

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"queens/ask"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/amo"
	"queens/internal/param"
	"queens/internal/system/program"
	"queens/order"
)

// Asked holds a task's problem and choice of a back-end, and the programs that the configuration describes.
type Asked struct {
	ask.Setup

	programs program.Descriptions
	last     *atomic.Pointer[built] // shared by a kind: tasks next to each other often have one problem
}

// built is a problem that has been built.
type built struct {
	of      ask.ProblemName
	n       int
	problem encode.Problem
}

// build returns the problem, which must not be changed. A file is read only once if its name has the hash of
// its content.
func (a *Asked) build() (encode.Problem, error) {
	if a.last == nil || a.FromFile() && param.Unpinned(string(a.Problem)) == string(a.Problem) {
		return a.Build()
	}
	if last := a.last.Load(); last != nil && last.of == a.Problem && last.n == a.N {
		return last.problem, nil
	}
	p, err := a.Build()
	if err == nil {
		a.last.Store(&built{a.Problem, a.N, p})
	}
	return p, err
}

// asked returns the default problem and choice of tasks. Defaults are spelled out, since a recorded run must
// not depend on the machine, nor change with the default policy.
func asked() Asked {
	return Asked{last: new(atomic.Pointer[built]), Setup: ask.Setup{Problem: ask.Queens, Choice: ask.Choice{
		Backend: ask.Diagram, Method: "default", Order: ask.RowMajor, AMO: ask.AMOName(amo.Pairwise.Name), Solver: ask.Gini,
		Formula: ask.FormulaName(sat.Residual), Workers: 1,
	}}}
}

// smallBoard is the size of the board about which a run asks before any clock starts.
const smallBoard = 6

// ways lists the parameters that say who answers, and how: those of a choice, and programs in place of a back-end. A task
// need not have them all.
func ways() []string {
	list := []string{"engine", "backbone", "compiler"}
	for _, field := range param.Fields(ask.Choice{}) {
		list = append(list, field.Name)
	}
	return list
}

// Equip implements experiments.Equipped.
func (a *Asked) Equip(programs program.Descriptions) error {
	a.programs = programs
	return cmp.Or(
		checkProgram("solver", "SAT solver", string(a.Solver), programs["solver"], a.Solver.Reserved(), a.Solver.Values()),
		checkProgram("counter", "model counter", string(a.Counter), programs["counter"], a.Counter.Reserved(), a.Counter.Values()),
	)
}

// checkProgram checks the value of a field: it must be empty, a command, the name of a program that the
// configuration describes, or one of the known names. Reserved names must not be described.
func checkProgram(field, what, value string, described map[string]program.Description, reserved, known []string) error {
	for _, name := range reserved {
		if _, taken := described[name]; taken {
			return &param.Error{Field: field, Text: field + "s." + name + ": the name is reserved: choose another"}
		}
	}
	names := append(slices.Sorted(maps.Keys(described)), known...)
	if value == "" || program.IsCommand(value) || slices.Contains(names, value) {
		return nil
	}
	return &param.Error{Field: field, Text: what + ` "` + value + `": expected one of ` + strings.Join(names, ", ") +
		", a name from " + field + "s, or a command" + param.DidYouMean(value, names)}
}

// ignored sets the fields of the choice that its back-end does not read to their defaults.
func (a *Asked) ignored() { a.unread(asked().Choice) }

// unread sets the fields of the choice that its back-end does not read to those of another choice.
func (a *Asked) unread(to ask.Choice) {
	d, err := ask.Named(string(a.Backend), 0)
	if err != nil {
		return // the check of the specification reports it
	}
	for _, field := range d.Ignores() {
		field.Of(reflect.ValueOf(&a.Choice).Elem()).Set(field.Of(reflect.ValueOf(to)))
	}
}

// Effective implements experiments.Worded. A diagram has no solver, for example.
func (a *Asked) Effective(columns []string) []string {
	d, err := ask.Named(string(a.Backend), 0)
	return slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return err == nil && !d.Reads(c) })
}

// Words implements experiments.Worded. It calls a diagram with a method by the method's title, as in ZDD sweep.
func (a *Asked) Words(columns []string, word func(string) string) (words []string) {
	d, _ := ask.Named(string(a.Backend), 0)
	method, has := d.Method(a.Method)
	titled := d.Builds && has && slices.Contains(columns, "backend") && slices.Contains(columns, "method")
	for _, c := range columns {
		switch {
		case titled && c == "backend":
			words = append(words, method.Title)
		case !titled || c != "method":
			words = append(words, word(c))
		}
	}
	return words
}

// suits checks that the problem and its order exist; if check is not nil, it must accept the problem. A file
// must exist and fit: it is pinned by its content. If a pinned file has gone, the run reports that, so that
// records can still be read without the file. A problem without cells has no row-major order; that name, the
// default of experiments, becomes estimate. If something does not suit, the error is a *param.Unsuited.
func (a *Asked) suits(check func(encode.Problem) error) error {
	if err := a.Sized(); err != nil {
		return err
	}
	if a.Problem == ask.Queens && check == nil && !a.Order.IsFile() {
		return nil // every named order suits queens
	}
	p, err := a.build()
	gone := a.Problem.Gone()
	if err != nil && !gone {
		if a.FromFile() {
			return err
		}
		return &param.Unsuited{Why: err.Error()}
	}
	if p.Place == nil && a.Order == ask.RowMajor {
		a.Order = ask.Estimate
	}
	if gone {
		return nil
	}
	if a.Order.IsFile() {
		if a.Order, err = a.Order.Pinned(p); err != nil {
			return err
		}
	} else if d, unknown := ask.Named(string(a.Backend), 0); a.Backend == "" || unknown == nil && d.Reads("order") {
		named, unknown := order.ByName(string(a.Order))
		if err = unknown; err == nil {
			err = named.Takes(p)
		}
	}
	if err == nil && check != nil {
		err = check(p)
	}
	if err != nil {
		return &param.Unsuited{Why: err.Error()}
	}
	return nil
}

// accepted checks that the back-end accepts the problem; see suits.
func (a *Asked) accepted() error {
	d, err := ask.Named(string(a.Backend), 0)
	if err != nil {
		return nil // the check of the specification reports it
	}
	return a.suits(d.Accepts)
}

// kin lists the back-ends that share code with the own one, itself among them.
func (a *Asked) kin(want ask.Want) (names []string) {
	own, err := ask.Named(string(a.Backend), 0)
	if err != nil {
		return nil // an outside program answers
	}
	p, err := a.build()
	if err != nil {
		return ask.Names(ask.All()) // a file that has gone
	}
	for _, d := range ask.All() {
		if d.SharesWith(own, p, want) {
			names = append(names, d.Name)
		}
	}
	return names
}

// strangers lists the back-ends that can answer and share no code with the own one.
func (a *Asked) strangers(want ask.Want) []ask.Descriptor {
	kin := a.kin(want)
	return slices.DeleteFunc(ask.Able(want), func(d ask.Descriptor) bool { return slices.Contains(kin, d.Name) })
}

// checkers lists the strangers that are fast enough to check an answer; fixed is the number of fixed variables. A formula file
// may be of any size.
func (a *Asked) checkers(want ask.Want, fixed int) []ask.Descriptor {
	return slices.DeleteFunc(a.strangers(want), func(d ask.Descriptor) bool {
		switch {
		case a.FromFile():
			return d.Checks != ask.AnySize
		case d.Builds:
			return a.N > d.Checks
		}
		return a.N-fixed > d.Checks
	})
}

// methodOf returns the method of a back-end that the choice names, or default stands for, if there are queries of this
// kind: only valid cells have methods. The error is a *param.Unsuited.
func (a *Asked) methodOf(b ask.Descriptor, want Wanted) (ask.MethodName, error) {
	method, has := b.Method(a.Method)
	switch {
	case a.proves():
		return byProof, nil
	case !has:
		return "", &param.Unsuited{}
	case b.Counting == "" && (want == wantCounts || want == wantSample):
		return "", &param.Unsuited{Why: "back-end " + b.Name + " does not count"}
	case want.what() != ask.Valid:
		method = b.Methods[0]
	}
	return ask.MethodName(method.Name), nil
}

// others lists the choices that check answers to queries: those of the back-ends that share no code and are fast enough, each
// with its best method; and certificates, for files of clauses and wherever nothing else checks.
func (a *Asked) others(want Wanted, fixed int) (list []ask.Choice) {
	for _, e := range a.checkers(want.what(), fixed) {
		other := asked().Choice
		other.Backend = ask.BackendName(e.Name)
		list = append(list, other)
	}
	format, path := a.Problem.File()
	if want != wantCounts && (len(list) == 0 || path != "" && format == "cnf") {
		other := asked().Choice
		other.Backend, other.Method = ask.Near, byProof
		list = append(list, other)
	}
	return list
}

// timedWork returns the columns of work if it varies from run to run: that of an outside solver, which may look at a clock;
// linked ones look at none.
func (a *Asked) timedWork(columns ...string) []string {
	_, linked := a.Solver.Linked()
	if b, err := ask.Named(string(a.Backend), ask.Valid); err == nil && b.WorkVaries && !linked {
		return columns
	}
	return nil
}

// solver returns the SAT solver if it is an outside program, or else nil. Its Check fails if the solver is
// not installed or does not report its version.
func (a *Asked) solver() *program.Needed {
	if a.Solver == asked().Solver || a.Solver == "" {
		return nil
	}
	return &program.Needed{Parameter: "solver", Name: string(a.Solver),
		Find: func() error {
			_, err := a.Solver.Find(a.programs)
			return err
		},
		Version: func(ctx context.Context) error {
			_, err := a.Solver.Version(ctx, a.programs)
			return err
		}}
}

// plan returns the back-end's plan for a problem, and the resources for opening it. Fields that the back-end
// does not read are ignored.
func (a *Asked) plan(p encode.Problem, want ask.Want) (ask.Plan, ask.Resources, error) {
	all := *a
	all.unread(ask.Choice{})
	plan, err := ask.Resolve(p, all.Choice, want)
	return plan, ask.Resources{Programs: a.programs}, err
}

// solverIs returns the version of the SAT solver and its command; empty for a back-end
// that uses none. A solver that does not report its version is an error.
func (a *Asked) solverIs(ctx context.Context) (string, error) {
	d, err := ask.Named(string(a.Backend), 0)
	if err != nil || !d.Reads("solver") {
		return "", err
	}
	return a.Solver.Version(ctx, a.programs)
}
