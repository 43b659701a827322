package ask

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"queens/backends/bdd"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/param"
)

// The policy: who answers when nothing else is said, and what a choice leaves open.

// Defaults is the choice of a recorded run, which says everything: it must not depend on the
// machine, nor change when the policy does.
func Defaults() Choice {
	return Choice{
		Backend: diagramBackend, Method: bestMethod, Order: "row-major", AMO: "pairwise", Solver: gini,
		Formula: FormulaName(sat.Residual), Workers: 1,
	}
}

// filled returns the choice with the fields that the back-end uses filled in, except where an engine
// chooses by size.
func (c Choice) filled(e Entry, p encode.Problem) Choice {
	c.Backend = BackendName(e.Name)
	if c.Method == "" || c.Method == bestMethod {
		c.Method = MethodName(e.Methods[0].Name)
	}
	if e.uses("diagram") && c.Diagram == "" {
		c.Diagram = "zdd" // to ask: it has a tenth of the nodes
		if c.Method == bdd.Sweep || c.Method == bdd.Restrict || c.Method == bdd.Session {
			c.Diagram = "bdd"
		}
	}
	if e.uses("construction") && c.Construction == "" {
		c.Construction = ConstructionName(bdd.Default(p).Name)
	}
	if e.uses("solver") && c.Solver == "" {
		c.Solver = gini
	}
	if e.uses("formula") && c.Formula == "" {
		c.Formula = FormulaName(sat.Residual)
	}
	if e.uses("workers") && c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return c
}

// Fields lists the fields of a Choice that an answer to what is wanted can depend on, for the
// back-ends that can give it. The kind of diagram follows from the method.
func Fields(want Want) []string {
	names, able := []string{"backend"}, Able(want)
	if want&Valid != 0 {
		names = append(names, "method")
	}
	if want == Count {
		names = append(names, "counter")
	}
	for _, field := range param.Fields(Choice{}) {
		used := func(e Entry) bool { return field.Name != "diagram" && e.uses(field.Name) }
		if slices.ContainsFunc(able, used) {
			names = append(names, field.Name)
		}
	}
	return names
}

const (
	// instant is the largest board whose diagram compiles in a few milliseconds.
	instant = 10
	// instantOften is the same for a session, whose later questions repay a tenth of a second.
	instantOften = 12
)

// ForBoard returns the back-end that suits a board of queens of size n. To find what is possible it
// is the diagram, which also counts, where it compiles at once; the portfolio for larger boards, and
// for one solution. To count it is search, which visits the solutions with almost no memory, or the
// diagram if every variable is counted.
func ForBoard(n int, want Want, often bool) string {
	diagram := n <= instant || often && n <= instantOften
	switch {
	case want&CountEach != 0:
		return diagramBackend
	case want&Count != 0:
		return searchBackend
	case want&Valid != 0 && diagram:
		return diagramBackend
	}
	return "portfolio"
}

// suited returns the back-end that is best for a problem when nothing else is said: SAT for what is
// no board, and a diagram to count, since there may be too many solutions to visit.
func suited(p encode.Problem, want Want) (string, error) {
	tooLarge := bdd.CheckSize(p)
	counts := want&(Count|CountEach) != 0
	switch {
	case counts && tooLarge != nil && want&CountEach == 0:
		return "", wrong("problem", "counting %s: %v; back-end search visits every solution, but must be chosen by name", p, tooLarge)
	case counts && tooLarge != nil:
		return searchBackend, nil
	case p.IsQueens():
		return ForBoard(p.N, want, false), nil
	case counts:
		return diagramBackend, nil
	}
	return "sat", nil
}

// counted counts without a session: by the outside counter that the choice names, or else by search if
// that is soon done. The answer has no count if neither applies.
func counted(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, r Resources) (a Answer, err error) {
	counter, outside := c.Counter.Find(r.Programs)
	switch {
	case !outside:
		return searched(ctx, p, c, assume, searchFirst)
	case c.Backend != "":
		return a, wrong("counter", "it counts in place of back-end %s", c.Backend)
	}
	a.By, a.How = c, counter.Command
	a.Count, err = counter.Count(ctx, p.With(assume...))
	if err != nil && ctx.Err() == nil {
		err = wrong("counter", "%v", err)
	}
	if err == nil {
		a.holds(a.Count.Sign() > 0)
	}
	return a, err
}

// searchFirst is the work of a search, in variables and constraints looked at, before [searched] gives
// it up. It takes about a second, but it is not a time, so that the same back-end answers every time and
// everywhere.
const searchFirst = 20_000_000

// searched counts the solutions of a problem that is no board by search, within a budget of work:
// search counts nearly every published feature model sooner than its diagram is built. The answer has
// no count, and the problem is one for a diagram, when the budget is spent, or the choice asks for
// anything else.
func searched(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, budget uint64) (a Answer, err error) {
	e, err := Named(searchBackend, Count)
	if err != nil || c.Backend != "" || p.Place != nil || c.conflict(e) != nil {
		return a, err
	}
	a.Count, err = search.New(p).CountWithin(ctx, assume, budget)
	if err == nil && a.Count != nil {
		a.By, a.How = c.filled(e, p), e.counting(p, Count)
		a.holds(a.Count.Sign() > 0)
	}
	return a, err
}

const (
	// mostOpen is the number of rows without a queen beyond which counting by search takes longer
	// than anyone would wait: 14.8 million solutions at n = 16.
	mostOpen = 16
	// mostListed is the largest board whose solutions a solver lists, with one blocking clause
	// each; on larger boards search does.
	mostListed = 12
	// mostAtOnce is the largest board whose diagram compiles in a few milliseconds of a server
	// that others use, too.
	mostAtOnce = 9
	// mostQuick is the largest board about which the portfolio answers in a few milliseconds.
	mostQuick = 100
)

// WhoCounts returns the back-end that counts the completions of a board with so many rows open while
// a person waits: the session's own if it counts at once, otherwise search; none if it would take
// longer.
func (e Entry) WhoCounts(open int) string {
	switch {
	case e.AtOnce:
		return e.Name
	case open > mostOpen:
		return ""
	}
	return searchBackend
}

// WhoLists returns the back-end that lists the solutions of a board of size n: the session's own,
// unless that would be slow.
func (e Entry) WhoLists(n int) string {
	if e.AtOnce || n <= mostListed {
		return e.Name
	}
	return searchBackend
}

// Slow reports whether an answer about a board of size n takes longer than a few milliseconds,
// by a back-end that is ready or not.
func Slow(n int, ready bool) bool { return n > mostQuick || n > mostAtOnce && !ready }

// CanCheck reports whether a back-end is quick enough to check the answers of others about a board of
// size n with so many rows open. About files only SAT is: a diagram or a search may not end.
func (e Entry) CanCheck(file bool, n, open int) bool {
	if file {
		return e.uses("solver")
	}
	return e.checks != nil && e.checks(n, open)
}

// noDiagram says why a problem is too large to compile.
func noDiagram(p encode.Problem) error {
	if err := bdd.CheckSize(p); err != nil {
		return fmt.Errorf("%s: %w; sat takes any size", p, err)
	}
	return nil
}
