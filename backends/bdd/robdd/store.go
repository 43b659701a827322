package robdd

// The node store: where nodes live, and the memory they take.
//
// Nodes live in chunks of 2^14, so that the store grows without copying and
// without a moment at which old and new exist together. A node takes 8 bytes for
// its children, 2 for its level and a bit for a collection's mark. Each level takes its ids in pages of 2^8, so
// that nodes of one level lie together in memory, which is what a breadth-first
// operation wants; a page is only where a level's free ids come from, and after a
// reordering it may hold nodes of several levels.
//
// A node's children always differ. An id whose children are equal is not a node
// but stands for that child: so do the two terminals, and the requests of a
// breadth-first operation that turned out to need no node of their own.

const (
	chunkBits = 14
	chunkSize = 1 << chunkBits
	pageBits  = 8
	pageSize  = 1 << pageBits

	levelFree = 0xffff        // level of an id that holds no node
	maxID     = 1<<32 - 1<<17 // ids stay below it; the cache uses what is above
)

type chunk struct {
	edges [chunkSize]Edges
	level [chunkSize]uint16
	marks [chunkSize / 64]uint64 // of the running collection
}

const chunkBytes = chunkSize*10 + chunkSize/8

type store struct {
	chunks []*chunk
	tables []table  // by level
	pages  []uint32 // first ids of pages that no level owns
	owner  []uint16 // level that took each page
	live   int      // nodes
	memory int64    // bytes of chunks, tables, cache and running operations
}

func (s *store) init(levels int) {
	s.tables = make([]table, levels)
	s.addChunk()
	// The first page is for the terminals.
	c := s.chunks[0]
	for id := range uint32(2) {
		c.edges[id] = Edges{id, id}
		c.level[id] = uint16(levels)
	}
	s.pages = s.pages[:len(s.pages)-1]
}

// at returns the children of a node.
func (s *store) at(id uint32) Edges { return s.chunks[id>>chunkBits].edges[id&(chunkSize-1)] }

// setAt changes the children of a node.
func (s *store) setAt(id uint32, e Edges) { s.chunks[id>>chunkBits].edges[id&(chunkSize-1)] = e }

// levelOf returns a node's level; terminals are on the level below all.
func (s *store) levelOf(id uint32) uint32 {
	return uint32(s.chunks[id>>chunkBits].level[id&(chunkSize-1)])
}

func (s *store) setLevel(id, level uint32) {
	s.chunks[id>>chunkBits].level[id&(chunkSize-1)] = uint16(level)
}

// resolve returns the node that an id stands for.
func (s *store) resolve(id uint32) uint32 {
	if e := s.at(id); e.Low == e.High {
		return e.Low
	}
	return id
}

// addChunk adds a chunk of free pages, the lowest to be taken first.
func (s *store) addChunk() {
	c := new(chunk)
	for i := range c.level {
		c.level[i] = levelFree
	}
	base := uint32(len(s.chunks)) << chunkBits
	s.chunks = append(s.chunks, c)
	for p := chunkSize/pageSize - 1; p >= 0; p-- {
		s.pages = append(s.pages, base+uint32(p)<<pageBits)
		s.owner = append(s.owner, levelFree)
	}
}

// reserve takes so many more bytes from the budget.
func (m *Manager) reserve(more int64) bool {
	if want := m.memory + more; m.config.MaxBytes > 0 && want > m.config.MaxBytes {
		m.err = &LimitError{What: "bytes", Limit: m.config.MaxBytes, Want: want}
		return false
	}
	m.memory += more
	m.stats.PeakBytes = max(m.stats.PeakBytes, uint64(m.memory))
	return true
}

// release gives bytes back.
func (m *Manager) release(bytes int64) { m.memory -= bytes }

// takePage gives a level a page of 2^8 ids and returns the first.
func (m *Manager) takePage(level uint32) (uint32, bool) {
	if len(m.pages) == 0 && !m.newChunk() {
		return 0, false
	}
	base := m.pages[len(m.pages)-1]
	m.pages = m.pages[:len(m.pages)-1]
	m.owner[base>>pageBits] = uint16(level)
	return base, true
}

// newChunk adds a chunk if limits allow.
func (m *Manager) newChunk() bool {
	if uint64(len(m.chunks)+1)<<chunkBits > maxID {
		m.err = &LimitError{What: "nodes", Limit: maxID, Want: maxID + 1}
		return false
	}
	if !m.reserve(chunkBytes) {
		return false
	}
	m.addChunk()
	return true
}

// alloc takes a free id of the level for a node.
func (m *Manager) alloc(t *table, level uint32, e Edges) uint32 {
	if m.config.MaxNodes > 0 && m.live >= m.config.MaxNodes {
		m.err = &LimitError{What: "nodes", Limit: int64(m.config.MaxNodes), Want: int64(m.live) + 1}
		return failed
	}
	if t.free == 0 {
		base, ok := m.takePage(level)
		if !ok {
			return failed
		}
		c := m.chunks[base>>chunkBits]
		for i := range uint32(pageSize) {
			c.edges[base&(chunkSize-1)+i].Low = base + i + 1
		}
		c.edges[base&(chunkSize-1)+pageSize-1].Low = 0
		t.free = base
	}
	id := t.free
	c := m.chunks[id>>chunkBits]
	t.free = c.edges[id&(chunkSize-1)].Low
	c.edges[id&(chunkSize-1)] = e
	c.level[id&(chunkSize-1)] = uint16(level)
	m.live++
	m.stats.Created++
	m.stats.PeakLive = max(m.stats.PeakLive, uint64(m.live))
	return id
}

// giveBack puts an id without a node on its level's free list.
func (m *Manager) giveBack(id uint32) {
	t := &m.tables[m.owner[id>>pageBits]]
	m.setAt(id, Edges{Low: t.free})
	m.setLevel(id, levelFree)
	t.free = id
}

// freePage gives a page without a node back to all levels.
func (m *Manager) freePage(base uint32) {
	m.owner[base>>pageBits] = levelFree
	level := m.chunks[base>>chunkBits].level[base&(chunkSize-1):][:pageSize]
	for i := range level {
		level[i] = levelFree
	}
	m.pages = append(m.pages, base)
}
