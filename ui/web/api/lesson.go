package api

import (
	"context"

	"queens/configure"
	"queens/configure/lesson"
)

// These operations read a request and pass it on to package lesson, which provides what a user interface
// shows in addition to the session.

// Ordered is a placement, and the variable order of its diagram.
type Ordered struct {
	configure.State
	Order string `json:"order,omitempty"` // a name; row-major when absent
}

func (o Ordered) check() error {
	if err := checkState(o.State); err != nil {
		return err
	}
	return checkOrders(o.Order)
}

// OrdersRequest asks for the diagrams of one board in several variable orders.
type OrdersRequest struct {
	configure.State
	Orders []string `json:"orders"` // 1 to 4 names
}

func (r OrdersRequest) check() error {
	if err := checkState(r.State); err != nil {
		return err
	}
	return checkOrders(r.Orders...)
}

// OrdersAnswer describes the diagrams, one per order.
type OrdersAnswer struct {
	Orders []lesson.Profile `json:"orders"`
}

// RepairRequest asks for the course of a local search.
type RepairRequest struct {
	configure.State
	lesson.RepairOptions
}

func (r RepairRequest) check() error { return checkState(r.State) }

func (s *Service) compare(ctx context.Context, r Ordered) (*lesson.Comparison, error) {
	return lesson.Compare(ctx, s.pool, r.State, r.Order)
}

func (s *Service) orders(ctx context.Context, r OrdersRequest) (*OrdersAnswer, error) {
	profiles, err := lesson.Profiles(ctx, s.pool, r.State, r.Orders)
	return &OrdersAnswer{profiles}, err
}

// DiagramRequest asks for a diagram to draw.
type DiagramRequest struct {
	Ordered
	Kind string `json:"kind,omitempty"` // bdd when absent, or zdd
}

func (s *Service) diagram(ctx context.Context, r DiagramRequest) (*lesson.Drawing, error) {
	return lesson.Draw(ctx, s.pool, r.State, r.Order, r.Kind)
}

func (s *Service) repair(ctx context.Context, r RepairRequest) (*lesson.Course, error) {
	return lesson.Repair(ctx, r.State, r.RepairOptions)
}

// BuildRequest asks how a diagram grows while rules are conjoined.
type BuildRequest struct {
	Ordered          // in which the order may also be all cells
	Rules   []string `json:"rules"` // IDs, in the order in which to conjoin them
}

func (s *Service) build(ctx context.Context, r BuildRequest) (*lesson.Construction, error) {
	return lesson.Build(ctx, r.State, r.Order, r.Rules)
}

// ImproveRequest asks for an order with a smaller diagram, by a short search.
type ImproveRequest struct {
	N     int    `json:"n" jsonschema:"minimum=1,maximum=9"`
	Order string `json:"order,omitempty"` // to start from: a name, or all cells
	Seed  uint64 `json:"seed,omitempty"`
}

func (s *Service) improve(ctx context.Context, r ImproveRequest) (*lesson.Improvement, error) {
	return lesson.Improve(ctx, r.N, r.Order, r.Seed)
}

func (s *Service) quiz(ctx context.Context, r lesson.QuizRequest) (*lesson.Quiz, error) {
	return lesson.NewQuiz(ctx, s.pool, r)
}
