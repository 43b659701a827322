package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"queens/configure"
	"queens/configure/lesson"
	"queens/configure/pool"
	"queens/internal/param"
)

// OpenAPI is the description of the API, OpenAPI 3.1 as JSON.
//
//go:embed openapi.json
var OpenAPI []byte

// Service answers requests. It is safe for concurrent use.
type Service struct {
	pool    *pool.Pool
	options *configure.Options // of the problem served instead of boards; nil if none
	time    time.Duration      // limit for one request
	ops     []Operation
}

// Operation is one operation of the API.
type Operation struct {
	Name, Doc       string
	Request, Answer reflect.Type
	read            func(body []byte) (*Call, error) // parses a request given as JSON
}

// Call is a request that has been read.
type Call struct {
	// Slow says that the answer is known to take more than a few milliseconds of processor time.
	Slow   bool
	Answer func(ctx context.Context) (any, error)
}

// Operations lists the operations that [Service.Do] supports.
func (s *Service) Operations() []Operation { return slices.Clone(s.ops) }

// Error is the answer to a request that failed.
type Error struct {
	Status  int    `json:"status"` // as in HTTP
	Message string `json:"error"`
}

func (e *Error) Error() string { return e.Message }

func failure(status int, format string, args ...any) *Error {
	return &Error{Status: status, Message: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) error {
	return failure(http.StatusBadRequest, format, args...)
}

// TooLate returns the error for an operation that was not answered in time.
func TooLate(operation string, within time.Duration) *Error {
	return failure(http.StatusServiceUnavailable,
		"%s: no answer within %v; ask for a smaller board, or place more queens", operation, within)
}

// Read parses a request, given as the operation's name and a JSON object.
func (s *Service) Read(name string, body []byte) (*Call, error) {
	var names []string
	for _, op := range s.ops {
		if op.Name == name {
			return op.read(body)
		}
		names = append(names, op.Name)
	}
	return nil, failure(http.StatusNotFound, "operation %q: expected one of %s", name, strings.Join(names, ", "))
}

// Do answers one request, given as the operation's name and a JSON object. It returns a status as in HTTP
// and a JSON object. It honours the context and its own time limit.
func (s *Service) Do(ctx context.Context, name string, body []byte) (status int, answer []byte) {
	question, err := s.Read(name, body)
	if err != nil {
		return Encode(nil, err)
	}
	limited, cancel := lesson.WithTimeout(ctx, s.time)
	defer cancel()
	value, err := question.Answer(limited)
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(ctx.Err(), context.Canceled) {
		err = TooLate(name, s.time)
	}
	return Encode(value, err)
}

// statusClientGone is nginx's status for a request whose client disconnected; it appears only in the log.
const statusClientGone = 499

// Encode returns an answer, or the error if there is one, as JSON, with its HTTP status.
func Encode(value any, err error) (int, []byte) {
	status := http.StatusOK
	if err != nil {
		var answer *Error
		var senseless *lesson.InputError
		var unsupported *pool.UnsupportedError
		var refused *configure.Refusal
		switch {
		case errors.As(err, &answer):
		case errors.As(err, &senseless), errors.As(err, &refused):
			answer = failure(http.StatusBadRequest, "%v", err)
		case errors.As(err, &unsupported):
			answer = failure(http.StatusUnprocessableEntity, "%v", err)
		case errors.Is(err, context.Canceled):
			answer = failure(statusClientGone, "the client went away")
		default:
			answer = failure(http.StatusInternalServerError, "%v", err)
		}
		status, value = answer.Status, answer
	}
	text, err := json.Marshal(value)
	if err != nil {
		return http.StatusInternalServerError, []byte(`{"status":500,"error":"the answer could not be written as JSON"}`)
	}
	return status, append(text, '\n')
}

// op returns an operation. slow reports whether a request takes long.
func op[Request, Answer any](
	name, doc string, slow func(Request) bool, do func(context.Context, Request) (Answer, error),
) Operation {
	read := func(body []byte) (*Call, error) {
		request, err := decode[Request](body)
		if err != nil {
			return nil, err
		}
		return &Call{
			Slow:   slow(request),
			Answer: func(ctx context.Context) (any, error) { return do(ctx, request) },
		}, nil
	}
	return Operation{name, doc, reflect.TypeFor[Request](), reflect.TypeFor[Answer](), read}
}

// decode parses a request strictly: unknown and repeated fields are errors, and so is a placement off the board.
func decode[Request any](body []byte) (request Request, err error) {
	if len(bytes.TrimSpace(body)) > 0 {
		dec := json.NewDecoder(bytes.NewReader(body))
		if err := dec.Decode(&request); err != nil {
			return request, badRequest("request: %s", mistake(err))
		}
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return request, badRequest("request: more follows the JSON object")
		}
		if err := checkFields(body, request); err != nil {
			return request, badRequest("request: %v", err)
		}
	}
	if on, is := any(request).(interface{ check() error }); is {
		return request, on.check()
	}
	return request, nil
}

// mistake says what is wrong with a request's JSON, in the words of JSON.
func mistake(err error) string {
	wrong := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &wrong) {
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	expected := map[reflect.Kind]string{
		reflect.Int: "a whole number", reflect.Uint64: "a whole number, 0 or more", reflect.Float64: "a number",
		reflect.String: "text", reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Struct: "an object",
	}[wrong.Type.Kind()]
	path := strings.Split(wrong.Field, ".") // with the names of embedded Go structs
	if field := path[len(path)-1]; field != "" {
		return fmt.Sprintf("field %q: %s: expected %s", field, wrong.Value, expected)
	}
	return fmt.Sprintf("%s: expected %s", wrong.Value, expected)
}

// checkFields returns an error for a field that is unknown or given twice, or whose name is in another case:
// [json.Unmarshal] takes them all. No field of a request is an object.
func checkFields(object []byte, request any) error {
	var known []string
	for _, f := range param.Fields(request) {
		known = append(known, f.Name)
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token() // the brace; the text has been parsed before
	var seen []string
	for dec.More() {
		token, _ := dec.Token()
		field, _ := token.(string)
		if slices.ContainsFunc(seen, func(other string) bool { return strings.EqualFold(other, field) }) {
			return fmt.Errorf("field %q is given twice", field)
		}
		if !slices.Contains(known, field) {
			return fmt.Errorf("unknown field %q%s", field, param.DidYouMean(field, known))
		}
		seen = append(seen, field)
		_ = dec.Decode(new(json.RawMessage))
	}
	return nil
}
