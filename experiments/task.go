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
	"strings"

	"github.com/agnivade/levenshtein"
)

// Task is one run's work: a pointer to a struct whose fields, by their JSON
// names, are the run's parameters. Fields are integers, booleans, strings, or
// strings that are [Enumerated].
type Task interface {
	// Run does the work, timing its phases with m.
	Run(ctx context.Context, m *Meter) (Finding, error)
}

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

// Pinned is a string type whose values may name a file. Pin adds the hash of the file's content
// to the name, so a changed file makes a different run; other values are returned unchanged.
// The error says what is wrong with the file, or that it has changed.
type Pinned interface {
	Pin() (string, error)
}

// Needy is a Task that may need something the machine lacks, such as a solver. Lacking returns
// the parameter that asks for it and a message saying what is missing; both are empty if
// nothing is.
type Needy interface {
	Lacking() (parameter, what string)
}

// Normaliser is a Task whose parameters depend on each other. Normalise sets those that do not
// matter to a fixed value, so equal work has the same name, and reports whether such a run
// exists at all.
type Normaliser interface{ Normalise() bool }

// Known is a Task whose answer is known from elsewhere. KnownAnswer returns the answer and its
// source, both empty if it is not known.
type Known interface {
	KnownAnswer() (answer, source string)
}

// Referred is a Task that others can check: each of References answers the same
// question by other means. They run outside the measured process.
type Referred interface{ References() []Task }

// Agreeing is a [Referred] Task whose references must agree on more than the answer. Agree
// lists the result columns that the question determines; they are compared if both runs have
// them.
type Agreeing interface{ Agree() []string }

// Timed is a Task with results that may vary from run to run because they depend on a clock or
// a time limit. Timed returns their columns.
type Timed interface{ Timed() []string }

// TaskKind is a kind of task: what a run does.
type TaskKind struct {
	Name string
	Doc  string      // what is measured, in a sentence
	New  func() Task // a task with default parameters
	// Result is the zero value of the struct in Finding.Values.
	Result any
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
	Name, Doc string
	Type      reflect.Type
	Tag       reflect.StructTag
}

// Fields lists the exported fields of a struct that have a JSON name. A field's Doc is its
// comment ([Comments]) or a tag.
func Fields(of any) []Field {
	t := reflect.TypeOf(of)
	if t == nil {
		return nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var fs []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		doc := cmp.Or(f.Tag.Get("jsonschema_description"), Comments()[t.PkgPath()+"."+t.Name()+"."+f.Name])
		fs = append(fs, Field{name, doc, f.Type, f.Tag})
	}
	return fs
}

// Parameters lists the kind's parameters.
func (k TaskKind) Parameters() []Field {
	if k.New == nil {
		return nil
	}
	return Fields(k.New())
}

// Results lists what a run of the kind finds.
func (k TaskKind) Results() []Field { return Fields(k.Result) }

// Task rebuilds a task from its parameters and its configuration's programs.
func (k TaskKind) Task(params json.RawMessage, programs Programs) (Task, error) {
	t := k.New()
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("parameters of a %s run: %w", k.Name, err)
	}
	Equip(t, programs)
	return t, nil
}

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
		if d := levenshtein.ComputeDistance(word, c); d < least && d > 0 {
			best, least = c, d
		}
	}
	return best
}

var pinned = regexp.MustCompile(`^(.+)#([0-9a-f]{16})$`)

// PinFile reads the file that a parameter names as path, or as path#hash, and returns its
// content and the name with its hash. It is an error if the content has a different hash.
func PinFile(name string) (content []byte, pin string, err error) {
	path, want := name, ""
	if m := pinned.FindStringSubmatch(name); m != nil {
		path, want = m[1], m[2]
	}
	content, err = os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	hash := Digest(content)
	if want != "" && hash != want {
		return nil, "", fmt.Errorf("%s is not the file that the run was made for: its content has hash %s, not %s",
			path, hash, want)
	}
	return content, path + "#" + hash, nil
}
