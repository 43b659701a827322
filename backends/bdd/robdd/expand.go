package robdd

// Expanding runs: a Manager whose variable order changes makes a node of every plain node,
// once and for all, and has no runs from then on.

// draw makes a node of every plain node, unless that has been done already, and puts the new
// nodes of the roots in their places. If it meets a limit it changes nothing.
func (m *Manager) draw(roots ...Node) bool {
	if m.drawn {
		return true
	}
	widths, runs := make([]int, len(m.order)), 0
	for id := uint32(1); id < m.next; id++ {
		n := m.at(id)
		if n.level == unused {
			continue
		}
		if id > 1 {
			widths[n.level]++
		}
		for run := range uint32(n.longest) {
			widths[uint32(n.level)-1-run]++
			runs++
		}
	}
	bytes := 4 * int64(m.next)
	if !m.makeRoom(runs) || !m.reserve(bytes) {
		return false
	}
	tables := make([]table, len(m.order))
	for level, width := range widths {
		if width > 0 && !m.enlarge(&tables[level], width) {
			for i := range tables[:level] {
				m.discard(int64(len(tables[i].tags)) * groupBytes)
			}
			m.discard(bytes)
			return false
		}
	}
	old := m.next
	drawn := make([]uint32, old) // by id: the node for run 1 of an edge to it, further runs next to it
	for id := uint32(1); id < old; id++ {
		n := m.at(id)
		if n.level == unused || n.longest == 0 {
			continue
		}
		drawn[id] = m.next
		below := id
		for run := uint32(1); run <= uint32(n.longest); run++ {
			*m.at(m.next) = node{low: below, level: n.level - uint16(run)}
			below = m.next
			m.next++
		}
		n.longest = 0
	}
	plain := func(f Node) Node {
		if f.run() > 0 {
			return Node(drawn[f.id()] + f.run() - 1)
		}
		return f
	}
	for i, f := range roots {
		roots[i] = plain(f)
	}
	for id := uint32(2); id < m.next; id++ {
		if n := m.at(id); n.level != unused {
			n.setEdges(plain(n.lowEdge()), plain(n.highEdge()))
			m.insert(&tables[n.level], id)
		}
	}
	for level := range m.tables {
		m.discard(int64(len(m.tables[level].tags)) * groupBytes)
	}
	m.tables = tables
	m.discard(bytes)
	clear(m.cache.entries)
	m.drawn = true
	return true
}
