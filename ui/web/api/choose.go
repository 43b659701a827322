package api

import (
	"context"
	"net/http"

	"queens/configure"
)

// ChooseRequest asks what follows from decisions about a problem's options.
type ChooseRequest struct {
	Decided []string `json:"decided"` // names of variables, with - for not
}

func (s *Service) choose(ctx context.Context, r ChooseRequest) (*configure.Outlook, error) {
	if s.options == nil {
		return nil, noProblem()
	}
	return s.options.Look(ctx, r.Decided)
}

// WhyRequest asks which decisions rule a literal out.
type WhyRequest struct {
	Decided []string `json:"decided"`
	Literal string   `json:"literal"` // a variable's name, with - for not
}

func (s *Service) whyNot(ctx context.Context, r WhyRequest) (*configure.Blame, error) {
	if s.options == nil {
		return nil, noProblem()
	}
	return s.options.Why(ctx, r.Decided, r.Literal)
}

func noProblem() error {
	return failure(http.StatusUnprocessableEntity, "this server configures boards; harness serve --cnf FILE serves a problem")
}
