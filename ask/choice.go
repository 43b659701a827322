package ask

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"queens/encode"
	"queens/internal/param"
)

// Choice says who answers a question, and how. A field that is empty, 0 or false is left to what
// suits the problem and the other fields. The fields' comments are the help of flags, the
// descriptions of axes and the documents' text; their types list the values.
type Choice struct {
	// Back-end that answers.
	Backend BackendName `json:"backend"`
	// The back-end's method for finding the cells; default is its best.
	Method MethodName `json:"method"`
	// Variable order, for diagrams.
	Order OrderName `json:"order"`
	// How the diagram is built.
	Construction ConstructionName `json:"construction"`
	// Kind of diagram.
	Diagram DiagramName `json:"diagram"`
	// Whether the variables are sifted between the steps of the construction.
	Sift bool `json:"sift"`
	// Diagram package; queens is the built-in one. A program that reads the problem itself
	// ignores the construction.
	Engine EngineName `json:"engine"`
	// Outside model counter, in place of a back-end.
	Counter CounterName `json:"counter,omitempty"`
	// At-most-one encoding, for SAT.
	AMO AMOName `json:"amo"`
	// SAT solver, for the back-end sat.
	Solver SolverName `json:"solver"`
	// What the SAT solver is given: the residual formula of each query, or the whole problem
	// under assumptions.
	Formula FormulaName `json:"formula"`
	// Maximum number of processors used; it does not change the answer.
	Workers int `json:"workers" jsonschema:"minimum=1,maximum=1024"`
}

// wrong returns a [param.Error].
func wrong(field, format string, args ...any) error {
	return &param.Error{Field: field, Text: fmt.Sprintf(format, args...)}
}

// Check returns a [param.Error] for a value that is none of its field's.
func (c Choice) Check() error {
	for _, field := range param.Fields(c) {
		value := field.Of(reflect.ValueOf(c))
		e, closed := value.Interface().(param.Enumerated)
		if !closed || value.IsZero() || field.Name == "method" { // see conflict
			continue
		}
		if text := param.Wrong(e, value.String()); text != "" {
			return &param.Error{Field: field.Name, Text: text}
		}
	}
	if c.Workers < 0 {
		return wrong("workers", "%d: expected 1 or more", c.Workers)
	}
	return nil
}

// optional are the fields that only some back-ends use, and why others do not.
var optional = map[string]string{
	"order": "has no variable order", "workers": "uses one processor",
	"construction": "builds no diagram", "diagram": "builds no diagram",
	"solver": "uses no SAT solver", "amo": "uses no clauses", "formula": "uses no clauses",
}

// uses reports whether the back-end reads an optional field of a Choice.
func (e Entry) uses(field string) bool { return slices.Contains(e.Uses, field) }

// unused lists the fields that the back-end does not read.
func (e Entry) unused() []param.Field {
	return slices.DeleteFunc(param.Fields(Choice{}), func(f param.Field) bool {
		return optional[f.Name] == "" || e.uses(f.Name)
	})
}

// Unused sets the fields that the choice's back-end does not use to those of another choice.
func (c *Choice) Unused(others Choice) {
	e, err := Named(string(c.Backend), 0)
	if err != nil {
		return
	}
	for _, field := range e.unused() {
		field.Of(reflect.ValueOf(c).Elem()).Set(field.Of(reflect.ValueOf(others)))
	}
}

// conflict returns an error if a field is given that the back-end does not use, or a method that
// it does not have.
func (c Choice) conflict(e Entry) error {
	for _, field := range e.unused() {
		if !field.Of(reflect.ValueOf(c)).IsZero() {
			return wrong(field.Name, "back-end %s %s", e.Name, optional[field.Name])
		}
	}
	if m := string(c.Method); m != "" && m != bestMethod && !slices.Contains(e.MethodNames(), m) {
		hint := param.DidYouMean(m, e.MethodNames())
		for _, other := range All() {
			if slices.Contains(other.MethodNames(), m) {
				hint = fmt.Sprintf("; %s is a method of back-end %s", m, other.Name)
			}
		}
		return wrong("method", "%q: back-end %s has %s%s", m, e.Name, strings.Join(e.MethodNames(), ", "), hint)
	}
	return nil
}

// Plan is a checked choice for one problem, with nothing left open: what [Resolve] makes of a
// [Choice].
type Plan struct {
	Entry   Entry
	Choice  Choice
	problem encode.Problem
}

// Resolve returns the plan of the back-end that answers what is wanted: the one that is named, or
// the first that fits the other fields, beginning with the one that suits the problem. Its errors are
// param.Errors: the choice makes no sense, or not for the problem.
func Resolve(p encode.Problem, c Choice, want Want) (Plan, error) {
	if err := c.Check(); err != nil {
		return Plan{}, err
	}
	if c.Backend != "" {
		e, err := Named(string(c.Backend), want)
		if err != nil {
			return Plan{}, err
		}
		return c.plan(e, p)
	}
	name, err := suited(p, want)
	if err != nil {
		return Plan{}, err
	}
	best, err := Named(name, want)
	if err != nil {
		return Plan{}, err
	}
	plan, unfit := c.plan(best, p)
	for _, e := range Able(want) {
		if unfit == nil {
			break
		}
		if other, err := c.plan(e, p); err == nil {
			return other, nil
		}
	}
	return plan, unfit
}

// plan returns the choice with a back-end, or an error if they do not fit.
func (c Choice) plan(e Entry, p encode.Problem) (Plan, error) {
	if err := c.conflict(e); err != nil {
		return Plan{}, err
	}
	if err := e.Accepts(p); err != nil {
		return Plan{}, wrong("problem", "%v", err)
	}
	return Plan{e, c.filled(e, p), p}, nil
}
