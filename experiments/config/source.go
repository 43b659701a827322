package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"queens/experiments"
	"queens/internal/param"
)

// source is the YAML of a configuration, with the place of each value and the mistakes found so far.
type source struct {
	file      string
	root      *yaml.Node
	overrides []override
	kind      *experiments.TaskKind // kind that the configuration names; nil if there is none
	mistakes  Mistakes
}

// parse reads the file; it returns nil if the file is not YAML or not a mapping. A second document is a mistake,
// since it would be ignored.
func (c *source) parse(data []byte) (root map[string]any) {
	c.root = &yaml.Node{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	err := d.Decode(c.root)
	if err == nil {
		var more yaml.Node
		if err = d.Decode(&more); err == nil {
			c.mistake("", &more, "a second YAML document begins here: expected only one")
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil && (len(c.root.Content) == 0 || c.root.Content[0].Kind != yaml.MappingNode) {
		c.mistake("", c.root, "expected keys such as name, task and axes")
		return nil
	}
	if err == nil {
		c.root = c.root.Content[0]
		if c.tooDeep(c.root, "", 1) {
			return nil
		}
		if err = c.root.Decode(&root); err == nil {
			c.check(c.root, "")
			return root
		}
	}
	for _, m := range regexp.MustCompile(`line (\d+): (.*)`).FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[1])
		c.mistake("", &yaml.Node{Line: line, Column: 1}, "not YAML: "+m[2])
	}
	if c.mistakes == nil {
		c.mistakes = Mistakes{c.placed(nil, err.Error())}
	}
	return nil
}

// deepest is deeper than any configuration needs to be. Reading takes time quadratic in the depth.
const deepest = 20

// tooDeep reports a value that is nested too deep.
func (c *source) tooDeep(n *yaml.Node, origin string, depth int) bool {
	if depth > deepest {
		c.mistake(origin, n, fmt.Sprintf("nested more than %d deep", deepest))
		return true
	}
	return slices.ContainsFunc(n.Content, func(below *yaml.Node) bool { return c.tooDeep(below, origin, depth+1) })
}

// decimal is how an integer must be written: YAML reads 010 as 8, and 0x10 as 16.
var decimal = lazily(`^[-+]?(0|[1-9][0-9]*)$`)

// check reports values that YAML or viper would read as something else.
func (c *source) check(n *yaml.Node, origin string) {
	if n.Tag == "!!int" && !decimal().MatchString(n.Value) {
		c.mistake(origin, n, fmt.Sprintf("%q: expected an integer in decimal digits, without a leading zero", n.Value))
	}
	if control := strings.IndexFunc(n.Value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }); control >= 0 {
		c.mistake(origin, n, fmt.Sprintf("%.60q has a control character", n.Value))
	}
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && below.Value != strings.ToLower(below.Value) { // viper ignores case
			c.mistake(origin, below, fmt.Sprintf("key %q: keys are written in lower case", below.Value))
		}
		if n.Kind == yaml.MappingNode && i%2 == 1 && below.Tag == "!!null" {
			c.mistake(origin, n.Content[i-1], fmt.Sprintf("key %q has no value", n.Content[i-1].Value))
		}
		c.check(below, origin)
	}
}

// find returns the value at a path, its key if it has one, and the origin of the override that sets it, if
// any. If the path has no value, missing is true and find returns the nearest enclosing value.
func (c *source) find(path []string) (key, value *yaml.Node, origin string, missing bool) {
	key, value = c.root, c.root
	rest := path
	for _, o := range c.overrides {
		if len(o.path) <= len(path) && slices.Equal(o.path, path[:len(o.path)]) {
			key, value, origin, rest = o.node, o.node, o.origin, path[len(o.path):]
		}
	}
	for _, name := range rest {
		below := -1
		switch i, err := strconv.Atoi(name); {
		case value.Kind == yaml.MappingNode:
			for k := 0; k < len(value.Content); k += 2 {
				if value.Content[k].Value == name {
					below = k + 1
				}
			}
		case value.Kind == yaml.SequenceNode && err == nil && i < len(value.Content):
			below = i
		}
		if below < 0 {
			return key, value, origin, true
		}
		key = value.Content[below]
		if value.Kind == yaml.MappingNode {
			key = value.Content[below-1]
		}
		for value = value.Content[below]; value.Kind == yaml.AliasNode; {
			value = value.Alias
		}
	}
	return key, value, origin, false
}

// placed returns a mistake at the place of a path's value, or of the nearest value that encloses it.
func (c *source) placed(path []string, text string) Mistake {
	_, value, origin, _ := c.find(path)
	m := c.at(origin, value, text)
	m.path = path
	return m
}

// atKey returns a mistake at the place of a path's key, which the text names.
func (c *source) atKey(path []string, text string) Mistake {
	key, _, origin, _ := c.find(path)
	return c.at(origin, key, text)
}

func (c *source) mistake(origin string, n *yaml.Node, text string) {
	c.mistakes = append(c.mistakes, c.at(origin, n, text))
}

// at returns a mistake at a node of the file, or of an override.
func (c *source) at(origin string, n *yaml.Node, text string) Mistake {
	if origin != "" {
		return Mistake{Place: origin, Text: text}
	}
	line, col := max(n.Line, 1), max(n.Column, 1)
	return Mistake{Place: fmt.Sprintf("%s:%d:%d", c.file, line, col), Text: text, line: line, col: col}
}

// shown formats a value for a message.
func (c *source) shown(path []string) string {
	_, value, _, missing := c.find(path)
	switch {
	case missing || value.Tag == "!!null":
		return "nothing"
	case value.Kind == yaml.MappingNode:
		return "a mapping"
	case value.Kind == yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", value.Value)
}

// override is a value that replaces the file's.
type override struct {
	path   []string
	node   *yaml.Node
	origin string
}

// envPrefix begins the environment variables that override.
const envPrefix = "QUEENS_"

// bridges is the one environment variable with the prefix that overrides nothing: the folder of the SAT solvers'
// bridges.
const bridges = envPrefix + "BRIDGES"

// override adds the overrides of the environment, then those of sets, which win. A variable of the
// environment that overrides nothing and two sets of one key are mistakes.
func (c *source) override(sets []string, kinds experiments.Kinds) {
	var known []string
	for _, key := range keys(kinds) {
		name := envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		known = append(known, name)
		if value := os.Getenv(name); value != "" {
			origin := fmt.Sprintf("environment variable %s=%s", name, value)
			c.overrides = append(c.overrides, override{strings.Split(key, "."), valueNode(value), origin})
		}
	}
	for _, variable := range slices.Sorted(slices.Values(os.Environ())) {
		name, value, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, envPrefix) && value != "" && name != bridges && !slices.Contains(known, name) {
			c.mistakes = append(c.mistakes, Mistake{
				Place: "environment variable " + name, Text: "it overrides no key of a configuration" + param.DidYouMean(name, known),
			})
		}
	}
	bySet := map[string]string{} // by key
	for _, set := range sets {
		key, value, _ := strings.Cut(set, "=")
		if key == "" || value == "" {
			c.mistakes = append(c.mistakes, Mistake{
				Place: "--set " + set, Text: "expected KEY=VALUE, as in repeats=3 or axes.n=4..6",
			})
			continue
		}
		key = strings.TrimSpace(key)
		if before := bySet[key]; before != "" {
			c.mistakes = append(c.mistakes, Mistake{
				Place: "--set " + set, Text: fmt.Sprintf("expected one value, but --set %s is given, too", before),
			})
		}
		bySet[key] = set
		c.overrides = append(c.overrides, override{strings.Split(key, "."), valueNode(value), "--set " + set})
	}
}

// inEffect returns a note for each variable of the environment that decides a value: nothing else tells.
func (c *source) inEffect() (notes []string) {
	for i, o := range c.overrides {
		later := slices.ContainsFunc(c.overrides[i+1:], func(over override) bool {
			return len(over.path) <= len(o.path) && slices.Equal(over.path, o.path[:len(over.path)])
		})
		if !later && strings.HasPrefix(o.origin, "environment") {
			notes = append(notes, fmt.Sprintf("%s overrides %s", o.origin, strings.Join(o.path, ".")))
		}
	}
	return notes
}

// keys lists the dotted keys that hold values: the spec's own, and the kinds' axes.
func keys(kinds experiments.Kinds) (list []string) {
	for _, f := range param.Fields(Spec{}) {
		below := param.Fields(reflect.Zero(f.Type).Interface())
		for _, b := range below {
			list = append(list, f.Name+"."+b.Name)
		}
		if len(below) == 0 {
			list = append(list, f.Name)
		}
	}
	for _, k := range kinds {
		for _, f := range k.Parameters() {
			list = append(list, "axes."+f.Name)
		}
	}
	return list
}

// valueNode reads an override's value as YAML; a bare a,b,c is a list of three.
func valueNode(text string) *yaml.Node {
	if strings.Contains(text, ",") && !strings.ContainsAny(text, "[{\"'") {
		text = "[" + text + "]"
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	}
	return doc.Content[0]
}

const keyDelimiter = "\x00" // not a dot, which a program's name may contain

// layer has viper apply the overrides to the file's values, in order.
func (c *source) layer(root map[string]any) (map[string]any, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter))
	if err := v.MergeConfigMap(root); err != nil {
		return nil, fmt.Errorf("configuration %s: %w", c.file, err)
	}
	for _, o := range c.overrides {
		if c.tooDeep(o.node, o.origin, 1) {
			continue
		}
		var value any
		if err := o.node.Decode(&value); err != nil {
			c.mistakes = append(c.mistakes, Mistake{Place: o.origin, Text: err.Error()})
		}
		c.check(o.node, o.origin)
		v.Set(strings.Join(o.path, keyDelimiter), value)
	}
	return v.AllSettings(), nil
}
