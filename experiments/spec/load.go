package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"queens/experiments"
)

const envPrefix = "QUEENS_"

// bridgesVariable says where the bridges to SAT solvers are; it does not set a key.
const bridgesVariable = envPrefix + "BRIDGES"

// Load reads a configuration from a file. The environment (QUEENS_REPEATS, QUEENS_AXES_N, ...)
// overrides the file, and sets, each KEY=VALUE with a dotted key, override both. runs is its grid. All
// mistakes are reported at once, as [Mistakes]. notes are remarks for the user.
func Load(file string, sets []string, kinds experiments.Kinds) (s Spec, runs []Run, notes []string, err error) {
	data, err := readFile(file)
	if err != nil {
		return Spec{}, nil, nil, fmt.Errorf("reading configuration: %w", err)
	}
	l := loader{tree: tree{file: file, places: map[string]place{}}, kinds: kinds}
	s, runs, err = l.load(data, sets)
	return s, runs, l.notes, err
}

// Decode reads the configuration kept in a record set. It checks the form only, not whether the
// current tasks accept it.
func Decode(file string, data []byte) (Spec, error) {
	t := tree{file: file, places: map[string]place{}}
	root := t.parse(data)
	if len(t.mistakes) > 0 {
		return Spec{}, t.mistakes
	}
	return fromTree(file, root)
}

// maxFile bounds a configuration's size in bytes.
const maxFile = 1 << 20

func readFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: more than %d bytes", file, maxFile)
	}
	return bytes.TrimPrefix(data, []byte(experiments.ByteOrderMark)), err
}

type loader struct {
	tree
	kinds experiments.Kinds
	notes []string
}

func (l *loader) load(data []byte, sets []string) (Spec, []Run, error) {
	root := l.parse(data)
	if root == nil {
		return Spec{}, nil, l.mistakes
	}
	overrides := l.overrides(sets)
	kind := l.kind(root, overrides)
	root, err := l.layer(root, overrides, kind)
	if err != nil {
		return Spec{}, nil, err
	}
	l.validate(root, kind)
	if kind != nil {
		l.checkRanges(root, *kind)
	}
	if len(l.mistakes) > 0 {
		return Spec{}, nil, l.mistakes
	}
	s, err := fromTree(l.file, root)
	if err != nil {
		return Spec{}, nil, err
	}
	s.setDefaults()
	mistakes := s.Report.clashes()
	if kind != nil {
		mistakes = append(mistakes, s.unknown(*kind)...)
		mistakes = append(mistakes, s.pin(*kind)...)
	}
	runs, err := s.Grid(l.kinds)
	if err != nil {
		var inGrid Mistakes
		if !errors.As(err, &inGrid) {
			return Spec{}, nil, err
		}
		mistakes = append(mistakes, inGrid...)
	}
	for i, m := range mistakes {
		mistakes[i] = l.placed(tokens(m.Path), m.Text)
		mistakes[i].Path = m.Path
	}
	if len(mistakes) > 0 {
		return Spec{}, nil, mistakes
	}
	return s, runs, nil
}

// pin adds the hashes of their contents to the files named in axes.
func (s Spec) pin(kind experiments.TaskKind) (mistakes Mistakes) {
	for _, f := range kind.Parameters() {
		var pinned []any
		for i, named := range valuesOf[experiments.Pinned](s, f) {
			names, err := named.Pin()
			if err != nil {
				mistakes = append(mistakes, Mistake{Path: s.Axes.path(f.Name, i), Text: err.Error()})
			}
			for _, name := range names {
				pinned = append(pinned, name)
			}
		}
		if pinned != nil && len(mistakes) == 0 {
			s.Axes[f.Name] = pinned
		}
	}
	return mistakes
}

// valuesOf iterates over the values of a parameter's axis as those of its Go type; there are none
// if that type is not a T.
func valuesOf[T any](s Spec, f experiments.Field) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		if _, ok := reflect.Zero(f.Type).Interface().(T); !ok {
			return
		}
		for i, value := range s.Axes[f.Name] {
			text, _ := value.(string)
			if !yield(i, reflect.ValueOf(text).Convert(f.Type).Interface().(T)) {
				return
			}
		}
	}
}

// path returns the key of an axis's value: that of the axis itself if it has only one value.
func (a Axes) path(name string, i int) string {
	if len(a[name]) < 2 {
		return "axes." + name
	}
	return fmt.Sprintf("axes.%s[%d]", name, i)
}

// unknown reports values of axes that should name a program but do not, and programs with a
// reserved name.
func (s Spec) unknown(kind experiments.TaskKind) (mistakes Mistakes) {
	programs := s.Programs()
	for _, f := range kind.Parameters() {
		of, ok := reflect.Zero(f.Type).Interface().(experiments.Programmed)
		if !ok {
			continue
		}
		for _, name := range of.Reserved() {
			if _, described := programs[f.Name][name]; described {
				mistakes = append(mistakes,
					Mistake{Path: f.Name + "s." + name, Text: "the name is reserved: choose another"})
			}
		}
		for i, named := range valuesOf[experiments.Programmed](s, f) {
			if wrong := named.Unknown(slices.Sorted(maps.Keys(programs[f.Name]))); wrong != "" {
				mistakes = append(mistakes, Mistake{Path: s.Axes.path(f.Name, i), Text: wrong})
			}
		}
	}
	return mistakes
}

// fromTree turns the values of the YAML into a spec.
func fromTree(file string, root any) (s Spec, err error) {
	text, err := json.Marshal(root)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("configuration %s: %w", file, err)
	}
	return s, nil
}

// override is a value that replaces the file's.
type override struct {
	key, value, origin string
	fromEnv            bool
}

// overrides lists those from the environment, then the sets; later ones win.
func (l *loader) overrides(sets []string) []override {
	names := map[string]string{} // environment variable -> key
	for _, key := range keys(l.kinds...) {
		names[envName(key)] = key
	}
	var list []override
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if key, ok := names[name]; ok && value != "" {
			list = append(list, override{key, value, "environment variable " + name, true})
		} else if strings.HasPrefix(name, envPrefix) && value != "" && name != bridgesVariable {
			l.notes = append(l.notes, fmt.Sprintf("environment variable %s does not name a configuration key: ignored%s",
				name, experiments.DidYouMean(name, slices.Sorted(maps.Keys(names)))))
		}
	}
	slices.SortFunc(list, func(a, b override) int { return strings.Compare(a.key, b.key) })
	slices.Sort(l.notes)
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok || key == "" || value == "" {
			l.mistakes = append(l.mistakes, Mistake{
				Place: "--set " + set, Text: "expected KEY=VALUE, as in repeats=3 or axes.n=4..6",
			})
			continue
		}
		list = append(list, override{strings.TrimSpace(key), value, "--set " + set, false})
	}
	return list
}

func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// kind finds the task, in the file or an override. A misspelt name is taken for the nearest
// one, so the rest is checked too; nil if none is near.
func (l *loader) kind(root map[string]any, overrides []override) *experiments.TaskKind {
	name, _ := root["task"].(string)
	for _, o := range overrides {
		if o.key == "task" {
			name = o.value
		}
	}
	for _, n := range []string{name, experiments.Nearest(name, l.kinds.Names())} {
		if k, err := l.kinds.Named(n); err == nil {
			return &k
		}
	}
	return nil
}

// layer has viper apply the overrides to the file's values, in order.
func (l *loader) layer(root map[string]any, overrides []override, kind *experiments.TaskKind) (map[string]any, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter)) // the name of a program may contain a dot
	if err := v.MergeConfigMap(root); err != nil {
		return nil, fmt.Errorf("configuration %s: %w", l.file, err)
	}
	for _, o := range overrides {
		if l.isKey(o, kind) {
			v.Set(strings.ReplaceAll(o.key, ".", keyDelimiter), l.read(o.node(), strings.Split(o.key, "."), o.origin))
		}
	}
	settings := v.AllSettings()
	keepNulls(settings, root)
	return settings, nil
}

const keyDelimiter = "\x00"

// keepNulls restores keys without a value, or with an empty mapping, which viper drops, so that
// they are reported.
func keepNulls(settings, root map[string]any) {
	for key, value := range root {
		below, nested := value.(map[string]any)
		if _, kept := settings[key]; !kept && (value == nil || nested) {
			settings[key] = value
		}
		if nested {
			if kept, ok := settings[key].(map[string]any); ok {
				keepNulls(kept, below)
			}
		}
	}
}

// isKey reports whether an override's key is a configuration key; if not, it adds a mistake or
// a note.
func (l *loader) isKey(o override, kind *experiments.TaskKind) bool {
	known := keys(l.kinds...)
	if kind != nil {
		known = keys(*kind)
	}
	switch i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, o.key+".") }); {
	case slices.Contains(known, o.key):
		return true
	case o.fromEnv:
		l.notes = append(l.notes, fmt.Sprintf("%s: this task has no %s: ignored", o.origin, o.key))
	case i >= 0:
		l.mistakes = append(l.mistakes, Mistake{Place: o.origin, Text: fmt.Sprintf(
			"%q has keys of its own: set one of them, as in %s=...", o.key, known[i])})
	default:
		l.mistakes = append(l.mistakes, Mistake{Place: o.origin, Text: fmt.Sprintf(
			"unknown key %q%s", o.key, meant(o, known))})
	}
	return false
}

// meant suggests a key for an unknown one: an axis is often set by its name alone.
func meant(o override, known []string) string {
	if axis := "axes." + o.key; slices.Contains(known, axis) {
		return fmt.Sprintf("; did you mean %s=%s?", axis, o.value)
	}
	return experiments.DidYouMean(o.key, known)
}

// node reads an override's value as YAML; a bare a,b,c is a list of three.
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

// checkRanges reports invalid ranges that the schema lets through.
func (l *loader) checkRanges(root map[string]any, kind experiments.TaskKind) {
	axes, _ := root["axes"].(map[string]any)
	for name, allowed := range boundsOf(kind) {
		path := []string{"axes", name}
		items, isList := axes[name].([]any)
		if !isList {
			items = []any{axes[name]}
		}
		for i, item := range items {
			text, _ := item.(string)
			at := path
			if isList {
				at = append(slices.Clone(path), fmt.Sprint(i))
			}
			if wrong := checkRange(text, allowed); wrong != "" {
				m := l.placed(at, wrong)
				m.Path = strings.Join(path, ".")
				l.mistakes = append(l.mistakes, m)
			}
		}
	}
}
