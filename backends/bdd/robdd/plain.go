package robdd

// Expanding runs: a Manager whose variable order changes makes a node of every plain node,
// once and for all, and has no runs from then on.
//
// Functions with a run that the caller holds stay valid, and still compare equal to equal
// functions: at the package's interface, in and out convert between them and the nodes
// drawn for them.

// plain is what a Manager without runs knows about the runs that it had.
type plain struct {
	drawn   bool
	first   []uint32 // by id: the node drawn for run 1 of an edge to it, further runs next to it; 0: none
	from    uint32   // the nodes drawn have ids from here on,
	handles []Node   // and stand for these; 0 if freed since
}

// in returns the edge of a function that the caller holds.
func (m *Manager) in(f Node) Node {
	if m.drawn && f.run() > 0 {
		return Node(m.first[f.id()] + f.run() - 1)
	}
	return f
}

// out returns the function as the caller knows it.
func (m *Manager) out(f Node) Node {
	if m.drawn {
		if i := f.id() - m.from; f.id() >= m.from && i < uint32(len(m.handles)) && m.handles[i] != False {
			return m.handles[i]
		}
	}
	return f
}

// insides returns the edges of functions that the caller holds.
func (m *Manager) insides(fs []Node) []Node {
	if !m.drawn {
		return fs
	}
	in := make([]Node, len(fs))
	for i, f := range fs {
		in[i] = m.in(f)
	}
	return in
}

// forget records that a node is freed.
func (p *plain) forget(id uint32) {
	if i := id - p.from; id >= p.from && i < uint32(len(p.handles)) {
		p.handles[i] = False
	}
}

// draw makes a node of every plain node, unless that has been done already. If it meets a
// limit it changes nothing.
func (m *Manager) draw() bool {
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
	bytes := 4*int64(m.next) + 8*int64(runs)
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
	m.plain = plain{drawn: true, first: make([]uint32, old), from: old, handles: make([]Node, 0, runs)}
	for id := uint32(1); id < old; id++ {
		n := m.at(id)
		if n.level == unused || n.longest == 0 {
			continue
		}
		m.first[id] = m.next
		below := id
		for run := uint32(1); run <= uint32(n.longest); run++ {
			*m.at(m.next) = node{low: below, level: n.level - uint16(run)}
			m.handles = append(m.handles, edge(id, run))
			below = m.next
			m.next++
		}
		n.longest = 0
	}
	for id := uint32(2); id < m.next; id++ {
		if n := m.at(id); n.level != unused {
			n.setEdges(m.in(n.lowEdge()), m.in(n.highEdge()))
			m.insert(&tables[n.level], id)
		}
	}
	for level := range m.tables {
		m.discard(int64(len(m.tables[level].tags)) * groupBytes)
	}
	m.tables = tables
	clear(m.cache.entries)
	return true
}
