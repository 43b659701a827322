package robdd

// Large operations breadth first.
//
// Depth first, every step of a large operation waits for memory: the cache entry,
// both arguments and the unique table lie anywhere. Level by level, the working set
// is what belongs to one level, and mostly fits the processor's caches (Ochi,
// Yasuoka, Yajima, "Breadth-first manipulation of very large binary-decision
// diagrams", 1993; Sanghavi et al., "High performance BDD package by exploiting
// memory hierarchy", 1996).
//
// The way down: a request is a pair of arguments whose result has its top variable
// on some level. It takes an id of that level, with the pair as its children, so a
// table of the level finds a request made twice, and the operation cache is not
// needed. Expanding a request replaces the pair by the two requests (or finished
// nodes) for its cofactors. The way up, from the bottom level: a request's children
// are known, so it becomes a node where it stands, or, when it is redundant or there
// already, stands for that node (see store.resolve). At the end the ids of the
// latter are given back.
//
// So a request takes the 10 bytes of the node that it most often becomes, and while
// its level waits to be expanded 5.7 more. Restrict runs in the same way, with only
// one argument.

type breadth struct {
	m     *Manager
	op    Op
	value []int8 // of Restrict, by level: 1 true, -1 false; nil for an operation
	last  uint32 // of Restrict: the lowest level with a value
	level []requests
	done  int // levels from here on are reduced
}

// requests are one level's, in the order they were made.
type requests struct {
	pages   []uint32 // ids come from here, in order
	count   uint32
	pending table // finds a request by its arguments
}

// each calls visit with the ids of the requests until it returns false.
func (q *requests) each(visit func(id uint32) bool) bool {
	for i, base := range q.pages {
		n := min(q.count-uint32(i)<<pageBits, pageSize)
		for id := base; id < base+n; id++ {
			if !visit(id) {
				return false
			}
		}
	}
	return true
}

// breadthFirst returns op(f, g), or f restricted by value.
func (m *Manager) breadthFirst(op Op, f, g uint32, value []int8) uint32 {
	b := &breadth{m: m, op: op, value: value, level: make([]requests, len(m.order)), done: len(m.order)}
	for level, v := range value {
		if v != 0 {
			b.last = uint32(level)
		}
	}
	root := b.request(f, g)
	if root != failed && !b.expand() || root != failed && !b.reduce() {
		root = failed
	}
	if root != failed {
		root = m.resolve(root)
	}
	b.end()
	return root
}

// request returns the id that will hold, or already is, the result for a pair.
func (b *breadth) request(f, g uint32) uint32 {
	m := b.m
	var level uint32
	if b.value == nil {
		if r, ok := b.op.known(f, g); ok {
			return r
		}
		if f > g && b.op.commutes() {
			f, g = g, f
		}
		level = min(m.levelOf(f), m.levelOf(g))
	} else {
		for {
			if level = m.levelOf(f); level > b.last {
				return f
			}
			if b.value[level] == 0 {
				break
			} else if b.value[level] > 0 {
				f = m.at(f).High
			} else {
				f = m.at(f).Low
			}
		}
	}
	q := &b.level[level]
	t := &q.pending
	if t.used >= t.room && !m.growTable(t, 2*t.used+7) {
		return failed
	}
	pair := Edges{f, g}
	id, at, shift, tag := m.find(t, pair)
	if id != 0 {
		return id
	}
	if q.count == uint32(len(q.pages))<<pageBits {
		base, ok := m.takePage(level)
		if !ok {
			return failed
		}
		q.pages = append(q.pages, base)
	}
	id = q.pages[q.count>>pageBits] + q.count&(pageSize-1)
	q.count++
	m.setAt(id, pair)
	m.setLevel(id, level)
	t.put(id, at, shift, tag)
	return id
}

// expand goes down the levels and replaces pairs by requests for their cofactors.
func (b *breadth) expand() bool {
	m := b.m
	for level := range b.level {
		q := &b.level[level]
		if q.count == 0 {
			continue
		}
		if err := m.ctx.Err(); err != nil {
			m.err = err
			return false
		}
		ok := q.each(func(id uint32) bool {
			pair := m.at(id)
			f0, f1, g0, g1 := pair.Low, pair.Low, pair.High, pair.High
			if e := m.at(f0); m.levelOf(f0) == uint32(level) {
				f0, f1 = e.Low, e.High
			}
			if e := m.at(g0); b.value == nil && m.levelOf(g0) == uint32(level) {
				g0, g1 = e.Low, e.High
			}
			low := b.request(f0, g0)
			if low == failed {
				return false
			}
			high := b.request(f1, g1)
			m.setAt(id, Edges{low, high})
			return high != failed
		})
		b.drop(&q.pending)
		if !ok {
			return false
		}
	}
	return true
}

// drop gives back a table's memory.
func (b *breadth) drop(t *table) {
	b.m.release(int64(len(t.groups)) * groupBytes)
	*t = table{}
}

// reduce goes up the levels and turns requests into nodes.
func (b *breadth) reduce() bool {
	m := b.m
	for level := len(b.level) - 1; level >= 0; level-- {
		q := &b.level[level]
		if q.count == 0 {
			b.done = level
			continue
		}
		if err := m.ctx.Err(); err != nil {
			m.err = err
			return false
		}
		t := &m.tables[level]
		if want := t.used + int(q.count); want > t.room && !m.growTable(t, want) {
			return false
		}
		if !q.each(func(id uint32) bool { return b.settle(t, id) }) {
			return false
		}
		b.done = level
	}
	return true
}

// settle turns a request whose children are known into a node, or lets it stand for
// one.
func (b *breadth) settle(t *table, id uint32) bool {
	m := b.m
	e := m.at(id)
	e.Low, e.High = m.resolve(e.Low), m.resolve(e.High)
	if e.Low != e.High {
		same, g, shift, tag := m.find(t, e)
		if same == 0 {
			if m.live == m.config.MaxNodes && m.live > 0 {
				m.err = &LimitError{What: "nodes", Limit: int64(m.live), Want: int64(m.live) + 1}
				return false
			}
			t.put(id, g, shift, tag)
			m.live++
			m.stats.Created++
		} else {
			e = Edges{same, same}
		}
	}
	m.setAt(id, e)
	return true
}

// end gives back the ids of requests that became no nodes, and all of the levels
// that were not reduced.
func (b *breadth) end() {
	m := b.m
	m.stats.PeakLive = max(m.stats.PeakLive, uint64(m.live))
	for level := range b.level {
		q := &b.level[level]
		b.drop(&q.pending)
		q.each(func(id uint32) bool {
			if e := m.at(id); level < b.done || e.Low == e.High {
				m.giveBack(id)
			}
			return true
		})
		// The rest of the last page was never used.
		if n := uint32(len(q.pages)) << pageBits; n > 0 {
			base := q.pages[len(q.pages)-1]
			for id := base + pageSize - 1; n > q.count; id, n = id-1, n-1 {
				m.giveBack(id)
			}
		}
	}
}
