package robdd

import "math/bits"

// The unique tables, one for each level, so that a level's nodes can be listed.
//
// A table is an array of groups of eight slots, 40 bytes: eight one-byte tags in a
// word, taken from the hash, and eight ids; tag 0 is an empty slot. Eight tags are
// compared at once, so a failing look-up seldom reads a node, and a table works well
// until it is seven eighths full (the idea of Swiss tables, on words instead of
// vector registers). At its fullest it takes 5/(7/8) = 5.7 bytes per node.
//
// Slots are not deleted one by one: a collection rebuilds the tables.
//
// Tags and ids are stored separately, so the tags of a level, one byte per slot, fit
// in the processor's nearer caches, and a failing look-up touches nothing else.
//
// The number of groups need not be a power of two, so a large table grows by half.

type groups struct {
	tags []uint64 // by group
	ids  []uint32 // by slot: eight times as many; those of empty slots are meaningless
}

const groupBytes = 8 + 8*4

func makeGroups(n int) groups { return groups{make([]uint64, n), make([]uint32, 8*n)} }

type table struct {
	groups
	used int
	room int // used may grow up to here: 7/8 of the slots
}

const (
	tagLow  = 0x0101010101010101
	tagHigh = 0x8080808080808080
)

// matches marks the high bit of each byte of tags that equals tag. It may also mark
// a byte above a true match, so a match has to be verified; the lowest mark of
// matches(tags, 0) is always true.
func matches(tags uint64, tag uint64) uint64 {
	x := tags ^ tag*tagLow
	return (x - tagLow) &^ x & tagHigh
}

// hashPair maps a pair of ids to 64 bits.
func hashPair(low, high uint32) uint64 {
	hi, lo := bits.Mul64((uint64(low)|uint64(high)<<32)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// hashEdges does the same with a pair of edges.
func hashEdges(low, high Node) uint64 {
	hi, lo := bits.Mul64(uint64(low)^0x2d358dccaa6c78a5, bits.RotateLeft64(uint64(high), 29)^0x9e3779b97f4a7c15)
	return (hi ^ lo) * 0xd6e8feb86659fd93
}

// slotOf maps a hash to one of n places by its upper half.
func slotOf(h uint64, n int) int { return int(h >> 32 * uint64(n) >> 32) }

// tagOf returns a tag from the lower half of a hash.
func tagOf(h uint64) uint64 {
	if t := h >> 16 & 0xff; t != 0 {
		return t
	}
	return 1
}

// groupsFor returns how many groups hold the given number of nodes.
func groupsFor(nodes int) int { return (nodes + 6) / 7 }

// find returns the id with these children, whose hash is h, or 0 and the slot where it
// belongs. The table must have groups.
func (m *Manager) find(t *table, low, high Node, h uint64) (id uint32, slot int) {
	tag := tagOf(h)
	for g := slotOf(h, len(t.tags)); ; {
		tags := t.tags[g]
		for hit := matches(tags, tag); hit != 0; hit &= hit - 1 {
			i := bits.TrailingZeros64(hit) >> 3
			id := t.ids[g<<3+i]
			n := m.at(id)
			if n.low == low.id() && n.high == high.id() && n.lowEdge() == low && n.highEdge() == high &&
				tags>>(8*i)&0xff == tag {
				return id, 0
			}
		}
		if empty := matches(tags, 0); empty != 0 {
			return 0, g<<3 + bits.TrailingZeros64(empty)>>3
		}
		if g++; g == len(t.tags) {
			g = 0
		}
	}
}

// put fills the slot that find returned for a hash.
func (t *table) put(id uint32, slot int, h uint64) {
	t.tags[slot>>3] |= tagOf(h) << (slot & 7 * 8)
	t.ids[slot] = id
	t.used++
}

// makeNode returns the node with these edges on this level, making it if necessary.
func (m *Manager) makeNode(level uint32, low, high Node) Node {
	t := &m.tables[level]
	if t.used >= t.room && !m.grow(t) {
		return failed
	}
	h := hashEdges(low, high)
	id, slot := m.find(t, low, high, h)
	if id == 0 {
		if id = m.alloc(level, low, high); id == failedID {
			return failed
		}
		t.put(id, slot, h)
	}
	return Node(id)
}

// grow makes room in a table for half as many nodes again (three times as many in a
// small one) or, if the budget forbids that, for one more.
func (m *Manager) grow(t *table) bool {
	old, more := t.groups, t.used/2
	if t.used < 1<<9 {
		more = 2*t.used + 7
	}
	if !m.enlarge(t, t.used+more) && !m.enlarge(t, t.used+1) {
		return false
	}
	m.err = nil
	old.each(func(id uint32) { m.insert(t, id) })
	return true
}

// enlarge gives a table room for the given number of nodes, and empties it.
func (m *Manager) enlarge(t *table, nodes int) bool {
	size, old := groupsFor(nodes), len(t.tags)
	// The old groups may still exist when the new ones are allocated.
	if !m.reserve(int64(size) * groupBytes) {
		return false
	}
	t.groups, t.room, t.used = makeGroups(size), size*7, 0
	m.discard(int64(old) * groupBytes)
	return true
}

// empty empties a table and keeps its size.
func (t *table) empty() {
	clear(t.tags)
	t.used = 0
}

// insert puts a node into a table that does not hold it and has room.
func (m *Manager) insert(t *table, id uint32) {
	n := m.at(id)
	h := hashEdges(n.lowEdge(), n.highEdge())
	for g := slotOf(h, len(t.tags)); ; {
		if empty := matches(t.tags[g], 0); empty != 0 {
			t.put(id, g<<3+bits.TrailingZeros64(empty)>>3, h)
			return
		}
		if g++; g == len(t.tags) {
			g = 0
		}
	}
}

// each calls visit with every node of the table.
func (g groups) each(visit func(id uint32)) {
	for i, tags := range g.tags {
		for slot := i << 3; tags != 0; slot++ {
			if tags&0xff != 0 {
				visit(g.ids[slot])
			}
			tags >>= 8
		}
	}
}
