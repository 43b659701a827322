package lesson

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/configure"
	"queens/encode"
	"queens/order"
)

const (
	// MaxBuilt is the largest board whose diagram is built step by step;
	// maxDrawn is the largest number of nodes drawn.
	MaxBuilt = 6
	maxDrawn = 1500
	maxRules = 1000
	maxBuild = 200_000 // nodes of a construction
)

// Construction is a diagram built by conjoining rules one at a time.
type Construction struct {
	N      int         `json:"n"`
	Order  []string    `json:"order"` // the cells, the top level first
	Groups []RuleGroup `json:"groups"`
	Steps  []BuildStep `json:"steps"` // the first for true, then one per rule
	// Nodes is the diagram after the last step, top level first, with the paths that the
	// placement allows; empty when it has too many nodes to look at.
	Nodes    []BuiltNode `json:"nodes"`
	Drawn    bool        `json:"drawn"`
	Constant string      `json:"constant,omitempty"` // "true" or "false" for a diagram without nodes
}

// BuildStep is the diagram after a rule has been conjoined.
type BuildStep struct {
	Rule      string `json:"rule"` // its ID; empty for the first step
	Nodes     int    `json:"nodes"`
	Created   uint64 `json:"created"`   // nodes made in this step, kept or not
	Solutions string `json:"solutions"` // assignments that the rules so far allow, in decimal
}

// BuiltNode is a node of the diagram. Equal keys mean equal functions, in any step and
// order, so one can see which nodes stay.
type BuiltNode struct {
	DrawnNode
	Key string `json:"key"`
}

// Build conjoins the rules, given by ID, from left to right. orderText is the name of an order, or the
// cells from the top level down, separated by commas; empty means row-major.
func Build(ctx context.Context, state configure.State, orderText string, rules []string) (*Construction, error) {
	n := state.N
	if n > MaxBuilt {
		return nil, badInput("board size n = %d: a diagram is built step by step for 1 to %d", n, MaxBuilt)
	}
	if len(rules) > maxRules {
		return nil, badInput("%d rules: expected up to %d", len(rules), maxRules)
	}
	o, err := orderOf(n, orderText)
	if err != nil {
		return nil, err
	}
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, err
	}
	c := &Construction{N: n, Order: Names(o.Cells(n)), Groups: groups(p), Nodes: []BuiltNode{}}
	growing, err := ask.Grow(o, maxBuild)
	if err != nil {
		return nil, err
	}
	created := uint64(0)
	step := func(rule string) {
		c.Steps = append(c.Steps, BuildStep{rule, growing.Nodes(), growing.Created() - created, growing.Count().String()})
		created = growing.Created()
	}
	byID := map[string]Rule{}
	for _, g := range c.Groups {
		for _, r := range g.Rules {
			byID[r.ID] = r
		}
	}
	step("")
	for _, id := range rules {
		r, known := byID[id]
		if !known {
			return nil, badInput("rule %q: a board of size %d has no such rule", id, n)
		}
		if err := growing.And(ctx, r.constraints); err != nil {
			if limit := (*backends.LimitError)(nil); errors.As(err, &limit) {
				return nil, badInput("rule %q makes the diagram larger than %d nodes; "+
					"use a smaller board or fewer rules", id, maxBuild)
			}
			return nil, err
		}
		step(id)
	}
	d := growing.Diagram()
	if d.Len() == 0 {
		c.Constant = strconv.FormatBool(d.Root() == 1)
	}
	if c.Drawn = d.Len() <= maxDrawn; c.Drawn {
		keys, err := d.Fingerprints(ctx)
		if err != nil {
			return nil, err
		}
		nodes, _, err := drawn(ctx, d, state, true)
		if err != nil {
			return nil, err
		}
		for _, node := range nodes {
			c.Nodes = append(c.Nodes, BuiltNode{node, strconv.FormatUint(keys[node.ID], 36)})
		}
	}
	return c, nil
}

// orderOf parses an order: a name, or all cells.
func orderOf(n int, text string) (order.Order, error) {
	if text == "" {
		text = order.RowMajor
	}
	cells, err := board.ParseCells(n, text)
	if err != nil && !strings.Contains(text, ",") {
		named, err := order.ByName(text)
		if err != nil {
			return nil, badInput("%v", err)
		}
		return named.Of(n), nil
	}
	if err != nil {
		return nil, badInput("order: %v", err)
	}
	if len(cells) != n*n {
		return nil, badInput("order: %d cells: expected each of the %d cells once", len(cells), n*n)
	}
	return order.FromCells(n, cells), nil
}
