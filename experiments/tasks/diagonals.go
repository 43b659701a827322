package tasks

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/csplib"
	"queens/experiments"
	"queens/internal/param"
)

// Diagonals asks one back-end whether a board with excluded diagonals has a
// solution: CSPLib prob079, published instances or random ones of the same kind; or whether
// one with blocked cells has: prob080.
type Diagonals struct {
	Asked
	// Source of the diagonals: random, or a file in CSPLib's format; or cells, for single cells
	// at random instead of diagonals. Records append # and the hash of the file's content to
	// its name.
	Instance Instance `json:"instance"`
	// Seed of a random instance; 0 for a file, or if no diagonal is excluded.
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
		Default:    Diagonals{Asked: asked(), Instance: randomInstance},
		Result:     DiagonalsResult{},
		Normalise:  (*Diagonals).normalise,
		Program:    (*Diagonals).solver,
		References: (*Diagonals).references,
		Title:      func(t *Diagonals) string { return string(t.Backend) },
		Run:        (*Diagonals).run,
	}.Erase()
}

// Instance is the source of a board's excluded diagonals: random, or a file.
type Instance string

var _ param.Pinned = Instance("")

// Pin implements [param.Pinned]. A file that is not an instance is an error.
func (i Instance) Pin() ([]string, error) {
	if i == randomInstance || i == anyCells {
		return []string{string(i)}, nil
	}
	_, pin, err := i.read()
	return []string{pin}, err
}

// read reads the file and returns its name with the hash of its content.
func (i Instance) read() (in csplib.Instance, pin string, err error) {
	data, path, pin, err := param.PinFile(string(i), 0)
	if err == nil {
		in, err = csplib.Read(bytes.NewReader(data), path)
	}
	return in, pin, err
}

// randomInstance and anyCells are the Instances generated from n and the seed. The first leaves at least
// minimumFree cells free in each row and column, as the published instances do.
const (
	randomInstance = "random"
	anyCells       = "cells"
	minimumFree    = 4
)

// instance generates or reads the diagonals. The name of a file gets the hash of its content, so a
// changed file makes a different run. A file that no longer has its hash is an error.
func (t *Diagonals) instance() (in csplib.Instance, err error) {
	if t.Instance == randomInstance {
		return csplib.Random(t.N, minimumFree, t.Seed)
	}
	in, pin, err := t.Instance.read()
	if err == nil {
		t.Instance = Instance(pin)
	}
	return in, err
}

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
	in, err := t.instance()
	if err != nil {
		return nil, 0, fmt.Errorf("reading the instance: %w", err)
	}
	if in.N != t.N {
		return nil, 0, fmt.Errorf("%s is for a board of size %d, not %d", t.Instance, in.N, t.N)
	}
	if cells, err = in.Blocked(t.Exclude); err != nil {
		err = fmt.Errorf("%s: %w", t.Instance, err)
	}
	return cells, len(in.Diagonals), err
}

// normalise adds the hash of a file to its name, sets fields that the back-end does not use to their
// defaults, and gives all runs that exclude nothing the same instance. If a file cannot be read, its name is
// kept, and the run reports the error.
func (t *Diagonals) normalise() error {
	if err := t.Sized(); err != nil {
		return err
	}
	if t.Instance == anyCells {
		if t.Exclude > t.N*t.N {
			return &param.Unsuited{}
		}
	} else if in, err := t.instance(); err == nil && (in.N != t.N || t.Exclude > len(in.Diagonals)) {
		return &param.Unsuited{}
	}
	if t.Exclude == 0 {
		t.Instance = randomInstance
	}
	if t.Exclude == 0 || t.Instance != randomInstance && t.Instance != anyCells {
		t.Seed = 0
	}
	t.ignored()
	return nil
}

// largestSolverReference is the largest board on which gini is a reference if more diagonals
// are excluded than half the rows: refuting a board of 21 takes it minutes.
const largestSolverReference = 18

// references returns the same question for our other back-ends, where they are fast enough.
func (t *Diagonals) references() (list []Diagonals) {
	for _, e := range t.checkers(ask.Solve, 0) {
		if e.Name == string(ask.SAT) && t.N > largestSolverReference && 2*t.Exclude > t.N {
			continue
		}
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
	session, solverIs, err := start(ctx, m, &t.Asked, problem, ask.Solve)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer session.Close()
	answer, err := put(ctx, m, experiments.FirstQuery, session, ask.Question{Want: ask.Solve})
	if err != nil {
		return experiments.Finding{}, err
	}
	result := DiagonalsResult{Diagonals: listed, Blocked: len(blocked), SolverIs: solverIs}
	switch answer.Status {
	case backends.Unknown:
		return experiments.Finding{}, fmt.Errorf("back-end %s reached no verdict", t.Backend)
	case backends.Sat:
		if err := t.verify(encode.CellsOf(t.N, answer.Model), blocked); err != nil {
			return experiments.Finding{}, &experiments.Contradiction{By: judgedBy, Err: err}
		}
		result.Solvable = 1
	}
	return experiments.Finding{
		Answer: answer.Status.String(), CheckedBy: judged(result.Solvable == 1), Values: result,
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
