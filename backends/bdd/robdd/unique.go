package robdd

import "math/bits"

// The unique tables, one for each level, so that a level's nodes can be listed.
//
// A table is an array of groups of eight slots, 40 bytes: eight one-byte tags in a
// word, taken from the hash, then eight ids; tag 0 is an empty slot. Eight tags are
// compared at once, so a look-up that fails seldom reads a node, and a table works
// well until seven eighths full (the idea of Swiss tables, on words instead of
// vector registers). At its fullest it takes 5/(7/8) = 5.7 bytes a node. Slots are
// not deleted one by one: a collection or a swap makes the table anew.
//
// The number of groups need not be a power of two, so a table grows by half.

type group struct {
	tags uint64
	ids  [8]uint32
}

const groupBytes = 40

type table struct {
	groups []group
	used   int
	room   int    // used may grow up to here: 7/8 of the slots
	free   uint32 // list of free ids for this level, linked through Edges.Low; 0: none
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

// hashPair spreads a pair of ids over 64 bits.
func hashPair(low, high uint32) uint64 {
	hi, lo := bits.Mul64((uint64(low)|uint64(high)<<32)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// slotOf maps a hash to one of n places by its upper half.
func slotOf(h uint64, n int) int { return int(h >> 32 * uint64(n) >> 32) }

// tagOf returns a tag from the lower half of a hash.
func tagOf(h uint64) uint64 {
	if t := h & 0xff; t != 0 {
		return t
	}
	return 1
}

// groupsFor returns how many groups hold so many nodes.
func groupsFor(nodes int) int { return (nodes + 6) / 7 }

// find returns the id with these children, whose hash is h, or 0 and the place
// where it belongs. The table has groups.
func (m *Manager) find(t *table, e Edges, h uint64) (id uint32, g, shift int) {
	tag := tagOf(h)
	g = slotOf(h, len(t.groups))
	for {
		m.stats.TableProbes++
		p := &t.groups[g]
		for hit := matches(p.tags, tag); hit != 0; hit &= hit - 1 {
			id := p.ids[bits.TrailingZeros64(hit)>>3&7]
			if m.at(id) == e && id != 0 {
				return id, 0, 0
			}
		}
		if empty := matches(p.tags, 0); empty != 0 {
			return 0, g, bits.TrailingZeros64(empty) &^ 7
		}
		if g++; g == len(t.groups) {
			g = 0
		}
	}
}

// put fills the place that find returned for a hash.
func (t *table) put(id uint32, g, shift int, h uint64) {
	p := &t.groups[g]
	p.tags |= tagOf(h) << (shift & 63)
	p.ids[shift>>3&7] = id
	t.used++
}

// mk returns the node with these children on this level, made if need be.
func (m *Manager) mk(level, low, high uint32) uint32 {
	if low == high {
		return low
	}
	t := &m.tables[level]
	if t.used >= t.room && !m.growTable(t, t.used+1) {
		return failed
	}
	e := Edges{low, high}
	h := hashPair(low, high)
	id, g, shift := m.find(t, e, h)
	if id != 0 {
		return id
	}
	id = m.alloc(t, level, e)
	if id != failed {
		t.put(id, g, shift, h)
	}
	return id
}

// growTable makes room for so many nodes, and for half as many again as there are, so
// that nodes are moved seldom; where the budget forbids that, for what is asked only.
func (m *Manager) growTable(t *table, nodes int) bool {
	old := t.groups
	if more := t.used + t.used/2; more <= nodes || !m.enlarge(t, more) {
		m.err = nil
		if !m.enlarge(t, nodes) {
			return false
		}
	}
	(&table{groups: old}).each(func(id uint32) {
		e := m.at(id)
		t.insert(id, hashPair(e.Low, e.High))
	})
	return true
}

// enlarge gives a table room for so many nodes, and empties it.
func (m *Manager) enlarge(t *table, nodes int) bool {
	size, old := groupsFor(nodes), len(t.groups)
	// Old and new exist together until the old is copied.
	if !m.reserve(int64(size) * groupBytes) {
		return false
	}
	t.groups, t.room, t.used = make([]group, size), size*7, 0
	m.release(int64(old) * groupBytes)
	return true
}

// insert puts a node into a table that lacks it and has room. h is the hash of its
// children.
func (t *table) insert(id uint32, h uint64) {
	for g := slotOf(h, len(t.groups)); ; {
		if empty := matches(t.groups[g].tags, 0); empty != 0 {
			t.put(id, g, bits.TrailingZeros64(empty)&^7, h)
			return
		}
		if g++; g == len(t.groups) {
			g = 0
		}
	}
}

// each calls visit with every node of the table.
func (t *table) each(visit func(id uint32)) {
	for i := range t.groups {
		p := &t.groups[i]
		for full := ^matches(p.tags, 0) & tagHigh; full != 0; full &= full - 1 {
			j := bits.TrailingZeros64(full) >> 3
			if p.tags>>(8*j)&0xff != 0 {
				visit(p.ids[j])
			}
		}
	}
}
