package robdd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Changing the variable order in place: the swap of two adjacent levels, and sifting
// (Rudell, "Dynamic variable ordering for ordered binary decision diagrams", ICCAD
// 1993).
//
// A swap of variable x on level l and y below it touches only those two levels. A
// node of x without a child on y's level moves down unchanged. A node of x with one
// becomes a node of y in place, over new nodes of x: it keeps its id and its
// function, so everything above, every Node that the caller holds and every cached
// result stays right. A node of y moves up, unless nothing refers to it any more.
//
// This applies to plain nodes. A run would break where one of its levels is swapped, on
// every edge that has it, so the first change of the order expands all runs (plain.go).

// SwapLevels exchanges the variables of a level and the one below it. Nodes that
// nothing refers to afterwards are garbage until the next Collect. It takes time in
// proportion to the nodes on the two levels. If a limit might be exceeded, it returns
// the error before anything has changed.
func (m *Manager) SwapLevels(level int) error {
	if level < 0 || level+1 >= len(m.order) {
		return fmt.Errorf("robdd: swapping level %d with the one below: there are %d levels", level, len(m.order))
	}
	m.begin(context.Background())
	if !m.draw() || !m.swap(level, nil) {
		_, err := m.end(failed)
		return fmt.Errorf("robdd: swapping level %d with the one below: %w", level, err)
	}
	return nil
}

// references counts, by chunk, how many nodes and roots refer to each node. It exists
// only while the order changes.
type references [][]uint32

func (r references) add(f Node)          { r[f.id()>>chunkBits][f.id()&(chunkSize-1)]++ }
func (r references) drop(f Node)         { r[f.id()>>chunkBits][f.id()&(chunkSize-1)]-- }
func (r references) none(id uint32) bool { return r[id>>chunkBits][id&(chunkSize-1)] == 0 }

// swap exchanges a level with the one below. With reference counts, nodes that
// nothing refers to are freed at once; nodes further down never lose their last
// reference, since the new nodes refer to the same ones.
func (m *Manager) swap(level int, refs *references) bool {
	upper, lower := uint32(level), uint32(level+1)
	var stay, turn, rise []uint32 // nodes of x without and with y below, nodes of y
	above, below := &m.tables[upper], &m.tables[lower]
	above.each(func(id uint32) {
		if n := m.at(id); m.levelOf(n.lowEdge()) == lower || m.levelOf(n.highEdge()) == lower {
			turn = append(turn, id)
		} else {
			stay = append(stay, id)
		}
	})
	below.each(func(id uint32) { rise = append(rise, id) })
	if !m.prepareSwap(above, below, len(stay), len(turn), len(rise), refs) {
		return false
	}
	for _, id := range rise {
		m.at(id).level = uint16(upper)
	}
	for _, id := range stay {
		m.at(id).level = uint16(lower)
		m.insert(below, id)
	}
	child := func(low, high Node) Node {
		f := low
		if low != high {
			made := m.stats.Created
			f = m.makeNode(lower, low, high) // cannot fail: prepareSwap made room
			if refs != nil && m.stats.Created > made {
				refs.add(low)
				refs.add(high)
			}
		}
		if refs != nil {
			refs.add(f)
		}
		return f
	}
	for _, id := range turn {
		n := m.at(id)
		low, high := n.lowEdge(), n.highEdge()
		low0, low1 := m.cofactors(low, upper) // y has already moved up
		high0, high1 := m.cofactors(high, upper)
		n.setEdges(child(low0, high0), child(low1, high1))
		if refs != nil {
			refs.drop(low)
			refs.drop(high)
		}
		m.insert(above, id)
	}
	for _, id := range rise {
		if refs != nil && refs.none(id) {
			n := m.at(id)
			refs.drop(n.lowEdge())
			refs.drop(n.highEdge())
			m.giveBack(id)
			m.live--
			continue
		}
		m.insert(above, id)
	}
	x, y := m.order[level], m.order[level+1]
	m.order[level], m.order[level+1] = y, x
	m.levels[x-1], m.levels[y-1] = int32(lower), int32(upper)
	m.stats.Swaps++
	return true
}

// prepareSwap empties the two tables and makes sure that nothing can run out during
// the swap: each node in the list turn may need two new ones.
func (m *Manager) prepareSwap(above, below *table, stay, turn, rise int, refs *references) bool {
	if limit := m.config.MaxNodes; limit > 0 && m.live+2*turn > limit {
		m.err = &LimitError{What: "nodes", Limit: int64(limit), Want: int64(m.live + 2*turn)}
		return false
	}
	ok := m.makeRoom(2 * turn)
	for refs != nil && ok && len(*refs) < len(m.chunks) {
		if ok = m.reserve(4 * chunkSize); ok {
			*refs = append(*refs, make([]uint32, chunkSize))
		}
	}
	var newAbove, newBelow table
	if !ok || !m.enlarge(&newAbove, max(1, rise+turn)) {
		return false
	}
	if !m.enlarge(&newBelow, max(1, stay+2*turn)) {
		m.discard(int64(len(newAbove.tags)) * groupBytes)
		return false
	}
	m.discard(int64(len(above.tags)+len(below.tags)) * groupBytes)
	*above, *below = newAbove, newBelow
	return true
}

// SiftOptions bounds sifting. Zero values mean the defaults.
type SiftOptions struct {
	Growth float64 // a variable moves on while the size is at most this times the best so far; default 1.2
	Vars   int     // how many variables to sift, the ones with most nodes first; default all
	Swaps  int     // stop after this many swaps and the way back; default no limit
}

// SiftStats says what sifting did.
type SiftStats struct {
	Before, After int // nodes
	Vars, Swaps   int
}

// Sift looks for a better variable order: each variable in turn, the one with the
// most nodes first, is moved through all levels by swaps, and left where the roots
// together had the fewest nodes. It begins with a Collect of the roots. If it is
// interrupted or meets a limit it returns an error together with what was done, and
// the order stays as it is at that point.
func (m *Manager) Sift(ctx context.Context, options SiftOptions, roots ...Node) (SiftStats, error) {
	if options.Growth == 0 {
		options.Growth = 1.2
	}
	if options.Growth < 1 || options.Vars < 0 || options.Swaps < 0 {
		return SiftStats{}, fmt.Errorf("robdd: sifting: growth below 1 or a negative bound in %+v", options)
	}
	s := &sifter{m: m, options: options}
	err := s.run(ctx, roots, func() bool {
		vars := slices.Clone(m.order)
		slices.SortStableFunc(vars, func(v, w Var) int {
			return cmp.Compare(m.tables[m.levels[w-1]].used, m.tables[m.levels[v-1]].used)
		})
		if options.Vars > 0 {
			vars = vars[:min(options.Vars, len(vars))]
		}
		for _, v := range vars {
			if s.full() {
				break
			}
			if !s.sift(v) {
				return false
			}
			s.stats.Vars++
		}
		return true
	})
	if err != nil {
		err = fmt.Errorf("robdd: sifting: %w", err)
	}
	return s.stats, err
}

// SetOrder changes the variable order to the given one by swaps. It begins with a
// Collect of the roots. If it is interrupted or meets a limit it returns an error
// together with what was done, and the order stays as it is at that point.
func (m *Manager) SetOrder(ctx context.Context, order []Var, roots ...Node) (SiftStats, error) {
	if len(order) != len(m.order) {
		return SiftStats{}, fmt.Errorf("robdd: changing the order: %d variables: want %d", len(order), len(m.order))
	}
	if _, err := levelsOf(order); err != nil {
		return SiftStats{}, err
	}
	s := &sifter{m: m}
	err := s.run(ctx, roots, func() bool {
		for level, v := range order {
			for int(m.levels[v-1]) > level {
				if !s.swap(int(m.levels[v-1]) - 1) {
					return false
				}
			}
		}
		return true
	})
	if err != nil {
		err = fmt.Errorf("robdd: changing the order: %w", err)
	}
	return s.stats, err
}

type sifter struct {
	m       *Manager
	options SiftOptions
	stats   SiftStats
	refs    references
}

// run expands all runs, counts references, calls change, and cleans up.
func (s *sifter) run(ctx context.Context, roots []Node, change func() bool) error {
	m := s.m
	m.Collect(roots...)
	s.stats.Before, s.stats.After = m.live, m.live
	m.begin(ctx)
	if !m.draw() || !m.reserve(int64(len(m.chunks))*4*chunkSize) {
		_, err := m.end(failed)
		return err
	}
	for range m.chunks {
		s.refs = append(s.refs, make([]uint32, chunkSize))
	}
	for _, f := range roots {
		s.refs.add(m.in(f))
	}
	for i := range m.tables {
		m.tables[i].each(func(id uint32) {
			n := m.at(id)
			s.refs.add(n.lowEdge())
			s.refs.add(n.highEdge())
		})
	}
	ok := change()
	m.discard(int64(len(s.refs)) * 4 * chunkSize)
	// Freed ids may be cached results.
	clear(m.cache.entries)
	s.stats.After = m.live
	if !ok {
		_, err := m.end(failed)
		return err
	}
	m.ctx = nil
	return nil
}

// full reports whether the number of swaps is used up.
func (s *sifter) full() bool { return s.options.Swaps > 0 && s.stats.Swaps >= s.options.Swaps }

func (s *sifter) swap(level int) bool {
	if err := s.m.ctx.Err(); err != nil {
		s.m.err = err
		return false
	}
	s.stats.Swaps++
	return s.m.swap(level, &s.refs)
}

// sift moves a variable to the nearer end, then to the other, then to where the size
// was smallest. The swaps back are always made, even beyond the bound.
func (s *sifter) sift(v Var) bool {
	m := s.m
	bottom := len(m.order) - 1
	best, at := m.live, m.levels[v-1]
	move := func(down bool) bool {
		for !s.full() {
			level := int(m.levels[v-1])
			switch {
			case down && level == bottom, !down && level == 0:
				return true
			case !down:
				level--
			}
			if !s.swap(level) {
				return false
			}
			if m.live < best {
				best, at = m.live, m.levels[v-1]
			}
			if float64(m.live) > s.options.Growth*float64(best) {
				return true
			}
		}
		return true
	}
	downFirst := int(at) > bottom/2
	ok := move(downFirst) && move(!downFirst)
	for ok && m.levels[v-1] != at {
		ok = s.swap(int(min(m.levels[v-1], m.levels[v-1]+sign(at-m.levels[v-1]))))
	}
	return ok
}

func sign(x int32) int32 {
	if x < 0 {
		return -1
	}
	return 1
}
