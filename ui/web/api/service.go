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
	"strconv"
	"strings"
	"time"

	"queens/board"
	"queens/configure"
	"queens/configure/engines"
)

// OpenAPI is the description of the API, OpenAPI 3.1 as JSON.
//
//go:embed openapi.json
var OpenAPI []byte

// Limits bound one request. The zero value means the defaults.
type Limits struct {
	Time time.Duration // of one request; 5 s
}

// Service answers requests. It may be used by any number of goroutines.
type Service struct {
	pool   *engines.Pool
	limits Limits
	ops    map[string]operation
}

// operation answers one request given as JSON.
type operation func(ctx context.Context, body []byte) (any, error)

// New makes a Service that asks the pool's back-ends.
func New(pool *engines.Pool, limits Limits) *Service {
	if limits.Time == 0 {
		limits.Time = 5 * time.Second
	}
	s := &Service{pool: pool, limits: limits}
	s.ops = map[string]operation{
		"about":     op(s.about),
		"board":     op(s.board),
		"count":     op(s.count),
		"explain":   op(s.explain),
		"solutions": op(s.solutions),
		"compare":   op(s.compare),
		"orders":    op(s.orders),
		"diagram":   op(s.diagram),
		"repair":    op(s.repair),
	}
	return s
}

// Operations returns the names that [Service.Do] knows, sorted.
func (s *Service) Operations() []string { return slices.Sorted(maps.Keys(s.ops)) }

// Error is the answer to a request that was not answered.
type Error struct {
	Status  int    `json:"status"` // as in HTTP
	Message string `json:"error"`
}

func (e *Error) Error() string { return e.Message }

func badRequest(format string, args ...any) error {
	return &Error{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...)}
}

// Do answers one request: the operation's name, a JSON object in, a status as in
// HTTP and a JSON object out. It honours the context and its own time limit.
func (s *Service) Do(ctx context.Context, name string, body []byte) (status int, answer []byte) {
	op, known := s.ops[name]
	if !known {
		return encoded(nil, &Error{Status: http.StatusNotFound,
			Message: fmt.Sprintf("operation %q: expected one of %s", name, strings.Join(s.Operations(), ", "))})
	}
	limited, cancel := withTimeout(ctx, s.limits.Time)
	defer cancel()
	value, err := op(limited, body)
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(ctx.Err(), context.Canceled) {
		err = &Error{Status: http.StatusServiceUnavailable,
			Message: fmt.Sprintf("%s: no answer within %v; ask for a smaller board, or place more queens", name, s.limits.Time)}
	}
	return encoded(value, err)
}

// statusClientGone is what nginx calls a request whose client went away; nobody
// reads it but the metrics.
const statusClientGone = 499

func encoded(value any, err error) (int, []byte) {
	status := http.StatusOK
	if err != nil {
		var answer *Error
		var unsupported *engines.UnsupportedError
		switch {
		case errors.As(err, &answer):
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
		return http.StatusInternalServerError, []byte(`{"status":500,"error":"an answer that is no JSON"}`)
	}
	return status, out.Bytes()
}

// op reads a request strictly: fields that nobody knows are an error.
func op[Request, Answer any](do func(context.Context, Request) (Answer, error)) operation {
	return func(ctx context.Context, body []byte) (any, error) {
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
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return do(ctx, request)
	}
}

// Board is the part that requests share: a placement, and who is asked about it.
type Board struct {
	N       int      `json:"n"`
	Placed  []string `json:"placed,omitempty"`
	Blocked []string `json:"blocked,omitempty"`
	Forced  string   `json:"forced,omitempty"`  // off, suggest, place
	Backend string   `json:"backend,omitempty"` // empty: the one that suits n
	Order   string   `json:"order,omitempty"`   // variable order of bdd
}

// state reads the placement.
func (b Board) state() (configure.State, error) {
	s := configure.State{N: b.N}
	var err error
	if s.Placed, err = cells("placed", b.Placed); err != nil {
		return s, err
	}
	if s.Blocked, err = cells("blocked", b.Blocked); err != nil {
		return s, err
	}
	if b.Forced != "" {
		if s.Mode, err = configure.ParseMode(b.Forced); err != nil {
			return s, badRequest("%v", err)
		}
	}
	if err := s.Check(); err != nil {
		return s, badRequest("%v", err)
	}
	return s, nil
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

// names writes cells. An empty board of 200 has 40,000 of them, so they share one
// piece of memory.
func names(cells []board.Cell) []string {
	var files []string
	var text []byte
	ends := make([]int, len(cells))
	for i, c := range cells {
		for col := len(files); col <= c.Col; col++ {
			files = append(files, board.File(col))
		}
		text = append(text, files[c.Col]...)
		text = strconv.AppendInt(text, int64(c.Row+1), 10)
		ends[i] = len(text)
	}
	all, from := string(text), 0
	words := make([]string, len(cells))
	for i, end := range ends {
		words[i] = all[from:end]
		from = end
	}
	return words
}

// borrow lends the back-end that the request names.
func (s *Service) borrow(ctx context.Context, b Board) (*engines.Lease, error) {
	backend := b.Backend
	if backend == "" {
		backend = s.pool.Default(b.N)
	}
	return s.pool.Borrow(ctx, engines.Key{Backend: backend, N: b.N, Order: b.Order})
}

// seconds since start, to the microsecond.
func seconds(start time.Time) float64 {
	return float64(time.Since(start).Microseconds()) / 1e6
}
