package tasks

import (
	"context"
	"math"
	"math/big"
	"runtime"
	"strings"

	"queens/ask"
	"queens/backends/ddnnf"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/internal/param"
)

// ValidCells asks one back-end for the valid cells of random placements, or for something else about them:
// once cold, then repeatedly warm, each time about a different placement.
type ValidCells struct {
	Asked
	// Number of queens placed, or of variables fixed to true.
	Placed int `json:"placed" jsonschema:"minimum=0"`
	// Outside backbone extractor, in place of a back-end.
	Backbone BackboneName `json:"backbone,omitempty"`
	// How the placed queens are chosen; completable if no queen is placed.
	Placement Placement `json:"placement"`
	// Seed of the placements; 0 if no queen is placed.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// Number of queries, each about a different placement; all but the first count as later
	// queries.
	Queries int `json:"queries" jsonschema:"minimum=1,maximum=100000"`
	// What a query asks for; valid if left out. counts: the number of completions for each cell; sample:
	// one solution, drawn uniformly.
	Want Wanted `json:"want,omitempty"`
}

// ValidCellsResult is what a ValidCells run found.
type ValidCellsResult struct {
	// The queens placed for the first query, as in a1,c2.
	PlacedCells string `json:"placed_cells"`
	// Number of valid cells found by the first query: empty, and in some completion.
	Valid *int `json:"valid,omitempty"`
	// Number of forced cells found by the first query: empty, and in every completion.
	Forced *int `json:"forced,omitempty"`
	// Version of the SAT solver, and its command if it is an outside program; empty for other
	// back-ends.
	SolverIs string `json:"solver_is"`
	// Number of queries whose placement has a completion.
	Completable int `json:"completable"`
	// Mean number of completions; empty if search takes long to count them.
	Completions *float64 `json:"completions,omitempty"`
	// Share of the unattacked cells that are valid; queens only.
	ValidShare *float64 `json:"valid_share,omitempty"`
	// Share of the queries in which every unattacked cell is valid; queens only.
	AllValidShare *float64 `json:"all_valid_share,omitempty"`
	// Nodes of the diagram that a query visits, on average.
	NodesVisited *float64 `json:"nodes_visited,omitempty"`
	// Work of a query, on average: nodes visited or created, queens, literals, solver calls or matching
	// solutions; empty for the portfolio.
	WorkPerQuery *float64 `json:"work_per_query,omitempty"`
	// Conflicts of the SAT solver in a query, on average; empty for an outside solver, which does not tell.
	Conflicts *float64 `json:"conflicts,omitempty"`
	// Nodes of the diagram divided by the problem's number of solutions.
	NodesPerSolution *float64 `json:"nodes_per_solution,omitempty"`
	// All work of the first query, as in solves=12.
	Work string `json:"work"`
	// Wall-clock time of a later query divided by its work, both on average; of the first query if there is
	// only one.
	WorkUnit float64 `json:"work_unit_seconds,omitempty" role:"measurement"`
	// Wall-clock time of the first query without the pipe to an outside SAT solver: with the
	// time that the solver reports in place of what asking it took, as if it were linked in;
	// empty if it does not report its time.
	FirstNet float64 `json:"first_query_net_seconds,omitempty" role:"measurement"`
	// The same, as the mean of the later queries, asked a second time in one batch, so that caches are
	// as warm as with a linked solver, unless the solver has taken more than a second itself by then.
	LaterNet float64 `json:"later_query_net_seconds,omitempty" role:"measurement"`
}

func validCellsKind() *experiments.TaskKind {
	return experiments.Kind[ValidCells]{
		Name: "valid-cells",
		Doc:  "Asks a back-end for the valid cells of random placements, or for what want says, first cold, then warm.",
		Parameters: []string{"problem", "n", "placed", "placement", "seed", "backend", "method", "order", "amo", "solver",
			"formula", "queries", "want", "backbone"},
		AtMost:     map[string]int64{"n": 200},
		Default:    ValidCells{Asked: asked(), Placement: completable, Queries: 10},
		Result:     ValidCellsResult{},
		Ways:       ways(),
		Normalise:  (*ValidCells).normalise,
		Program:    (*ValidCells).program,
		References: (*ValidCells).references,
		Kin:        func(t *ValidCells) []string { return t.kin(t.Want.what()) },
		Timed:      (*ValidCells).timed,
		Title:      (*ValidCells).title,
		Small:      ValidCells.small,
		Run:        (*ValidCells).run,
	}.Erase()
}

// small asks twice about a small board, but no backbone extractor: that is a new process each time.
func (t ValidCells) small() ValidCells {
	t.Problem, t.N, t.Placed, t.Queries, t.Backbone = ask.Queens, smallBoard, 1, 2, ""
	return t
}

// normalise sets fields that the back-end does not use to their defaults, replaces default with the method
// it stands for, and drops placement and seed if no queen is placed.
func (t *ValidCells) normalise() error {
	if t.Placed == 0 {
		t.Placement, t.Seed = completable, 0
	}
	if _, is := t.Backbone.find(nil); is {
		return t.extracted()
	}
	t.Backbone = ""
	t.ignored()
	b, err := ask.Named(string(t.Backend), ask.Valid)
	if err != nil {
		return nil // the check of the specification reports it
	}
	if t.Problem == ask.Queens && t.Placed > t.N {
		return &param.Unsuited{}
	}
	if t.Method, err = t.methodOf(b, t.Want); err != nil {
		return err
	}
	return t.accepted()
}

// title names who answers: the extractor, or the back-end and its method.
func (t *ValidCells) title() string {
	if _, is := t.Backbone.find(nil); is {
		return string(t.Backbone)
	}
	return t.name()
}

func (t *ValidCells) timed() []string { return t.timedWork("work", "work_per_query", "conflicts") }

// references returns the same queries for what checks them; see [Asked.others].
func (t *ValidCells) references() (list []ValidCells) {
	for _, c := range t.others(t.Want, t.Placed) {
		other := *t
		if t.Want == wantSample && c.Backend != t.Backend {
			other.Want = wantSolution // two samples agree only on whether there is a solution
		}
		if other.Choice, other.Backbone = c, ""; other.normalise() == nil {
			list = append(list, other)
		}
	}
	return list
}

// ahead returns the questions of a run, whose placements do not depend on the answers.
func (t *ValidCells) ahead(placements [][]cnf.Var) script {
	i := -1
	return func(ask.Answer) (q ask.Question, more bool) {
		if i++; i == len(placements) {
			return q, false
		}
		return ask.Question{Assume: literals(placements[i]), Want: t.Want.what(), Seed: t.Seed + uint64(i)<<32}, true
	}
}

// placements returns the variables placed for each query.
func (t *ValidCells) placements(ctx context.Context) (list [][]cnf.Var, err error) {
	p, err := t.Build()
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(t.Placement), placementFile) {
		return t.Placement.read(p, t.Placed, t.Seed, t.Queries)
	}
	placer, err := t.Placement.placer(ctx, p)
	if err != nil {
		return nil, err
	}
	for i := range t.Queries {
		placed, err := placer.query(ctx, t.Placed, t.Seed, i)
		if err != nil {
			return nil, err
		}
		list = append(list, placed)
	}
	return list, nil
}

// A script returns the next question, given the answer to the one before; more is false at the end.
type script func(last ask.Answer) (q ask.Question, more bool)

// run asks the queries. The back-end is built for the problem with nothing placed. Placed queens
// are assumptions, as in a session, where one diagram or solver serves every click.
func (t *ValidCells) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	placements, err := t.placements(ctx)
	if err != nil {
		return experiments.Finding{}, err
	}
	if t.proves() {
		p, err := t.Build()
		if err != nil {
			return experiments.Finding{}, err
		}
		return t.certified(ctx, m, p, t.ahead(placements), func(q ask.Question, a ask.Answer) string {
			return answered(p, t.Want, q, a)
		})
	}
	collectGarbage()
	p, err := experiments.Measured(m, experiments.Encode,
		func() (encode.Problem, error) { return t.Build() })
	if err != nil {
		return experiments.Finding{}, err
	}
	opened, solverIs, err := t.open(ctx, m, p)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer opened.Close()
	next, found := t.ahead(placements), newQueries(p, t.Want, opened, t.Queries > 1)
	for q, more := next(ask.Answer{}); more; {
		a, err := put(ctx, m, experiments.Query(len(found.answers)), opened, q)
		if err == nil {
			err = found.add(q, a)
		}
		if err != nil {
			return experiments.Finding{}, err
		}
		q, more = next(a)
	}
	result, err := found.result(ctx, m)
	if err != nil {
		return experiments.Finding{}, err
	}
	result.SolverIs = solverIs
	if result.Completions, err = completions(ctx, p, placements); err != nil {
		return experiments.Finding{}, err
	}
	return experiments.Finding{
		Answer: strings.Join(found.answers, experiments.Between), CheckedBy: found.judged, Values: result,
	}, nil
}

// collectGarbage collects what choosing the placements left behind, which the back-end did not make. A little
// makes no difference, and collecting it would take longer than the rest of a small run.
func collectGarbage() {
	var heap runtime.MemStats
	if runtime.ReadMemStats(&heap); heap.HeapAlloc > 2<<20 {
		runtime.GC()
	}
}

// mostCounted bounds the work of counting a placement's completions, to some ten milliseconds.
const mostCounted = 300_000

// completions returns the mean number of completions of placements; nil if there are more completions than a float64
// holds, or if they cannot be counted quickly. It is not timed.
func completions(ctx context.Context, p encode.Problem, placements [][]cnf.Var) (*float64, error) {
	visiting, sum := search.New(p), 0.0
	count := func(placed []cnf.Lit) (*big.Int, error) { return visiting.CountWithin(ctx, placed, mostCounted) }
	if p.Place == nil {
		count = func(placed []cnf.Lit) (*big.Int, error) { return componentwise(ctx, p.With(placed...)) }
	}
	for _, placed := range placements {
		count, err := count(literals(placed))
		if err != nil || count == nil {
			return nil, err
		}
		completions, _ := count.Float64()
		sum += completions / float64(len(placements))
	}
	if math.IsInf(sum, 0) { // no record holds it
		return nil, nil
	}
	return &sum, nil
}

// componentwise counts a formula's solutions component by component; nil if that takes long.
func componentwise(ctx context.Context, p encode.Problem) (*big.Int, error) {
	compiler, err := ddnnf.NewCompiler(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	graph, err := compiler.Run(ctx, func(steps uint64, _ float64) bool { return steps < mostCounted })
	if err != nil || graph == nil {
		return nil, err
	}
	return ddnnf.New(graph, 0).Count(ctx, nil)
}

// names joins the names of variables, as in a1,c2.
func names(p encode.Problem, vars []cnf.Var) string { return strings.Join(p.VarNames(vars), ",") }
