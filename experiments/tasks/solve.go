package tasks

import (
	"context"
	"fmt"
	"slices"

	"queens/backends/localsearch"
	"queens/board"
	"queens/experiments"
	"queens/internal/param"
)

// Solve looks for solutions by local search, each search with its own seed.
type Solve struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=1000000000"`
	// How the board is repaired.
	Method Repair `json:"method"`
	// How the board is set up.
	Init Init `json:"init"`
	// Seed of the run: its searches use the seeds from seed times 2^32 on.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// Number of searches, made one after another.
	Searches int `json:"searches" jsonschema:"minimum=1,maximum=1000000"`
	// Number of boards that a search sets up before it gives up.
	Tries int `json:"tries" jsonschema:"minimum=1"`
	// Step limit of a try, as a multiple of n; 0 for the limit fitted to measurements.
	Limit int `json:"limit" jsonschema:"minimum=0"`
}

// Repair is a method of local search.
type Repair string

// Values lists the methods.
func (Repair) Values() []string {
	return param.Texts(localsearch.Methods())
}

// Init is a way to set up the board for local search.
type Init string

// Values lists the ways to set up the board.
func (Init) Values() []string {
	return param.Texts(localsearch.Inits())
}

// SolveResult is what a Solve run found. Shares are over tries, means over searches.
type SolveResult struct {
	// Number of searches that found a solution; each solution was verified.
	Found int `json:"found"`
	// Number of boards set up after a search's first, over all searches.
	Restarts int `json:"restarts"`
	// Share of the tries that reached the step limit.
	Limited float64 `json:"limited"`
	// Share of the tries that ended in a local minimum.
	Stuck float64 `json:"stuck"`
	// Mean number of steps per search: queens moved, or pairs swapped.
	Steps float64 `json:"steps"`
	// Median number of steps per search.
	StepsMedian int64 `json:"steps_median"`
	// Largest number of steps of a search.
	StepsMax int64 `json:"steps_max"`
	// Mean number of steps per search, divided by n.
	StepsPerQueen float64 `json:"steps_per_queen"`
	// Mean wall-clock time per search for setting up boards.
	SetUpSeconds float64 `json:"set_up_seconds" role:"measurement"`
	// Mean wall-clock time per search for counting conflicts and repairing boards.
	RepairSeconds float64 `json:"repair_seconds" role:"measurement"`
	// Mean wall-clock time per search, including allocation.
	SolveSeconds float64 `json:"solve_seconds" role:"measurement"`
	// Mean processor time per search, including allocation but not verification.
	SolveCPU float64 `json:"solve_cpu_seconds" role:"measurement"`
}

func solveKind() *experiments.TaskKind {
	return experiments.Kind[Solve]{
		Name: "solve",
		Doc:  "Looks for solutions by local search.",
		Default: Solve{Method: Repair(localsearch.Methods()[0]), Init: Init(localsearch.Inits()[0]), Searches: 1,
			Tries: localsearch.DefaultTries},
		Result: SolveResult{},
		Normalise: func(t *Solve) error { // swap cannot repair random rows
			return unless(localsearch.Method(t.Method) != localsearch.Swap || localsearch.Init(t.Init) != localsearch.Random)
		},
		Run: (*Solve).run,
	}.Erase()
}

// run makes the searches.
func (t *Solve) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	options := localsearch.Options{Method: localsearch.Method(t.Method), Init: localsearch.Init(t.Init), Tries: t.Tries,
		Limit: int64(t.N) * int64(t.Limit)}
	var (
		result       SolveResult
		steps        []int64
		tries, stuck int
	)
	for i := range t.Searches {
		options.Seed = t.Seed<<32 + uint64(i)
		before := m.Spent()
		r, err := experiments.Measured(m, experiments.Query(i), func() (localsearch.Result, error) {
			return localsearch.Solve(ctx, localsearch.Board{N: t.N}, options)
		})
		if err != nil {
			return experiments.Finding{}, err
		}
		result.SolveCPU += (m.Spent() - before).Seconds()
		if r.Found {
			if err := board.Verify(r.Rows); err != nil {
				return experiments.Finding{}, &experiments.Contradiction{By: byBoard,
					Err: fmt.Errorf("the result of seed %d is not a solution: %w", options.Seed, err)}
			}
			result.Found++
		}
		if !r.None {
			tries += r.Restarts + 1
		}
		stuck += r.Stuck
		steps = append(steps, r.Steps)
		result.Restarts += r.Restarts
		result.Steps += float64(r.Steps)
		result.SetUpSeconds += r.SetUp.Seconds()
		result.RepairSeconds += r.Repair.Seconds()
		result.SolveSeconds += r.Total.Seconds()
	}
	slices.Sort(steps)
	searches := float64(t.Searches)
	result.Steps /= searches
	result.StepsMedian, result.StepsMax = steps[len(steps)/2], steps[len(steps)-1]
	result.StepsPerQueen = result.Steps / float64(t.N)
	result.SetUpSeconds /= searches
	result.RepairSeconds /= searches
	result.SolveSeconds /= searches
	result.SolveCPU /= searches
	if tries > 0 {
		result.Stuck = float64(stuck) / float64(tries)
		result.Limited = float64(tries-result.Found-stuck) / float64(tries)
	}
	return experiments.Finding{CheckedBy: judged(result.Found > 0), Values: result}, nil
}
