package api

import (
	"context"
	"errors"

	"queens/board"
	"queens/configure"
	"queens/explain"
)

// ExplainRequest asks why a cell can or cannot hold a queen.
type ExplainRequest struct {
	Board
	Cell string `json:"cell"`
}

// ExplanationAnswer says why.
type ExplanationAnswer struct {
	Cell       string   `json:"cell"`
	Valid      bool     `json:"valid"`
	Verdict    string   `json:"verdict"` // queen, blocked, valid, attacked, emptied, chain, choice, search
	Text       string   `json:"text"`
	AttackedBy []string `json:"attacked_by"`
	Steps      []Step   `json:"steps"`
	Blame      []string `json:"blame"`
	Smallest   bool     `json:"smallest"` // no fewer queens rule the cell out: proved
	Witness    []string `json:"witness,omitempty"`
}

// Step is a step of an explanation.
type Step struct {
	Kind    string   `json:"kind"` // forced, case, emptied
	Line    string   `json:"line"`
	Cells   []string `json:"cells"` // of the line
	Cell    string   `json:"cell,omitempty"`
	Because []string `json:"because"`
	Text    string   `json:"text"`
}

func (s *Service) explain(ctx context.Context, r ExplainRequest) (*ExplanationAnswer, error) {
	state, err := r.state()
	if err != nil {
		return nil, err
	}
	if r.Cell == "" {
		return nil, badRequest("cell: expected the cell to explain, as in a1")
	}
	c, err := board.ParseCell(r.Cell)
	if err == nil {
		err = board.CheckCells(state.N, []board.Cell{c})
	}
	if err != nil {
		return nil, badRequest("cell: %v", err)
	}
	lease, err := s.borrow(ctx, r.Board)
	if err != nil {
		return nil, err
	}
	defer s.pool.Return(lease)
	session, err := configure.Open(ctx, state, lease.Oracle)
	var refusal *configure.Refusal
	if errors.As(err, &refusal) {
		return nil, badRequest("the placement has no completion: %v", refusal)
	}
	if err != nil {
		return nil, err
	}
	e, err := session.Explain(ctx, c)
	if err != nil {
		return nil, err
	}
	return explanation(state.N, e), nil
}

func explanation(n int, e explain.Explanation) *ExplanationAnswer {
	a := &ExplanationAnswer{
		Cell: e.Cell.String(), Valid: e.Verdict == explain.IsValid, Verdict: string(e.Verdict), Text: e.Sentence(n),
		AttackedBy: names(e.AttackedBy), Steps: []Step{}, Blame: names(e.Blame), Smallest: e.Smallest, Witness: names(e.Witness),
	}
	for _, s := range e.Steps {
		step := Step{Kind: string(s.Kind), Line: s.Line.Name(n), Cells: names(s.Line.Cells(n)), Because: names(s.Because), Text: s.Sentence(n)}
		if s.Kind != explain.Emptied {
			step.Cell = s.Cell.String()
		}
		a.Steps = append(a.Steps, step)
	}
	return a
}
