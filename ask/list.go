package ask

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queens/backends/bdd"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/sat/solvers"
	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/param"
)

// Ability is a set of things that a back-end can do: the interfaces of package backends that it
// implements.
type Ability uint8

// The abilities.
const (
	Finds      Ability = 1 << iota // backends.Finder
	Valid                          // backends.ValidFinder
	Counts                         // backends.Counter
	CountsEach                     // backends.VarCounter
	Lists                          // backends.Enumerator
)

// Way is one of a back-end's methods for finding what is possible.
type Way struct {
	Name  string // as in a Choice's Method
	Title string // for people; empty if the back-end's title says enough
	// Most is the largest board for which a person waits for the answer; 0 if that is any.
	Most int
}

// Backend is an entry of the list: a way of answering, and what callers must know of it.
type Backend struct {
	Name  string
	Title string // for people
	Doc   string // how it answers, in one line
	Can   Ability
	// Counting says in one word how it counts solutions; empty if it does not count.
	Counting string
	// Uses lists the fields of a Choice, by JSON name, that it reads besides backend and
	// method.
	Uses []string
	// Ways are its methods, the generally best one first.
	Ways []Way
	// Checks reports whether the back-end is quick enough to check the answers of others on a
	// board of size n with so many rows open; nil for never.
	Checks func(n, open int) bool
	// WorkVaries says that the work for the same question may differ from run to run.
	WorkVaries bool
	// CellBytes estimates the memory that it keeps for each cell of a board once asked.
	CellBytes int64

	// takes is Takes; nil if the back-end takes every problem.
	takes func(encode.Problem) error
	// open makes the back-end for a problem that it takes, from a choice without empty fields.
	open func(context.Context, encode.Problem, Choice, Resources) (any, error)
}

// All returns all back-ends.
func All() []Backend {
	always := func(int, int) bool { return true }
	return []Backend{
		{
			Name: "bdd", Title: "Diagram", Doc: "compiles a decision diagram, which then answers every question",
			Can: Finds | Valid | Counts | CountsEach | Lists, Counting: "diagram",
			Uses: []string{"order", "construction", "diagram", "workers"},
			Ways: []Way{
				{bdd.SweepZDD, "ZDD sweep", 0}, {bdd.Sweep, "BDD sweep", 12}, {bdd.Restrict, "a restrict for each cell", 10},
			},
			takes:  diagrams,
			Checks: func(n, _ int) bool { return n <= 12 },
			open:   openDiagram,
		},
		{
			Name: "sat", Title: "SAT", Doc: "asks a SAT solver under assumptions",
			Can:  Finds | Valid | Lists,
			Uses: []string{"solver", "amo", "formula"},
			Ways: []Way{
				{"pack", "pack", 60}, {"core", "core", 60}, {"reuse", "reuse", 40}, {"per-cell", "a solve for each cell", 24},
			},
			Checks: always, WorkVaries: true,
			CellBytes: 3 << 10, // gini with all clauses: 1.5 to 4 KiB for n = 30 to 80
			open:      openSAT,
		},
		{
			Name: "search", Title: "Search", Doc: "backtracks, and counts by visiting solutions one by one",
			Can: Finds | Valid | Counts | CountsEach | Lists, Counting: "enumerate",
			Uses:   []string{"workers"},
			Ways:   []Way{{search.Reuse, "reuse", 40}, {search.PerCell, "per-cell", 24}, {search.Enumerate, "enumerate", 9}},
			Checks: func(_, open int) bool { return open <= 24 }, CellBytes: 1,
			open: func(_ context.Context, p encode.Problem, c Choice, r Resources) (any, error) {
				return search.New(p).Parallel(c.Workers, r.searching()), nil
			},
		},
		{
			Name: "portfolio", Title: "Portfolio",
			Doc:    "local search first, backtracking next, the SAT solver gini last; queens only",
			Can:    Finds | Valid | Lists,
			Ways:   []Way{{"staged", "", 0}},
			takes:  portfolio.Takes,
			Checks: always, WorkVaries: true, CellBytes: 1,
			open: func(_ context.Context, p encode.Problem, _ Choice, _ Resources) (any, error) { return portfolio.New(p) },
		},
		{
			Name: "table", Title: "Table", Doc: "lists all solutions, and looks answers up; for problems with few",
			Can: Finds | Valid | Counts | CountsEach | Lists, Counting: "scan",
			Ways:  []Way{{table.Scan, "all solutions, listed", 13}},
			takes: table.Takes,
			open: func(ctx context.Context, p encode.Problem, _ Choice, r Resources) (any, error) {
				return table.New(ctx, p, search.New(p).Solutions(ctx, nil), r.Bytes)
			},
		},
	}
}

// Able lists the back-ends with all of the abilities.
func Able(a Ability) []Backend {
	var list []Backend
	for _, b := range All() {
		if b.Can&a == a {
			list = append(list, b)
		}
	}
	return list
}

// Names lists the names of back-ends.
func Names(list []Backend) []string {
	names := make([]string, len(list))
	for i, b := range list {
		names[i] = b.Name
	}
	return names
}

// Named returns a back-end with the abilities by name. The error is an param.Error that
// lists those there are.
func Named(name string, a Ability) (Backend, error) {
	for _, b := range All() {
		if b.Name == name && b.Can&a == a {
			return b, nil
		}
	}
	return Backend{}, &param.Error{Field: "backend", Text: param.Expected(name, Names(Able(a)), "")}
}

// Takes returns an error if the back-end does not take a problem; the error names back-ends that
// do. A problem that it takes may still need more time or memory than there is.
func (b Backend) Takes(p encode.Problem) error {
	if b.takes == nil {
		return nil
	}
	return b.takes(p)
}

// Methods lists the names of the back-end's ways, the generally best one first.
func (b Backend) Methods() []string {
	names := make([]string, len(b.Ways))
	for i, w := range b.Ways {
		names[i] = w.Name
	}
	return names
}

// MethodTitle returns the name of the back-end and one of its methods for people: Diagram (ZDD
// sweep), SAT (gini, pack).
func (b Backend) MethodTitle(method string) string {
	for _, w := range b.Ways {
		if w.Name == method {
			method = w.Title
		}
	}
	if b.uses("solver") {
		method = gini + ", " + method
	}
	if method == "" {
		return b.Title
	}
	return fmt.Sprintf("%s (%s)", b.Title, method)
}

// diagrams takes problems that are not too large to compile.
func diagrams(p encode.Problem) error {
	if err := bdd.CheckSize(p); err != nil {
		return fmt.Errorf("%s: %w; sat takes any size", p, err)
	}
	return nil
}

func openDiagram(ctx context.Context, p encode.Problem, c Choice, r Resources) (any, error) {
	compiled := r.Diagram
	if compiled == nil {
		var err error
		if compiled, _, err = compile(ctx, p, c, r); err != nil {
			return nil, err
		}
	}
	made := bdd.New(compiled)
	if c.Diagram == "bdd" {
		return made, made.Draw(ctx)
	}
	return made, nil
}

func openSAT(_ context.Context, p encode.Problem, c Choice, r Resources) (any, error) {
	made := sat.New(p)
	made.Formula = sat.Formula(c.Formula)
	if c.AMO != "" {
		encoding, err := amo.Named(string(c.AMO))
		if err != nil {
			return nil, err
		}
		made.AMO = encoding
	}
	solver, err := c.Solver.find(r.Programs)
	if err != nil {
		return nil, err
	}
	if solver == nil {
		return made, nil
	}
	session := solver.Open()
	made.Solver = solver.Name
	made.Make = func(ctx context.Context, f *cnf.Formula) (sat.Solver, error) { return session.New(ctx, f) }
	return outside{made, session}, nil
}

// outside is an oracle with an outside solver, which is closed with it.
type outside struct {
	*sat.Oracle
	session *solvers.Session
}

// Pipe returns what asking the solver costs besides its own work: see
// [solvers.Session.Pipe].
func (o outside) Pipe() (spent time.Duration, known bool) { return o.session.Pipe() }

// Close ends the solver's processes.
func (o outside) Close() error { return errors.Join(o.Oracle.Close(), o.session.Close()) }
