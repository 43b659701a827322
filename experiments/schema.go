package experiments

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v3"
)

// The schema that editors are given is also what the harness checks with: one
// description of the configuration, reflected from the Go types. Only the part
// of JSON Schema that the reflection produces is understood.

// Schema returns the configuration's JSON Schema, draft-07.
func Schema(kinds Kinds) ([]byte, error) {
	root := specSchema(nil)
	root.Version = "http://json-schema.org/draft-07/schema#"
	root.Title = "An experiment"
	task, _ := root.Properties.Get("task")
	for _, k := range kinds {
		task.Enum = append(task.Enum, k.Name)
		task.Description += fmt.Sprintf(" %s: %s", k.Name, k.Doc)
		with := specSchema(&k)
		then := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
		for _, name := range []string{"axes", "exclude", "report"} {
			s, _ := with.Properties.Get(name)
			then.Properties.Set(name, s)
			// Left open in the root, so that the chosen task's part decides.
			open := &jsonschema.Schema{Type: s.Type, Description: s.Description}
			root.Properties.Set(name, open)
		}
		when := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
		when.Properties.Set("task", &jsonschema.Schema{Const: k.Name})
		root.AllOf = append(root.AllOf, &jsonschema.Schema{If: when, Then: then})
	}
	data, err := json.MarshalIndent(root, "", "  ")
	return append(data, '\n'), err
}

// specSchema describes a spec of one kind; without a kind, axes are open.
func specSchema(kind *Kind) *jsonschema.Schema {
	open := func() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }
	r := reflector()
	r.Mapper = func(t reflect.Type) *jsonschema.Schema {
		switch t {
		case reflect.TypeFor[Axes]():
			return open()
		case reflect.TypeFor[Exclusion]():
			return open()
		}
		return mapped(t)
	}
	root := r.Reflect(Spec{})
	root.Version = ""
	if kind == nil {
		return root
	}
	params := reflectParams(*kind)
	axes := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: params.Required, AdditionalProperties: jsonschema.FalseSchema}
	conditions := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for pair := params.Properties.Oldest(); pair != nil; pair = pair.Next() {
		value := *pair.Value
		value.Description = ""
		one := []*jsonschema.Schema{&value}
		test := one
		if value.Type == "integer" {
			one = append(one, &jsonschema.Schema{Type: "string", Pattern: rangePattern, Title: "a range such as 4..8, 10..50 step 10 or 0..n/2"})
			test = append(test, &jsonschema.Schema{Type: "string", Pattern: comparePattern, Title: `a comparison such as "> 8" or "> n/2"`})
		}
		list := func(of []*jsonschema.Schema) *jsonschema.Schema {
			atLeast := uint64(1)
			item := &jsonschema.Schema{AnyOf: of}
			if len(of) == 1 {
				item = of[0]
			}
			return &jsonschema.Schema{AnyOf: append(append([]*jsonschema.Schema{}, of...), &jsonschema.Schema{Type: "array", MinItems: &atLeast, Items: item}), Description: pair.Value.Description}
		}
		axes.Properties.Set(pair.Key, list(one))
		conditions.Properties.Set(pair.Key, list(test))
	}
	old, _ := root.Properties.Get("axes")
	axes.Description = old.Description
	root.Properties.Set("axes", axes)
	exclude, _ := root.Properties.Get("exclude")
	exclude.Items = conditions
	report, _ := root.Properties.Get("report")
	nameColumns(report, kind.ColumnNames())
	return root
}

func reflector() *jsonschema.Reflector {
	return &jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true, Mapper: mapped}
}

func reflectParams(kind Kind) *jsonschema.Schema {
	s := reflector().Reflect(kind.New())
	s.Version = ""
	return s
}

// mapped describes the types that reflection alone would get wrong.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`, Title: "a duration such as 90s or 5m"}
	case reflect.TypeFor[Bytes]():
		return &jsonschema.Schema{Type: "string", Pattern: bytesPattern.String(), Title: "an amount such as 512MiB or 4GiB"}
	}
	if e, ok := reflect.Zero(t).Interface().(Enumerated); ok && t.Kind() == reflect.String {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range e.Values() {
			s.Enum = append(s.Enum, v)
		}
		if p, ok := e.(Patterned); ok {
			expression, title := p.Pattern()
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "string", Pattern: expression, Title: title}}}
		}
		return s
	}
	return nil
}

// nameColumns closes every string of the report part that names a column.
func nameColumns(s *jsonschema.Schema, names []string) {
	if s == nil {
		return
	}
	if s.Format == "column" {
		s.Format = ""
		for _, n := range names {
			s.Enum = append(s.Enum, n)
		}
	}
	nameColumns(s.Items, names)
	if s.Properties != nil {
		for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
			nameColumns(pair.Value, names)
		}
	}
}

// scalarSchema checks one value of a parameter.
type scalarSchema struct{ *jsonschema.Schema }

func paramSchemas(kind Kind) map[string]scalarSchema {
	m := map[string]scalarSchema{}
	params := reflectParams(kind)
	for pair := params.Properties.Oldest(); pair != nil; pair = pair.Next() {
		m[pair.Key] = scalarSchema{pair.Value}
	}
	return m
}

func (s scalarSchema) integer() bool { return s.Schema != nil && s.Type == "integer" }

// check returns what is wrong with the value, or nothing.
func (s scalarSchema) check(v any) (wrong string) {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return err.Error()
	}
	check(doc.Content[0], s.Schema, "", func(_ *yaml.Node, _, text string) { wrong = text })
	return wrong
}

// check walks a YAML tree along its schema and reports everything that does not
// fit, each with the node to blame.
func check(n *yaml.Node, s *jsonschema.Schema, path string, report func(n *yaml.Node, path, text string)) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if len(s.AnyOf) > 0 {
		checkAny(n, s, path, report)
		return
	}
	wrong := func() { report(n, path, fmt.Sprintf("%s: expected %s", shown(n), describe(s))) }
	switch s.Type {
	case "object":
		if n.Kind != yaml.MappingNode {
			wrong()
			return
		}
		checkMapping(n, s, path, report)
	case "array":
		if n.Kind != yaml.SequenceNode {
			wrong()
			return
		}
		if s.MinItems != nil && uint64(len(n.Content)) < *s.MinItems {
			report(n, path, fmt.Sprintf("the list is empty: expected at least %d of %s", *s.MinItems, describe(s.Items)))
		}
		for i, item := range n.Content {
			check(item, s.Items, fmt.Sprintf("%s[%d]", path, i), report)
		}
	case "integer":
		v, ok := new(big.Int).SetString(n.Value, 10)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || !ok || v.BitLen() > 64 || tooSmall(v, s) || tooLarge(v, s) {
			wrong()
		}
	case "boolean":
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			wrong()
		}
	case "string":
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
			wrong()
			return
		}
		if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(n.Value) {
			wrong()
			return
		}
		if len(s.Enum) > 0 && !strings.Contains("\n"+strings.Join(enum(s), "\n")+"\n", "\n"+n.Value+"\n") {
			report(n, path, fmt.Sprintf("%s: expected %s%s", shown(n), describe(s), didYouMean(n.Value, enum(s))))
		}
	}
}

func checkMapping(n *yaml.Node, s *jsonschema.Schema, path string, report func(n *yaml.Node, path, text string)) {
	var names []string
	if s.Properties != nil {
		for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
			names = append(names, pair.Key)
		}
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		sub := join(path, key.Value)
		if first, twice := seen[key.Value]; twice {
			report(key, sub, fmt.Sprintf("key %q is given twice, first in line %d", key.Value, first))
			continue
		}
		seen[key.Value] = key.Line
		if s.Properties == nil {
			continue
		}
		known, ok := s.Properties.Get(key.Value)
		if !ok {
			hint := didYouMean(key.Value, names)
			if hint == "" {
				hint = "; known keys: " + strings.Join(names, ", ")
			}
			report(key, sub, fmt.Sprintf("unknown key %q%s", key.Value, hint))
			continue
		}
		check(value, known, sub, report)
	}
	for _, name := range s.Required {
		if _, ok := seen[name]; !ok {
			report(n, join(path, name), fmt.Sprintf("key %q is missing", name))
		}
	}
}

// checkAny reports what is wrong with the alternative that the node was meant
// to be: a list's items one by one, a scalar against all alternatives together.
func checkAny(n *yaml.Node, s *jsonschema.Schema, path string, report func(n *yaml.Node, path, text string)) {
	var expected []string
	var names []string
	for _, alternative := range s.AnyOf {
		if alternative.Type == "array" && n.Kind == yaml.SequenceNode {
			check(n, alternative, path, report)
			return
		}
		fits := true
		check(n, alternative, path, func(*yaml.Node, string, string) { fits = false })
		if fits {
			return
		}
		if alternative.Type != "array" {
			expected = append(expected, describe(alternative))
			names = append(names, enum(alternative)...)
		}
	}
	text := fmt.Sprintf("%s: expected %s", shown(n), strings.Join(expected, ", or "))
	report(n, path, text+didYouMean(n.Value, names))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func shown(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

func enum(s *jsonschema.Schema) []string {
	var names []string
	for _, v := range s.Enum {
		names = append(names, fmt.Sprint(v))
	}
	for _, a := range s.AnyOf {
		names = append(names, enum(a)...)
	}
	return names
}

// describe says in words what fits the schema.
func describe(s *jsonschema.Schema) string {
	switch {
	case s.Title != "":
		return s.Title
	case len(s.AnyOf) > 0:
		var words []string
		for _, a := range s.AnyOf {
			words = append(words, describe(a))
		}
		return strings.Join(words, ", or ")
	case len(s.Enum) > 0:
		return "one of " + strings.Join(enum(s), ", ")
	case s.Type == "integer" && s.Minimum != "" && s.Maximum != "":
		return fmt.Sprintf("an integer from %s to %s", s.Minimum, s.Maximum)
	case s.Type == "integer" && s.Minimum != "":
		return fmt.Sprintf("an integer of at least %s", s.Minimum)
	case s.Type == "integer":
		return "an integer"
	case s.Type == "boolean":
		return "true or false"
	case s.Type == "object":
		return "a mapping of keys to values"
	case s.Type == "array":
		return "a list"
	}
	return "text"
}

func tooSmall(v *big.Int, s *jsonschema.Schema) bool {
	bound, ok := new(big.Int).SetString(string(s.Minimum), 10)
	return ok && v.Cmp(bound) < 0
}

func tooLarge(v *big.Int, s *jsonschema.Schema) bool {
	bound, ok := new(big.Int).SetString(string(s.Maximum), 10)
	return ok && v.Cmp(bound) > 0
}

// integer reads a decoded number.
func integer(v any) (int64, bool) {
	n, err := strconv.ParseInt(text(v), 10, 64)
	if _, isText := v.(string); isText {
		return 0, false
	}
	return n, err == nil
}
