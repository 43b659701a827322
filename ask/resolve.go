package ask

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"queens/backends/bdd"
	"queens/backends/sat"
	"queens/encode"
	"queens/internal/param"
)

// Plan says who answers questions about one problem, and how. [Resolve] makes it from a [Choice].
type Plan struct {
	Descriptor Descriptor
	Choice     Choice // completed; order and amo may be empty, which the packages that read them choose
	Problem    encode.Problem
	Want       Want // what [Begin] prepares for; 0 for nothing
}

// Resolve returns the plan of a back-end that can answer everything in want: the named one, or else the
// first that fits the other fields. It tries the one that suits the problem best before the others. Its
// errors are param.Errors: the choice is invalid, or does not fit this problem.
func Resolve(p encode.Problem, c Choice, want Want) (Plan, error) {
	if err := c.Check(); err != nil {
		return Plan{}, err
	}
	name := c.Backend
	if name == "" {
		var err error
		if name, err = suited(p, want); err != nil {
			return Plan{}, err
		}
	}
	best, err := Named(string(name), want)
	if err != nil {
		return Plan{}, err
	}
	plan, unfit := planned(best, p, c)
	plan.Want = want
	if unfit == nil || c.Backend != "" {
		return plan, unfit
	}
	for _, d := range Able(want) {
		if other, err := planned(d, p, c); err == nil {
			other.Want = want
			return other, nil
		}
	}
	return Plan{}, unfit
}

// planned returns the plan of a back-end, or an error if the choice or the problem does not fit it.
func planned(d Descriptor, p encode.Problem, c Choice) (Plan, error) {
	if err := conflict(d, c); err != nil {
		return Plan{}, err
	}
	if !d.Weights {
		p = c.AMO.counting(p)
	}
	if err := d.Accepts(p); err != nil {
		return Plan{}, wrong("problem", "%v", err)
	}
	return Plan{Descriptor: d, Choice: filled(d, p, c), Problem: p}, nil
}

// conflict returns an error if a choice has a field that the back-end does not read, or a method that it
// does not have.
func conflict(d Descriptor, c Choice) error {
	for _, field := range d.Ignores() {
		if !field.Of(reflect.ValueOf(c)).IsZero() {
			return wrong(field.Name, "back-end %s %s", d.Name, ignoring(field.Name))
		}
	}
	if _, has := d.Method(c.Method); has {
		if kind := DiagramName(best(d, c).Kind); c.Diagram != "" && kind != c.Diagram {
			return wrong("diagram", "%s: method %s of back-end %s reads the %s", c.Diagram, best(d, c).Name, d.Name, kind.Title())
		}
		return nil
	}
	m := string(c.Method)
	hint := param.DidYouMean(m, d.MethodNames())
	var others []string
	for _, other := range All() {
		if slices.Contains(other.MethodNames(), m) {
			others = append(others, other.Name)
		}
	}
	if len(others) == 1 {
		hint = fmt.Sprintf("; %s is a method of back-end %s", m, others[0])
	} else if others != nil {
		hint = fmt.Sprintf("; %s is a method of back-ends %s", m, strings.Join(others, ", "))
	}
	return wrong("method", "%q: back-end %s has %s%s", m, d.Name, strings.Join(d.MethodNames(), ", "), hint)
}

// filled fills in the empty fields that the back-end reads, except those that the back-end's own packages
// choose by problem size, and sets the back-end's name.
func filled(d Descriptor, p encode.Problem, c Choice) Choice {
	c.Backend = BackendName(d.Name)
	c.Method = MethodName(best(d, c).Name)
	if d.Reads("construction") {
		c = diagramChoice(c, p)
	}
	if !d.Reads("diagram") {
		c.Diagram = ""
	}
	if d.Reads("solver") && c.Solver == "" {
		c.Solver = Gini
	}
	if d.Reads("formula") && c.Formula == "" {
		c.Formula = FormulaName(sat.Residual)
	}
	if d.Reads("workers") && c.Workers == 0 {
		c.Workers = processors()
	}
	return c
}

const (
	// instant is the largest board whose diagram compiles in a few milliseconds.
	instant = 10
	// few is the number of a family's solutions up to which its diagram finds the valid cells before search
	// does: of amazons 12 (156) in 6 ms against 30. Search takes a quarter of the diagram's time for amazons
	// 13 (1,876). Wherever there is a solution, search finds one first. Of toroidal 16, which has none, search has no
	// answer after 6 s, and the diagram takes .6 s.
	few = 1000
)

// suited returns the back-end that is best for a problem when the choice names none.
//   - Boards of queens: valid cells come from the diagram where that compiles in a few milliseconds, and
//     from the portfolio otherwise; search counts, since it visits the solutions with almost no memory.
//   - Other families: the diagram if no solution exists; for valid cells, also where there are few, or the
//     diagram compiles in a few milliseconds; search otherwise, except for dominoes on large boards
//     (see BenchmarkDefaults).
//   - Families that say so, as those whose rows hold more than one piece: search. SAT is as fast only for one solution on the
//     largest boards that either solves in seconds. Diagrams need far more memory from n = 8 on.
//   - Problems without a board: the portfolio.
//   - Counts and samples where the variables are not the cells of a board: the portfolio, too. The order that it estimates
//     suits dominoes better than row by row: n = 16 in .66 s against 1.8.
//   - Counting on other boards than of queens, and for each cell: the diagram. If that is too large to compile, search counts
//     for each cell; a count alone is then an error, since it may take years.
func suited(p encode.Problem, want Want) (BackendName, error) {
	tooLarge := bdd.CheckSize(p)
	family, _ := encode.FamilyNamed(p.Family) // formulas are of none
	each, counts, queens := want&CountEach != 0, want&(Count|CountEach) != 0, p.IsQueens()
	switch {
	case (counts || want&Sample != 0) && !p.IsBoard():
		return Portfolio, nil
	case counts && tooLarge != nil && !each:
		return "", wrong("problem", "counting %s: %v; back-end search visits every solution, but must be chosen by name", p, tooLarge)
	case counts && tooLarge != nil, counts && queens && !each, family.Search:
		return Search, nil
	case counts, queens && want&Valid != 0 && p.N <= instant:
		return Diagram, nil
	case queens:
		return Portfolio, nil
	case want != Solve && p.IsBoard() && p.N <= instant, want != Solve && hasAtMost(family, p.N, few), hasAtMost(family, p.N, 0):
		return Diagram, nil
	case p.Place != nil && (family.Walked == 0 || p.N <= family.Walked):
		return Search, nil
	}
	return Portfolio, nil
}

// hasAtMost reports whether at most this many solutions of a family's problem of size n have been published.
func hasAtMost(family encode.Family, n int, solutions int64) bool {
	if family.Known == nil {
		return false
	}
	known, published := family.Known(n)
	return published && known.Cmp(big.NewInt(solutions)) <= 0
}

// Fields lists the fields of a Choice that can affect an answer to want, for the back-ends that can give
// it. It leaves out diagram, which follows from the method, and sift, which serves only callers that want
// the diagram itself.
func Fields(want Want) []string {
	names, able := []string{"backend"}, Able(want)
	if want&Valid != 0 {
		names = append(names, "method")
	}
	if want == Count {
		names = append(names, "counter")
	}
	for _, field := range param.Fields(Choice{}) {
		reads := func(d Descriptor) bool { return slices.Contains(d.Uses, field.Name) }
		if field.Name != "diagram" && field.Name != "sift" && slices.ContainsFunc(able, reads) {
			names = append(names, field.Name)
		}
	}
	return names
}
