package robdd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Changing the variable order in place: the swap of two adjacent levels, sifting
// (Rudell, "Dynamic variable ordering for ordered binary decision diagrams", ICCAD
// 1993), and the permutation of windows (Ishiura, Sawada and Yajima, "Minimization of
// binary decision diagrams based on exchanges of variables", ICCAD 1991).
//
// A swap of variable x on level l and variable y below it touches only those two levels. A node of x
// without a child on y's level moves down unchanged. A node of x with such a child becomes a node of y
// in place, over new nodes of x. It keeps its id and its function, so all nodes above, every Func that
// the caller holds and every cached result stay valid. A node of y moves up, unless nothing refers to it
// any more.
//
// This works on plain nodes only. Swapping a level inside a run would break the run on every edge that
// has it, so the first change of the order expands all runs (expand).

// references counts, by chunk, how many nodes and roots refer to each node. It exists
// only while the order changes.
type references [][]uint32

func (r references) add(f Func)          { r[f.id()>>chunkBits][f.id()&(chunkSize-1)]++ }
func (r references) drop(f Func)         { r[f.id()>>chunkBits][f.id()&(chunkSize-1)]-- }
func (r references) none(id uint32) bool { return r[id>>chunkBits][id&(chunkSize-1)] == 0 }

// swap exchanges a level with the one below. Nodes that nothing refers to any more are freed
// immediately. Nodes further down never lose their last reference, since the new nodes refer to the same
// ones.
func (m *sifter) swap(level int) bool {
	if m.err = m.ctx.Err(); m.err != nil {
		return false
	}
	upper, lower := uint32(level), uint32(level+1)
	above, below := &m.tables[upper], &m.tables[lower]
	rise := below.ids()     // nodes of y
	var stay, turn []uint32 // nodes of x without and with y below
	for _, id := range above.ids() {
		if n := m.at(id); m.levelOf(n.lowEdge()) == lower || m.levelOf(n.highEdge()) == lower {
			turn = append(turn, id)
		} else {
			stay = append(stay, id)
		}
	}
	if !m.prepareSwap(above, below, len(stay), len(turn), len(rise)) {
		return false
	}
	for _, id := range rise {
		m.at(id).level = uint16(upper)
	}
	for _, id := range stay {
		m.at(id).level = uint16(lower)
		m.insert(below, id)
	}
	child := func(low, high Func) Func {
		f := low
		if low != high {
			made := m.stats.Created
			f = m.makeNode(lower, low, high) // cannot fail: prepareSwap made room
			if m.stats.Created > made {
				m.refs.add(low)
				m.refs.add(high)
			}
		}
		m.refs.add(f)
		return f
	}
	for _, id := range turn {
		n := m.at(id)
		low, high := n.lowEdge(), n.highEdge()
		low0, low1 := m.cofactors(low, upper) // y has already moved up
		high0, high1 := m.cofactors(high, upper)
		n.setEdges(child(low0, high0), child(low1, high1))
		m.refs.drop(low)
		m.refs.drop(high)
		m.insert(above, id)
	}
	for _, id := range rise {
		if m.refs.none(id) {
			n := m.at(id)
			m.refs.drop(n.lowEdge())
			m.refs.drop(n.highEdge())
			m.giveBack(id)
			m.live--
			continue
		}
		m.insert(above, id)
	}
	x, y := m.order[level], m.order[level+1]
	m.order[level], m.order[level+1] = y, x
	m.levels[x-1], m.levels[y-1] = int32(lower), int32(upper)
	return true
}

// prepareSwap empties the two tables and reserves what the swap may need, so that the swap cannot fail:
// each node in the list turn may need two new ones.
func (m *sifter) prepareSwap(above, below *table, stay, turn, rise int) bool {
	if limit := m.config.MaxNodes; limit > 0 && m.live+2*turn > limit {
		m.err = &LimitError{What: "nodes", Limit: int64(limit), Want: int64(m.live + 2*turn)}
		return false
	}
	ok := m.makeRoom(2 * turn)
	for ok && len(m.refs) < len(m.chunks) {
		if ok = m.reserve(4 * chunkSize); ok {
			m.refs = append(m.refs, make([]uint32, chunkSize))
		}
	}
	tables, nodes := [2]*table{above, below}, [2]int{rise + turn, stay + 2*turn}
	var larger [2]table
	for i, t := range tables {
		if ok = ok && (nodes[i] <= room(len(t.slots)) || m.enlarge(&larger[i], nodes[i])); !ok {
			m.discard(int64(len(larger[0].slots)) * slotBytes)
			return false
		}
	}
	for i, t := range tables {
		if larger[i].slots != nil {
			m.discard(int64(len(t.slots)) * slotBytes)
			*t = larger[i]
		}
		t.empty()
	}
	return true
}

// growth bounds sifting: a variable moves on only while the size is at most this many times the smallest
// size so far.
const growth = 1.2

// Sift looks for a better variable order. It moves each variable in turn, the one with the most nodes
// first, through all levels by swaps, and leaves it where the roots together have the fewest nodes. It
// first calls Collect with the roots. It returns the roots' new Funcs; all other nodes become invalid.
// If it is interrupted or reaches a limit it also returns an error, and the order stays as it is at that
// point.
func (m *Manager) Sift(ctx context.Context, roots ...Func) ([]Func, error) {
	roots = slices.Clone(roots)
	err := m.reorder(ctx, roots, func(s *sifter) bool {
		vars := slices.Clone(m.order)
		slices.SortStableFunc(vars, func(v, w Var) int {
			return cmp.Compare(m.tables[m.levels[w-1]].used, m.tables[m.levels[v-1]].used)
		})
		return !slices.ContainsFunc(vars, func(v Var) bool { return !s.sift(v) })
	})
	if err != nil {
		err = fmt.Errorf("robdd: sifting: %w", err)
	}
	return roots, err
}

// Window looks for a better variable order: it tries the six orders of each three neighbouring levels, from the top, and
// keeps the best, until a pass finds none better. Roots, results and errors are as in Sift.
func (m *Manager) Window(ctx context.Context, roots ...Func) ([]Func, error) {
	roots = slices.Clone(roots)
	err := m.reorder(ctx, roots, func(s *sifter) bool {
		for found := true; found; {
			before := s.live
			for level := range max(0, len(m.order)-2) {
				if !s.permute(level) {
					return false
				}
			}
			found = s.live < before
		}
		return true
	})
	if err != nil {
		err = fmt.Errorf("robdd: permuting windows: %w", err)
	}
	return roots, err
}

// permute leaves a level and the two below it in the best of their orders. Six swaps, of the lower and the upper two by
// turns, lead through all of them back to the first.
func (m *sifter) permute(level int) bool {
	const orders = 6
	best, at := m.live, 0
	for i := 1; i <= orders; i++ {
		if !m.swap(level + i%2) {
			return false
		}
		if m.live < best {
			best, at = m.live, i
		}
	}
	for i := 1; i <= at; i++ {
		if !m.swap(level + i%2) {
			return false
		}
	}
	return true
}

type sifter struct {
	*Manager
	refs references
}

// reorder expands all runs, including those of the roots, counts references, calls change, and cleans
// up.
func (m *Manager) reorder(ctx context.Context, roots []Func, change func(*sifter) bool) error {
	m.Collect(roots...)
	m.begin(ctx)
	if !m.expand(roots...) || !m.reserve(int64(len(m.chunks))*4*chunkSize) {
		_, err := m.end(failed)
		return err
	}
	s := sifter{Manager: m}
	for range m.chunks {
		s.refs = append(s.refs, make([]uint32, chunkSize))
	}
	for _, f := range roots {
		s.refs.add(f)
	}
	for i := range m.tables {
		for _, id := range m.tables[i].ids() {
			n := m.at(id)
			s.refs.add(n.lowEdge())
			s.refs.add(n.highEdge())
		}
	}
	ok := change(&s)
	m.discard(int64(len(s.refs)) * 4 * chunkSize)
	// The cache may still contain freed ids.
	clear(m.cache.entries)
	if !ok {
		_, err := m.end(failed)
		return err
	}
	m.ctx = nil
	return nil
}

// expand turns every plain node into a stored node, unless an earlier call did: once a Manager's
// variable order has changed, it has no runs. It keeps the functions of the roots, and replaces each
// root by its new node. If it reaches a limit it changes nothing.
func (m *Manager) expand(roots ...Func) bool {
	if m.expanded {
		return true
	}
	config := m.config
	if config.MaxBytes > 0 { // old and new store both exist for a moment
		config.MaxBytes = max(1, config.MaxBytes-m.memory-m.garbage)
	}
	plain, err := NewManager(m.order, config)
	if err != nil {
		m.err = err
		return false
	}
	plain.expanded = true
	nodes := make([]Func, len(roots))
	for i, f := range roots {
		if nodes[i], err = plain.Thaw(m.ctx, m.Freeze(f)); err != nil {
			m.err = err
			return false
		}
	}
	copy(roots, nodes)
	m.stats.PeakBytes = max(m.stats.PeakBytes, uint64(m.memory+m.garbage)+plain.stats.PeakBytes)
	m.store, m.cache, m.garbage, m.expanded = plain.store, plain.cache, plain.garbage+m.garbage+m.memory, true
	return true
}

// sift moves a variable to the nearer end, then to the other end, then to the level where the size was
// smallest.
func (m *sifter) sift(v Var) bool {
	bottom := len(m.order) - 1
	best, at := m.live, m.levels[v-1]
	move := func(down bool) bool {
		for {
			level := int(m.levels[v-1])
			switch {
			case down && level == bottom, !down && level == 0:
				return true
			case !down:
				level--
			}
			if !m.swap(level) {
				return false
			}
			if m.live < best {
				best, at = m.live, m.levels[v-1]
			}
			if float64(m.live) > growth*float64(best) {
				return true
			}
		}
	}
	downFirst := int(at) > bottom/2
	ok := move(downFirst) && move(!downFirst)
	for ok && m.levels[v-1] != at {
		ok = m.swap(int(min(m.levels[v-1], m.levels[v-1]+sign(at-m.levels[v-1]))))
	}
	return ok
}

func sign(x int32) int32 {
	if x < 0 {
		return -1
	}
	return 1
}
