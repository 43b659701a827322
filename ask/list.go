package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/sat/solvers"
	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/internal/param"
	"queens/order"
)

// Method is one of a back-end's methods for finding what is possible.
type Method struct {
	Name  string // as in a Choice
	Title string // for people; empty if the back-end's title says enough
	// LargestBoard is the largest board for which a person waits for the answer; 0 if that is any.
	LargestBoard int
}

// Entry is a back-end in the list: a way of answering, and what callers must know of it.
type Entry struct {
	Name  string
	Title string // for people
	Doc   string // how it answers, in one line
	// Counting says in one word how it counts solutions; empty if it does not count. AtOnce says
	// that it visits none of them for that.
	Counting string
	AtOnce   bool
	// Uses lists the fields of a Choice, by JSON name, that it reads besides backend and
	// method.
	Uses []string
	// Methods are its methods, the generally best one first.
	Methods []Method
	// WorkVaries says that the work for the same question may differ from run to run.
	WorkVaries bool

	// checks is CanCheck for boards; nil for never.
	checks func(n, open int) bool
	// accepts is Accepts; nil if the back-end accepts every problem.
	accepts func(encode.Problem) error
	// open makes the session's back-end from its plan, whose choice has no empty field.
	open func(context.Context, *Session, Resources) error
}

// The back-ends that the policy names for more than one purpose.
const (
	diagramBackend = "bdd"
	searchBackend  = "search"
)

// All returns all back-ends.
func All() []Entry {
	always := func(int, int) bool { return true }
	return []Entry{
		{
			Name: diagramBackend, Title: "Diagram", Doc: "compiles a decision diagram, which then answers every question",
			Counting: "diagram", AtOnce: true,
			Uses: []string{"order", "construction", "diagram", "workers"},
			Methods: []Method{
				{bdd.SweepZDD, "ZDD sweep", 0}, {bdd.Sweep, "BDD sweep", 12}, {bdd.Restrict, "a restrict for each cell", 10},
				{bdd.Session, "a restrict for each queen more", 10}, {bdd.AnySat, "a solution for each cell", 10},
				{bdd.AllSat, "all solutions searched", 10},
			},
			accepts: noDiagram,
			checks:  func(n, _ int) bool { return n <= 12 },
			open:    openDiagram,
		},
		{
			Name: "sat", Title: "SAT", Doc: "asks a SAT solver under assumptions",
			Uses: []string{"solver", "amo", "formula"},
			Methods: []Method{
				{"pack", "pack", 60}, {"core", "core", 60}, {"reuse", "reuse", 40}, {"per-cell", "a solve for each cell", 24},
			},
			checks: always, WorkVaries: true,
			open: openSAT,
		},
		{
			Name: searchBackend, Title: "Search", Doc: "backtracks; counts boards by visiting solutions one by one, formulas component by component",
			Counting: "enumerate",
			Uses:     []string{"workers"},
			Methods: []Method{
				{search.Supports, "supports", 60}, {search.Reuse, "reuse", 40}, {search.PerCell, "per-cell", 24},
				{search.Enumerate, "enumerate", 9},
			},
			checks: func(_, open int) bool { return open <= 24 },
			open: func(_ context.Context, s *Session, r Resources) error {
				s.Backend = search.New(s.problem).Parallel(s.Choice.Workers, r.searching())
				return nil
			},
		},
		{
			Name: "portfolio", Title: "Portfolio",
			Doc:     "local search first, backtracking next, the SAT solver gini last; queens only",
			Methods: []Method{{"staged", "", 0}},
			accepts: portfolio.Takes,
			checks:  always, WorkVaries: true,
			open: func(_ context.Context, s *Session, _ Resources) (err error) {
				s.Backend, err = portfolio.New(s.problem)
				return err
			},
		},
		{
			Name: "table", Title: "Table", Doc: "lists all solutions, and looks answers up; for problems with few",
			Counting: "scan",
			Methods:  []Method{{table.Scan, "all solutions, listed", 13}},
			accepts:  table.Takes,
			open: func(ctx context.Context, s *Session, r Resources) (err error) {
				s.Backend, err = table.New(ctx, s.problem, search.New(s.problem).Solutions(ctx, nil), r.Bytes)
				return err
			},
		},
	}
}

// Able lists the back-ends that can answer what is wanted.
func Able(want Want) []Entry {
	return slices.DeleteFunc(All(), func(e Entry) bool { return !e.can(want) })
}

// can reports whether the back-end can answer what is wanted: all find solutions and what is
// possible, and list solutions.
// counting returns how the back-end counts, in a word.
func (e Entry) counting(p encode.Problem, want Want) string {
	if e.Name == searchBackend && p.Place == nil && want&CountEach == 0 {
		return "components"
	}
	return e.Counting
}

func (e Entry) can(want Want) bool { return want&(Count|CountEach) == 0 || e.Counting != "" }

// Names lists the names of back-ends.
func Names(list []Entry) []string { return namesOf(list, func(e Entry) string { return e.Name }) }

// Named returns a back-end by name that can answer what is wanted. The error is a param.Error that
// lists those there are.
func Named(name string, want Want) (Entry, error) {
	for _, e := range All() {
		if e.Name == name && e.can(want) {
			return e, nil
		}
	}
	return Entry{}, &param.Error{Field: "backend", Text: param.Expected(name, Names(Able(want)), "")}
}

// Accepts returns an error if the back-end does not take a problem; the error names back-ends that
// do. A problem that it takes may still need more time or memory than there is.
func (e Entry) Accepts(p encode.Problem) error {
	if e.accepts == nil {
		return nil
	}
	return e.accepts(p)
}

// MethodNames lists the names of the back-end's methods, the generally best one first.
func (e Entry) MethodNames() []string {
	return namesOf(e.Methods, func(m Method) string { return m.Name })
}

// MethodTitle returns the name of the back-end and one of its methods for people: Diagram (ZDD
// sweep), SAT (gini, pack).
func (e Entry) MethodTitle(method string) string {
	for _, m := range e.Methods {
		if m.Name == method {
			method = m.Title
		}
	}
	if e.uses("solver") {
		method = gini + ", " + method
	}
	if method == "" {
		return e.Title
	}
	return fmt.Sprintf("%s (%s)", e.Title, method)
}

// openDiagram compiles the problem, unless that is done, and draws the kind of diagram that is asked.
func openDiagram(ctx context.Context, s *Session, r Resources) error {
	if s.Compiled = r.Diagram; s.Compiled == nil {
		if err := s.compile(ctx, r); err != nil {
			return err
		}
	}
	if _, err := s.Choice.Diagram.Of(ctx, s.Compiled); err != nil {
		return err
	}
	s.Backend = bdd.New(s.Compiled)
	return nil
}

// compile builds the diagram of the session's problem.
func (s *Session) compile(ctx context.Context, r Resources) error {
	p, c := s.problem, &s.Choice
	construction, err := bdd.ConstructionNamed(string(c.Construction))
	if err == nil {
		err = construction.Check(p)
	}
	if err != nil {
		return wrong("construction", "%v", err)
	}
	if c.Sift && !construction.Dynamic {
		return wrong("sift", "construction %s does not change its order", construction.Name)
	}
	var o order.Order
	if o, c.Order, err = c.Order.For(p, r.Order); err != nil {
		return err
	}
	s.Compiled, err = bdd.Compile(ctx, p, o, bdd.Options{
		Construction: construction.Name, Sift: c.Sift, Workers: c.Workers, MaxBytes: r.Bytes, Progress: r.Progress,
		Trace: r.Trace,
	})
	return err
}

func openSAT(_ context.Context, s *Session, r Resources) error {
	made := sat.New(s.problem)
	made.Formula = sat.Formula(s.Choice.Formula)
	if name := string(s.Choice.AMO); name != "" {
		encoding, err := amo.Named(name)
		if err != nil {
			return err
		}
		made.AMO = encoding
	}
	solver, err := s.Choice.Solver.find(r.Programs)
	if err != nil {
		return err
	}
	if s.Backend = made; solver == nil {
		return nil
	}
	session := solver.Open()
	made.Solver = solver.Name
	made.Make = func(f *cnf.Formula) sat.Solver { return session.New(f) }
	s.Backend = outside{made, session}
	return nil
}

// outside is an oracle with an outside solver, which is closed with it.
type outside struct {
	*sat.Oracle
	session *solvers.Session
}

// Stats implements [backends.Backend]. For the pipe see [solvers.Session.Pipe].
func (o outside) Stats() backends.Stats {
	stats := o.Oracle.Stats()
	pipe, known := o.session.Pipe()
	stats.Pipe, stats.Untimed = pipe, !known
	return stats
}

// Close ends the solver's processes.
func (o outside) Close() error { return errors.Join(o.Oracle.Close(), o.session.Close()) }
