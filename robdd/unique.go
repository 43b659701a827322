package robdd

import "math/bits"

// The unique tables, one for each level, so that a level's nodes can be listed. A table is an array of
// ids with linear probing, at most two thirds full. At its fullest it takes 6 bytes per node. (Tags from
// the hash, eight to a word, saved 3 to 5 per cent of the construction time and were dropped.)
//
// Slots are not deleted one by one: a collection rebuilds the tables. The number of slots
// need not be a power of two, so a large table grows by half.
type table struct {
	slots []uint32 // ids; 0: empty
	used  int
}

const slotBytes = 4

// sizeFor returns the number of slots that a table needs for the given number of nodes. room returns the
// number of nodes that a table with the given number of slots holds.
func sizeFor(nodes int) int { return nodes + nodes/2 + 2 }
func room(slots int) int    { return slots - slots/3 - 1 }

// hashPair maps a pair of ids to 64 bits.
func hashPair(low, high uint32) uint64 {
	hi, lo := bits.Mul64((uint64(low)|uint64(high)<<32)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// hashEdges maps a pair of edges, or a key of the operation cache, to 64 bits.
func hashEdges(low, high Func) uint64 {
	hi, lo := bits.Mul64(uint64(low)^0x2d358dccaa6c78a5, bits.RotateLeft64(uint64(high), 29)^0x9e3779b97f4a7c15)
	return (hi ^ lo) * 0xd6e8feb86659fd93
}

// slotOf maps a hash to one of n places by its upper half.
func slotOf(h uint64, n int) int { return int(h >> 32 * uint64(n) >> 32) }

// find returns the id of the node with these children. If there is none, it returns 0 and the slot where
// the node belongs. The table must have slots.
func (m *Manager) find(t *table, low, high Func) (id uint32, slot int) {
	for slot = slotOf(hashEdges(low, high), len(t.slots)); t.slots[slot] != 0; {
		id := t.slots[slot]
		if n := m.at(id); n.lowEdge() == low && n.highEdge() == high {
			return id, slot
		}
		if slot++; slot == len(t.slots) {
			slot = 0
		}
	}
	return 0, slot
}

// makeNode returns the node with these edges on this level. It makes the node if necessary.
func (m *Manager) makeNode(level uint32, low, high Func) Func {
	t := &m.tables[level]
	if t.used >= room(len(t.slots)) && !m.grow(t) {
		return failed
	}
	id, slot := m.find(t, low, high)
	if id == 0 {
		if id = m.alloc(level, low, high); id == failedID {
			return failed
		}
		t.slots[slot] = id
		t.used++
	}
	return Func(id)
}

// grow makes room in a table for half as many nodes again (three times as many in a small table). If the
// budget forbids that, it makes room for one more.
func (m *Manager) grow(t *table) bool {
	old, more := t.slots, t.used/2
	if t.used < 1<<9 {
		more = 2*t.used + 7
	}
	if !m.enlarge(t, t.used+more) && !m.enlarge(t, t.used+1) {
		return false
	}
	m.err = nil
	for _, id := range old {
		if id != 0 {
			m.insert(t, id)
		}
	}
	return true
}

// enlarge gives a table room for the given number of nodes, and empties it.
func (m *Manager) enlarge(t *table, nodes int) bool {
	size, old := sizeFor(nodes), len(t.slots)
	// The old slots may still exist when the new ones are allocated.
	if !m.reserve(int64(size) * slotBytes) {
		return false
	}
	t.slots, t.used = make([]uint32, size), 0
	m.discard(int64(old) * slotBytes)
	return true
}

// empty empties a table and keeps its size.
func (t *table) empty() {
	clear(t.slots)
	t.used = 0
}

// insert puts a node into a table that does not contain it and has room.
func (m *Manager) insert(t *table, id uint32) {
	n := m.at(id)
	slot := slotOf(hashEdges(n.lowEdge(), n.highEdge()), len(t.slots))
	for t.slots[slot] != 0 {
		if slot++; slot == len(t.slots) {
			slot = 0
		}
	}
	t.slots[slot] = id
	t.used++
}

// ids returns the nodes of the table, in a new slice.
func (t *table) ids() []uint32 {
	ids := make([]uint32, 0, t.used)
	for _, id := range t.slots {
		if id != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}
