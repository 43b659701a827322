package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"queens/board"
	"queens/configure"
	"queens/configure/engines"
	"queens/lab"
)

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the description of the API, OpenAPI 3.1 as JSON, with this service's
// largest board size filled in.
func (s *Service) OpenAPI() []byte {
	most := fmt.Sprintf(`"maximum": %d`, s.pool.Limits().MaxN)
	return bytes.ReplaceAll(openAPI, []byte(`"maximum": 200`), []byte(most))
}

// Limits bound one request. The zero value means the defaults.
type Limits struct {
	Time time.Duration // for one request; 5 s
}

// Service answers requests. It is safe for concurrent use.
type Service struct {
	pool   *engines.Pool
	limits Limits
	ops    map[string]operation
}

// operation reads a request given as JSON and returns it as a question.
type operation func(body []byte) (*Question, error)

// Question is a request that has been read.
type Question struct {
	slow   bool
	answer func(ctx context.Context) (any, error)
}

// Slow reports whether it is known beforehand that the answer takes long: more than a few
// milliseconds of processor time.
func (q *Question) Slow() bool { return q.slow }

// Answer answers the question, until the context ends.
func (q *Question) Answer(ctx context.Context) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return q.answer(ctx)
}

// New returns a Service that asks the pool's back-ends.
func New(pool *engines.Pool, limits Limits) *Service {
	if limits.Time == 0 {
		limits.Time = 5 * time.Second
	}
	s := &Service{pool: pool, limits: limits}
	always := func(Board) bool { return true }
	s.ops = map[string]operation{
		"about":     op(s.about, nil),
		"board":     op(s.board, func(r BoardRequest) bool { return s.slowBoard(r.Board) }),
		"count":     op(s.count, always),
		"explain":   op(s.explain, func(r ExplainRequest) bool { return s.slowBoard(r.Board) }),
		"solutions": op(s.solutions, func(r SolutionsRequest) bool { return r.Offset > 100 || s.slowBoard(r.Board) }),
		"compare":   op(s.compare, always),
		"orders":    op(s.orders, func(OrdersRequest) bool { return true }),
		"diagram":   op(s.diagram, nil),
		"build":     op(s.build, func(r BuildRequest) bool { return r.N > 4 }),
		"improve":   op(s.improve, func(ImproveRequest) bool { return true }),
		"race":      op(s.race, func(RaceRequest) bool { return true }),
		"repair":    op(s.repair, func(r RepairRequest) bool { return r.N > 12 }),
	}
	return s
}

// slowBoard reports whether it takes long to find what follows from a placement, because
// a diagram must be compiled first or the board is large.
func (s *Service) slowBoard(b Board) bool {
	const (
		atOnce = 9   // n up to which a diagram is compiled in a few milliseconds
		large  = 100 // n beyond which an answer takes longer than that
	)
	return b.N > large || b.N > atOnce && !s.pool.Ready(engines.Key{Backend: b.Backend, N: b.N, Order: b.Order})
}

// Operations returns the names that [Service.Do] knows, sorted.
func (s *Service) Operations() []string { return slices.Sorted(maps.Keys(s.ops)) }

// Error is the answer to a request that failed.
type Error struct {
	Status  int    `json:"status"` // as in HTTP
	Message string `json:"error"`
}

func (e *Error) Error() string { return e.Message }

func badRequest(format string, args ...any) error {
	return &Error{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...)}
}

// Read reads a request: the operation's name, and a JSON object.
func (s *Service) Read(name string, body []byte) (*Question, error) {
	op, known := s.ops[name]
	if !known {
		return nil, &Error{Status: http.StatusNotFound,
			Message: fmt.Sprintf("operation %q: expected one of %s", name, strings.Join(s.Operations(), ", "))}
	}
	return op(body)
}

// Do answers one request: the operation's name, a JSON object in, a status as in
// HTTP and a JSON object out. It honours the context and its own time limit.
func (s *Service) Do(ctx context.Context, name string, body []byte) (status int, answer []byte) {
	question, err := s.Read(name, body)
	if err != nil {
		return Encode(nil, err)
	}
	limited, cancel := lab.WithTimeout(ctx, s.limits.Time)
	defer cancel()
	value, err := question.Answer(limited)
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(ctx.Err(), context.Canceled) {
		err = &Error{Status: http.StatusServiceUnavailable,
			Message: fmt.Sprintf(
				"%s: no answer within %v; ask for a smaller board, or place more queens",
				name,
				s.limits.Time,
			)}
	}
	return Encode(value, err)
}

// statusClientGone is nginx's status for a request whose client went away; only the
// metrics see it.
const statusClientGone = 499

// Encode returns an answer, or the error in its place, as JSON, and its HTTP status.
func Encode(value any, err error) (int, []byte) {
	status := http.StatusOK
	if err != nil {
		var answer *Error
		var senseless *lab.InputError
		var unsupported *engines.UnsupportedError
		switch {
		case errors.As(err, &answer):
		case errors.As(err, &senseless):
			answer = &Error{Status: http.StatusBadRequest, Message: err.Error()}
		case errors.As(err, &unsupported):
			answer = &Error{Status: http.StatusUnprocessableEntity, Message: err.Error()}
		case errors.Is(err, context.Canceled):
			answer = &Error{Status: statusClientGone, Message: "the client went away"}
		default:
			answer = &Error{Status: http.StatusInternalServerError, Message: err.Error()}
		}
		status, value = answer.Status, answer
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return http.StatusInternalServerError, []byte(
			`{"status":500,"error":"the answer could not be written as JSON"}`,
		)
	}
	return status, out.Bytes()
}

// op reads requests strictly: unknown fields are an error. slow reports whether a request
// takes long; nil means that none does.
func op[Request, Answer any](do func(context.Context, Request) (Answer, error), slow func(Request) bool) operation {
	return func(body []byte) (*Question, error) {
		var request Request
		if len(bytes.TrimSpace(body)) > 0 {
			dec := json.NewDecoder(bytes.NewReader(body))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&request); err != nil {
				return nil, badRequest("request: %s", strings.TrimPrefix(err.Error(), "json: "))
			}
			if _, err := dec.Token(); !errors.Is(err, io.EOF) {
				return nil, badRequest("request: more follows the JSON object")
			}
		}
		return &Question{
			slow:   slow != nil && slow(request),
			answer: func(ctx context.Context) (any, error) { return do(ctx, request) },
		}, nil
	}
}

// Board is the part that requests share: a placement and the back-end to ask about it.
type Board struct {
	N       int      `json:"n" jsonschema:"minimum=1,maximum=200"`
	Placed  []string `json:"placed,omitempty"`
	Blocked []string `json:"blocked,omitempty"`
	Forced  string   `json:"forced,omitempty"`  // off, suggest, place
	Backend string   `json:"backend,omitempty"` // empty: the best one for n
	Order   string   `json:"order,omitempty"`   // variable order of bdd
}

// state reads the placement.
func (s *Service) state(b Board) (configure.State, error) {
	state := configure.State{N: b.N}
	if most := s.pool.Limits().MaxN; b.N < 1 || b.N > most {
		err := &Error{
			Status:  http.StatusBadRequest,
			Message: fmt.Sprintf("board size n = %d: expected 1 to %d", b.N, most),
		}
		if b.N > most {
			err.Status = http.StatusUnprocessableEntity // another server may take it
		}
		return state, err
	}
	var err error
	if state.Placed, err = cells("placed", b.Placed); err != nil {
		return state, err
	}
	if state.Blocked, err = cells("blocked", b.Blocked); err != nil {
		return state, err
	}
	if b.Forced != "" {
		if state.Mode, err = configure.ParseMode(b.Forced); err != nil {
			return state, badRequest("%v", err)
		}
	}
	if err := state.Check(); err != nil {
		return state, badRequest("%v", err)
	}
	return state, nil
}

func cells(field string, words []string) ([]board.Cell, error) {
	var list []board.Cell
	for _, word := range words {
		c, err := board.ParseCell(word)
		if err != nil {
			return nil, badRequest("%s: %v", field, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// borrow borrows the back-end that the request names.
func (s *Service) borrow(ctx context.Context, b Board) (*engines.Lease, error) {
	return s.pool.Borrow(ctx, engines.Key{Backend: b.Backend, N: b.N, Order: b.Order})
}

// seconds returns the time since start in seconds, to the microsecond.
func seconds(start time.Time) float64 {
	return float64(time.Since(start).Microseconds()) / 1e6
}
