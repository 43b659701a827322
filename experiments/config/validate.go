package config

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"queens/internal/param"

	"github.com/invopop/jsonschema"
)

// validator checks values against a schema. It knows the keywords that [Schema] uses, and its messages say
// what is expected, and where.
type validator struct {
	source
	definitions jsonschema.Definitions
}

// fits reports whether a value has the schema's type and is in its range or set.
func fits(value any, s *jsonschema.Schema) bool {
	if s.Type != "" && s.Type != typeOf(value) || s.Enum != nil && !slices.Contains(s.Enum, value) {
		return false
	}
	if text, ok := value.(string); ok {
		return s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(text)
	}
	v, ok := number(value)
	least, noLeast := s.Minimum.Float64()
	most, noMost := s.Maximum.Float64()
	return !ok || (noLeast != nil || v >= least) && (noMost != nil || v <= most)
}

// check returns what is wrong with the value at a path.
func (v validator) check(path []string, value any, s *jsonschema.Schema) (wrong Mistakes) {
	s = v.target(s)
	if !fits(value, s) {
		return v.misfit(path, s)
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
	return append(wrong, v.anyOf(path, value, s)...)
}

// members checks the keys of a mapping and their values.
func (v validator) members(path []string, value map[string]any, s *jsonschema.Schema) (wrong Mistakes) {
	for _, name := range s.Required {
		_, given := value[name]
		if _, _, _, absent := v.find(below(path, name)); !given && absent {
			m := v.placed(path, fmt.Sprintf("key %q is missing", name))
			m.path = nil
			wrong = append(wrong, m)
		}
	}
	properties := map[string]*jsonschema.Schema{}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		properties[pair.Key] = pair.Value
	}
	known := slices.Sorted(maps.Keys(properties))
	for _, name := range slices.Sorted(maps.Keys(value)) {
		at := below(path, name)
		switch property, ok := properties[name]; {
		case ok:
			wrong = append(wrong, v.check(at, value[name], property)...)
		case s.AdditionalProperties == jsonschema.FalseSchema:
			hint := cmp.Or(v.axis(path, name), param.DidYouMean(name, known),
				"; known keys: "+strings.Join(known, ", "))
			wrong = append(wrong, v.atKey(at, fmt.Sprintf("unknown key %q%s", name, hint)))
		case s.AdditionalProperties != nil:
			wrong = append(wrong, v.check(at, value[name], s.AdditionalProperties)...)
		}
		if s.PropertyNames != nil && !fits(name, s.PropertyNames) {
			wrong = append(wrong, v.atKey(at, fmt.Sprintf("key %q: expected %s", name, v.describe(s.PropertyNames))))
		}
	}
	return wrong
}

// axis suggests axes.NAME for an unknown key that is the name of an axis: the prefix is often forgotten.
func (v validator) axis(path []string, name string) string {
	is := func(f param.Field) bool { return f.Name == name }
	if len(path) > 0 || v.kind == nil || !slices.ContainsFunc(v.kind.Parameters(), is) {
		return ""
	}
	return fmt.Sprintf("; did you mean axes.%s?", name)
}

func below(path []string, name string) []string { return append(slices.Clone(path), name) }

// anyOf reports a value that fits no alternative. It checks the items of a list one by one, and a scalar
// against all alternatives together.
func (v validator) anyOf(path []string, value any, s *jsonschema.Schema) Mistakes {
	if len(s.AnyOf) == 0 {
		return nil
	}
	_, list := value.([]any)
	for _, alternative := range s.AnyOf {
		wrong := v.check(path, value, alternative)
		if len(wrong) == 0 || list && alternative.Type == "array" {
			return wrong
		}
	}
	return v.misfit(path, s)
}

// misfit returns the mistake that the value at a path does not fit the schema. It suggests the word of a
// closed set that was probably meant.
func (v validator) misfit(path []string, s *jsonschema.Schema) Mistakes {
	hint := ""
	if _, value, _, missing := v.find(path); !missing && s.Type == "string" && fits(value.Value, s) &&
		slices.Contains([]string{"!!int", "!!float", "!!bool", "!!timestamp"}, value.Tag) {
		hint = fmt.Sprintf("; to YAML this is no text: put it in quotes, as in %q", value.Value)
	} else if _, value, _, missing := v.find(path); !missing && value.Value != "" {
		hint = param.DidYouMean(value.Value, v.words(s))
	}
	return Mistakes{v.placed(path, fmt.Sprintf("%s: expected %s%s", v.shown(path), v.describe(s), hint))}
}

// target returns the definition that a schema refers to, or the schema itself.
func (v validator) target(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Ref == "" {
		return s
	}
	return v.definitions[strings.TrimPrefix(s.Ref, "#/$defs/")]
}

// typeOf returns the schema's name for a value's type.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	}
	if f, ok := number(value); ok && f == math.Trunc(f) {
		return "integer"
	} else if ok {
		return "number"
	}
	return "object"
}

// number returns the value of a number in YAML.
func number(value any) (float64, bool) {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// words lists the closed set of values that a schema allows.
func (v validator) words(s *jsonschema.Schema) (list []string) {
	s = v.target(s)
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
	s = v.target(s)
	switch {
	case s.Title != "":
		return s.Title
	case len(s.AnyOf) > 0:
		var list []string
		for _, a := range s.AnyOf {
			if a.Type != "array" { // the array is a list of the other alternatives
				list = append(list, v.describe(a))
			}
		}
		return strings.Join(list, ", or ")
	case s.Enum != nil:
		return "one of " + strings.Join(v.words(s), ", ")
	}
	if s.Type == "integer" {
		return anInteger(s)
	}
	named := map[string]string{"boolean": "true or false", "object": "a mapping of keys to values", "array": "a list"}
	return cmp.Or(named[s.Type], "text")
}

func anInteger(s *jsonschema.Schema) string {
	switch {
	case s.Minimum != "" && s.Maximum != "":
		return fmt.Sprintf("an integer from %s to %s", s.Minimum, s.Maximum)
	case s.Minimum != "":
		return "an integer of at least " + string(s.Minimum)
	case s.Maximum != "":
		return "an integer of at most " + string(s.Maximum)
	}
	return "an integer"
}
