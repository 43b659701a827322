package api

import (
	"context"

	"queens/board"
	"queens/configure/lesson"
)

// ExplainRequest asks why a cell can or cannot hold a queen.
type ExplainRequest struct {
	Board
	Cell string `json:"cell"`
}

func (s *Service) explain(ctx context.Context, r ExplainRequest) (*lesson.Walk, error) {
	if r.Cell == "" {
		return nil, badRequest("cell: expected the cell to explain, as in a1")
	}
	c, err := board.ParseCell(r.Cell)
	if err == nil {
		err = board.CheckCells(r.N, []board.Cell{c})
	}
	if err != nil {
		return nil, badRequest("cell: %v", err)
	}
	on, err := s.open(ctx, r.Board)
	if err != nil {
		return nil, err
	}
	defer s.pool.Return(on.lease)
	if on.refused != nil {
		return nil, badRequest("the placement has no completion: %v", on.refused)
	}
	return lesson.Explain(ctx, on.Board, c)
}
