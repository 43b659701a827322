package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

const envPrefix = "QUEENS"

// Load reads a configuration: the file, over it the environment (QUEENS_REPEATS,
// QUEENS_AXES_N, ...), over that the sets, each KEY=VALUE with a dotted key. All
// problems are reported at once, as [Problems]. notes are remarks for a person.
func Load(file string, sets []string, kinds Kinds) (spec Spec, notes []string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Spec{}, nil, fmt.Errorf("reading configuration: %w", err)
	}
	l := loader{file: file, kinds: kinds, places: map[string]Problem{}}
	spec, err = l.load(data, sets)
	return spec, l.notes, err
}

type loader struct {
	file     string
	kinds    Kinds
	places   map[string]Problem // key -> where it was given
	problems Problems
	notes    []string
}

func (l *loader) load(data []byte, sets []string) (Spec, error) {
	root, err := l.parse(data)
	if err != nil {
		return Spec{}, err
	}
	overrides := l.overrides(sets)
	schema, kind := l.schema(root, overrides)

	l.check(root, schema)
	for _, o := range overrides {
		l.checkOverride(o, schema)
	}
	if kind != nil {
		l.checkRanges(root, overrides, paramSchemas(*kind))
	}
	if len(l.problems) > 0 {
		return Spec{}, l.problems
	}

	spec, err := l.merge(data, overrides, schema)
	if err != nil {
		return Spec{}, err
	}
	spec.setDefaults()
	if kind == nil {
		return spec, nil
	}
	problems := spec.Report.clashes()
	if _, err := spec.Grid(l.kinds); err != nil {
		var inGrid Problems
		if !errors.As(err, &inGrid) {
			return Spec{}, err
		}
		problems = append(problems, inGrid...)
	}
	if len(problems) > 0 {
		for i := range problems {
			problems[i] = l.placed(problems[i])
		}
		return Spec{}, problems
	}
	return spec, nil
}

// parse reads the YAML's tree.
func (l *loader) parse(data []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		m := regexp.MustCompile(`line (\d+): (.*)`).FindStringSubmatch(err.Error())
		if m == nil {
			return nil, Problems{{Place: l.file + ":1:1", Text: err.Error()}}
		}
		return nil, Problems{{Place: l.file + ":" + m[1] + ":1", Text: "not YAML: " + m[2]}}
	}
	if len(doc.Content) == 0 {
		return nil, Problems{{Place: l.file + ":1:1", Text: "the configuration is empty: expected name, task and axes"}}
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, Problems{{Place: fmt.Sprintf("%s:%d:%d", l.file, root.Line, root.Column), Text: "expected keys such as name, task and axes"}}
	}
	return root, nil
}

// override is a value that replaces the file's.
type override struct {
	key, value, origin string
	fromEnv            bool
}

// overrides lists the environment's, then the sets': later ones win.
func (l *loader) overrides(sets []string) []override {
	var list []override
	keys := map[string]string{} // environment variable -> key
	for _, s := range append([]*jsonschema.Schema{specSchema(nil)}, l.kindSchemas()...) {
		for _, key := range leaves(s, "") {
			keys[envName(key)] = key
		}
	}
	var unknown []string
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix+"_") || value == "" {
			continue
		}
		if key, ok := keys[name]; ok {
			list = append(list, override{key, value, "environment variable " + name, true})
		} else {
			unknown = append(unknown, name)
		}
	}
	slices.SortFunc(list, func(a, b override) int { return strings.Compare(a.key, b.key) })
	slices.Sort(unknown)
	for _, name := range unknown {
		names := make([]string, 0, len(keys))
		for n := range keys {
			names = append(names, n)
		}
		slices.Sort(names)
		l.notes = append(l.notes, fmt.Sprintf("environment variable %s names no key of a configuration: ignored%s", name, didYouMean(name, names)))
	}
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok || key == "" || value == "" {
			l.problems = append(l.problems, Problem{Place: "--set " + set, Text: "expected KEY=VALUE, as in repeats=3 or axes.n=4..6"})
			continue
		}
		list = append(list, override{strings.TrimSpace(key), value, "--set " + set, false})
	}
	return list
}

func (l *loader) kindSchemas() []*jsonschema.Schema {
	var list []*jsonschema.Schema
	for _, k := range l.kinds {
		list = append(list, specSchema(&k))
	}
	return list
}

func envName(key string) string {
	return envPrefix + "_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// leaves lists the dotted keys below which there are no further keys.
func leaves(s *jsonschema.Schema, path string) []string {
	if s.Type != "object" || s.Properties == nil {
		return []string{path}
	}
	var keys []string
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		keys = append(keys, leaves(pair.Value, join(path, pair.Key))...)
	}
	return keys
}

// node reads an override's value as YAML; a bare list a,b,c is one of three.
func (o override) node() *yaml.Node {
	text := o.value
	if strings.Contains(text, ",") && !strings.ContainsAny(text, "[{\"'") {
		text = "[" + text + "]"
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: o.value}
	}
	return doc.Content[0]
}

// schema finds the task, wherever it is given, and the schema that goes with
// it; without a known task the axes stay unchecked, for the task is reported.
func (l *loader) schema(root *yaml.Node, overrides []override) (*jsonschema.Schema, *Kind) {
	name, place := "", Problem{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "task" {
			name, place = root.Content[i+1].Value, l.at(root.Content[i+1], "task")
		}
	}
	for _, o := range overrides {
		if o.key == "task" {
			name, place = o.value, Problem{Place: o.origin, Path: "task"}
		}
	}
	if kind, err := l.kinds.Named(name); err == nil {
		return specSchema(&kind), &kind
	} else if place.Place != "" {
		place.Text = strings.TrimPrefix(err.Error(), "task ")
		l.problems = append(l.problems, place)
	}
	return specSchema(nil), nil
}

func (l *loader) at(n *yaml.Node, path string) Problem {
	return Problem{Place: fmt.Sprintf("%s:%d:%d", l.file, n.Line, n.Column), Path: path, line: n.Line, col: n.Column}
}

// check reports what is wrong in the file, and remembers where each key is.
func (l *loader) check(root *yaml.Node, schema *jsonschema.Schema) {
	check(root, schema, "", func(n *yaml.Node, path, text string) {
		p := l.at(n, path)
		p.Text = text
		if strings.HasPrefix(text, "unknown key") || strings.HasSuffix(text, "is missing") {
			p.Path = ""
		}
		l.problems = append(l.problems, p)
	})
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		l.places[path] = l.at(n, path)
		switch n.Kind {
		case yaml.AliasNode:
			walk(n.Alias, path)
		case yaml.SequenceNode:
			for i, c := range n.Content {
				walk(c, fmt.Sprintf("%s[%d]", path, i))
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				walk(n.Content[i+1], join(path, n.Content[i].Value))
			}
		}
	}
	walk(root, "")
}

// checkRanges reports ranges that cannot be, which the schema does not see.
func (l *loader) checkRanges(root *yaml.Node, overrides []override, params map[string]scalarSchema) {
	report := func(n *yaml.Node, name string, at func(n *yaml.Node) Problem) {
		if !params[name].integer() {
			return
		}
		items := []*yaml.Node{n}
		if n.Kind == yaml.SequenceNode {
			items = n.Content
		}
		for _, item := range items {
			if wrong := checkRange(item.Value, params[name]); wrong != "" {
				p := at(item)
				p.Text = wrong
				l.problems = append(l.problems, p)
			}
		}
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if axes := root.Content[i+1]; root.Content[i].Value == "axes" && axes.Kind == yaml.MappingNode {
			for j := 0; j+1 < len(axes.Content); j += 2 {
				name := axes.Content[j].Value
				report(axes.Content[j+1], name, func(n *yaml.Node) Problem { return l.at(n, "axes."+name) })
			}
		}
	}
	for _, o := range overrides {
		if name, isAxis := strings.CutPrefix(o.key, "axes."); isAxis {
			report(o.node(), name, func(*yaml.Node) Problem { return Problem{Place: o.origin, Path: o.key} })
		}
	}
}

// checkOverride reports an override of an unknown key, or with a bad value.
func (l *loader) checkOverride(o override, schema *jsonschema.Schema) {
	s := schema
	known := ""
	for _, part := range strings.Split(o.key, ".") {
		var next *jsonschema.Schema
		if s.Properties != nil {
			next, _ = s.Properties.Get(part)
		}
		if next == nil {
			if known == "axes" && s.Properties == nil {
				return // the task is unknown, which is reported already
			}
			if o.fromEnv {
				l.notes = append(l.notes, fmt.Sprintf("%s: this task has no %s: ignored", o.origin, o.key))
				return
			}
			l.problems = append(l.problems, Problem{Place: o.origin, Text: fmt.Sprintf("unknown key %q%s", o.key, didYouMean(o.key, leaves(schema, "")))})
			return
		}
		known, s = join(known, part), next
	}
	if s.Type == "object" {
		l.problems = append(l.problems, Problem{Place: o.origin, Text: fmt.Sprintf("%q holds keys of its own: set one of them, as in %s=...", o.key, leaves(s, o.key)[0])})
		return
	}
	check(o.node(), s, o.key, func(_ *yaml.Node, path, text string) {
		l.problems = append(l.problems, Problem{Place: o.origin, Path: path, Text: text})
	})
	l.places[o.key] = Problem{Place: o.origin, Path: o.key}
}

// merge lets viper lay the environment and the sets over the file.
func (l *loader) merge(data []byte, overrides []override, schema *jsonschema.Schema) (Spec, error) {
	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(data)); err != nil {
		return Spec{}, fmt.Errorf("reading configuration %s: %w", l.file, err)
	}
	v.SetEnvPrefix(envPrefix)
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	known := leaves(schema, "")
	for _, o := range overrides {
		switch {
		case !slices.Contains(known, o.key):
		case o.fromEnv:
			if err := v.BindEnv(o.key); err != nil {
				return Spec{}, err
			}
		default:
			v.Set(o.key, decoded(o.node()))
		}
	}
	settings := v.AllSettings()
	// What viper took from the environment is still text.
	for _, o := range overrides {
		if o.fromEnv && v.GetString(o.key) == o.value && slices.Contains(known, o.key) {
			assign(settings, strings.Split(o.key, "."), decoded(o.node()))
		}
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return Spec{}, fmt.Errorf("configuration %s: %w", l.file, err)
	}
	var spec Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return Spec{}, fmt.Errorf("configuration %s: %w", l.file, err)
	}
	return spec, nil
}

func decoded(n *yaml.Node) any {
	var v any
	if err := n.Decode(&v); err != nil {
		return n.Value
	}
	return v
}

func assign(m map[string]any, path []string, v any) {
	for _, p := range path[:len(path)-1] {
		next, ok := m[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[p] = next
		}
		m = next
	}
	m[path[len(path)-1]] = v
}

// placed finds where a problem's key was given: the key's own place, or the
// nearest enclosing one's.
func (l *loader) placed(p Problem) Problem {
	for path := p.Path; ; {
		if at, ok := l.places[path]; ok {
			p.Place, p.line, p.col = at.Place, at.line, at.col
			return p
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			p.Place = l.file + ":" + strconv.Itoa(1) + ":1"
			return p
		}
		path = path[:cut]
	}
}
