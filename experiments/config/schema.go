package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"queens/experiments"
	"queens/internal/param"
)

// Schema returns the JSON Schema of configurations, which editors use and Load checks against.
// Definitions that tasks share are in $defs once.
func Schema(kinds experiments.Kinds) *jsonschema.Schema {
	root := reflector().Reflect(Spec{})
	root.Title = "An experiment"
	root.Definitions["range"] = &jsonschema.Schema{
		Type: "string", Pattern: rangePattern, Title: "a range such as 4..8, 10..50 step 10 or 0..n/2",
	}
	root.Definitions["comparison"] = &jsonschema.Schema{
		Type: "string", Pattern: comparePattern, Title: `a comparison such as "> 8" or "> n/2"`,
	}
	root.Definitions["Described"].PropertyNames = &jsonschema.Schema{
		Pattern: "^[a-z0-9][a-z0-9._+-]*$",
		Title:   "a name of lower-case letters, digits and . _ + -, starting with a letter or a digit",
	}
	described := root.Definitions["Description"]
	command, _ := described.Properties.Get("command")
	atLeast := uint64(1)
	described.Properties.Set("command", &jsonschema.Schema{Description: command.Description, AnyOf: []*jsonschema.Schema{
		{Type: command.Type, Pattern: command.Pattern, Title: command.Title},
		{Type: "array", MinItems: &atLeast, Items: &jsonschema.Schema{Type: "string"}},
	}})
	task, _ := root.Properties.Get("task")
	for _, k := range kinds {
		task.Enum = append(task.Enum, k.Name)
		task.Description += fmt.Sprintf(" %s: %s", k.Name, k.Doc)
		root.Definitions[k.Name] = kindSchema(k, root.Definitions)
		when := object("task", &jsonschema.Schema{Const: k.Name})
		when.Required = []string{"task"}
		root.AllOf = append(root.AllOf, &jsonschema.Schema{If: when, Then: reference(k.Name)})
	}
	return root
}

// kindSchema returns what a kind of task adds: its axes, conditions and columns.
func kindSchema(k *experiments.TaskKind, defs jsonschema.Definitions) *jsonschema.Schema {
	axes, conditions := closed(), closed()
	params := parametersOf(k)
	axes.Required = params.Required
	expression := k.Name + "-expression"
	var integers []string
	for _, f := range k.Parameters() {
		value, _ := params.Properties.Get(f.Name)
		description := value.Description
		value.Description = ""
		one := []*jsonschema.Schema{value}
		if name, enumeration := enumerated(f.Type); enumeration != nil {
			defs[name] = enumeration
			one = []*jsonschema.Schema{reference(name)}
		}
		test := slices.Clone(one)
		if value.Type == "integer" {
			integers = append(integers, f.Name)
			one = append(one, reference("range"), reference(expression))
			test = append(test, reference(expression), reference("comparison"))
		}
		axes.Properties.Set(f.Name, oneOrMore(one, description))
		conditions.Properties.Set(f.Name, oneOrMore(test, ""))
	}
	slices.Sort(integers)
	defs[expression] = &jsonschema.Schema{
		Type: "string", Title: "an expression such as n/3", Pattern: "^(?:" + strings.Join(integers, "|") + ")" + operations + "$",
	}
	columns := k.Name + "-columns"
	defs[columns] = &jsonschema.Schema{Type: "string"}
	for _, name := range k.Columns().Names() {
		defs[columns].Enum = append(defs[columns].Enum, name)
	}
	report := jsonschema.NewProperties()
	for _, shown := range []reflect.Type{reflect.TypeFor[Table](), reflect.TypeFor[Plot]()} {
		shape := namesColumns(shown, columns)
		shape.Properties.Set("where", conditions)
		report.Set(strings.ToLower(shown.Name())+"s", items(shape))
	}
	s := object("axes", axes)
	s.Properties.Set("exclude", items(conditions))
	s.Properties.Set("report", &jsonschema.Schema{Properties: report})
	return s
}

func reference(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

func object(key string, value *jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	s.Properties.Set(key, value)
	return s
}

// closed returns the schema of an object with no further properties.
func closed() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema,
	}
}

func items(of *jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{Items: of} }

// oneOrMore accepts one of the alternatives, or a list of them.
func oneOrMore(of []*jsonschema.Schema, description string) *jsonschema.Schema {
	atLeast := uint64(1)
	item := of[0]
	if len(of) > 1 {
		item = &jsonschema.Schema{AnyOf: of}
	}
	list := &jsonschema.Schema{Type: "array", MinItems: &atLeast, Items: item}
	return &jsonschema.Schema{AnyOf: append(slices.Clone(of), list), Description: description}
}

// namesColumns restricts the fields of a table or plot that name columns, which are strings or
// lists of strings tagged format=column.
func namesColumns(t reflect.Type, columns string) *jsonschema.Schema {
	all := (&jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, DoNotReference: true}).ReflectFromType(t)
	s := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	for pair := all.Properties.Oldest(); pair != nil; pair = pair.Next() {
		switch {
		case pair.Value.Format == "column":
			s.Properties.Set(pair.Key, reference(columns))
		case pair.Value.Items != nil && pair.Value.Items.Format == "column":
			s.Properties.Set(pair.Key, items(reference(columns)))
		}
	}
	return s
}

func reflector() *jsonschema.Reflector {
	return &jsonschema.Reflector{
		Anonymous: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true, Mapper: mapped,
		CommentMap: param.Comments(),
	}
}

// mapped returns the schemas of the types that reflection alone would get wrong.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Duration]():
		return &jsonschema.Schema{
			Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`, Title: "a duration such as 90s or 5m",
		}
	case reflect.TypeFor[param.Bytes]():
		return &jsonschema.Schema{
			Type: "string", Pattern: param.BytesPattern, Title: "an amount such as 512MiB or 4GiB",
		}
	case reflect.TypeFor[Axes](), reflect.TypeFor[Conditions](): // the task's own schema covers them
		return &jsonschema.Schema{Type: "object"}
	}
	_, s := enumerated(t)
	return s
}

// enumerated describes a type with a closed set of values; nil if t is not one.
func enumerated(t reflect.Type) (name string, s *jsonschema.Schema) {
	if t == nil || t.Kind() != reflect.String {
		return "", nil
	}
	e, ok := reflect.Zero(t).Interface().(param.Enumerated)
	if !ok {
		return "", nil
	}
	s = &jsonschema.Schema{Type: "string"}
	for _, v := range e.Values() {
		s.Enum = append(s.Enum, v)
	}
	if r, ok := e.(param.Renamed); ok {
		before := &jsonschema.Schema{}
		for _, v := range e.Values() {
			if was, had := r.Was()[v]; had {
				var value any
				_ = json.Unmarshal([]byte(was), &value) // it is JSON
				before.Enum = append(before.Enum, value)
			}
		}
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, before}}
	}
	if p, ok := e.(param.Patterned); ok {
		expression, title := p.Pattern()
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "string", Pattern: expression, Title: title}}}
	}
	return t.Name(), s
}

func parametersOf(k *experiments.TaskKind) *jsonschema.Schema {
	s := closed()
	r := reflector()
	r.DoNotReference = true
	all := r.Reflect(k.Default().Value)
	for _, f := range k.Parameters() {
		p, _ := all.Properties.Get(f.Name)
		if most, bounded := k.AtMost[f.Name]; bounded {
			p.Maximum = json.Number(strconv.FormatInt(most, 10))
		}
		s.Properties.Set(f.Name, p)
		if slices.Contains(all.Required, f.Name) {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}
