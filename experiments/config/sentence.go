package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// ParseSentence parses a template that may only look things up: it calls the given functions, and methods of
// their results, with texts as arguments, and keeps results in variables. A sentence may come with someone
// else's records, and everything else in Go's templates can run without end or exhaust the memory. An error
// begins with its place, as name:line.
func ParseSentence(name, text string, functions template.FuncMap) (*template.Template, error) {
	t, err := template.New(name).Funcs(functions).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "template: "))
	}
	for _, defined := range t.Templates() {
		if defined.Name() != name {
			return nil, fmt.Errorf("%s: a template may not define others, such as %q", name, defined.Name())
		}
	}
	if t.Tree == nil { // nothing but a comment
		return t, nil
	}
	for _, node := range t.Tree.Root.Nodes {
		if bad := beyondLookups(node, functions); bad != nil {
			at, context := t.ErrorContext(bad)
			return nil, fmt.Errorf("%s: %s: only texts, variables and the functions %s are allowed", at, context,
				strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
		}
	}
	return t, nil
}

// beyondLookups returns the first node that does more than look something up, nil if there is none.
func beyondLookups(node parse.Node, functions template.FuncMap) parse.Node {
	switch n := node.(type) {
	case *parse.TextNode, *parse.CommentNode, *parse.StringNode, *parse.VariableNode:
		return nil
	case *parse.IdentifierNode:
		if functions[n.Ident] != nil {
			return nil
		}
	case *parse.ActionNode:
		return beyondLookups(n.Pipe, functions)
	case *parse.ChainNode:
		return beyondLookups(n.Node, functions)
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, part := range command.Args {
				if bad := beyondLookups(part, functions); bad != nil {
					return bad
				}
			}
		}
		return nil
	}
	return node
}
