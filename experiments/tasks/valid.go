package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/sat"
	"queens/backends/sat/external"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/experiments"
)

// ValidCells asks one back-end for the valid cells of one placement, a first
// time cold and then again and again warm.
type ValidCells struct {
	N         int       `json:"n" jsonschema:"required,minimum=1,maximum=200" jsonschema_description:"Board size."`
	Placed    int       `json:"placed" jsonschema:"minimum=0" jsonschema_description:"Number of queens placed, up to n."`
	Placement Placement `json:"placement" jsonschema_description:"How the placed queens are chosen; completable when there are none."`
	Seed      uint64    `json:"seed" jsonschema:"minimum=0" jsonschema_description:"Seed of the placement; 0 when no queen is placed."`
	Backend   Finder    `json:"backend" jsonschema_description:"Back-end that is asked: one of ours, or a solver on the PATH."`
	Method    Method    `json:"method" jsonschema_description:"The back-end's way to find the cells."`
	Order     Order     `json:"order" jsonschema_description:"Variable order, for diagrams."`
	AMO       AMO       `json:"amo" jsonschema_description:"At-most-one encoding, for SAT."`
	Queries   int       `json:"queries" jsonschema:"minimum=1,maximum=100000" jsonschema_description:"How many questions are asked; all but the first count as later queries."`
	Later     Later     `json:"later" jsonschema_description:"What the later queries ask: the same placement again, or a fresh one each, with as many queens."`
}

var (
	_ experiments.Task       = (*ValidCells)(nil)
	_ experiments.Normaliser = (*ValidCells)(nil)
	_ experiments.Referred   = (*ValidCells)(nil)
)

// ValidCellsResult is what a ValidCells run found.
type ValidCellsResult struct {
	PlacedCells string `json:"placed_cells" jsonschema_description:"The placed queens, as in a1,c2."`
	Valid       int    `json:"valid" jsonschema_description:"Number of valid cells: empty, and in some completion."`
	Forced      int    `json:"forced" jsonschema_description:"Number of forced cells: empty, and in every completion."`
	Work        string `json:"work" jsonschema_description:"What the first query took in the back-end's own units, as in solves=12."`
}

func validCellsKind() experiments.Kind {
	return experiments.Kind{
		Name: "valid-cells",
		Doc:  "Asks a back-end for the valid cells of a placement, first cold, then warm.",
		New: func() experiments.Task {
			return &ValidCells{Placement: completable, Backend: "bdd", Method: "default", Order: "row-major", AMO: "pairwise", Queries: 10, Later: same}
		},
		Result: ValidCellsResult{},
	}
}

// Later is what the queries after the first ask.
type Later string

// What the later queries ask.
const (
	same  Later = "same"
	fresh Later = "fresh"
)

// Values lists what later queries may ask.
func (Later) Values() []string { return []string{string(same), string(fresh)} }

// Method is a back-end's way to find valid cells; default is its best.
type Method string

// Values lists the ways of all back-ends.
func (Method) Values() []string {
	names := []string{"default"}
	for _, b := range Finder("").Values() {
		for _, m := range methodsOf(Finder(b)) {
			if !slices.Contains(names, m) {
				names = append(names, m)
			}
		}
	}
	return names
}

// methodsOf lists a back-end's ways, its best first.
func methodsOf(b Finder) []string {
	if slices.Contains(external.Names(), string(b)) { // known without the solver, too
		return external.MethodsOf(string(b))
	}
	finder, err := (&ValidCells{N: 1, Backend: b, Order: "row-major", AMO: "pairwise"}).finder(context.Background(), &experiments.Meter{})
	if err != nil {
		return nil
	}
	return finder.Methods()
}

// Normalise implements [experiments.Normaliser]: what a back-end does not use is
// set to its default, default becomes the method it stands for, and no queens
// have no placement.
func (t *ValidCells) Normalise() bool {
	if t.Placed == 0 {
		t.Placement, t.Seed = completable, 0
	}
	if t.Placed == 0 || t.Queries == 1 {
		t.Later = same
	}
	if t.Backend != "bdd" {
		t.Order = "row-major"
	}
	if t.Backend == "bdd" || t.Backend == "search" {
		t.AMO = "pairwise"
	}
	methods := methodsOf(t.Backend)
	if t.Method == "default" && len(methods) > 0 {
		t.Method = Method(methods[0])
	}
	return t.Placed <= t.N && slices.Contains(methods, string(t.Method))
}

// String names the run by who answers.
func (t *ValidCells) String() string { return string(t.Backend) + " " + string(t.Method) }

// The largest boards that a reference is asked for: a diagram of n = 12 is built
// in a blink, and search through all cells of an empty board of 24 still is
// quick.
const (
	largestDiagramReference = 12
	largestSearchReference  = 24
)

// References asks the other back-ends, each by its best method. Beyond what they
// can answer, another method of the same back-end is asked.
func (t *ValidCells) References() []experiments.Task {
	var list []experiments.Task
	for _, b := range []Finder{"bdd", "sat", "search"} {
		if b == t.Backend || b == "bdd" && t.N > largestDiagramReference || b == "search" && t.N-t.Placed > largestSearchReference {
			continue
		}
		other := *t
		other.Backend, other.Method, other.Order, other.AMO, other.Queries = b, "default", "row-major", "pairwise", 1
		if t.Later == fresh {
			other.Queries = t.Queries
		}
		other.Normalise()
		list = append(list, &other)
	}
	if list == nil {
		other := *t
		for _, m := range methodsOf(t.Backend) {
			if other.Method = Method(m); other.Method != t.Method {
				break
			}
		}
		if t.Later == same {
			other.Queries = 1
		}
		list = append(list, &other)
	}
	return list
}

// finder makes the back-end for the empty board; placed queens are assumed, as
// in a session where one diagram or solver serves every click.
func (t *ValidCells) finder(ctx context.Context, m *experiments.Meter) (finder backends.Oracle, err error) {
	var problem encode.Problem
	err = m.Time(experiments.Encode, func() error {
		problem, err = encode.Queens(t.N, nil, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = m.Time(experiments.Build, func() error {
		finder, err = newFinder(ctx, problem, t.Backend, t.Order, t.AMO)
		return err
	})
	return finder, err
}

// newFinder makes a back-end for a problem; o serves diagrams, and a SAT.
func newFinder(ctx context.Context, problem encode.Problem, b Finder, o Order, a AMO) (backends.Oracle, error) {
	switch b {
	case "bdd":
		vars, err := orderOf(o, problem.N)
		if err != nil {
			return nil, err
		}
		compiled, err := bdd.Compile(ctx, problem, vars, bdd.Options{})
		if err != nil {
			return nil, err
		}
		return bdd.New(compiled), nil
	case "search":
		return search.New(problem), nil
	}
	amo, err := amo.Named(string(a))
	if err != nil {
		return nil, err
	}
	switch {
	case b == "sat":
		return sat.New(problem, sat.WithAMO(amo)), nil
	case slices.Contains(external.Names(), string(b)):
		solver, err := external.Find(string(b))
		if err != nil {
			return nil, err
		}
		return external.New(problem, solver, amo), nil
	}
	return nil, fmt.Errorf("back-end %q: expected one of %s", b, strings.Join(b.Values(), ", "))
}

// placements returns the queens placed for each query.
func (t *ValidCells) placements(ctx context.Context) ([][]board.Cell, error) {
	list := make([][]board.Cell, t.Queries)
	for i := range list {
		if i > 0 && t.Later == same {
			list[i] = list[0]
			continue
		}
		placed, err := t.Placement.place(ctx, t.N, t.Placed, t.Seed+uint64(i)<<32)
		if err != nil {
			return nil, err
		}
		list[i] = placed
	}
	return list, nil
}

// Run asks the questions.
func (t *ValidCells) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	placements, err := t.placements(ctx)
	if err != nil {
		return experiments.Finding{}, err
	}
	finder, err := t.finder(ctx, m)
	if err != nil {
		return experiments.Finding{}, err
	}
	var result ValidCellsResult
	var answers []string
	for i, placed := range placements {
		phase := experiments.LaterQueries
		if i == 0 {
			phase = experiments.FirstQuery
		}
		var found backends.Valid
		assume := encode.Literals(t.N, placed, true)
		err := m.Time(phase, func() (err error) {
			found, err = finder.Valid(ctx, assume, string(t.Method))
			return err
		})
		if err != nil {
			return experiments.Finding{}, err
		}
		valid, forced := emptyCells(t.N, found.Possible, placed), emptyCells(t.N, found.Forced, placed)
		answer := fmt.Sprintf("valid %s forced %s", board.FormatCells(valid), board.FormatCells(forced))
		if i == 0 {
			result = ValidCellsResult{PlacedCells: board.FormatCells(placed), Valid: len(valid), Forced: len(forced), Work: workText(found.Work)}
		}
		if i > 0 && t.Later == same {
			if answer != answers[0] {
				return experiments.Finding{}, &experiments.Contradiction{By: "first query", Err: fmt.Errorf("query %d found %s, the first %s", i+1, answer, answers[0])}
			}
			continue
		}
		answers = append(answers, answer)
	}
	return experiments.Finding{Answer: strings.Join(answers, "; "), Values: result}, nil
}

func workText(work backends.Work) string {
	var words []string
	for _, w := range work {
		words = append(words, fmt.Sprintf("%s=%d", w.Name, w.N))
	}
	return strings.Join(words, ";")
}

// emptyCells returns the cells of variables, without the placed queens.
func emptyCells(n int, vars []cnf.Var, placed []board.Cell) []board.Cell {
	var cells []board.Cell
	for _, v := range vars {
		if c := encode.VarCell(n, v); !slices.Contains(placed, c) {
			cells = append(cells, c)
		}
	}
	return cells
}
