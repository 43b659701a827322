package robdd

import "runtime"

// The node store: the nodes, and the memory they take.
//
// # Runs
//
// An edge is a node and a run: the number of levels right above the node on which the variable must be
// false. So a chain of nodes whose high child is false, which is most of a conjunction of negative
// literals, takes no nodes at all (chain reduction: Bryant, "Chain reduction for binary and
// zero-suppressed decision diagrams", TACAS 2018, but with chains on edges instead of nodes, and of one
// kind only). An edge (id, run) with run > 0 has the function of a plain node on the run's first level
// with low child (id, run-1) and high child false. That function has no other form, so equal functions
// are equal edges.
//
// All counts are of plain nodes, those of the ROBDD: a node counts once for itself and once for each
// level of the longest run that any edge to it has had since the last collection. Edges to the terminal
// true can have runs too; edges to false cannot.
//
// # Memory
//
// Nodes live in chunks of 2^12, so the store grows without copying, and old and new storage
// never exist together. A node takes 16 bytes, plus 2 for its mark.

const (
	chunkBits  = 12
	chunkSize  = 1 << chunkBits
	nodeBytes  = 16
	chunkBytes = chunkSize * (nodeBytes + 2)
	maxID      = 1<<32 - chunkSize // ids are smaller

	unused = 1<<16 - 1 // the level of an id that is not a node
)

// node is two edges, its level, and the longest run of an edge to it. The terminals'
// edges lead to themselves.
type node struct {
	low, high       uint32
	lowRun, highRun uint16
	level           uint16
	longest         uint16
}

// edge makes an edge of a node and a run.
func edge(id, run uint32) Func { return Func(id) | Func(run)<<32 }

func (f Func) id() uint32  { return uint32(f) }
func (f Func) run() uint32 { return uint32(f >> 32) }

// bare returns the node of an edge without the run.
func (f Func) bare() Func { return f & (1<<32 - 1) }

func (n *node) lowEdge() Func  { return edge(n.low, uint32(n.lowRun)) }
func (n *node) highEdge() Func { return edge(n.high, uint32(n.highRun)) }

func (n *node) setEdges(low, high Func) {
	n.low, n.lowRun = low.id(), uint16(low.run())
	n.high, n.highRun = high.id(), uint16(high.run())
}

type chunk struct {
	nodes [chunkSize]node
	seen  [chunkSize]uint16 // see reach
}

type store struct {
	chunks []*chunk
	next   uint32   // ids from here on have never been used
	free   uint32   // the first unused id below next, 0: none; its low is the next unused one
	tables []table  // by level
	live   int      // plain nodes
	memory int64    // bytes of chunks, tables, cache and running operations
	stack  []uint32 // see reach
}

func (s *store) init(levels int) {
	s.tables = make([]table, levels)
	s.chunks = []*chunk{new(chunk)}
	for id := range uint32(2) {
		*s.at(id) = node{low: id, high: id, level: uint16(levels)}
	}
	s.next = 2
}

// at returns a node's place.
func (s *store) at(id uint32) *node { return &s.chunks[id>>chunkBits].nodes[id&(chunkSize-1)] }

// levelOf returns the level of an edge's function: that of its top variable. Constants
// are on the level below all.
func (s *store) levelOf(f Func) uint32 { return uint32(s.at(f.id()).level) - f.run() }

// children returns the function of an edge with its top variable false and true.
func (s *store) children(f Func) (low, high Func) {
	if f.run() > 0 {
		return f - 1<<32, False
	}
	n := s.at(f.id())
	return n.lowEdge(), n.highEdge()
}

// cofactors returns f with the variable on a level false and true; f lies on that
// level or below.
func (s *store) cofactors(f Func, level uint32) (low, high Func) {
	if s.levelOf(f) == level {
		return s.children(f)
	}
	return f, f
}

// reserve charges the given number of further bytes to the budget. It reports whether the limit allows
// that.
func (m *Manager) reserve(more int64) bool {
	limit := m.config.MaxBytes
	if limit > 0 && m.garbage > 0 && m.memory+m.garbage+more > limit {
		m.clean()
	}
	if want := m.memory + more; limit > 0 && want > limit {
		m.err = &LimitError{What: "bytes", Limit: limit, Want: want}
		return false
	}
	m.memory += more
	m.stats.PeakBytes = max(m.stats.PeakBytes, uint64(m.memory+m.garbage))
	return true
}

// discard notes that the given number of bytes are now garbage to Go's collector. They count as held
// until they are collected. By default, the collector lets garbage grow until it is as large as all live
// memory, which would double the peak. Nodes hold no pointers to follow, so forcing a collection costs
// next to nothing.
func (m *Manager) discard(bytes int64) {
	m.memory -= bytes
	m.garbage += bytes
	if m.garbage > 1<<22 && m.garbage > m.memory/8 {
		m.clean()
	}
}

// clean forces a garbage collection.
func (m *Manager) clean() {
	runtime.GC()
	m.garbage = 0
}

// addPlain counts new plain nodes, if limits allow.
func (m *Manager) addPlain(n int) bool {
	if limit := m.config.MaxNodes; limit > 0 && m.live+n > limit {
		m.err = &LimitError{What: "nodes", Limit: int64(limit), Want: int64(limit) + 1}
		return false
	}
	m.live += n
	m.stats.Created += uint64(n)
	m.stats.PeakLive = max(m.stats.PeakLive, uint64(m.live))
	return true
}

// makeRoom makes sure that the given number of never used ids is available, if limits
// allow.
func (m *Manager) makeRoom(ids int) bool {
	for uint64(m.next)+uint64(ids) > uint64(len(m.chunks))<<chunkBits {
		if uint64(len(m.chunks)+1)<<chunkBits > maxID {
			m.err = &LimitError{What: "nodes", Limit: maxID, Want: maxID + 1}
			return false
		}
		if !m.reserve(chunkBytes) {
			return false
		}
		m.chunks = append(m.chunks, new(chunk))
	}
	return true
}

// alloc takes an unused id for a node and counts it.
func (m *Manager) alloc(level uint32, low, high Func) uint32 {
	if m.free == 0 && !m.makeRoom(1) || !m.addPlain(1) {
		return failedID
	}
	id := m.free
	if id != 0 {
		m.free = m.at(id).low
	} else {
		id = m.next
		m.next++
	}
	n := m.at(id)
	n.level, n.longest = uint16(level), 0
	n.setEdges(low, high)
	return id
}

// giveBack makes the id of a node unused.
func (m *Manager) giveBack(id uint32) {
	*m.at(id) = node{low: m.free, level: unused}
	m.free = id
}

// zeros returns f with the added condition that the variables on the levels to <= level < from are
// false. f lies on level from or below.
func (m *Manager) zeros(f Func, from, to uint32) Func {
	if from <= to || f == False {
		return f
	}
	if m.expanded {
		for level := from; level > to && f != failed; level-- {
			f = m.makeNode(level-1, f, False)
		}
		return f
	}
	n := m.at(f.id())
	if uint32(n.level)-f.run() != from {
		// The function skips a level in between, which a run cannot do.
		if f = m.makeNode(from-1, f, False); f == failed {
			return failed
		}
		n = m.at(f.id())
		from--
	}
	run := f.run() + from - to
	if longest := uint32(n.longest); run > longest {
		if !m.addPlain(int(run - longest)) {
			return failed
		}
		n.longest = uint16(run)
	}
	return edge(f.id(), run)
}

// mk returns the function of a plain node with these children on this level.
func (m *Manager) mk(level uint32, low, high Func) Func {
	switch {
	case low == high:
		return low
	case high == False:
		return m.zeros(low, level+1, level)
	}
	return m.makeNode(level, low, high)
}
