package spec

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"queens/experiments"
)

// validate checks the values against the schema. of is the task that the configuration means;
// if its name is misspelt, that is reported here.
func (l *loader) validate(root map[string]any, of *experiments.TaskKind) error {
	text, err := Schema(l.kinds)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("the schema of configurations: %w", err)
	}
	const name = "schema.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, document); err != nil {
		return fmt.Errorf("the schema of configurations: %w", err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		return fmt.Errorf("the schema of configurations: %w", err)
	}
	v := validator{l, c}
	v.report(schema.Validate(root))
	if task, given := root["task"].(string); given && of != nil && task != of.Name {
		meant := maps.Clone(root) // check the rest as that of the task that was meant
		meant["task"] = of.Name
		v.report(schema.Validate(meant))
	}
	return nil
}

// validator turns the validation's errors into mistakes.
type validator struct {
	*loader
	schemas *jsonschema.Compiler
}

func (v validator) report(err error) {
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		v.walk(invalid)
	}
}

func (v validator) add(m Mistake) {
	if !slices.Contains(v.mistakes, m) {
		v.mistakes = append(v.mistakes, m)
	}
}

func (v validator) walk(e *jsonschema.ValidationError) {
	path := e.InstanceLocation
	schema := v.schemas.MustCompile(e.SchemaURL) // it is part of what was compiled
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		v.anyOf(e, schema)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			v.unknown(below(path, name), name, slices.Sorted(maps.Keys(schema.Properties)))
		}
	case *kind.Required:
		for _, name := range k.Missing {
			m := v.placed(path, fmt.Sprintf("key %q is missing", name))
			m.Path = ""
			v.add(m)
		}
	case *kind.MinItems:
		v.add(v.placed(path,
			fmt.Sprintf("the list is empty: expected %d or more items, each %s", k.Want, describe(itemOf(schema)))))
	default:
		if len(e.Causes) == 0 {
			expected := fmt.Sprintf("%s: expected %s%s", v.shown(path), describe(schema), v.hint(path, schema))
			v.add(v.placed(path, expected))
		}
		for _, cause := range e.Causes {
			v.walk(cause)
		}
	}
}

func (v validator) unknown(path []string, name string, known []string) {
	hint := experiments.DidYouMean(name, known)
	if hint == "" {
		hint = "; known keys: " + strings.Join(known, ", ")
	}
	m := v.placed(path, fmt.Sprintf("unknown key %q%s", name, hint))
	if at, ok := v.places[key(path)+keyMark]; ok {
		m = at.in(v.file, m)
	}
	m.Path = ""
	v.add(m)
}

// anyOf reports a value that fits no alternative: the items of a list one by one, a scalar
// against all alternatives together.
func (v validator) anyOf(e *jsonschema.ValidationError, schema *jsonschema.Schema) {
	path := e.InstanceLocation
	var expected []string
	for i, alternative := range schema.AnyOf {
		if isList(alternative) {
			if v.shown(path) == "a list" {
				v.walk(e.Causes[i])
				return
			}
			continue
		}
		expected = append(expected, describe(alternative))
	}
	v.add(v.placed(path,
		fmt.Sprintf("%s: expected %s%s", v.shown(path), strings.Join(expected, ", or "), v.hint(path, schema))))
}

// hint suggests the word of a closed set that was meant.
func (v validator) hint(path []string, schema *jsonschema.Schema) string {
	at, ok := v.places[key(path)]
	if !ok || at.node.Value == "" {
		return ""
	}
	return experiments.DidYouMean(at.node.Value, words(schema))
}

// words lists the closed set of values that a schema allows.
func words(s *jsonschema.Schema) []string {
	var list []string
	if s.Ref != nil {
		list = words(s.Ref)
	}
	if s.Enum != nil {
		for _, v := range s.Enum.Values {
			list = append(list, fmt.Sprint(v))
		}
	}
	for _, a := range s.AnyOf {
		list = append(list, words(a)...)
	}
	return list
}

func isList(s *jsonschema.Schema) bool { return s.Types != nil && s.Types.String() == "[array]" }

// itemOf returns the schema of a list's items.
func itemOf(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Items2020 != nil {
		return s.Items2020
	}
	return &jsonschema.Schema{}
}

// describe says in words what the schema accepts.
func describe(s *jsonschema.Schema) string {
	types := ""
	if s.Types != nil {
		types = s.Types.String()
	}
	switch {
	case s.Title != "":
		return s.Title
	case s.Ref != nil:
		return describe(s.Ref)
	case len(s.AnyOf) > 0:
		var list []string
		for _, a := range s.AnyOf {
			list = append(list, describe(a))
		}
		return strings.Join(list, ", or ")
	case s.Enum != nil:
		return "one of " + strings.Join(words(s), ", ")
	case types == "[integer]":
		return anInteger(number(s.Minimum), number(s.Maximum))
	case types == "[boolean]":
		return "true or false"
	case types == "[object]":
		return "a mapping of keys to values"
	case types == "[array]":
		return "a list"
	}
	return "text"
}

func number(r *big.Rat) string {
	if r == nil {
		return ""
	}
	return r.RatString()
}
