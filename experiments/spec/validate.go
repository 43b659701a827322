package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"queens/experiments"
)

// validate checks the values against the schema. of is the task that the configuration means;
// if its name is misspelt, that is reported here.
func (l *loader) validate(root map[string]any, of *experiments.TaskKind) {
	schema := Schema(l.kinds)
	v := validator{l, schema.Definitions}
	v.add(v.check(nil, root, schema))
	if task, given := root["task"].(string); given && of != nil && task != of.Name {
		meant := maps.Clone(root) // check the rest as that of the task that was meant
		meant["task"] = of.Name
		v.add(v.check(nil, meant, schema))
	}
}

// validator checks values against a schema: those of the standard's keywords that
// [Schema] uses, with messages that say what is expected, and where.
type validator struct {
	*loader
	definitions jsonschema.Definitions
}

func (v validator) add(found Mistakes) {
	for _, m := range found {
		if !slices.Contains(v.mistakes, m) {
			v.mistakes = append(v.mistakes, m)
		}
	}
}

// check returns what is wrong with the value at a path.
func (v validator) check(path []string, value any, s *jsonschema.Schema) (wrong Mistakes) {
	if s.Ref != "" {
		return v.check(path, value, v.target(s))
	}
	fits := (s.Type == "" || s.Type == typeOf(value)) && (s.Enum == nil || slices.Contains(s.Enum, value)) &&
		(s.Const == nil || s.Const == value)
	switch value := value.(type) {
	case string:
		fits = fits && (s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(value))
	case json.Number:
		fits = fits && !less(value, s.Minimum) && !less(s.Maximum, value)
	}
	if !fits {
		return Mistakes{v.placed(path,
			fmt.Sprintf("%s: expected %s%s", v.shown(path), v.describe(s), v.hint(path, s)))}
	}
	switch value := value.(type) {
	case []any:
		if s.MinItems != nil && len(value) < int(*s.MinItems) {
			wrong = append(wrong, v.placed(path, fmt.Sprintf("the list is empty: expected %d or more items, each %s",
				*s.MinItems, v.describe(s.Items))))
		}
		for i := 0; i < len(value) && s.Items != nil; i++ {
			wrong = append(wrong, v.check(below(path, strconv.Itoa(i)), value[i], s.Items)...)
		}
	case map[string]any:
		wrong = append(wrong, v.members(path, value, s)...)
	}
	for _, all := range s.AllOf {
		wrong = append(wrong, v.check(path, value, all)...)
	}
	if s.If != nil && len(v.check(path, value, s.If)) == 0 {
		wrong = append(wrong, v.check(path, value, s.Then)...)
	}
	return append(wrong, v.anyOf(path, value, s)...)
}

// members checks the keys of a mapping and their values.
func (v validator) members(path []string, value map[string]any, s *jsonschema.Schema) (wrong Mistakes) {
	for _, name := range s.Required {
		if _, given := value[name]; !given {
			m := v.placed(path, fmt.Sprintf("key %q is missing", name))
			m.Path = ""
			wrong = append(wrong, m)
		}
	}
	properties := map[string]*jsonschema.Schema{}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		properties[pair.Key] = pair.Value
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		at := below(path, name)
		switch property, known := properties[name]; {
		case known:
			wrong = append(wrong, v.check(at, value[name], property)...)
		case s.AdditionalProperties == jsonschema.FalseSchema:
			hint := experiments.DidYouMean(name, slices.Sorted(maps.Keys(properties)))
			if hint == "" {
				hint = "; known keys: " + strings.Join(slices.Sorted(maps.Keys(properties)), ", ")
			}
			wrong = append(wrong, v.atKey(at, fmt.Sprintf("unknown key %q%s", name, hint)))
		case s.AdditionalProperties != nil:
			wrong = append(wrong, v.check(at, value[name], s.AdditionalProperties)...)
		}
		if s.PropertyNames != nil && len(v.check(at, name, s.PropertyNames)) > 0 {
			wrong = append(wrong, v.atKey(at, fmt.Sprintf("key %q: expected %s", name, v.describe(s.PropertyNames))))
		}
	}
	return wrong
}

// atKey returns a mistake at the place of a key.
func (v validator) atKey(path []string, text string) Mistake {
	m := v.placed(path, text)
	if at, ok := v.places[key(path)+keyMark]; ok {
		m = at.in(v.file, m)
	}
	m.Path = ""
	return m
}

// anyOf reports a value that fits no alternative: the items of a list one by one, a scalar
// against all alternatives together.
func (v validator) anyOf(path []string, value any, s *jsonschema.Schema) Mistakes {
	var expected []string
	for _, alternative := range s.AnyOf {
		wrong := v.check(path, value, alternative)
		switch _, list := value.([]any); {
		case len(wrong) == 0:
			return nil
		case alternative.Type != "array":
			expected = append(expected, v.describe(alternative))
		case list:
			return wrong
		}
	}
	if expected == nil {
		return nil
	}
	return Mistakes{v.placed(path,
		fmt.Sprintf("%s: expected %s%s", v.shown(path), strings.Join(expected, ", or "), v.hint(path, s)))}
}

func (v validator) target(s *jsonschema.Schema) *jsonschema.Schema {
	return v.definitions[strings.TrimPrefix(s.Ref, "#/$defs/")]
}

// typeOf returns the schema's name for a value's type.
func typeOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if f, err := value.Float64(); err == nil && f == math.Trunc(f) {
			return "integer"
		}
		return "number"
	}
	return "object"
}

// less compares two numbers; false if one is missing.
func less(a, b json.Number) bool {
	if a, err := a.Int64(); err == nil {
		if b, err := b.Int64(); err == nil {
			return a < b
		}
	}
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x < y
}

// hint suggests the word of a closed set that was meant.
func (v validator) hint(path []string, s *jsonschema.Schema) string {
	at, ok := v.places[key(path)]
	if !ok || at.node.Value == "" {
		return ""
	}
	return experiments.DidYouMean(at.node.Value, v.words(s))
}

// words lists the closed set of values that a schema allows.
func (v validator) words(s *jsonschema.Schema) (list []string) {
	if s.Ref != "" {
		list = v.words(v.target(s))
	}
	for _, word := range s.Enum {
		list = append(list, fmt.Sprint(word))
	}
	for _, a := range s.AnyOf {
		list = append(list, v.words(a)...)
	}
	return list
}

// describe says in words what the schema accepts.
func (v validator) describe(s *jsonschema.Schema) string {
	switch {
	case s.Title != "":
		return s.Title
	case s.Ref != "":
		return v.describe(v.target(s))
	case len(s.AnyOf) > 0:
		var list []string
		for _, a := range s.AnyOf {
			list = append(list, v.describe(a))
		}
		return strings.Join(list, ", or ")
	case s.Enum != nil:
		return "one of " + strings.Join(v.words(s), ", ")
	}
	switch s.Type {
	case "integer":
		return anInteger(string(s.Minimum), string(s.Maximum))
	case "boolean":
		return "true or false"
	case "object":
		return "a mapping of keys to values"
	case "array":
		return "a list"
	}
	return "text"
}
