package robdd

import (
	"context"
	"fmt"
)

// Restrict returns f with the literals made true: its cofactor with respect to a
// cube. Contradictory literals are an error.
func (m *Manager) Restrict(ctx context.Context, f Node, cube ...Lit) (Node, error) {
	r := restriction{m: m, value: make([]int8, len(m.order))}
	for _, l := range cube {
		v := l.Var()
		if v < 1 || int(v) > len(m.order) {
			return False, fmt.Errorf("robdd: restricting by literal %d: variables are 1..%d", l, len(m.order))
		}
		value, level := int8(1), m.levels[v-1]
		if l < 0 {
			value = -1
		}
		if r.value[level] == -value {
			return False, fmt.Errorf("robdd: restricting by both literals of variable %d", v)
		}
		r.value[level] = value
		r.last = max(r.last, uint32(level))
	}
	if len(cube) == 0 {
		return f, nil
	}
	m.begin(ctx)
	r.key = m.newCall()
	result, tooLong := m.depthFirst(func() uint32 { return r.of(uint32(f)) })
	if tooLong {
		m.begin(ctx)
		result = (&cubewise{m: m, value: r.value, last: r.last}).of(uint32(f))
	}
	return m.end(result)
}

type restriction struct {
	m     *Manager
	value []int8 // by level: 0 free, 1 true, -1 false
	last  uint32 // the lowest level with a value
	key   uint32
}

func (r *restriction) of(f uint32) uint32 {
	m := r.m
	level := m.levelOf(f)
	for ; level <= r.last && r.value[level] != 0; level = m.levelOf(f) {
		if e := m.at(f); r.value[level] > 0 {
			f = e.High
		} else {
			f = e.Low
		}
	}
	if level > r.last {
		return f
	}
	if !m.step() {
		return failed
	}
	if e, ok := m.lookup(f, 1, r.key); ok {
		return e.r
	}
	e := m.at(f)
	low := r.of(e.Low)
	if low == failed {
		return failed
	}
	high := r.of(e.High)
	if high == failed {
		return failed
	}
	result := m.mk(level, low, high)
	if result != failed {
		m.remember(f, 1, r.key, result)
	}
	return result
}
