package robdd

// Garbage collection: mark from the roots, then sweep.
//
// It happens only where the caller says so, never inside an operation, so that
// counts do not depend on when memory ran short. It moves nothing and allocates
// nothing: the marks are part of the store, and the unique tables keep their size.

// Collect drops every node that no root reaches, and returns how many. Nodes under
// the roots keep their value; every other Node is void from here on.
func (m *Manager) Collect(roots ...Node) int {
	before := m.live
	m.live = m.reach(m.insides(roots)...)
	for level := range m.tables {
		m.tables[level].empty()
	}
	for id := m.next - 1; id > 0; id-- {
		n, seen := m.at(id), *m.seenOf(id)
		switch {
		case n.level == unused:
		case seen == 0:
			m.giveBack(id)
		default:
			n.longest = seen - 1
			if id > 1 {
				m.insert(&m.tables[n.level], id)
			}
		}
	}
	m.sweepCache()
	m.stats.Collections++
	m.stats.Collected += uint64(before - m.live)
	return before - m.live
}

// sweepCache forgets results about nodes that are gone, plain ones included, and of calls,
// which are over.
func (m *Manager) sweepCache() {
	gone := func(id uint32) bool { return *m.seenOf(id) == 0 }
	for i := range m.cache.entries {
		e := &m.cache.entries[i]
		if e.f == 0 || e.h > keyCall || gone(e.f) || gone(e.g) || e.h < maxID && gone(e.h) || *m.seenOf(e.r) <= e.rr {
			*e = entry{}
		}
	}
}
