package robdd

// The operation cache stores results of recursive steps. It is direct-mapped and lossy, has 24 bytes per
// entry, and its size is a power of two. It doubles when operations have stored more results than it has
// entries, up to one entry for every two nodes: few results are looked up again, and a cache that fits
// the processor's cache is faster than one that holds more results. If the budget does not allow it to
// grow, it keeps its size.

// entry is two arguments and a result. The operation is in the upper 16 bits of g.
type entry struct{ f, g, r Func }

const entryBytes = 24

type cache struct {
	entries []entry
	shift   uint   // 64 - log2 of the number of entries
	stored  int    // results since the last growth
	calls   uint32 // keys that newCall has returned since the cache was last emptied
}

const (
	firstCacheBits = 10

	// Operations: conjunction, disjunction, and, from firstKey on, single calls of an operation whose
	// arguments are not all nodes.
	keyAnd   = 0
	keyOr    = 1 << 48
	firstKey = 2
)

func (m *Manager) setCache(bits uint) {
	m.cache.entries = make([]entry, 1<<bits)
	m.cache.shift = 64 - bits
	m.cache.stored = 0
}

// lookup returns the stored result of an operation and whether there is one, and the hash to pass to
// remember.
func (m *Manager) lookup(f, g, operation Func) (r Func, hash uint64, ok bool) {
	g |= operation
	hash = hashEdges(f, g)
	if e := &m.cache.entries[hash>>m.cache.shift]; e.f == f && e.g == g {
		return e.r, hash, true
	}
	return False, hash, false
}

// remember stores a result under the hash that lookup returned.
func (m *Manager) remember(f, g, operation Func, hash uint64, r Func) {
	c := &m.cache
	if c.stored++; c.stored > len(c.entries) {
		m.growCache()
	}
	c.entries[hash>>c.shift] = entry{f, g | operation, r}
}

func (m *Manager) growCache() {
	c := &m.cache
	c.stored = 0
	if len(c.entries) > int(m.next)/4 {
		return
	}
	// The old and the new cache both exist for a moment.
	size := int64(len(c.entries)) * entryBytes
	if !m.reserve(2 * size) {
		m.err = nil
		return
	}
	old := c.entries
	m.setCache(64 - c.shift + 1)
	for _, e := range old {
		if e.f != 0 {
			c.entries[hashEdges(e.f, e.g)>>c.shift] = e
		}
	}
	m.discard(size)
}

// newCall returns a key for one call of an operation.
func (m *Manager) newCall() Func {
	c := &m.cache
	if c.calls == 1<<16-firstKey {
		clear(c.entries)
		c.calls = 0
	}
	c.calls++
	return Func(firstKey+c.calls-1) << 48
}
