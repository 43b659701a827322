package robdd

import (
	"context"
	"fmt"
)

// Substitution of functions for variables, depth first.

// Compose returns f with every variable of the map replaced by its function,
// simultaneously.
func (m *Manager) Compose(ctx context.Context, f Node, by map[Var]Node) (Node, error) {
	c := composition{m: m, by: make([]Node, len(m.order))}
	for level := range c.by {
		c.by[level] = failed
	}
	for v, g := range by {
		if v < 1 || int(v) > len(m.order) {
			return False, fmt.Errorf("robdd: composing for variable %d: variables are 1..%d", v, len(m.order))
		}
		c.by[m.levels[v-1]] = m.in(g)
		c.last = max(c.last, m.levels[v-1]+1)
	}
	m.begin(ctx)
	c.key = m.newCall()
	return m.end(c.of(m.in(f)))
}

// Rename returns f with variables replaced by others, simultaneously: a swap is two
// entries.
func (m *Manager) Rename(ctx context.Context, f Node, to map[Var]Var) (Node, error) {
	by := make(map[Var]Node, len(to))
	for v, w := range to {
		g, err := m.Literal(Lit(w))
		if err != nil {
			return False, fmt.Errorf("robdd: renaming variable %d: %w", v, err)
		}
		by[v] = g
	}
	return m.Compose(ctx, f, by)
}

type composition struct {
	m    *Manager
	by   []Node // by level: its function, or failed if it has none
	last int32  // levels from here on are unchanged
	key  Node
}

func (c *composition) of(f Node) Node {
	m := c.m
	level := m.levelOf(f)
	if int32(level) >= c.last {
		return f
	}
	if !m.step() {
		return failed
	}
	r, hash, ok := m.lookup(f, True, c.key)
	if ok {
		return r
	}
	f0, f1 := m.children(f)
	low := c.of(f0)
	if low == failed {
		return failed
	}
	high := c.of(f1)
	if high == failed {
		return failed
	}
	// The function that replaces the variable, or a result from below, may begin
	// above this level.
	chosen := c.by[level]
	if chosen == failed {
		if chosen = m.mk(level, False, True); chosen == failed {
			return failed
		}
	}
	r = m.ite(chosen, high, low)
	if r != failed {
		m.remember(f, True, c.key, hash, r)
	}
	return r
}
