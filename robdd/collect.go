package robdd

// Garbage collection: mark from the roots, then sweep.
//
// Collection happens only when the caller asks for it, never inside an operation, so counts do not
// depend on when memory runs short. It moves nothing and allocates nothing: the marks are part of the
// store, and the unique tables keep their size.

// Collect drops every node that no root reaches. Nodes below the roots stay valid; every other Func
// becomes invalid.
func (m *Manager) Collect(roots ...Func) {
	m.live = m.reach(roots...)
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
}

// sweepCache drops results that involve dropped nodes, including dropped plain nodes, and the results of
// calls that have ended.
func (m *Manager) sweepCache() {
	for i := range m.cache.entries {
		e := &m.cache.entries[i]
		if e.g>>48 >= firstKey || *m.seenOf(e.f.id()) == 0 || *m.seenOf(e.g.id()) == 0 ||
			uint32(*m.seenOf(e.r.id())) <= e.r.run() {
			*e = entry{}
		}
	}
}
