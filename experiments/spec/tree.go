package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// tree reads YAML into the values that JSON has, and remembers where each was.
type tree struct {
	file     string
	places   map[string]place // by path, its parts joined
	mistakes Mistakes
	nodes    int // read so far, counting aliased ones each time
}

// place is where a value was given.
type place struct {
	node   *yaml.Node
	origin string // of an override; empty for the file
}

// Bounds on what is read: a few lines of YAML with aliases can expand beyond any memory.
const (
	maxNodes = 100_000
	maxDepth = 64
)

// parse reads the file's one document; nil if it is not a mapping.
func (t *tree) parse(data []byte) map[string]any {
	wrong := func(line, column any, text string) map[string]any {
		t.mistakes = append(t.mistakes, Mistake{Place: fmt.Sprintf("%s:%v:%v", t.file, line, column), Text: text})
		return nil
	}
	documents := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := documents.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return wrong(1, 1, "the configuration is empty: expected name, task and axes")
	case err != nil:
		m := regexp.MustCompile(`line (\d+): (.*)`).FindStringSubmatch(err.Error())
		if m == nil {
			return wrong(1, 1, err.Error())
		}
		return wrong(m[1], 1, "not YAML: "+m[2])
	}
	if err := documents.Decode(&second); err == nil {
		return wrong(second.Line, second.Column, "a second document begins here: expected only one")
	} else if !errors.Is(err, io.EOF) {
		return wrong(1, 1, "not YAML: after the first document: "+err.Error())
	}
	root, ok := t.read(doc.Content[0], nil, "").(map[string]any)
	if !ok && len(t.mistakes) == 0 {
		return wrong(doc.Content[0].Line, doc.Content[0].Column, "expected keys such as name, task and axes")
	}
	if !ok {
		return nil
	}
	return root
}

// read turns a node into a value.
func (t *tree) read(n *yaml.Node, path []string, origin string) any {
	t.places[key(path)] = place{n, origin}
	if t.nodes++; t.nodes > maxNodes || len(path) > maxDepth {
		if t.nodes != maxNodes+2 { // once
			t.mistakes = append(t.mistakes, t.placed(path, fmt.Sprintf(
				"the configuration holds more than %d values, or values nested more than %d deep", maxNodes, maxDepth)))
		}
		t.nodes = maxNodes + 1
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return t.read(n.Alias, path, origin)
	case yaml.SequenceNode:
		list := []any{}
		for i, c := range n.Content {
			if t.nodes <= maxNodes {
				list = append(list, t.read(c, below(path, fmt.Sprint(i)), origin))
			}
		}
		return list
	case yaml.MappingNode:
		return t.mapping(n, path, origin)
	}
	return t.scalar(n, path)
}

func (t *tree) mapping(n *yaml.Node, path []string, origin string) any {
	m, lines := map[string]any{}, map[string]int{}
	for i := 0; i+1 < len(n.Content) && t.nodes <= maxNodes; i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		at := below(path, name.Value)
		switch {
		case name.Kind != yaml.ScalarNode || name.Tag == "!!merge":
			t.mistake(name, path, "expected a key: a word before a colon")
		case lines[name.Value] > 0:
			t.mistake(name, at, fmt.Sprintf("key %q is given twice, first on line %d", name.Value, lines[name.Value]))
		case name.Value != strings.ToLower(name.Value): // viper ignores case
			t.mistake(name, at, fmt.Sprintf("key %q: keys are written in lower case", name.Value))
		default:
			lines[name.Value] = name.Line
			m[name.Value] = t.read(value, at, origin)
			t.places[key(at)+keyMark] = place{name, origin}
		}
	}
	return m
}

// decimal is how an integer must be written: YAML reads 010 as 8, and 0x10 as 16.
var decimal = lazily(`^[-+]?(0|[1-9][0-9]*)$`)

func (t *tree) scalar(n *yaml.Node, path []string) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int":
		if decimal().MatchString(n.Value) {
			return json.Number(strings.TrimPrefix(n.Value, "+"))
		}
		t.mistakes = append(t.mistakes, t.placed(path, fmt.Sprintf(
			"%q: expected an integer in decimal digits, without a leading zero", n.Value)))
		return json.Number("1")
	case "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value)
		}
	}
	return n.Value
}

// keyMark ends the path of a key, to tell it from the value's.
const keyMark = "\x00"

func key(path []string) string { return strings.Join(path, "\x01") }

func below(path []string, name string) []string { return append(slices.Clone(path), name) }

// mistake reports something wrong at a node.
func (t *tree) mistake(n *yaml.Node, path []string, text string) {
	t.mistakes = append(t.mistakes, place{node: n}.in(t.file, Mistake{Path: t.words(path), Text: text}))
}

// placed returns a mistake at the place of a path's value, or of the nearest value that
// encloses it.
func (t *tree) placed(path []string, text string) Mistake {
	m := Mistake{Path: t.words(path), Text: text, Place: t.file + ":1:1"}
	for i := len(path); i >= 0; i-- {
		if at, ok := t.places[key(path[:i])]; ok {
			return at.in(t.file, m)
		}
	}
	return m
}

func (p place) in(file string, m Mistake) Mistake {
	m.Place = p.origin
	if p.origin == "" {
		m.Place = fmt.Sprintf("%s:%d:%d", file, p.node.Line, p.node.Column)
		m.line, m.col = p.node.Line, p.node.Column
	}
	return m
}

// words formats a path for messages: report.plots[0].x.
func (t *tree) words(path []string) string {
	var b strings.Builder
	for i, part := range path {
		switch above, ok := t.places[key(path[:i])]; {
		case ok && above.node.Kind == yaml.SequenceNode:
			fmt.Fprintf(&b, "[%s]", part)
		case i > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

// tokens splits such a path into its parts.
func tokens(words string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(words), ".")
}

// shown formats a value for a message.
func (t *tree) shown(path []string) string {
	at, ok := t.places[key(path)]
	if !ok {
		return "nothing"
	}
	n := at.node
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return fmt.Sprintf("%q", n.Value)
}
