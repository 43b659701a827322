package robdd

// Garbage collection: mark from the roots, level by level from the top, then sweep.
//
// It happens only where the caller says so, never inside an operation, so that
// counts do not depend on when memory ran short. It moves nothing and allocates
// nothing that grows with the nodes: the marks are part of the store, and a unique
// table is cleaned in place.

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
	m.live = 0
	for level := range m.tables {
		t := &m.tables[level]
		t.free = 0
		m.clean(t)
		m.live += t.used
	}
	m.sweepPages()
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

// clean takes unmarked nodes out of a table, in place. An entry lies in the first
// group from its home on that had a free slot, so when groups are emptied and filled
// again one after the other, beginning behind one that was not full, each entry
// finds a place no later than where it was.
func (m *Manager) clean(t *table) {
	n := len(t.groups)
	if n == 0 {
		return
	}
	start := 0
	for matches(t.groups[start].tags, 0) == 0 {
		start++ // a table is never full
	}
	t.used = 0
	for i := 1; i <= n; i++ {
		g := start + i
		if g >= n {
			g -= n
		}
		p := t.groups[g]
		if p.tags == 0 {
			continue
		}
		t.groups[g].tags = 0
		for j, id := range p.ids {
			if p.tags>>(8*j)&0xff != 0 && m.marked(id) {
				m.insert(t, id)
			}
		}
	}
}

// sweepPages frees the ids of unmarked nodes. Pages without a node go back to all
// levels, the others' free ids to their levels' lists, lowest first.
func (m *Manager) sweepPages() {
	m.pages = m.pages[:0]
	for base := uint32(len(m.chunks)) << chunkBits; base > pageSize; {
		base -= pageSize
		c := m.chunks[base>>chunkBits]
		i := base & (chunkSize - 1)
		nodes := uint64(0)
		for _, word := range c.marks[i>>6 : i>>6+pageSize/64] {
			nodes |= word
		}
		if nodes == 0 {
			if owner := &m.owner[base>>pageBits]; *owner != levelFree {
				*owner = levelFree
				for j := range c.level[i : i+pageSize] {
					c.level[i+uint32(j)] = levelFree
				}
			}
			m.pages = append(m.pages, base)
			continue
		}
		for id := base + pageSize; id > base; {
			if id--; !m.marked(id) {
				m.giveBack(id)
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
