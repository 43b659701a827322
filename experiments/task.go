package experiments

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// Enumerated is a string type with a closed set of values.
type Enumerated interface{ Values() []string }

// Patterned is an [Enumerated] type with further values, such as names with a number. Pattern
// returns a regular expression for them and a description.
type Patterned interface {
	Enumerated
	Pattern() (expression, title string)
}

// Pinned is a string type whose values may name a file, or several by a pattern. Pin returns the
// value for each file, with the hash of its content, so a changed file makes a different run; other
// values are returned unchanged. The error says what is wrong with a file, or that it has changed.
type Pinned interface {
	Pin() ([]string, error)
}

// Kind is a kind of task: what a run with the parameters P does. P is a struct whose fields, by
// their JSON names, are parameters; they are integers, booleans, strings, or strings that are
// [Enumerated]. A function that is nil has nothing to say.
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

	// Equip gives the task the programs of its configuration.
	Equip func(*P, Programs)
	// Normalise sets parameters that do not matter, because of others, to a fixed value, so
	// equal work has the same name, and reports whether such a run exists at all; an *Unsuited says
	// why not. A *FieldError says which parameter is wrong at this point of a grid.
	Normalise func(*P) (exists bool, err error)
	// Program names the outside program that a task needs, such as a solver, and the parameter
	// that asks for it; both are empty if it needs none. The check says what is wrong with the
	// program here: that it is missing, or does not tell its version.
	Program func(*P) (parameter, name string, check func(context.Context) error)
	// Known returns the answer known from elsewhere and its source, both empty if there is none.
	Known func(*P) (answer, source string)
	// References returns tasks that answer the same question by other means. They run outside
	// the measured process.
	References func(*P) []P
	// Timed lists the result columns that may vary from run to run because they depend on a
	// clock or a time limit.
	Timed func(*P) []string
	// Title names the run as one of several that answer the same question.
	Title func(*P) string
	// Run does the work, timing its phases with the meter.
	Run func(*P, context.Context, *Meter) (Finding, error)
}

// TaskKind is a [Kind] with its parameters' type erased; see [Kind.Erase].
type TaskKind struct {
	Name, Doc string
	AtMost    map[string]int64
	Agree     []string
	Result    any // the zero value of the struct in Finding.Values

	parameters func() []Field
	fresh      func() any // a pointer to default parameters
	equip      func(any, Programs)
	normalise  func(any) (bool, error)
	program    func(any) (string, string, func(context.Context) error)
	known      func(any) (string, string)
	references func(any) []any
	timed      func(any) []string
	title      func(any) string
	run        func(any, context.Context, *Meter) (Finding, error)
}

// Erase returns the kind as one of a list of kinds.
func (k Kind[P]) Erase() TaskKind {
	e := TaskKind{
		Name: k.Name, Doc: k.Doc, AtMost: k.AtMost, Agree: k.Agree,
		Result: k.Result, parameters: sync.OnceValue(k.fields),
		fresh:      func() any { p := k.Default; return &p },
		equip:      func(any, Programs) {},
		normalise:  func(any) (bool, error) { return true, nil },
		program:    func(any) (string, string, func(context.Context) error) { return "", "", nil },
		known:      func(any) (string, string) { return "", "" },
		references: func(any) []any { return nil },
		timed:      func(any) []string { return nil },
		title:      func(any) string { return k.Name },
		run:        func(p any, ctx context.Context, m *Meter) (Finding, error) { return k.Run(p.(*P), ctx, m) },
	}
	if k.Equip != nil {
		e.equip = func(p any, programs Programs) { k.Equip(p.(*P), programs) }
	}
	if k.Normalise != nil {
		e.normalise = func(p any) (bool, error) { return k.Normalise(p.(*P)) }
	}
	if k.Program != nil {
		e.program = func(p any) (string, string, func(context.Context) error) { return k.Program(p.(*P)) }
	}
	if k.Known != nil {
		e.known = func(p any) (string, string) { return k.Known(p.(*P)) }
	}
	if k.References != nil {
		e.references = func(p any) (list []any) {
			for _, r := range k.References(p.(*P)) {
				list = append(list, &r)
			}
			return list
		}
	}
	if k.Timed != nil {
		e.timed = func(p any) []string { return k.Timed(p.(*P)) }
	}
	if k.Title != nil {
		e.title = func(p any) string { return k.Title(p.(*P)) }
	}
	return e
}

// fields lists the fields that are parameters. It is called when they are first needed: a measured
// run needs those of one kind.
func (k Kind[P]) fields() []Field {
	all := Fields(k.Default)
	if k.Parameters == nil {
		return all
	}
	some := make([]Field, len(k.Parameters))
	for i, name := range k.Parameters {
		some[i] = all[slices.IndexFunc(all, func(f Field) bool { return f.Name == name })]
	}
	return some
}

// Task is one run's work: a kind and its parameters.
type Task struct {
	kind   *TaskKind
	params any // *P
}

// New returns a task with default parameters.
func (k TaskKind) New() Task { return Task{&k, k.fresh()} }

// Task rebuilds a task from its parameters and its configuration's programs.
func (k TaskKind) Task(params json.RawMessage, programs Programs) (Task, error) {
	t := k.New()
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(t.params); err != nil {
		return Task{}, fmt.Errorf("parameters of a %s run: %w", k.Name, err)
	}
	k.equip(t.params, programs)
	return t, nil
}

// Params returns the parameters as a JSON object, in the kind's order.
func (t Task) Params() (json.RawMessage, error) {
	b := []byte("{")
	for _, f := range t.kind.parameters() {
		v := f.Of(reflect.ValueOf(t.params).Elem())
		if f.Optional() && v.IsZero() {
			continue
		}
		value, err := json.Marshal(v.Interface())
		if err != nil {
			return nil, fmt.Errorf("parameter %s of a %s run: %w", f.Name, t.kind.Name, err)
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(fmt.Appendf(b, "%q:", f.Name), value...)
	}
	return append(b, '}'), nil
}

// Value returns a pointer to the parameters.
func (t Task) Value() any { return t.params }

// The methods below are the functions of [Kind], for the task's parameters.

func (t Task) Normalise() (exists bool, err error) { return t.kind.normalise(t.params) }
func (t Task) Known() (answer, source string)      { return t.kind.known(t.params) }
func (t Task) Agree() []string                     { return t.kind.Agree }
func (t Task) Timed() []string                     { return t.kind.timed(t.params) }
func (t Task) Title() string                       { return t.kind.title(t.params) }

func (t Task) Program() (parameter, name string, check func(context.Context) error) {
	return t.kind.program(t.params)
}

func (t Task) References() (list []Task) {
	for _, p := range t.kind.references(t.params) {
		list = append(list, Task{t.kind, p})
	}
	return list
}

func (t Task) Run(ctx context.Context, m *Meter) (Finding, error) {
	return t.kind.run(t.params, ctx, m)
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
	return TaskKind{}, fmt.Errorf("task %q: expected one of %s%s", name, strings.Join(ks.Names(), ", "),
		DidYouMean(name, ks.Names()))
}

// Field is a parameter or a result: a struct field by its JSON name.
type Field struct {
	Name    string
	Type    reflect.Type
	Tag     reflect.StructTag
	comment string // its key in Comments
	index   []int
}

// Doc returns the field's comment ([Comments]), or what a tag says instead.
func (f Field) Doc() string {
	return cmp.Or(f.Tag.Get("jsonschema_description"), Comments()[f.comment])
}

// Of returns the field of a struct.
func (f Field) Of(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// Optional reports whether the field is left out while it is empty, 0 or false.
func (f Field) Optional() bool { return strings.Contains(f.Tag.Get("json"), ",omit") }

// Fields lists the exported fields of a struct that have a JSON name, those of embedded structs
// among them.
func Fields(of any) []Field {
	t := reflect.TypeOf(of)
	if t == nil {
		return nil
	}
	return fieldsOf(t, nil)
}

func fieldsOf(t reflect.Type, at []int) (fs []Field) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(at), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			fs = append(fs, fieldsOf(f.Type, index)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		fs = append(fs, Field{name, f.Type, f.Tag, t.PkgPath() + "." + t.Name() + "." + f.Name, index})
	}
	return fs
}

// Parameters lists the kind's parameters; the zero kind has none.
func (k TaskKind) Parameters() []Field {
	if k.parameters == nil {
		return nil
	}
	return k.parameters()
}

// Defaults returns the default parameters as text, by name.
func (k TaskKind) Defaults() (map[string]string, error) {
	params, err := k.New().Params()
	if err != nil {
		return nil, err
	}
	return FlattenJSON(params)
}

// Results lists what a run of the kind finds.
func (k TaskKind) Results() []Field { return Fields(k.Result) }

// Flatten returns a struct's fields as text, by JSON name: numbers unrounded, lists joined with
// semicolons, nil pointers empty.
func Flatten(v any) (map[string]string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return FlattenJSON(data)
}

// FlattenJSON does the same as [Flatten] for a struct encoded as JSON.
func FlattenJSON(data json.RawMessage) (map[string]string, error) {
	var m map[string]any
	if err := DecodeJSON(data, &m); err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(m))
	for name, v := range m {
		texts[name] = Text(v)
	}
	return texts, nil
}

// DecodeJSON decodes with numbers kept as they are written: 1000000, not 1e+06.
func DecodeJSON(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}

// Text formats a decoded JSON value as it is written in a record.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = Text(w)
		}
		return strings.Join(words, ";")
	default:
		return fmt.Sprint(v)
	}
}

// Digest returns the first 16 hexadecimal digits of the content's SHA-256.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// FieldError says what is wrong with a parameter. Whoever reports it to a person replaces Field,
// which is the JSON name, by what that person wrote: --order, axes.order[1], "order".
type FieldError struct {
	Field string
	// Text says what is wrong, and begins with the value in quotes where that is at fault.
	Text string
}

func (e *FieldError) Error() string {
	if strings.HasPrefix(e.Text, `"`) {
		return e.Field + " " + e.Text
	}
	return e.Field + ": " + e.Text
}

// Unsuited is the error of a Kind's Normalise for parameters that do not suit each other, such as a
// back-end and a problem that it does not take: there is no such run, and the error says why.
type Unsuited struct{ Why error }

func (e *Unsuited) Error() string { return e.Why.Error() }

// Wrong says what is wrong with a value if it is none of the type's, in the words that a
// configuration's check uses, too; it returns nothing for a good one.
func Wrong(of Enumerated, value string) string {
	if slices.Contains(of.Values(), value) {
		return ""
	}
	more := ""
	if p, ok := of.(Patterned); ok {
		expression, title := p.Pattern()
		if regexp.MustCompile(expression).MatchString(value) {
			return ""
		}
		more = ", or " + title
	}
	return fmt.Sprintf("%q: expected one of %s%s%s", value, strings.Join(of.Values(), ", "), more,
		DidYouMean(value, of.Values()))
}

// Expected says that a value is none of those expected.
func Expected(value string, expected []string) string {
	return fmt.Sprintf("%q: expected one of %s%s", value, strings.Join(expected, ", "), DidYouMean(value, expected))
}

// DidYouMean returns a hint that names the candidate nearest to word, or nothing if none is
// near.
func DidYouMean(word string, candidates []string) string {
	if best := Nearest(word, candidates); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return ""
}

// Nearest returns the candidate that word is likely to be a misspelling of, or nothing.
func Nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least && word != c {
			best, least = c, d
		}
	}
	return best
}

// distance returns the least number of letters to insert, delete or replace that turns one word
// into the other (Wagner and Fischer, JACM 21(1), 1974).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // from what has been read of a to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := left
			if a[i] != b[j] {
				replaced++
			}
			left, row[j+1] = row[j+1], min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// ByteOrderMark is what some editors write at the beginning of a text file.
const ByteOrderMark = "\uFEFF"

var pinned = regexp.MustCompile(`^(.+)#([0-9a-f]{16})$`)

// SizeInName stands for the size n in the name of a file that there is one of for each size.
const SizeInName = "{n}"

// Unpinned returns a file's name without the hash of its content.
func Unpinned(name string) string {
	if m := pinned.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// PinFile reads the file that a parameter names as path, or as path#hash, for a problem of size n.
// It returns its content without a byte order mark, its path, and the name with the hash of its
// content. It is an error if the content has a different hash.
func PinFile(name string, n int) (content []byte, path, pin string, err error) {
	bare, want := Unpinned(name), ""
	if bare != name {
		want = name[len(bare)+1:]
	}
	path = strings.ReplaceAll(bare, SizeInName, strconv.Itoa(n))
	content, err = os.ReadFile(path)
	if err != nil {
		return nil, path, "", err
	}
	hash := Digest(content)
	if want != "" && hash != want {
		return nil, path, "", fmt.Errorf("%s is not the file that the run was made for: its content has hash %s, not %s",
			path, hash, want)
	}
	return bytes.TrimPrefix(content, []byte(ByteOrderMark)), path, bare + "#" + hash, nil
}
