package robdd

// The unique tables: one for each level, open addressing with linear probing,
// 4 bytes a slot. A slot holds a node's id; the node's children are its key.

type table struct {
	slots []uint32 // 0: empty
	used  int
	free  uint32 // list of free ids in this level's pages, linked through Edges.Low; 0: none
}

// hashPair spreads a pair of ids over 32 bits.
func hashPair(low, high uint32) uint32 {
	x := (uint64(low) | uint64(high)<<32) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return uint32(x >> 32)
}

// slotOf maps a hash to a slot of n.
func slotOf(h uint32, n int) int { return int(uint64(h) * uint64(n) >> 32) }

// mk returns the node with these children on this level, made if need be.
func (m *Manager) mk(level, low, high uint32) uint32 {
	if low == high {
		return low
	}
	t := &m.tables[level]
	if t.used*5 >= len(t.slots)*4 && !m.growTable(t) {
		return failed
	}
	i := slotOf(hashPair(low, high), len(t.slots))
	for {
		id := t.slots[i]
		m.stats.TableProbes++
		if id == 0 {
			break
		}
		if m.at(id) == (Edges{low, high}) {
			return id
		}
		if i++; i == len(t.slots) {
			i = 0
		}
	}
	id := m.alloc(t, level, Edges{low, high})
	if id != failed {
		t.slots[i] = id
		t.used++
	}
	return id
}

// alloc takes a free id of the level for a node.
func (m *Manager) alloc(t *table, level uint32, e Edges) uint32 {
	if m.config.MaxNodes > 0 && m.live >= m.config.MaxNodes {
		m.err = &LimitError{What: "nodes", Limit: int64(m.config.MaxNodes), Want: int64(m.live) + 1}
		return failed
	}
	if t.free == 0 && !m.addPage(t) {
		return failed
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

// addPage gives a level a page of free ids.
func (m *Manager) addPage(t *table) bool {
	if m.next&(chunkSize-1) == 0 && int(m.next>>chunkBits) == len(m.chunks) {
		if !m.reserve(chunkBytes) {
			return false
		}
		m.chunks = append(m.chunks, new(chunk))
	}
	c := m.chunks[m.next>>chunkBits]
	base := m.next & (chunkSize - 1)
	for i := range uint32(pageSize) {
		c.edges[base+i].Low = m.next + i + 1
		c.level[base+i] = levelFree
	}
	c.edges[base+pageSize-1].Low = t.free
	t.free = m.next
	m.next += pageSize
	return true
}

// growTable makes room for more nodes on a level.
func (m *Manager) growTable(t *table) bool {
	size := max(16, len(t.slots)*3/2)
	if !m.reserve(int64(size) * 4) {
		return false
	}
	old := t.slots
	t.slots = make([]uint32, size)
	for _, id := range old {
		if id != 0 {
			m.insert(t, id)
		}
	}
	return true
}

// insert puts a node into a table that lacks it.
func (m *Manager) insert(t *table, id uint32) {
	e := m.at(id)
	i := slotOf(hashPair(e.Low, e.High), len(t.slots))
	for t.slots[i] != 0 {
		if i++; i == len(t.slots) {
			i = 0
		}
	}
	t.slots[i] = id
}

// reserve asks whether so many more bytes fit the budget.
func (m *Manager) reserve(more int64) bool {
	if m.config.MaxBytes > 0 {
		if want := m.bytes() + m.cache.bytes() + more; want > m.config.MaxBytes {
			m.err = &LimitError{What: "bytes", Limit: m.config.MaxBytes, Want: want}
			return false
		}
	}
	return true
}
