package tasks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"queens/ask"
	"queens/backends"
	"queens/backends/table"
	"queens/board"
	"queens/encode"
	"queens/encode/csplib"
	"queens/experiments"
	"queens/internal/param"
)

// Diagonals asks one back-end whether a board with excluded diagonals has a solution, as in CSPLib prob079, or one
// with blocked cells, as in prob080. Instances are random.
type Diagonals struct {
	Asked
	// What is excluded at random: random for diagonals, cells for single cells.
	Instance Instance `json:"instance"`
	// Seed of the instance; 0 if nothing is excluded.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// How many of the instance's diagonals or cells are excluded, starting with the first;
	// points that exclude more than it has are left out.
	Exclude int `json:"exclude" jsonschema:"minimum=0"`
}

// DiagonalsResult is what a Diagonals run found.
type DiagonalsResult struct {
	// 1 if there is a solution, which was verified on the board, and 0 if there is none.
	Solvable int `json:"solvable"`
	// Number of diagonals or cells that the instance lists.
	Diagonals int `json:"diagonals"`
	// Number of cells that are excluded, or on excluded diagonals.
	Blocked int `json:"blocked"`
	// Version of the SAT solver, and its command if it is an outside program; empty for other
	// back-ends.
	SolverIs string `json:"solver_is"`
}

func diagonalsKind() *experiments.TaskKind {
	return experiments.Kind[Diagonals]{
		Name:       "diagonals",
		Doc:        "Asks a back-end whether a board with excluded diagonals (CSPLib prob079) has a solution.",
		Parameters: []string{"n", "instance", "seed", "exclude", "backend", "order", "amo", "solver"},
		AtMost:     map[string]int64{"n": 200},
		Default:    Diagonals{Asked: asked(), Instance: anyDiagonals},
		Result:     DiagonalsResult{},
		Ways:       ways(),
		Normalise:  (*Diagonals).normalise,
		Program:    (*Diagonals).solver,
		References: (*Diagonals).references,
		Kin:        func(t *Diagonals) []string { return t.kin(ask.Solve) },
		Title:      func(t *Diagonals) string { return string(t.Backend) },
		Run:        (*Diagonals).run,
	}.Erase()
}

// Instance says what an instance excludes, chosen by n and the seed.
type Instance string

const (
	anyDiagonals Instance = "random"
	anyCells     Instance = "cells"
)

// Values lists what an instance may exclude.
func (Instance) Values() []string { return []string{string(anyDiagonals), string(anyCells)} }

// minimumFree is the number of cells that diagonals leave free in each row and column, as in the published instances.
const minimumFree = 4

// blocked returns the cells that are excluded, and how many diagonals or cells the instance
// lists.
func (t *Diagonals) blocked() (cells []board.Cell, listed int, err error) {
	if t.Instance == anyCells {
		all := rand.New(rand.NewPCG(t.Seed, 80)).Perm(t.N * t.N)
		for _, i := range all[:t.Exclude] {
			cells = append(cells, board.At(t.N, i))
		}
		return cells, len(all), nil
	}
	in, err := csplib.Random(t.N, minimumFree, t.Seed)
	if err == nil {
		cells, err = in.Blocked(t.Exclude)
	}
	if err != nil {
		err = fmt.Errorf("an instance at random: %w", err)
	}
	return cells, len(in.Diagonals), err
}

// normalise sets fields that the back-end does not use to their defaults, and gives all runs that exclude nothing the
// same instance.
func (t *Diagonals) normalise() error {
	if err := t.Sized(); err != nil {
		return err
	}
	if t.Instance == anyCells {
		if t.Exclude > t.N*t.N {
			return &param.Unsuited{}
		}
	} else if in, err := csplib.Random(t.N, minimumFree, t.Seed); err == nil && t.Exclude > len(in.Diagonals) {
		return &param.Unsuited{}
	}
	if t.Exclude == 0 {
		t.Instance, t.Seed = anyDiagonals, 0
	}
	t.ignored()
	return nil
}

// references returns the same question for back-ends that share no code, to refute what [Diagonals.run] has not
// proved. Those that build are sure to: a diagram of a small board, a list row by row of a larger one. Where none can,
// those that build nothing are asked, and a slow one ends at the time limit.
func (t *Diagonals) references() (list []Diagonals) {
	p, err := t.build()
	var builders, others []ask.Descriptor
	for _, e := range t.strangers(ask.Solve) {
		switch {
		case !e.Builds:
			others = append(others, e)
		case t.N <= e.Checks || e.Name == string(ask.Table) && err == nil && table.ByRows(p):
			builders = append(builders, e)
		}
	}
	if len(builders) > 0 {
		others = builders
	}
	for _, e := range others {
		other := *t
		other.Choice = asked().Choice
		other.Backend = ask.BackendName(e.Name)
		list = append(list, other)
	}
	return list
}

// run asks for a solution.
func (t *Diagonals) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	blocked, listed, err := t.blocked()
	if err != nil {
		return experiments.Finding{}, err
	}
	problem, err := experiments.Measured(m, experiments.Encode, func() (encode.Problem, error) {
		return encode.Queens(t.N, nil, blocked)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	opened, solverIs, err := start(ctx, m, &t.Asked, problem, ask.Solve)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer opened.Close()
	answer, err := put(ctx, m, experiments.FirstQuery, opened, ask.Question{Want: ask.Solve})
	if err != nil {
		return experiments.Finding{}, err
	}
	result := DiagonalsResult{Diagonals: listed, Blocked: len(blocked), SolverIs: solverIs}
	switch answer.Status {
	case backends.Unknown:
		return experiments.Finding{}, fmt.Errorf("back-end %s reached no verdict", t.Backend)
	case backends.Sat:
		if err := t.verify(encode.CellsOf(t.N, answer.Model), blocked); err != nil {
			return experiments.Finding{}, &experiments.Contradiction{By: byBoard, Err: err}
		}
		result.Solvable = 1
	}
	solved := result.Solvable == 1
	return experiments.Finding{
		Answer: answer.Status.String(), CheckedBy: judged(solved), Proved: solved, Values: result,
	}, nil
}

// verify checks a solution against the board and the excluded diagonals alone.
func (t *Diagonals) verify(queens, blocked []board.Cell) error {
	if err := board.VerifyCells(t.N, queens); err != nil {
		return fmt.Errorf("the solution of %s: %w", t.Backend, err)
	}
	for _, q := range queens {
		if slices.Contains(blocked, q) {
			return fmt.Errorf("the solution of %s has a queen on %s, which is excluded", t.Backend, q)
		}
	}
	return nil
}
