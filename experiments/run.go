package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"queens/internal/param"
	"queens/internal/system/program"
)

// Task is what a run does: the functions of its kind, for its parameters.
type Task struct {
	Kind  *TaskKind
	Value any // a pointer to the parameters
}

// The functions are those of [Kind].

func (t Task) Normalise() error         { return t.Kind.normalise(t.Value) }
func (t Task) Program() *program.Needed { return t.Kind.program(t.Value) }
func (t Task) Known() Known             { return t.Kind.known(t.Value) }
func (t Task) Timed() []string          { return t.Kind.timed(t.Value) }
func (t Task) Title() string            { return t.Kind.title(t.Value) }

func (t Task) References() (list []Task) {
	for _, p := range t.Kind.references(t.Value) {
		list = append(list, Task{t.Kind, p})
	}
	return list
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

// Run is one repeat of one point of a grid.
type Run struct {
	ID     string // see RunID
	Task   Task
	Repeat int // counted from 0
	// Position is the run's place in the whole grid's random order, from 1.
	Position int
}

// RunID returns a run's name: a hash of its parameters, JSON in the task's own order, and its repeat, so
// that equal runs have the same name on every machine, in every experiment.
func RunID(task string, parameters json.RawMessage, repeat int) string {
	return param.Digest(fmt.Appendf(nil, "run 1\n%s\n%s\n%d\n", task, parameters, repeat))
}
