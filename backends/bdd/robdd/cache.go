package robdd

import "math/bits"

// The operation cache: results of recursive steps, direct-mapped and lossy, 16
// bytes an entry, a power of two of them. It doubles while an operation stores more
// results than it has room for, up to the configured bytes; when the budget has no
// room for more it stays as it is.

type entry struct{ f, g, h, r uint32 }

const entryBytes = 16

type cache struct {
	entries []entry
	shift   uint // 64 - log2 of the number of entries
	stored  int  // results since the last growth
	serial  uint32
}

const (
	firstCacheBits = 12
	// What an entry's third word means when it is not a node: an operation of two
	// arguments, or one call of an operation with arguments that are not nodes.
	keyOp   = maxID
	keyCall = maxID + 1<<16
)

func (m *Manager) setCache(bits uint) {
	m.cache.entries = make([]entry, 1<<bits)
	m.cache.shift = 64 - bits
	m.cache.stored = 0
}

// lookup returns the entry for a key and whether it holds its result.
func (m *Manager) lookup(f, g, h uint32) (*entry, bool) {
	hi, lo := bits.Mul64((uint64(f)|uint64(g)<<32)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	x := (hi ^ lo ^ uint64(h)) * 0xd6e8feb86659fd93
	m.stats.CacheProbes++
	e := &m.cache.entries[x>>m.cache.shift]
	if e.f == f && e.g == g && e.h == h {
		m.stats.CacheHits++
		return e, true
	}
	return e, false
}

// remember stores a result. The steps in between may have moved the entry.
func (m *Manager) remember(f, g, h, r uint32) {
	c := &m.cache
	if c.stored++; c.stored > len(c.entries) {
		m.growCache()
	}
	hi, lo := bits.Mul64((uint64(f)|uint64(g)<<32)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	x := (hi ^ lo ^ uint64(h)) * 0xd6e8feb86659fd93
	c.entries[x>>c.shift] = entry{f, g, h, r}
}

func (m *Manager) growCache() {
	c := &m.cache
	c.stored = 0
	size := int64(len(c.entries)) * entryBytes
	if m.config.CacheBytes > 0 && 2*size > m.config.CacheBytes {
		return
	}
	// Old and new exist together for a moment.
	if m.config.MaxBytes > 0 && m.memory+2*size > m.config.MaxBytes {
		return
	}
	m.reserve(2 * size)
	old := c.entries
	m.setCache(64 - c.shift + 1)
	for _, e := range old {
		if e.f != 0 {
			hi, lo := bits.Mul64((uint64(e.f)|uint64(e.g)<<32)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
			x := (hi ^ lo ^ uint64(e.h)) * 0xd6e8feb86659fd93
			c.entries[x>>c.shift] = e
		}
	}
	m.release(size)
}

// newCall returns a key for one call of an operation whose arguments are not all
// nodes.
func (m *Manager) newCall() uint32 {
	c := &m.cache
	if c.serial == 1<<16-1 {
		clear(c.entries)
		c.serial = 0
	}
	c.serial++
	return keyCall + c.serial
}
