package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"queens/param"
	"queens/system/program"
)

// Finding is what a run found.
type Finding struct {
	// Answer is what every correct run of the same question must find, in canonical form; empty
	// if there is nothing to compare.
	Answer string
	// CheckedBy is what the run itself compared its finding with, for the record's checked_by;
	// empty if nothing. A check that fails is a [Contradiction].
	CheckedBy string
	// Values is a struct of the kind's result type.
	Values any
}

// Contradiction is the error of a Task that finished with an answer that its own check refutes,
// such as an invalid solution: the run is wrong, not failed.
type Contradiction struct {
	By  string // what refutes it, for the record's checked_by
	Err error
}

func (c *Contradiction) Error() string { return c.Err.Error() }

// Unwrap returns the check's error.
func (c *Contradiction) Unwrap() error { return c.Err }

// Kind is a kind of task: what a run with the parameters P does. P is a struct whose fields, by
// their JSON names, are parameters; they are integers, booleans, strings, or strings that are
// [param.Enumerated]. A function that is nil has nothing to say.
type Kind[P any] struct {
	Name string
	Doc  string // what is measured, in a sentence
	// Parameters lists the JSON names of the fields that are parameters, in the order in which
	// they name a run; fields of embedded structs count too. Empty means all fields.
	Parameters []string
	// AtMost bounds integer parameters, besides the bounds in the fields' tags.
	AtMost  map[string]int64
	Default P
	// Result is the zero value of the struct in Finding.Values.
	Result any
	// Agree lists the result columns that the question determines, so references must agree on
	// them, too; they are compared if both runs have them.
	Agree []string

	// Normalise sets parameters that do not matter, because of others, to a fixed value, so
	// equal work has the same name. The error is an *param.Unsuited if there is no such run; a *param.Error
	// says which parameter is wrong at this point of a grid.
	Normalise func(*P) error
	// Program returns the outside program that a task needs, such as a solver; nil if it needs none.
	Program func(*P) *program.Needed
	// Known returns the answer known from elsewhere; its source is empty if there is none.
	Known func(*P) Known
	// References returns tasks that answer the same question by other means. They run outside
	// the measured process.
	References func(*P) []P
	// Timed lists the result columns that may vary from run to run because they depend on a
	// clock or a time limit.
	Timed func(*P) []string
	// Title names the run as one that others are compared with.
	Title func(*P) string
	// Run does the work, timing its phases with the meter.
	Run func(*P, context.Context, *Meter) (Finding, error)
}

// Known is an answer known from elsewhere, and from where.
type Known struct{ Answer, Source string }

// TaskKind is a [Kind] with its parameters' type erased; see [Kind.Erase].
type TaskKind struct {
	Name, Doc string
	AtMost    map[string]int64
	Agree     []string
	Result    any         // the zero value of the struct in Finding.Values
	New       func() Task // with default parameters

	parameters func() []param.Field // when they are first needed: a measured run needs none
}

// Task is one run's work: the functions of its kind, for its parameters.
type Task struct {
	Value      any // a pointer to the parameters
	Normalise  func() error
	Program    func() *program.Needed
	Known      func() Known
	References func() []Task
	Timed      func() []string
	Title      func() string
	Run        func(context.Context, *Meter) (Finding, error)

	columns func() Columns // of the parameters
}

// Erase returns the kind as one of a list of kinds.
func (k Kind[P]) Erase() TaskKind {
	columns := sync.OnceValue(func() Columns { return columnsOf(k.fields(), Parameter) })
	return TaskKind{
		Name: k.Name, Doc: k.Doc, AtMost: k.AtMost, Agree: k.Agree, Result: k.Result, parameters: k.fields,
		New: func() Task {
			p := k.Default
			return k.task(&p, columns)
		},
	}
}

func (k Kind[P]) task(p *P, columns func() Columns) Task {
	return Task{
		Value:     p,
		Normalise: bound(k.Normalise, p, nil),
		Program:   bound(k.Program, p, nil),
		Known:     bound(k.Known, p, Known{}),
		References: func() (list []Task) {
			for _, other := range bound(k.References, p, nil)() {
				list = append(list, k.task(&other, columns))
			}
			return list
		},
		Timed:   bound(k.Timed, p, nil),
		Title:   bound(k.Title, p, k.Name),
		Run:     func(ctx context.Context, m *Meter) (Finding, error) { return k.Run(p, ctx, m) },
		columns: columns,
	}
}

// bound returns f for these parameters, or what holds for a kind without it.
func bound[P, R any](f func(*P) R, p *P, otherwise R) func() R {
	return func() R {
		if f == nil {
			return otherwise
		}
		return f(p)
	}
}

// fields lists the fields that are parameters.
func (k Kind[P]) fields() []param.Field {
	all := param.Fields(k.Default)
	if k.Parameters == nil {
		return all
	}
	some := make([]param.Field, len(k.Parameters))
	for i, name := range k.Parameters {
		some[i] = all[slices.IndexFunc(all, func(f param.Field) bool { return f.Name == name })]
	}
	return some
}

// Equipped are parameters whose values may name programs of a configuration. The error is a *param.Error
// if a value names none, or if the configuration describes one by a name that is taken.
type Equipped interface {
	Equip(program.Descriptions) error
}

// Task rebuilds a task from its parameters and its configuration's programs.
func (k TaskKind) Task(params json.RawMessage, programs program.Descriptions) (Task, error) {
	t := k.New()
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(t.Value); err != nil {
		return Task{}, fmt.Errorf("parameters of a %s run: %w", k.Name, err)
	}
	if e, ok := t.Value.(Equipped); ok {
		return t, e.Equip(programs)
	}
	return t, nil
}

// Params returns the parameters as a JSON object, in the kind's order.
func (t Task) Params() (json.RawMessage, error) {
	texts, err := param.Flatten(t.Value)
	if err != nil {
		return nil, err
	}
	return t.columns().Parameters(texts)
}

// Kinds is a list of kinds of task, in the order in which they are shown.
type Kinds []TaskKind

// Names lists the kinds' names.
func (ks Kinds) Names() []string {
	var names []string
	for _, k := range ks {
		names = append(names, k.Name)
	}
	return names
}

// Named returns a kind by name.
func (ks Kinds) Named(name string) (TaskKind, error) {
	for _, k := range ks {
		if k.Name == name {
			return k, nil
		}
	}
	return TaskKind{}, fmt.Errorf("task %s", param.Expected(name, ks.Names(), ""))
}

// Parameters lists the kind's parameters; the zero kind has none.
func (k TaskKind) Parameters() []param.Field {
	if k.parameters == nil {
		return nil
	}
	return k.parameters()
}

// Defaults returns the default parameters as text, by name.
func (k TaskKind) Defaults() (map[string]string, error) { return param.Flatten(k.New().Value) }

// Results lists what a run of the kind finds.
func (k TaskKind) Results() []param.Field { return param.Fields(k.Result) }
