package robdd

import (
	"context"
	"fmt"
)

// Restrict returns f with the literals of a cube made true: its cofactor.
func (m *Manager) Restrict(ctx context.Context, f Node, cube ...Lit) (Node, error) {
	m.begin(ctx)
	value := make([]int8, len(m.order)) // by level: 0 free, 1 true, -1 false
	for _, l := range cube {
		v := l.Var()
		if v < 1 || int(v) > len(m.order) {
			return False, fmt.Errorf("robdd: restricting by literal %d: variables are 1..%d", l, len(m.order))
		}
		want := int8(1)
		if l < 0 {
			want = -1
		}
		if value[m.levels[v-1]] == -want {
			return False, fmt.Errorf("robdd: restricting by both literals of variable %d", v)
		}
		value[m.levels[v-1]] = want
	}
	return m.end(m.restrict(value, uint32(f), map[uint32]uint32{}))
}

func (m *Manager) restrict(value []int8, f uint32, done map[uint32]uint32) uint32 {
	if f < 2 {
		return f
	}
	if r, ok := done[f]; ok {
		return r
	}
	if !m.step() {
		return failed
	}
	e, level := m.at(f), m.levelOf(f)
	var r uint32
	switch value[level] {
	case 1:
		r = m.restrict(value, e.High, done)
	case -1:
		r = m.restrict(value, e.Low, done)
	default:
		low := m.restrict(value, e.Low, done)
		if low == failed {
			return failed
		}
		high := m.restrict(value, e.High, done)
		if high == failed {
			return failed
		}
		r = m.mk(level, low, high)
	}
	if r != failed {
		done[f] = r
	}
	return r
}
