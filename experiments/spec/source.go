package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"queens/experiments"
)

// source is the YAML that a configuration comes from, and what is wrong with it. It knows where each
// value is.
type source struct {
	file      string
	root      *yaml.Node
	overrides []override
	kind      experiments.TaskKind // that the configuration names; zero if there is none
	mistakes  Mistakes
}

// parse reads the file; it returns nil if that is not YAML, or no mapping.
func (c *source) parse(data []byte) (root map[string]any) {
	c.root = &yaml.Node{}
	err := yaml.Unmarshal(data, c.root)
	if err == nil && (len(c.root.Content) == 0 || c.root.Content[0].Kind != yaml.MappingNode) {
		c.mistakes = append(c.mistakes, c.placed(nil, "expected keys such as name, task and axes"))
		return nil
	}
	if err == nil {
		c.root = c.root.Content[0]
		if err = c.root.Decode(&root); err == nil {
			c.check(c.root, "")
			return root
		}
	}
	for _, m := range regexp.MustCompile(`line (\d+): (.*)`).FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[1])
		c.mistakes = append(c.mistakes, at(c.file, "", &yaml.Node{Line: line, Column: 1}, Mistake{Text: "not YAML: " + m[2]}))
	}
	if c.mistakes == nil {
		c.mistakes = Mistakes{c.placed(nil, err.Error())}
	}
	return nil
}

// decimal is how an integer must be written: YAML reads 010 as 8, and 0x10 as 16.
var decimal = lazily(`^[-+]?(0|[1-9][0-9]*)$`)

// check reports what YAML or viper would read as something other than it says.
func (c *source) check(n *yaml.Node, origin string) {
	if n.Tag == "!!int" && !decimal().MatchString(n.Value) {
		c.mistakes = append(c.mistakes, at(c.file, origin, n, Mistake{Text: fmt.Sprintf(
			"%q: expected an integer in decimal digits, without a leading zero", n.Value)}))
	}
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && below.Value != strings.ToLower(below.Value) { // viper ignores case
			c.mistakes = append(c.mistakes, at(c.file, origin, below, Mistake{Text: fmt.Sprintf(
				"key %q: keys are written in lower case", below.Value)}))
		}
		c.check(below, origin)
	}
}

// find returns the value at a path, its key where it has one, and the override that it is from, if it is
// from one. If nothing is there, it returns the nearest value that encloses the path, and missing.
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
	return at(c.file, origin, value, Mistake{path: path, Text: text})
}

// atKey returns a mistake at the place of a path's key, which the text names.
func (c *source) atKey(path []string, text string) Mistake {
	key, _, origin, _ := c.find(path)
	return at(c.file, origin, key, Mistake{Text: text})
}

func at(file, origin string, n *yaml.Node, m Mistake) Mistake {
	m.Place, m.line, m.col = origin, 0, 0
	if origin == "" {
		m.line, m.col = max(n.Line, 1), max(n.Column, 1)
		m.Place = fmt.Sprintf("%s:%d:%d", file, m.line, m.col)
	}
	return m
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
