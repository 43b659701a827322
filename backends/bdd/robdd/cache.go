package robdd

// The operation cache: remembers results of recursive steps, and forgets.

type entry struct{ f, g, h, r uint32 }

type cache struct{ entries []entry }

func (c *cache) init() { c.entries = make([]entry, 1<<16) }

func (c *cache) bytes() int64 { return int64(len(c.entries)) * 16 }

func (c *cache) clear() { clear(c.entries) }

func (m *Manager) slot(f, g, h uint32) *entry {
	x := (uint64(f) | uint64(g)<<32) * 0x9e3779b97f4a7c15
	x ^= x>>32 ^ uint64(h)
	x *= 0xd6e8feb86659fd93
	m.stats.CacheProbes++
	return &m.cache.entries[x>>32&uint64(len(m.cache.entries)-1)]
}
