package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// CellQuestion asks about one cell of a board.
type CellQuestion struct {
	N       int
	Placed  []board.Cell
	Blocked []board.Cell
	Cell    board.Cell
	// Smallest is how long to look for a blame with the fewest queens once a
	// minimal one is found; 0 means not at all. The search ends sooner when a
	// blame is proved smallest.
	Smallest time.Duration
}

// Explainer answers questions about the cells of one board. It is not safe for concurrent use.
type Explainer struct {
	solver backends.Backend
	ladder ladder // of the empty board
}

// New returns an Explainer for the board of a solver. The board is empty: a question's queens and blocked
// cells reach the solver as assumptions. A small core speeds up the search for the blame, but the core may
// also be all of the assumptions.
func New(solver backends.Backend) *Explainer { return &Explainer{solver: solver} }

// Explain says why the cell can or cannot hold a queen. It fails when the solver fails or
// the context ends.
func (x *Explainer) Explain(ctx context.Context, q CellQuestion) (Explanation, error) {
	fail := func(err error) (Explanation, error) {
		return Explanation{}, fmt.Errorf("explaining %s on a board of size %d: %w", q.Cell, q.N, err)
	}
	if slices.Contains(q.Placed, q.Cell) {
		return Explanation{Cell: q.Cell, Verdict: HasQueen}, nil
	}
	if slices.Contains(q.Blocked, q.Cell) {
		return Explanation{Cell: q.Cell, Verdict: IsBlocked}, nil
	}
	placed, blocked := encode.Literals(q.N, q.Placed, true), encode.Literals(q.N, q.Blocked, false)
	r := Reason{Verdict: IsValid, Conflict: conflict(q)}
	for i, queen := range q.Placed {
		if queen.Attacks(q.Cell) {
			r.ExcludedBy = append(r.ExcludedBy, placed[i])
		}
	}
	var err error
	climb := func() ladder { return x.climb(q.N, blocked) }
	why := newInquiry(x.solver, climb, encode.CellVar(q.N, q.Cell).Pos(), blocked, placed)
	if r.Conflict == nil && r.ExcludedBy == nil {
		if r.Witness, _, err = why.ask(ctx, placed); err != nil {
			return fail(err)
		}
	}
	if r.Witness == nil {
		err = why.blame(ctx, &r, q.Smallest)
	} else if err = board.VerifyCells(q.N, encode.CellsOf(q.N, r.Witness)); err != nil {
		err = fmt.Errorf("the solver's model is not a solution: %w", err)
	}
	if err != nil {
		return fail(err)
	}
	return onBoard(q, r), nil
}

// climb returns the ladder of the board with blocked cells. Building it takes longer than some answers.
func (x *Explainer) climb(n int, blocked []cnf.Lit) ladder {
	if x.ladder.trace == nil {
		p, err := encode.Queens(n, nil, nil)
		if err != nil {
			panic(err) // impossible: there is no solver for such a board
		}
		x.ladder.trace = newTrace(p)
	}
	x.ladder.problem.Fixed = blocked
	return x.ladder
}

// conflict returns a placed queen that stands on a blocked cell, or two placed queens that attack each
// other; nil if there is no such conflict.
func conflict(q CellQuestion) []cnf.Lit {
	for i, a := range q.Placed {
		if slices.Contains(q.Blocked, a) {
			return encode.Literals(q.N, []board.Cell{a}, true)
		}
		for _, b := range q.Placed[:i] {
			if a.Attacks(b) {
				return encode.Literals(q.N, []board.Cell{b, a}, true)
			}
		}
	}
	return nil
}

// onBoard translates a reason into queens, cells and lines.
func onBoard(q CellQuestion, r Reason) Explanation {
	e := Explanation{
		Cell: q.Cell, Verdict: r.Verdict, Conflict: encode.CellsOf(q.N, r.Conflict), AttackedBy: encode.CellsOf(q.N, r.ExcludedBy),
		Blame: encode.CellsOf(q.N, r.Blame), Smallest: r.Smallest, Witness: encode.CellsOf(q.N, r.Witness),
	}
	if r.Fewer != nil {
		e.Fewer = append([]board.Cell{}, encode.CellsOf(q.N, r.Fewer)...)
	}
	for _, s := range r.Steps {
		step := BoardStep{Kind: s.Kind, Line: board.Line{Kind: board.Row, Index: s.Constraint}, Because: encode.CellsOf(q.N, s.Because)}
		if s.Constraint >= q.N { // the constraints of a board begin with its rows and its columns
			step.Line = board.Line{Kind: board.Column, Index: s.Constraint - q.N}
		}
		if s.Literal != 0 {
			step.Cell = encode.VarCell(q.N, s.Literal.Var())
		}
		for _, x := range s.Excluded {
			step.Attacks = append(step.Attacks, Attack{encode.VarCell(q.N, x.Literal.Var()), encode.VarCell(q.N, x.By.Var())})
		}
		e.Steps = append(e.Steps, step)
	}
	return e
}
