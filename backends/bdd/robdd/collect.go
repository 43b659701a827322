package robdd

import "math/bits"

// Garbage collection: mark from the roots, level by level from the top, then sweep.
//
// It happens only where the caller says so, never inside an operation, so that
// counts do not depend on when memory ran short. It moves nothing and allocates
// nothing: the marks are part of the store, and the unique tables keep their size.

// Collect drops every node that no root reaches, and returns how many. Nodes under
// the roots keep their value; every other Node is void from here on.
func (m *Manager) Collect(roots ...Node) int {
	for _, c := range m.chunks {
		clear(c.marks[:])
	}
	m.mark(0)
	m.mark(1)
	for _, f := range roots {
		m.mark(uint32(f))
	}
	for level := range m.tables {
		m.tables[level].each(func(id uint32) {
			if m.marked(id) {
				e := m.at(id)
				m.mark(e.Low)
				m.mark(e.High)
			}
		})
	}
	before := m.live
	for level := range m.tables {
		t := &m.tables[level]
		clear(t.groups)
		t.used, t.free = 0, 0
	}
	m.sweep()
	m.sweepCache()
	m.stats.Collections++
	m.stats.Collected += uint64(before - m.live)
	return before - m.live
}

func (s *store) mark(id uint32) {
	i := id & (chunkSize - 1)
	s.chunks[id>>chunkBits].marks[i>>6] |= 1 << (i & 63)
}

func (s *store) marked(id uint32) bool {
	i := id & (chunkSize - 1)
	return s.chunks[id>>chunkBits].marks[i>>6]>>(i&63)&1 != 0
}

// sweep puts the marked nodes into the emptied tables, page by page, and frees all
// other ids. Pages without a node go back to all levels, the others' free ids to
// their levels' lists, lowest first.
func (m *Manager) sweep() {
	var hashes [pageSize]uint64
	m.pages, m.live = m.pages[:0], 0
	for base := uint32(len(m.chunks)) << chunkBits; base > pageSize; {
		base -= pageSize
		c := m.chunks[base>>chunkBits]
		i := base & (chunkSize - 1)
		level, edges, marks := c.level[i:i+pageSize], c.edges[i:i+pageSize], c.marks[i>>6:i>>6+pageSize/64]
		nodes := 0
		for _, word := range marks {
			nodes += bits.OnesCount64(word)
		}
		if nodes == 0 {
			m.freePage(base)
			continue
		}
		m.live += nodes
		for j := pageSize - 1; j >= 0; j-- {
			if marks[j>>6]>>(j&63)&1 == 0 {
				m.giveBack(base + uint32(j))
				continue
			}
			// Ask for the place in the table now, and use it in the next round.
			hashes[j] = hashPair(edges[j].Low, edges[j].High)
			groups := m.tables[level[j]].groups
			m.touched += groups[slotOf(hashes[j], len(groups))].tags
		}
		for k, word := range marks {
			for ; word != 0; word &= word - 1 {
				j := k<<6 + bits.TrailingZeros64(word)
				m.tables[level[j]].insert(base+uint32(j), hashes[j])
			}
		}
	}
}

// sweepCache forgets results about nodes that are gone, and of calls, which are over.
func (m *Manager) sweepCache() {
	for i := range m.cache.entries {
		e := &m.cache.entries[i]
		if e.f == 0 || e.h > keyCall || !m.marked(e.f) || !m.marked(e.g) || !m.marked(e.r) || e.h < maxID && !m.marked(e.h) {
			*e = entry{}
		}
	}
}
