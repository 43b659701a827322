package ask

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"queens/backends/bdd"
	"queens/backends/sat"
	"queens/encode"
	"queens/param"
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
func (b Backend) uses(field string) bool { return slices.Contains(b.Uses, field) }

// unused lists the fields that the back-end does not read.
func (b Backend) unused() []param.Field {
	return slices.DeleteFunc(param.Fields(Choice{}), func(f param.Field) bool {
		return optional[f.Name] == "" || b.uses(f.Name)
	})
}

// Unused sets the fields that the choice's back-end does not use to those of another choice.
func (c *Choice) Unused(others Choice) {
	b, err := Named(string(c.Backend), 0)
	if err != nil {
		return
	}
	for _, field := range b.unused() {
		field.Of(reflect.ValueOf(c).Elem()).Set(field.Of(reflect.ValueOf(others)))
	}
}

// conflict returns an error if a field is given that the back-end does not use, or a method that
// it does not have.
func (c Choice) conflict(b Backend) error {
	for _, field := range b.unused() {
		if !field.Of(reflect.ValueOf(c)).IsZero() {
			return wrong(field.Name, "back-end %s %s", b.Name, optional[field.Name])
		}
	}
	if m := string(c.Method); m != "" && m != bestMethod && !slices.Contains(b.Methods(), m) {
		hint := param.DidYouMean(m, b.Methods())
		for _, other := range All() {
			if slices.Contains(other.Methods(), m) {
				hint = fmt.Sprintf("; %s is a method of back-end %s", m, other.Name)
			}
		}
		return wrong("method", "%q: back-end %s has %s%s", m, b.Name, strings.Join(b.Methods(), ", "), hint)
	}
	return nil
}

// Resolve returns the back-end that answers, which has the wanted abilities: the one that is
// named, or the first that fits the other fields, beginning with the one that suits the problem.
// The plan's choice has no field left open that the back-end uses, except where an engine chooses
// by size. A choice that makes no sense is an param.Error.
func Resolve(p encode.Problem, c Choice, want Ability) (Plan, error) {
	if err := c.Check(); err != nil {
		return Plan{}, err
	}
	if c.Backend != "" {
		b, err := Named(string(c.Backend), want)
		if err != nil {
			return Plan{}, err
		}
		return c.plan(b, p)
	}
	suited, err := Suited(p, want)
	if err != nil {
		return Plan{}, err
	}
	plan, unfit := c.plan(suited, p)
	for _, b := range Able(want) {
		if unfit == nil {
			break
		}
		if other, err := c.plan(b, p); err == nil {
			return other, nil
		}
	}
	return plan, unfit
}

// plan returns the choice with a back-end, or an error if they do not fit.
func (c Choice) plan(b Backend, p encode.Problem) (Plan, error) {
	if err := c.conflict(b); err != nil {
		return Plan{}, err
	}
	return Plan{b, c.filled(b, p), p}, b.Takes(p)
}

// filled returns the choice with the fields that the back-end uses filled in.
func (c Choice) filled(b Backend, p encode.Problem) Choice {
	c.Backend = BackendName(b.Name)
	if (c.Method == "" || c.Method == bestMethod) && len(b.Ways) > 0 {
		c.Method = MethodName(b.Ways[0].Name)
	}
	if b.uses("diagram") && c.Diagram == "" {
		c.Diagram = "zdd" // to ask: it has a tenth of the nodes
		if c.Method == bdd.Sweep || c.Method == bdd.Restrict {
			c.Diagram = "bdd"
		}
	}
	if b.uses("construction") && c.Construction == "" {
		c.Construction = ConstructionName(bdd.Default(p).Name)
	}
	if b.uses("solver") && c.Solver == "" {
		c.Solver = gini
	}
	if b.uses("formula") && c.Formula == "" {
		c.Formula = FormulaName(sat.Residual)
	}
	if b.uses("workers") && c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return c
}

// Instant is the largest number of variables for which a queens diagram compiles in a few
// milliseconds: a board of 10.
const Instant = 100

// Suited returns the back-end with the abilities that is best for a problem when nothing else is
// said. To find what is possible it is the diagram, which also counts, for queens with at most
// [Instant] variables; the portfolio for larger boards; SAT for everything else. To count queens it
// is search, which visits the solutions with almost no memory; for other problems, which may have
// too many to visit, a diagram.
func Suited(p encode.Problem, want Ability) (Backend, error) {
	name := "sat"
	switch {
	case want&CountsEach != 0:
		if name = "bdd"; diagrams(p) != nil {
			name = "search"
		}
	case want&Counts != 0:
		if err := bdd.CheckSize(p); err != nil {
			return Backend{}, fmt.Errorf(
				"counting %s: %w; back-end search visits every solution, but must be chosen by name", p, err)
		}
		if name = "bdd"; p.IsQueens() {
			name = "search"
		}
	case p.IsQueens() && p.NumVars() <= Instant:
		name = "bdd"
	case p.IsQueens():
		name = "portfolio"
	}
	return Named(name, want)
}
