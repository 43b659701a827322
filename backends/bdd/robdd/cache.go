package robdd

import "math/bits"

// The operation cache: results of recursive steps, direct-mapped and lossy, 24 bytes per
// entry, with a power of two of entries. It doubles while operations store more results
// than it has room for, up to the configured bytes and to one entry for every second
// node: few results are looked up again, and a cache that fits the processor's cache is
// faster than one that holds more results. If the budget has no room for more it keeps
// its size.

// entry holds three arguments and a result: ids, then runs.
type entry struct {
	f, g, h, r     uint32
	fr, gr, hr, rr uint16
}

const entryBytes = 24

func (e *entry) hash() uint64 {
	return hashKey(edge(e.f, uint32(e.fr)), edge(e.g, uint32(e.gr)), edge(e.h, uint32(e.hr)))
}

func (e *entry) result() Node { return edge(e.r, uint32(e.rr)) }

type cache struct {
	entries []entry
	shift   uint // 64 - log2 of the number of entries
	stored  int  // results since the last growth
	serial  uint32
}

const (
	firstCacheBits = 10

	// The meaning of an entry's third word when it is not a node: an operation of two
	// arguments, or one call of an operation with arguments that are not nodes.
	keyAnd  = maxID
	keyOr   = maxID + 1
	keyCall = maxID + 1<<16
)

func (m *Manager) setCache(bits uint) {
	m.cache.entries = make([]entry, 1<<bits)
	m.cache.shift = 64 - bits
	m.cache.stored = 0
}

func hashKey(f, g, h Node) uint64 {
	hi, lo := bits.Mul64(uint64(f)^0x2d358dccaa6c78a5, bits.RotateLeft64(uint64(g), 29)^0x9e3779b97f4a7c15)
	return (hi ^ lo ^ bits.RotateLeft64(uint64(h), 11)) * 0xd6e8feb86659fd93
}

// lookup returns the result for a key, the key's hash, and whether there is a result.
func (m *Manager) lookup(f, g, h Node) (r Node, hash uint64, ok bool) {
	hash = hashKey(f, g, h)
	e := &m.cache.entries[hash>>m.cache.shift]
	if e.f == f.id() && e.g == g.id() && e.h == h.id() &&
		uint32(e.fr) == f.run() && uint32(e.gr) == g.run() && uint32(e.hr) == h.run() {
		return e.result(), hash, true
	}
	return False, hash, false
}

// remember stores a result under a key with its hash.
func (m *Manager) remember(f, g, h Node, hash uint64, r Node) {
	c := &m.cache
	if c.stored++; c.stored > len(c.entries) {
		m.growCache()
	}
	c.entries[hash>>c.shift] = entry{
		f.id(), g.id(), h.id(), r.id(), uint16(f.run()), uint16(g.run()), uint16(h.run()), uint16(r.run()),
	}
}

func (m *Manager) growCache() {
	c := &m.cache
	c.stored = 0
	size := int64(len(c.entries)) * entryBytes
	if len(c.entries) > int(m.next)/4 || m.config.CacheBytes > 0 && 2*size > m.config.CacheBytes {
		return
	}
	// The old and the new cache exist together for a moment.
	if m.config.MaxBytes > 0 && m.memory+m.garbage+2*size > m.config.MaxBytes {
		return
	}
	m.reserve(2 * size)
	old := c.entries
	m.setCache(64 - c.shift + 1)
	for _, e := range old {
		if e.f != 0 {
			c.entries[e.hash()>>c.shift] = e
		}
	}
	m.discard(size)
}

// newCall returns a key for one call of an operation whose arguments are not all
// nodes.
func (m *Manager) newCall() Node {
	c := &m.cache
	if c.serial == 1<<16-1 {
		clear(c.entries)
		c.serial = 0
	}
	c.serial++
	return Node(keyCall + c.serial)
}
