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

	// Normalise sets parameters that do not matter, because of others, to a fixed value, so
	// equal work has the same name. The error is an *Unsuited if there is no such run; a *FieldError
	// says which parameter is wrong at this point of a grid.
	Normalise func(*P) error
	// Program returns the outside program that a task needs, such as a solver; nil if it needs none.
	Program func(*P) *Needed
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

// Needed is an outside program that a task needs.
type Needed struct {
	Parameter, Name string // what asks for it, and how
	// Check says what is wrong with the program here: that it is missing, or does not tell its
	// version.
	Check func(context.Context) error
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

	parameters func() []Field // when they are first needed: a measured run needs none
}

// Task is one run's work: the functions of its kind, for its parameters.
type Task struct {
	Value      any // a pointer to the parameters
	Normalise  func() error
	Program    func() *Needed
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

// Equipped are parameters whose values may name programs of a configuration. The error is a *FieldError
// if a value names none, or if the configuration describes one by a name that is taken.
type Equipped interface{ Equip(Programs) error }

// Task rebuilds a task from its parameters and its configuration's programs.
func (k TaskKind) Task(params json.RawMessage, programs Programs) (Task, error) {
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
	texts, err := Flatten(t.Value)
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
	return TaskKind{}, fmt.Errorf("task %s", Expected(name, ks.Names(), ""))
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
// among them; anything else has none.
func Fields(of any) (fs []Field) {
	t := reflect.TypeOf(of)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	if found, ok := fieldsOf.Load(t); ok {
		return slices.Clone(found.([]Field))
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		owner := t
		if above := f.Index[:len(f.Index)-1]; len(above) > 0 {
			owner = t.FieldByIndex(above).Type
		}
		fs = append(fs, Field{name, f.Type, f.Tag, owner.PkgPath() + "." + owner.Name() + "." + f.Name, f.Index})
	}
	fieldsOf.Store(t, fs)
	return slices.Clone(fs)
}

// fieldsOf keeps the fields of each type: a grid asks for them at every point, which would take a sixth
// of its time.
var fieldsOf sync.Map

// Parameters lists the kind's parameters; the zero kind has none.
func (k TaskKind) Parameters() []Field {
	if k.parameters == nil {
		return nil
	}
	return k.parameters()
}

// Defaults returns the default parameters as text, by name.
func (k TaskKind) Defaults() (map[string]string, error) { return Flatten(k.New().Value) }

// Results lists what a run of the kind finds.
func (k TaskKind) Results() []Field { return Fields(k.Result) }

// Flatten returns the fields of a struct, or of one encoded as JSON, as text, by JSON name: numbers
// unrounded, lists joined with semicolons, nil pointers empty.
func Flatten(v any) (map[string]string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
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
// back-end and a problem that it does not take: there is no such run. It says why where that is not
// plain.
type Unsuited struct{ Why string }

func (e *Unsuited) Error() string { return e.Why }

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
	return Expected(value, of.Values(), more)
}

// Expected says that a value is none of those expected, and what more would do.
func Expected(value string, expected []string, more string) string {
	return fmt.Sprintf("%q: expected one of %s%s%s", value, strings.Join(expected, ", "), more, DidYouMean(value, expected))
}

// DidYouMean returns a hint that names the candidate that word is likely to be a misspelling of, or
// nothing.
func DidYouMean(word string, candidates []string) string {
	hint, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least && word != c {
			hint, least = fmt.Sprintf("; did you mean %s?", c), d
		}
	}
	return hint
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

// SizeInName stands for the size n in the name of a file that there is one of for each size.
const SizeInName = "{n}"

// Unpinned returns a file's name without the hash of its content.
func Unpinned(name string) string {
	if bare := len(name) - len("#0123456789abcdef"); bare > 0 && name[bare] == '#' {
		return name[:bare]
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
