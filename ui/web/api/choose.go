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
	c, err := s.decisions(r.Decided)
	if err != nil {
		return nil, err
	}
	return c.Look(ctx)
}

// WhyRequest asks which decisions rule a literal out or, without one, why there is no configuration.
type WhyRequest struct {
	Decided []string `json:"decided"`
	Literal string   `json:"literal"` // a variable's name, with - for not; may be empty
}

func (s *Service) whyNot(ctx context.Context, r WhyRequest) (*configure.Blame, error) {
	c, err := s.decisions(r.Decided)
	if err != nil {
		return nil, err
	}
	if r.Literal == "" {
		return c.WhyNone(ctx)
	}
	return c.Why(ctx, r.Literal)
}

// decisions opens a session with a request's decisions.
func (s *Service) decisions(decided []string) (*configure.Decisions, error) {
	if s.options == nil {
		return nil, failure(http.StatusUnprocessableEntity,
			"this server configures boards; harness serve --cnf FILE serves a problem")
	}
	return s.options.Open(decided)
}
