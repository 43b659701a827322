package tasks

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/registry"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
)

// ValidCells asks one back-end what is still possible under a random placement: once cold, then
// repeatedly warm, each time about a different placement.
type ValidCells struct {
	equipped

	// Problem family; for families other than queens, cells stands for the problem's variables.
	Problem Family `json:"problem"`
	// Size of the board, or of the family's problem.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=200"`
	// Number of queens placed, or of variables fixed to true.
	Placed int `json:"placed" jsonschema:"minimum=0"`
	// How the placed queens are chosen; completable if there are none.
	Placement Placement `json:"placement"`
	// Seed of the placements; 0 if no queen is placed.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// Back-end that answers.
	Backend Finder `json:"backend"`
	// The back-end's method for finding the cells; default is its best.
	Method Method `json:"method"`
	// Variable order, for diagrams.
	Order Order `json:"order"`
	// At-most-one encoding, for SAT.
	AMO AMO `json:"amo"`
	// SAT solver, for the back-end sat.
	Solver Solver `json:"solver"`
	// What the SAT solver is given: the residual formula of each query, or the whole board
	// under assumptions.
	Formula Formula `json:"formula"`
	// Number of queries, each about a different placement; all but the first count as later
	// queries.
	Queries int `json:"queries" jsonschema:"minimum=1,maximum=100000"`
}

var (
	_ experiments.Task       = (*ValidCells)(nil)
	_ experiments.Equipped   = (*ValidCells)(nil)
	_ experiments.Normaliser = (*ValidCells)(nil)
	_ experiments.Referred   = (*ValidCells)(nil)
	_ experiments.Needy      = (*ValidCells)(nil)
)

// ValidCellsResult is what a ValidCells run found.
type ValidCellsResult struct {
	// The queens placed for the first query, as in a1,c2.
	PlacedCells string `json:"placed_cells"`
	// Number of valid cells found by the first query: empty, and in some completion.
	Valid int `json:"valid"`
	// Number of forced cells found by the first query: empty, and in every completion.
	Forced int `json:"forced"`
	// Version of the SAT solver, and its command if it is an outside program; empty for other
	// back-ends.
	SolverIs string `json:"solver_is"`
	// Number of queries whose placement has a completion.
	Completable int `json:"completable"`
	// Work done for the first query, in the back-end's own units, as in solves=12.
	Work string `json:"work"`
}

func validCellsKind() experiments.TaskKind {
	return experiments.TaskKind{
		Name: "valid-cells",
		Doc:  "Asks a back-end for the valid cells of random placements, first cold, then warm.",
		New: func() experiments.Task {
			return &ValidCells{
				Problem:   queens,
				Placement: completable,
				Backend:   "bdd",
				Method:    "default",
				Order:     "row-major",
				AMO:       "pairwise",
				Solver:    "gini",
				Formula:   Formula(sat.Residual),
				Queries:   10,
			}
		},
		Result: ValidCellsResult{},
	}
}

// Method is a back-end's method for finding valid cells; default is its best.
type Method string

// Values lists the methods of all back-ends.
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

// methodsOf lists a back-end's methods, the best first.
func methodsOf(b Finder) []string {
	backend, err := registry.Meeting[backends.Oracle](string(b))
	if err != nil {
		return nil
	}
	return backend.Methods()
}

// answerer returns the back-end and what it uses.
func (t *ValidCells) answerer() answerer {
	asIs := t.Method == bdd.Sweep || t.Method == bdd.Restrict
	return answerer{string(t.Backend), &t.Order, &t.AMO, &t.Solver, &t.Formula, nil, asIs, &t.equipped}
}

// Normalise implements [experiments.Normaliser]: it sets what the back-end does not use to its
// default, replaces default with the method it stands for, and drops placement and seed if no
// queens are placed.
func (t *ValidCells) Normalise() bool {
	if t.Placed == 0 {
		t.Placement, t.Seed = completable, 0
	}
	t.answerer().normalise()
	methods := methodsOf(t.Backend)
	if t.Method == "default" && len(methods) > 0 {
		t.Method = Method(methods[0])
	}
	return (t.Problem != queens || t.Placed <= t.N) && slices.Contains(methods, string(t.Method)) &&
		t.Problem.suits(t.N, t.Order, t.answerer().takes)
}

// Timed implements [experiments.Timed]: a solver that is stopped now and then to check whether
// it should continue restarts, and may take another path.
func (t *ValidCells) Timed() []string {
	if t.Backend == "sat" || t.Backend == "portfolio" {
		return []string{"work"}
	}
	return nil
}

// Lacking implements [experiments.Needy].
func (t *ValidCells) Lacking() (parameter, what string) { return t.answerer().lacking() }

// String names the run by its back-end or SAT solver, and its method.
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

// The largest boards that a reference answers: a diagram of n = 12 is built in no time, and
// searching all cells of an empty board of 24 is still quick.
const (
	largestDiagramReference = 12
	largestSearchReference  = 24
)

// References returns the same queries to the other back-ends, where they are fast enough, each
// by its best method.
func (t *ValidCells) References() []experiments.Task {
	var list []experiments.Task
	for _, b := range references() {
		if b == string(t.Backend) || b == "bdd" && t.N > largestDiagramReference ||
			b == "search" && t.N-t.Placed > largestSearchReference {
			continue
		}
		other := *t
		other.Backend, other.Method = Finder(b), "default"
		other.Order, other.AMO, other.Solver, other.Formula = "row-major", "pairwise", "gini", Formula(sat.Residual)
		if other.Normalise() {
			list = append(list, &other)
		}
	}
	return list
}

// placements returns what is placed for each query.
func (t *ValidCells) placements(ctx context.Context) (list [][]cnf.Var, err error) {
	p, err := t.Problem.problem(t.N)
	if err != nil {
		return nil, err
	}
	for i := range t.Queries {
		placed, err := t.Placement.place(ctx, p, t.Placed, t.Seed+uint64(i)<<32)
		if err != nil {
			return nil, err
		}
		list = append(list, placed)
	}
	return list, nil
}

// Run asks the queries. The back-end is built for the problem with nothing placed. Placed queens
// are assumptions, as in a session, where one diagram or solver serves every click.
func (t *ValidCells) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	placements, err := t.placements(ctx)
	if err != nil {
		return experiments.Finding{}, err
	}
	runtime.GC() // garbage from choosing placements is not the back-end's
	p, err := experiments.Measured(m, experiments.Encode,
		func() (encode.Problem, error) { return t.Problem.problem(t.N) })
	if err != nil {
		return experiments.Finding{}, err
	}
	made, solverIs, err := t.answerer().start(ctx, m, p)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer registry.Close(made)
	finder := made.(backends.ValidFinder)
	var result ValidCellsResult
	var answers []string
	for i, placed := range placements {
		var assume []cnf.Lit
		for _, v := range placed {
			assume = append(assume, cnf.Lit(v))
		}
		found, err := experiments.Measured(m, experiments.Query(i), func() (backends.Valid, error) {
			return finder.Valid(ctx, assume, string(t.Method))
		})
		if err != nil {
			return experiments.Finding{}, err
		}
		valid, forced := without(found.Possible, placed), without(found.Forced, placed)
		answers = append(answers, fmt.Sprintf("valid %s forced %s", names(p, valid), names(p, forced)))
		if i == 0 {
			result = ValidCellsResult{
				PlacedCells: names(p, placed), Valid: len(valid), Forced: len(forced),
				SolverIs: solverIs, Work: workText(found.Work),
			}
		}
		if found.Satisfiable {
			result.Completable++
		}
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

// names joins the names of variables, as in a1,c2.
func names(p encode.Problem, vars []cnf.Var) string { return strings.Join(p.VarNames(vars), ",") }

// without returns the variables that are not placed.
func without(vars, placed []cnf.Var) (rest []cnf.Var) {
	for _, v := range vars {
		if !slices.Contains(placed, v) {
			rest = append(rest, v)
		}
	}
	return rest
}
