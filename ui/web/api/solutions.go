package api

import (
	"context"

	"queens/board"
	"queens/configure/lesson"
)

const (
	maxPage   = 100     // solutions in one answer
	maxOffset = 100_000 // solutions skipped before them
)

// SolutionsRequest asks for some of the completions, in the back-end's order.
type SolutionsRequest struct {
	Board
	Offset int `json:"offset,omitempty"`
	Limit  int `json:"limit,omitempty"` // 1 to 100; 1 when absent
}

// SolutionsAnswer lists solutions.
type SolutionsAnswer struct {
	Solutions [][]int `json:"solutions"` // for each, the column (from 0) of each row's queen
	Offset    int     `json:"offset"`
	More      bool    `json:"more"` // there are solutions after these
	Backend   string  `json:"backend"`
}

func (s *Service) solutions(ctx context.Context, on *placed, r SolutionsRequest) (*SolutionsAnswer, error) {
	if r.Limit == 0 {
		r.Limit = 1
	}
	if r.Limit < 1 || r.Limit > maxPage {
		return nil, badRequest("limit %d: expected 1 to %d", r.Limit, maxPage)
	}
	if r.Offset < 0 || r.Offset > maxOffset {
		return nil, badRequest("offset %d: expected 0 to %d", r.Offset, maxOffset)
	}
	answer := &SolutionsAnswer{Solutions: [][]int{}, Offset: r.Offset, Backend: string(on.lease.Key.Backend)}
	if on.refused != nil {
		return answer, nil
	}
	listed, by := lesson.Solutions(ctx, s.pool, on.Board, on.lease)
	answer.Backend = by
	at := 0
	for queens, err := range listed {
		if err != nil {
			return nil, err
		}
		if len(answer.Solutions) == r.Limit {
			answer.More = true
			break
		}
		if at++; at <= r.Offset {
			continue
		}
		cols, err := board.Columns(r.N, queens)
		if err != nil {
			return nil, err
		}
		answer.Solutions = append(answer.Solutions, cols)
	}
	return answer, nil
}
