package tasks

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"queens/ask"
	"queens/backends"
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

// Wanted is what a query asks for.
type Wanted string

// The kinds of query.
const (
	wantValid    Wanted = "valid"
	wantSolution Wanted = "solution"
	wantCounts   Wanted = "counts"
	wantSample   Wanted = "sample"
)

// Values lists the kinds.
func (Wanted) Values() []string {
	return []string{string(wantValid), string(wantSolution), string(wantCounts), string(wantSample)}
}

// what returns the question that a session is asked.
func (w Wanted) what() ask.Want {
	switch w {
	case wantSolution:
		return ask.Solve
	case wantCounts:
		return ask.CountEach
	case wantSample:
		return ask.Sample
	}
	return ask.Valid
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
	// Work of a query, on average: nodes, queens, literals, solver calls or matching solutions; empty for the
	// portfolio.
	WorkPerQuery *float64 `json:"work_per_query,omitempty"`
	// Conflicts of the SAT solver in a query, on average.
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
			"formula", "queries", "want"},
		AtMost:     map[string]int64{"n": 200},
		Default:    ValidCells{Asked: asked(), Placement: completable, Queries: 10},
		Result:     ValidCellsResult{},
		Normalise:  (*ValidCells).normalise,
		Program:    (*ValidCells).solver,
		References: (*ValidCells).references,
		Timed:      (*ValidCells).timed,
		Title:      func(t *ValidCells) string { return string(t.Backend) + " " + string(t.Method) },
		Run:        (*ValidCells).run,
	}.Erase()
}

// normalise sets fields that the back-end does not use to their defaults, replaces default with the method
// it stands for, and drops placement and seed if no queen is placed.
func (t *ValidCells) normalise() error {
	if t.Placed == 0 {
		t.Placement, t.Seed = completable, 0
	}
	t.ignored()
	b, err := ask.Named(string(t.Backend), ask.Valid)
	if err != nil {
		return nil // the check of the specification reports it
	}
	if t.Method == "default" {
		t.Method = ask.MethodName(b.Methods[0].Name)
	}
	if t.Problem == ask.Queens && t.Placed > t.N || !slices.Contains(b.MethodNames(), string(t.Method)) {
		return &param.Unsuited{}
	}
	if t.Want.what() != ask.Valid {
		t.Method = ask.MethodName(b.Methods[0].Name) // only valid cells have methods
	}
	if b.Counting == nil && (t.Want == wantCounts || t.Want == wantSample) {
		return &param.Unsuited{Why: "back-end " + b.Name + " does not count"}
	}
	return t.accepted()
}

// timed lists the work of a solver that is stopped now and then to check whether it should continue: it then
// restarts, and may take another path.
func (t *ValidCells) timed() []string {
	if b, err := ask.Named(string(t.Backend), ask.Valid); err == nil && b.WorkVaries {
		return []string{"work", "work_per_query", "conflicts"}
	}
	return nil
}

// references returns the same queries for the other back-ends, where they are fast enough, each with its best
// method.
func (t *ValidCells) references() (list []ValidCells) {
	for _, e := range t.checkers(t.Want.what(), t.Placed) {
		other := *t
		if t.Want == wantSample {
			other.Want = wantSolution // two samples agree only on whether there is a solution
		}
		other.Choice = asked().Choice
		other.Backend = ask.BackendName(e.Name)
		if other.normalise() == nil {
			list = append(list, other)
		}
	}
	return list
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

// run asks the queries. The back-end is built for the problem with nothing placed. Placed queens
// are assumptions, as in a session, where one diagram or solver serves every click.
func (t *ValidCells) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	placements, err := t.placements(ctx)
	if err != nil {
		return experiments.Finding{}, err
	}
	// Collect the garbage of choosing placements, which the back-end did not make. A little makes no
	// difference, and collecting it would take longer than the rest of a small run.
	var heap runtime.MemStats
	if runtime.ReadMemStats(&heap); heap.HeapAlloc > 2<<20 {
		runtime.GC()
	}
	p, err := experiments.Measured(m, experiments.Encode,
		func() (encode.Problem, error) { return t.Build() })
	if err != nil {
		return experiments.Finding{}, err
	}
	session, solverIs, err := start(ctx, m, &t.Asked, p, t.Want.what())
	if err != nil {
		return experiments.Finding{}, err
	}
	defer session.Close()
	clock := clockOf(session, t.Queries > 1)
	result := ValidCellsResult{PlacedCells: names(p, placements[0]), SolverIs: solverIs}
	var answers []string
	var questions []ask.Question
	timed, checkedBy := true, ""
	var cells, stillValid, allValid, nodes int
	var visited, work, firstWork, conflicts int64
	for i, placed := range placements {
		assume := literals(placed)
		q := ask.Question{Assume: assume, Want: t.Want.what(), Seed: t.Seed + uint64(i)<<32}
		questions = append(questions, q)
		found, err := put(ctx, m, experiments.Query(i), session, q)
		if err != nil {
			return experiments.Finding{}, err
		}
		if found.Status == backends.Sat {
			result.Completable++
		}
		visited += found.Work.Of("nodes visited")
		conflicts += found.Work.Of("conflicts")
		for _, unit := range units {
			work += found.Work.Of(unit)
		}
		if i == 0 {
			firstWork = work
			nodes = int(found.Work.Of("nodes"))
			result.Work = workText(found.Work)
		}
		switch t.Want.what() {
		case ask.Valid:
			valid, forced := without(found.Valid, placed), without(found.Forced, placed)
			answers = append(answers, fmt.Sprintf("valid %s forced %s", names(p, valid), names(p, forced)))
			if i == 0 {
				result.Valid, result.Forced = new(len(valid)), new(len(forced))
			}
			if p.IsQueens() {
				unattacked := len(p.Position(assume).Cells())
				cells += unattacked
				stillValid += len(valid)
				if len(valid) == unattacked {
					allValid++
				}
			}
		case ask.CountEach:
			answers = append(answers, fmt.Sprint(found.Count, found.Each))
		default:
			answers = append(answers, found.Status.String())
			if found.Model == nil {
				break
			}
			checkedBy = judgedBy
			if err := p.With(assume...).Verify(found.Model); err != nil {
				return experiments.Finding{}, &experiments.Contradiction{By: judgedBy, Err: err}
			}
		}
		net, known := clock.net(found)
		if timed = timed && known; i == 0 {
			result.FirstNet = net
		} else {
			result.LaterNet += net / float64(t.Queries-1)
		}
	}
	if warm, err := clock.again(ctx, questions); err != nil {
		return experiments.Finding{}, err
	} else if warm > 0 {
		result.LaterNet = warm
	}
	if !timed {
		result.FirstNet, result.LaterNet = 0, 0
	}
	if t.Want.what() == ask.Valid {
		queries := int64(t.Queries)
		switch t.Backend {
		case ask.Diagram, ask.MDD:
			result.NodesVisited = share(visited, queries)
		case ask.SAT:
			result.Conflicts = share(conflicts, queries)
		}
		if t.Backend != ask.Portfolio {
			result.WorkPerQuery = share(work, queries)
			if later := work - firstWork; later > 0 {
				result.WorkUnit = m.Wall(experiments.LaterQueries) * float64(queries-1) / float64(later)
			} else if queries == 1 && work > 0 {
				result.WorkUnit = m.Wall(experiments.FirstQuery) / float64(work)
			}
		}
	}
	if p.IsQueens() && t.Want.what() == ask.Valid {
		result.AllValidShare = share(allValid, t.Queries)
		result.ValidShare = share(stillValid, cells)
	}
	if nodes > 0 {
		all, err := session.Ask(ctx, ask.Question{Want: ask.Count})
		if err != nil {
			return experiments.Finding{}, err
		}
		result.NodesPerSolution = perSolution(nodes, all.Count)
	}
	if result.Completions, err = completions(ctx, p, placements); err != nil {
		return experiments.Finding{}, err
	}
	return experiments.Finding{Answer: strings.Join(answers, "; "), CheckedBy: checkedBy, Values: result}, nil
}

// units are the counts of a back-end's work by which its answers are compared: the others stay small, or do
// not depend on the question.
var units = []string{"nodes visited", "nodes created", "queens", "literals", "solves", "matches"}

// mostCounted bounds the work of counting a placement's completions, to some ten milliseconds.
const mostCounted = 300_000

// completions returns the mean number of completions of placements; nil if search cannot count them
// quickly. It is not timed.
func completions(ctx context.Context, p encode.Problem, placements [][]cnf.Var) (*float64, error) {
	counter, sum := search.New(p), 0.0
	for _, placed := range placements {
		count, err := counter.CountWithin(ctx, literals(placed), mostCounted)
		if err != nil || count == nil {
			return nil, err
		}
		completions, _ := count.Float64()
		sum += completions / float64(len(placements))
	}
	return &sum, nil
}

// share returns part / whole, or nil if whole is 0.
func share[T int | int64](part, whole T) *float64 {
	if whole == 0 {
		return nil
	}
	s := float64(part) / float64(whole)
	return &s
}

func workText(work backends.Work) string {
	var words []string
	for _, w := range work.Counts() {
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
