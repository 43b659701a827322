package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"queens/internal/param"
	"queens/internal/system/program"
)

// Kind is a kind of task: what a run with the parameters P does. P is a struct whose fields, by
// their JSON names, are parameters; they are integers, booleans, strings, or strings that are
// [param.Enumerated]. A nil function means the default.
type Kind[P any] struct {
	Name string
	Doc  string // what is measured, in a sentence
	// Parameters lists the JSON names of the fields that are parameters, in the order in which
	// they name a run; fields of embedded structs count too. Empty means all fields.
	Parameters []string
	// AtMost bounds integer parameters further than the fields' tags do.
	AtMost  map[string]int64
	Default P
	// Result is the zero value of the struct in Finding.Values.
	Result any
	// Agree lists the result columns that the question determines, so references must agree on
	// them, too; they are compared if both runs have them.
	Agree []string

	// Ways lists the parameters that say who answers, and how. Runs that differ in no other parameter answer the same
	// question, so their answers must be the same.
	Ways []string

	// Normalise sets parameters that have no effect, because of other parameters, to a fixed value, so
	// that equal work has the same name. The error is a *param.Unsuited if there is no such run; a *param.Error
	// says which parameter is wrong at this point of a grid.
	Normalise func(*P) error
	// Program returns the outside program that a task needs, such as a solver; nil if it needs none.
	Program func(*P) *program.Needed
	// Known returns the answer known from elsewhere; its source is empty if there is none.
	Known func(*P) Known
	// References returns tasks that answer the same question by other means. They run outside
	// the measured process.
	References func(*P) []P
	// Kin lists what shares code with what answers, so that it checks nothing: the first words of names in a record's
	// checked_by.
	Kin func(*P) []string
	// Timed lists the result columns that may vary from run to run because they depend on a
	// clock or a time limit.
	Timed func(*P) []string
	// Title names the run where it is a reference for others.
	Title func(*P) string
	// Small returns parameters with which the same is done on a small problem. A run does that first, before any clock
	// starts; see [Task.Warm].
	Small func(P) P
	// Run does the work, timing its phases with the meter.
	Run func(*P, context.Context, *Meter) (Finding, error)
}

// TaskKind is a [Kind] with its parameters' type erased; see [Kind.Erase].
type TaskKind struct {
	Name, Doc string
	AtMost    map[string]int64
	Agree     []string
	Ways      []string
	Result    any // the zero value of the struct in Finding.Values

	// The parameters and their columns, computed on first use: a measured run needs no columns.
	fields  func() []param.Field
	columns func() Columns

	// The functions of the Kind. Each takes a pointer to the parameters, as fresh returns it.
	fresh      func() any
	normalise  func(any) error
	program    func(any) *program.Needed
	known      func(any) Known
	references func(any) []any
	kin        func(any) []string
	timed      func(any) []string
	title      func(any) string
	small      func(any) any // nil if there is no small problem
	run        func(any, context.Context, *Meter) (Finding, error)
}

// Erase returns the kind without its type parameter, for a list of kinds.
func (k Kind[P]) Erase() *TaskKind {
	erased := &TaskKind{
		Name: k.Name, Doc: k.Doc, AtMost: k.AtMost, Agree: k.Agree, Ways: k.Ways, Result: k.Result,
		fields: sync.OnceValue(k.fields),
		fresh: func() any {
			p := k.Default
			return &p
		},
		normalise: erase(k.Normalise, nil),
		program:   erase(k.Program, nil),
		known:     erase(k.Known, Known{}),
		references: func(p any) (list []any) {
			for _, other := range erase(k.References, nil)(p) {
				list = append(list, &other)
			}
			return list
		},
		kin:   erase(k.Kin, nil),
		timed: erase(k.Timed, nil),
		title: erase(k.Title, k.Name),
		run:   func(p any, ctx context.Context, m *Meter) (Finding, error) { return k.Run(p.(*P), ctx, m) },
	}
	if k.Small != nil {
		erased.small = func(p any) any {
			small := k.Small(*p.(*P))
			return &small
		}
	}
	erased.columns = sync.OnceValue(func() Columns { return columnsOf(erased.fields(), Parameter) })
	return erased
}

// erase returns f as a function of parameters of any type. If f is nil, that function returns otherwise.
func erase[P, R any](f func(*P) R, otherwise R) func(any) R {
	return func(p any) R {
		if f == nil {
			return otherwise
		}
		return f(p.(*P))
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

// Parameters lists the kind's parameters.
func (k *TaskKind) Parameters() []param.Field { return k.fields() }

// Results lists what a run of the kind finds.
func (k *TaskKind) Results() []param.Field { return param.Fields(k.Result) }

// Columns lists the columns of the kind's records, in order.
func (k *TaskKind) Columns() Columns {
	var cs Columns
	for _, c := range columnsOf(param.Fields(Record{}), "") {
		switch c.Name {
		case "repeat":
			cs = append(cs, k.columns()...)
		case Encode.Column():
			cs = append(cs, columnsOf(k.Results(), Result)...)
		}
		cs = append(cs, c)
	}
	return cs
}

// Default returns the task with default parameters.
func (k *TaskKind) Default() Task { return Task{k, k.fresh()} }

// Task returns the task with the given parameters, and defaults for the others. Values may name programs that
// a configuration describes. A [param.Error] says which parameter is wrong.
func (k *TaskKind) Task(parameters map[string]string, programs program.Descriptions) (Task, error) {
	t := k.Default()
	value := reflect.ValueOf(t.Value).Elem()
	given := 0
	for _, f := range k.fields() {
		text, ok := parameters[f.Name]
		if !ok {
			continue
		}
		given++
		if err := f.Set(value, text); err != nil {
			return Task{}, err
		}
	}
	if given < len(parameters) {
		for name := range parameters {
			if !slices.ContainsFunc(k.fields(), func(f param.Field) bool { return f.Name == name }) {
				return Task{}, &param.Error{Field: name, Text: "no parameter of task " + k.Name}
			}
		}
	}
	if e, ok := t.Value.(Equipped); ok {
		return t, e.Equip(programs)
	}
	return t, nil
}

// Equipped are parameters whose values may name programs of a configuration. The error is a *param.Error if a
// value names no program, or if the configuration describes a program under a reserved name.
type Equipped interface {
	Equip(program.Descriptions) error
}

// Worded are parameters that a report names in words of their own.
type Worded interface {
	// Effective returns those of the columns that have an effect on the run.
	Effective(columns []string) []string
	// Words names the run by these columns; word returns a column's value.
	Words(columns []string, word func(column string) string) []string
}

// Verified are parameters whose recorded result has evidence that can be checked without repeating the run.
type Verified interface {
	// Verify returns an error if a good record contradicts itself; cell returns a column's value.
	Verify(cell func(column string) string) error
}

// Kinds is a list of kinds of task, in the order in which they are shown.
type Kinds []*TaskKind

// Names lists the kinds' names.
func (ks Kinds) Names() []string {
	var names []string
	for _, k := range ks {
		names = append(names, k.Name)
	}
	return names
}

// Named returns the kind with a name.
func (ks Kinds) Named(name string) (*TaskKind, error) {
	for _, k := range ks {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("task %s", param.Expected(name, ks.Names(), ""))
}

// Task is what a run does: the functions of its kind, for its parameters.
type Task struct {
	Kind  *TaskKind
	Value any // a pointer to the parameters
}

// Task's methods call the functions of its [Kind].

func (t Task) Normalise() error         { return t.Kind.normalise(t.Value) }
func (t Task) Program() *program.Needed { return t.Kind.program(t.Value) }
func (t Task) Known() Known             { return t.Kind.known(t.Value) }
func (t Task) Kin() []string            { return t.Kind.kin(t.Value) }
func (t Task) Timed() []string          { return t.Kind.timed(t.Value) }
func (t Task) Title() string            { return t.Kind.title(t.Value) }

func (t Task) References() (list []Task) {
	for _, p := range t.Kind.references(t.Value) {
		list = append(list, Task{t.Kind, p})
	}
	return list
}

// Warm does what the task does on a small problem, if its kind has one, so that a run finds the program's code in memory.
// Otherwise the first use of each page of the code counts, some microseconds, and depends on where the linker has put it.
// It leaves no garbage. What comes of it does not matter.
func (t Task) Warm(ctx context.Context) {
	if t.Kind.small == nil {
		return
	}
	if small := (Task{t.Kind, t.Kind.small(t.Value)}); small.Normalise() == nil {
		_, _ = small.Run(ctx, new(Meter))
	}
	runtime.GC()
}

func (t Task) Run(ctx context.Context, m *Meter) (Finding, error) { return t.Kind.run(t.Value, ctx, m) }

// Parameters returns the parameters as text, by name.
func (t Task) Parameters() map[string]string {
	fields := t.Kind.fields()
	texts := make(map[string]string, len(fields))
	value := reflect.ValueOf(t.Value).Elem()
	for _, f := range fields {
		texts[f.Name] = f.Text(value)
	}
	return texts
}

// JSON returns the parameters as a JSON object, in the kind's order.
func (t Task) JSON() (json.RawMessage, error) {
	fields, value := t.Kind.fields(), reflect.ValueOf(t.Value).Elem()
	return t.Kind.columns().parameters(func(i int) string { return fields[i].Text(value) })
}
