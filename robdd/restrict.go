package robdd

import (
	"context"
	"fmt"
)

// Restrict returns the cofactor of f with respect to a cube: f with the literals made true.
// Contradictory literals are an error.
func (m *Manager) Restrict(ctx context.Context, f Func, cube ...Lit) (Func, error) {
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
	return m.end(r.of(f))
}

type restriction struct {
	m     *Manager
	value []int8 // by level: 0 free, 1 true, -1 false
	last  uint32 // the lowest level with a value
	key   Func
}

func (r *restriction) of(f Func) Func {
	m := r.m
	level := m.levelOf(f)
	if level > r.last {
		return f
	}
	if f.run() > 0 {
		return r.ofRun(f, level)
	}
	n := m.at(f.id())
	switch value := r.value[level]; {
	case value > 0:
		return r.of(n.highEdge())
	case value < 0:
		return r.of(n.lowEdge())
	}
	if !m.step() {
		return failed
	}
	result, hash, ok := m.lookup(f, True, r.key)
	if ok {
		return result
	}
	low := r.of(n.lowEdge())
	if low == failed {
		return failed
	}
	high := r.of(n.highEdge())
	if high == failed {
		return failed
	}
	result = m.mk(level, low, high)
	if result != failed {
		m.remember(f, True, r.key, hash, result)
	}
	return result
}

// ofRun restricts an edge with a run: its levels without a value stay false.
func (r *restriction) ofRun(f Func, top uint32) Func {
	m := r.m
	end := top + f.run()
	for level := top; level < end; level++ {
		if r.value[level] > 0 {
			return False
		}
	}
	result := r.of(f.bare())
	for from := end; from > top && result != failed; {
		// A stretch of levels without values, and below it levels with values.
		for from > top && r.value[from-1] != 0 {
			from--
		}
		to := from
		for to > top && r.value[to-1] == 0 {
			to--
		}
		result = m.zeros(result, from, to)
		from = to
	}
	return result
}
