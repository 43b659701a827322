package robdd

import (
	"iter"
	"math/bits"
)

// The unique tables, one for each level, so that a level's nodes can be listed.
//
// A table is an array of groups of eight slots, 40 bytes: eight one-byte tags in a
// word, taken from the hash, and eight ids; tag 0 is an empty slot. Eight tags are
// compared at once, so a look-up that fails seldom reads a node, and a table works
// well until seven eighths full (the idea of Swiss tables, on words instead of
// vector registers). At its fullest it takes 5/(7/8) = 5.7 bytes a node.
//
// Slots are not deleted one by one. A collection leaves the tables out of date, and a
// table is made again, from its level's pages in the order of memory, when something
// asks for it: by then it is known how much room it needs. It grows in the same way.
//
// Tags and ids lie apart, so that the tags of a level, a byte a slot, fit the
// processor's nearer caches, and a look-up that fails touches nothing else.
//
// The number of groups need not be a power of two, so a table grows by half.

type groups struct {
	tags []uint64 // by group
	ids  []uint32 // by slot: eight times as many; those of empty slots mean nothing
}

const groupBytes = 8 + 8*4

func makeGroups(n int) groups { return groups{make([]uint64, n), make([]uint32, 8*n)} }

// cut returns the first n groups, emptied.
func (g groups) cut(n int) groups {
	clear(g.tags[:n])
	return groups{g.tags[:n], g.ids[:8*n]}
}

type table struct {
	groups
	used  int
	room  int      // used may grow up to here: 7/8 of the slots; 0 while the table is out of date
	loose []uint32 // of a table out of date: the level's nodes in shared pages
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

// find returns the id with these children, whose hash is h, or 0 and the slot where it
// belongs. The table has groups.
func (m *Manager) find(t *table, e Edges, h uint64) (id uint32, slot int) {
	tag := tagOf(h)
	for g := slotOf(h, len(t.tags)); ; {
		m.stats.TableProbes++
		tags := t.tags[g]
		for hit := matches(tags, tag); hit != 0; hit &= hit - 1 {
			i := bits.TrailingZeros64(hit) >> 3
			if id := t.ids[g<<3+i]; m.at(id) == e && tags>>(8*i)&0xff == tag {
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

// touch looks at the place of a hash, so that it comes into the processor's cache while
// the next ones are looked at.
func (m *Manager) touch(t *table, h uint64) {
	if len(t.tags) > 0 {
		m.touched += t.tags[slotOf(h, len(t.tags))]
	}
}

// warm brings what finding these hashes will look at into the processor's cache: in each
// round, for all of them side by side, what the round before has pointed at.
func (m *Manager) warm(t *table, hashes []uint64) {
	var slots [batchSize]uint32
	n, touched := 0, uint64(0)
	for _, h := range hashes {
		touched += t.tags[slotOf(h, len(t.tags))]
	}
	for _, h := range hashes {
		g := slotOf(h, len(t.tags))
		if hit := matches(t.tags[g], tagOf(h)); hit != 0 {
			slots[n] = uint32(g<<3 + bits.TrailingZeros64(hit)>>3)
			n++
		}
	}
	for i, slot := range slots[:n] {
		slots[i] = t.ids[slot]
	}
	for _, id := range slots[:n] {
		touched += uint64(m.at(id).Low)
	}
	m.touched += touched
}

// put fills the slot that find returned for a hash.
func (t *table) put(id uint32, slot int, h uint64) {
	t.tags[slot>>3] |= tagOf(h) << (slot & 7 * 8)
	t.ids[slot] = id
	t.used++
}

// mk returns the node with these children on this level, made if need be.
func (m *Manager) mk(level, low, high uint32) uint32 {
	if low == high {
		return low
	}
	t, ok := m.tableFor(level, 1)
	if !ok {
		return failed
	}
	return m.mkAt(t, level, Edges{low, high}, hashPair(low, high))
}

// mkAt does so where the children differ, their hash is known, and the table has room.
func (m *Manager) mkAt(t *table, level uint32, e Edges, h uint64) uint32 {
	id, slot := m.find(t, e, h)
	if id != 0 {
		return id
	}
	id = m.alloc(level, e)
	if id != failed {
		t.put(id, slot, h)
	}
	return id
}

// tableFor returns a level's table, up to date and with room for so many more nodes. No
// room is always there.
func (m *Manager) tableFor(level uint32, more int) (*table, bool) {
	t := &m.tables[level]
	if t.room > 0 && t.used+more <= t.room {
		return t, true
	}
	loose := t.loose
	if t.room > 0 && m.shares > 0 {
		t.each(func(id uint32) {
			if m.owner[id>>pageBits] == shared {
				loose = append(loose, id)
			}
		})
	}
	// Room for half as many again, so that it is seldom made again; where the budget
	// forbids that, for what is asked only.
	used, want := t.used, t.used+more
	if want > 7*len(t.tags) && (want >= used+used/2 || !m.enlarge(t, used+used/2)) {
		if m.err = nil; !m.enlarge(t, want) {
			return t, false
		}
	}
	clear(t.tags)
	t.used, t.room, t.loose = 0, 7*len(t.tags), nil
	for ids := range m.usedOn(level) {
		m.insertAll(t, ids)
	}
	for ; len(loose) > 0; loose = loose[min(len(loose), batchSize):] {
		m.insertAll(t, loose[:min(len(loose), batchSize)])
	}
	return t, true
}

// usedOn iterates over a level's nodes in pages of its own, some at a time.
func (s *store) usedOn(level uint32) iter.Seq[[]uint32] {
	return s.idsOn(level, s.usedOf)
}

// insertAll puts some nodes into a table.
func (m *Manager) insertAll(t *table, ids []uint32) {
	var hashes [batchSize]uint64
	for i, id := range ids {
		e := m.at(id)
		hashes[i] = hashPair(e.Low, e.High)
		m.touch(t, hashes[i])
	}
	for i, id := range ids {
		t.insert(id, hashes[i])
	}
}

// enlarge gives a table room for so many nodes, and empties it.
func (m *Manager) enlarge(t *table, nodes int) bool {
	size, old := groupsFor(nodes), len(t.tags)
	// The old ones may not be gone yet when the new ones come.
	if !m.reserve(int64(size) * groupBytes) {
		return false
	}
	t.groups = groups{}
	m.discard(int64(old) * groupBytes)
	t.groups, t.room, t.used = makeGroups(size), size*7, 0
	return true
}

// insert puts a node into a table that lacks it and has room. h is the hash of its
// children.
func (t *table) insert(id uint32, h uint64) {
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
func (t *table) each(visit func(id uint32)) {
	for g, tags := range t.tags {
		for i := g << 3; tags != 0; i++ {
			if tags&0xff != 0 {
				visit(t.ids[i])
			}
			tags >>= 8
		}
	}
}
