package tasks

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"

	"queens/ask"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/internal/param"
)

// Enumerate lists the solutions of a problem, all or the first few.
type Enumerate struct {
	Asked
	// Maximum number of solutions to list; 0 for all.
	Limit int `json:"limit" jsonschema:"minimum=0"`
}

// EnumerateResult is what an Enumerate run found.
type EnumerateResult struct {
	// Number of solutions listed, each verified on the board or against the constraints.
	Listed string `json:"listed"`
	// Sum of the solutions' FNV-1a hashes: the same for the same set of solutions in any order.
	Digest string `json:"digest"`
	// Version of the SAT solver, and its command if it is an outside program; empty for other
	// back-ends.
	SolverIs string `json:"solver_is"`
}

func enumerateKind() *experiments.TaskKind {
	return experiments.Kind[Enumerate]{
		Name:       "enumerate",
		Doc:        "Lists the solutions of a problem: the first query finds one, the count phase lists them.",
		Parameters: []string{"problem", "n", "backend", "limit", "order", "amo", "solver", "workers"},
		AtMost:     map[string]int64{"n": 64},
		Default:    Enumerate{Asked: asked()},
		Result:     EnumerateResult{},
		Normalise:  (*Enumerate).normalise,
		Program:    (*Enumerate).solver,
		Known:      (*Enumerate).known,
		Run:        (*Enumerate).run,
	}.Erase()
}

// normalise sets what the back-end does not use to its default.
func (t *Enumerate) normalise() error {
	t.ignored()
	if _, err := ask.Named(string(t.Backend), 0); err != nil {
		return &param.Unsuited{}
	}
	return t.accepted()
}

// known returns the expected number of solutions, and its source.
func (t *Enumerate) known() experiments.Known {
	known := known(&t.Setup)
	if all, err := strconv.ParseInt(known.Answer, 10, 64); err == nil && t.Limit > 0 && int64(t.Limit) < all {
		known.Answer = strconv.Itoa(t.Limit)
	}
	return known
}

// run lists the solutions. Each is verified as it arrives, which costs every back-end the same.
func (t *Enumerate) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	problem, err := t.Build()
	if err != nil {
		return experiments.Finding{}, err
	}
	session, solverIs, err := start(ctx, m, &t.Asked, problem, 0)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer session.Close()
	listed, digest := 0, uint64(0)
	list := func(limit int) error {
		listed, digest = 0, 0
		for model, err := range session.Solutions(ctx, nil) {
			if err != nil {
				return err
			}
			if err := verify(problem, model); err != nil {
				return &experiments.Contradiction{By: judgedBy, Err: fmt.Errorf("solution %d: %w", listed+1, err)}
			}
			digest += digestOf(problem, model)
			if listed++; listed == limit {
				break
			}
		}
		return nil
	}
	if err = m.Time(experiments.FirstQuery, func() error { return list(1) }); err != nil {
		return experiments.Finding{}, err
	}
	if err = m.Time(experiments.Count, func() error { return list(t.Limit) }); err != nil {
		return experiments.Finding{}, err
	}
	return experiments.Finding{
		Answer: strconv.Itoa(listed), CheckedBy: judged(listed > 0),
		Values: EnumerateResult{Listed: strconv.Itoa(listed), Digest: fmt.Sprintf("%016x", digest), SolverIs: solverIs},
	}, nil
}

// verify checks a solution: a board of queens by the board's own rules, anything else by
// the problem's constraints.
func verify(p encode.Problem, model []cnf.Lit) error {
	if p.IsQueens() {
		return board.VerifyCells(p.N, encode.CellsOf(p.N, model))
	}
	return p.Verify(model)
}

// digestOf hashes the true variables of a solution: their cells on a board, otherwise their
// numbers.
func digestOf(p encode.Problem, model []cnf.Lit) uint64 {
	h := fnv.New64a()
	for _, l := range model {
		switch {
		case !l.Positive():
		case p.IsBoard():
			at := encode.VarCell(p.N, l.Var())
			h.Write([]byte{byte(at.Row), byte(at.Col)})
		default:
			h.Write(binary.LittleEndian.AppendUint32(nil, uint32(l)))
		}
	}
	return h.Sum64()
}
