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

func (r ExplainRequest) check() error {
	if r.Cell == "" {
		return badRequest("cell: expected the cell to explain, as in a1")
	}
	if err := r.Board.check(); err != nil {
		return err
	}
	c, err := board.ParseCell(r.Cell)
	if err == nil {
		err = board.CheckCells(r.N, []board.Cell{c})
	}
	if err != nil {
		return badRequest("cell: %v", err)
	}
	return nil
}

func (s *Service) explain(ctx context.Context, on *placed, r ExplainRequest) (*lesson.Walk, error) {
	c, err := board.ParseCell(r.Cell)
	if err != nil {
		return nil, err
	}
	if on.refused != nil {
		return nil, badRequest("the placement has no completion: %v", on.refused)
	}
	return lesson.Explain(ctx, on.Board, c)
}
