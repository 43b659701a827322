package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/backends"
	"queens/backends/registry"
	"queens/backends/sat"
	"queens/board"
	"queens/encode"
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
	Backend   Finder    `json:"backend" jsonschema_description:"Back-end that is asked."`
	Method    Method    `json:"method" jsonschema_description:"The back-end's way to find the cells."`
	Order     Order     `json:"order" jsonschema_description:"Variable order, for diagrams."`
	AMO       AMO       `json:"amo" jsonschema_description:"At-most-one encoding, for SAT."`
	Solver    Solver    `json:"solver" jsonschema_description:"SAT solver, for back-end sat."`
	Formula   Formula   `json:"formula" jsonschema_description:"What the SAT solver is asked about: the residual formula of each question, or the whole board under assumptions."`
	Queries   int       `json:"queries" jsonschema:"minimum=1,maximum=100000" jsonschema_description:"How many questions are asked; all but the first count as later queries."`
	Later     Later     `json:"later" jsonschema_description:"What the later queries ask: the same placement again, or a fresh one each, with as many queens."`
}

var (
	_ experiments.Task       = (*ValidCells)(nil)
	_ experiments.Normaliser = (*ValidCells)(nil)
	_ experiments.Referred   = (*ValidCells)(nil)
	_ experiments.Needy      = (*ValidCells)(nil)
)

// ValidCellsResult is what a ValidCells run found.
type ValidCellsResult struct {
	PlacedCells string `json:"placed_cells" jsonschema_description:"The placed queens, as in a1,c2."`
	Valid       int    `json:"valid" jsonschema_description:"Number of valid cells: empty, and in some completion."`
	Forced      int    `json:"forced" jsonschema_description:"Number of forced cells: empty, and in every completion."`
	SolverIs    string `json:"solver_is" jsonschema_description:"The SAT solver's version, and its command where it is a program; empty for other back-ends."`
	Work        string `json:"work" jsonschema_description:"What the first query took in the back-end's own units, as in solves=12."`
}

func validCellsKind() experiments.Kind {
	return experiments.Kind{
		Name: "valid-cells",
		Doc:  "Asks a back-end for the valid cells of a placement, first cold, then warm.",
		New: func() experiments.Task {
			return &ValidCells{Placement: completable, Backend: "bdd", Method: "default", Order: "row-major", AMO: "pairwise", Solver: "gini", Formula: Formula(sat.Residual), Queries: 10, Later: same}
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
	backend, err := registry.Meeting[backends.Oracle](string(b))
	if err != nil {
		return nil
	}
	return backend.Methods()
}

// answerer says who answers.
func (t *ValidCells) answerer() answerer {
	return answerer{string(t.Backend), &t.Order, &t.AMO, &t.Solver, &t.Formula}
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
	t.answerer().normalise()
	methods := methodsOf(t.Backend)
	if t.Method == "default" && len(methods) > 0 {
		t.Method = Method(methods[0])
	}
	return t.Placed <= t.N && slices.Contains(methods, string(t.Method))
}

// Lacking implements [experiments.Needy].
func (t *ValidCells) Lacking() string { return lacking(t.Solver) }

// String names the run by who answers.
func (t *ValidCells) String() string {
	who := string(t.Backend)
	if t.Solver != "gini" {
		who = string(t.Solver)
	}
	name := who + " " + string(t.Method)
	if t.Formula != Formula(sat.Residual) {
		name += " on the whole board"
	}
	return name
}

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
	for _, b := range Finder("").Values() {
		if b == string(t.Backend) || b == "bdd" && t.N > largestDiagramReference || b == "search" && t.N-t.Placed > largestSearchReference {
			continue
		}
		other := *t
		other.Backend, other.Method, other.Queries = Finder(b), "default", 1
		other.Order, other.AMO, other.Solver, other.Formula = "row-major", "pairwise", "gini", Formula(sat.Residual)
		if t.Later == fresh {
			other.Queries = t.Queries
		}
		other.Normalise()
		list = append(list, &other)
	}
	return list
}

// finder makes the back-end for the empty board; placed queens are assumed, as
// in a session where one diagram or solver serves every click.
func (t *ValidCells) finder(ctx context.Context, m *experiments.Meter) (finder any, err error) {
	var problem encode.Problem
	err = m.Time(experiments.Encode, func() error {
		problem, err = encode.Queens(t.N, nil, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = m.Time(experiments.Build, func() error {
		finder, err = t.answerer().make(ctx, problem)
		return err
	})
	return finder, err
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
	made, err := t.finder(ctx, m)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer registry.Close(made)
	finder := made.(backends.ValidFinder)
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
			result = ValidCellsResult{PlacedCells: board.FormatCells(placed), Valid: len(valid), Forced: len(forced), SolverIs: t.answerer().solverIs(ctx), Work: workText(found.Work)}
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
