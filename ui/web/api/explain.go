package api

import (
	"context"
	"errors"

	"queens/board"
	"queens/configure"
	"queens/lab"
)

// ExplainRequest asks why a cell can or cannot hold a queen.
type ExplainRequest struct {
	Board
	Cell string `json:"cell"`
}

func (s *Service) explain(ctx context.Context, r ExplainRequest) (*lab.Walk, error) {
	state, err := s.state(r.Board)
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
	return lab.Explain(ctx, session, c)
}
