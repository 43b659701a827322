package tasks

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/backends"
	"queens/backends/registry"
	"queens/board"
	"queens/encode"
	"queens/encode/csplib"
	"queens/experiments"
)

// Diagonals asks one back-end whether a board with excluded diagonals has a
// solution: CSPLib prob079, published instances or random ones of the same kind.
type Diagonals struct {
	equipped

	// Board size; a file of another size is no run.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=200"`
	// Where the diagonals are from: random, or a file as CSPLib publishes them. A record has the
	// hash of the file's content behind its name, after a #.
	Instance Instance `json:"instance"`
	// Seed of a random instance; 0 for a file, and when no diagonal is excluded.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// How many of the instance's diagonals are excluded, from its first; more than it has is no
	// run.
	Exclude int `json:"exclude" jsonschema:"minimum=0"`
	// Back-end that is asked.
	Backend Finder `json:"backend"`
	// Variable order, for diagrams.
	Order Order `json:"order"`
	// At-most-one encoding, for SAT.
	AMO AMO `json:"amo"`
	// SAT solver, for back-end sat.
	Solver Solver `json:"solver"`
}

var (
	_ experiments.Task       = (*Diagonals)(nil)
	_ experiments.Equipped   = (*Diagonals)(nil)
	_ experiments.Normaliser = (*Diagonals)(nil)
	_ experiments.Referred   = (*Diagonals)(nil)
	_ experiments.Needy      = (*Diagonals)(nil)
)

// DiagonalsResult is what a Diagonals run found.
type DiagonalsResult struct {
	// 1 when there is a solution, which the board has judged, and 0 when there is none.
	Solvable int `json:"solvable"`
	// How many diagonals the instance lists.
	Diagonals int `json:"diagonals"`
	// Number of cells on the excluded diagonals.
	Blocked int `json:"blocked"`
	// The SAT solver's version, and its command where it is a program; empty for other back-ends.
	SolverIs string `json:"solver_is"`
}

func diagonalsKind() experiments.Kind {
	return experiments.Kind{
		Name: "diagonals",
		Doc:  "Asks a back-end whether a board with excluded diagonals (CSPLib prob079) has a solution.",
		New: func() experiments.Task {
			return &Diagonals{Instance: randomInstance, Backend: "bdd", Order: "row-major", AMO: "pairwise", Solver: "gini"}
		},
		Result: DiagonalsResult{},
	}
}

// Instance is where a board's excluded diagonals are from: random, or a file.
type Instance string

var _ experiments.Pinned = Instance("")

// Pin implements [experiments.Pinned].
func (i Instance) Pin() (string, error) {
	if i == randomInstance {
		return string(i), nil
	}
	_, pin, err := experiments.PinFile(string(i))
	return pin, err
}

// randomInstance is the Instance that is made from n and the seed; minimumFree is
// how many free cells it keeps in each row and column, as the published ones do.
const (
	randomInstance = "random"
	minimumFree    = 4
)

// instance makes or reads the diagonals. name is what the run calls them: a file is
// named with its content, so that another file in its place is another run. One that
// is no longer what it was named for is an error.
func (t *Diagonals) instance() (in csplib.Instance, named Instance, err error) {
	if t.Instance == randomInstance {
		in, err = csplib.Random(t.N, minimumFree, t.Seed)
		return in, t.Instance, err
	}
	data, name, err := experiments.PinFile(string(t.Instance))
	if err != nil {
		return csplib.Instance{}, "", err
	}
	path := name[:strings.LastIndexByte(name, '#')]
	in, err = csplib.Read(bytes.NewReader(data), path)
	return in, Instance(name), err
}

// Normalise implements [experiments.Normaliser]: a file is named with its content,
// which is why it is read here already, what a back-end does not use is set to its
// default, and with no diagonal excluded all instances are one. A file that cannot be
// read stays, for Run to say so.
func (t *Diagonals) Normalise() bool {
	if in, name, err := t.instance(); err == nil {
		if in.N != t.N || t.Exclude > len(in.Diagonals) {
			return false
		}
		t.Instance = name
	}
	if t.Exclude == 0 {
		t.Instance = randomInstance
	}
	if t.Exclude == 0 || t.Instance != randomInstance {
		t.Seed = 0
	}
	t.answerer().normalise()
	return true
}

// answerer says who answers.
func (t *Diagonals) answerer() answerer {
	return answerer{string(t.Backend), &t.Order, &t.AMO, &t.Solver, nil, nil, false, &t.equipped}
}

// Lacking implements [experiments.Needy].
func (t *Diagonals) Lacking() (parameter, what string) { return t.answerer().lacking() }

// String names the run by who answers.
func (t *Diagonals) String() string {
	if t.Solver != "gini" {
		return string(t.Solver)
	}
	return string(t.Backend)
}

// largestSolverReference is the largest board on which gini is asked in passing where more
// diagonals are excluded than half of its rows: to refute one of 21 takes it minutes.
const largestSolverReference = 18

// References asks our other back-ends, as far as they can answer.
func (t *Diagonals) References() []experiments.Task {
	var list []experiments.Task
	for _, b := range Finder("").Values() {
		if b == string(t.Backend) || b == "bdd" && t.N > largestDiagramReference ||
			b == "sat" && t.N > largestSolverReference && 2*t.Exclude > t.N || b == "search" && t.N > largestSearchReference {
			continue
		}
		other := *t
		other.Backend, other.Order, other.AMO, other.Solver = Finder(b), "row-major", "pairwise", "gini"
		list = append(list, &other)
	}
	return list
}

// Run asks for a solution.
func (t *Diagonals) Run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	in, _, err := t.instance()
	if err != nil {
		return experiments.Finding{}, fmt.Errorf("reading the instance: %w", err)
	}
	if in.N != t.N {
		return experiments.Finding{}, fmt.Errorf("%s is about a board of size %d, not %d", t.Instance, in.N, t.N)
	}
	blocked, err := in.Blocked(t.Exclude)
	if err != nil {
		return experiments.Finding{}, fmt.Errorf("%s: %w", t.Instance, err)
	}
	problem, err := experiments.Measured(m, experiments.Encode, func() (encode.Problem, error) {
		return encode.Queens(t.N, nil, blocked)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	solverIs, err := t.answerer().solverIs(ctx)
	if err != nil {
		return experiments.Finding{}, err
	}
	made, err := experiments.Measured(m, experiments.Build, func() (any, error) {
		return t.answerer().make(ctx, problem)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	defer registry.Close(made)
	finder := made.(backends.Finder)
	answer, err := experiments.Measured(m, experiments.FirstQuery, func() (backends.Answer, error) {
		return finder.Solve(ctx, nil)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	result := DiagonalsResult{Diagonals: len(in.Diagonals), Blocked: len(blocked), SolverIs: solverIs}
	switch answer.Status {
	case backends.Unknown:
		return experiments.Finding{}, fmt.Errorf("back-end %s gave no verdict", t.Backend)
	case backends.Sat:
		if err := t.verify(queensOf(t.N, answer.Model), blocked); err != nil {
			return experiments.Finding{}, &experiments.Contradiction{By: "board", Err: err}
		}
		result.Solvable = 1
	}
	return experiments.Finding{Answer: answer.Status.String(), Values: result}, nil
}

// verify judges a solution by the board alone.
func (t *Diagonals) verify(queens, blocked []board.Cell) error {
	if err := board.VerifyCells(t.N, queens); err != nil {
		return fmt.Errorf("the solution of %s: %w", t.Backend, err)
	}
	for _, q := range queens {
		if slices.Contains(blocked, q) {
			return fmt.Errorf("the solution of %s has a queen on %s, which is on an excluded diagonal", t.Backend, q)
		}
	}
	return nil
}
