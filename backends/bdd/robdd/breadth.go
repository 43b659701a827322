package robdd

import "slices"

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
	done  int       // levels from here on are reduced
	spare [][]group // of levels that are expanded, for levels that are not
}

// requests are one level's, in the order they were made.
type requests struct {
	pages   []uint32 // ids come from here, in order
	count   uint32
	pending table // finds a request by its arguments
}

// breadthFirst returns op(f, g), or f restricted by value.
func (m *Manager) breadthFirst(op Op, f, g uint32, value []int8) uint32 {
	b := &breadth{m: m, op: op, value: value, level: make([]requests, len(m.order)), done: len(m.order)}
	for level, v := range value {
		if v != 0 {
			b.last = uint32(level)
		}
	}
	root, level := b.prepare(&f, &g)
	if level != levelFree {
		root = b.request(level, Edges{f, g}, hashPair(f, g))
		if root != failed && !b.expand() || root != failed && !b.reduce() {
			root = failed
		}
	}
	if root != failed {
		root = m.resolve(root)
	}
	b.end()
	return root
}

// prepare returns the result for a pair where it takes no request, with level
// levelFree, and else the level of the request, and makes the pair its key.
func (b *breadth) prepare(f, g *uint32) (result, level uint32) {
	m := b.m
	if b.value == nil {
		if r, ok := b.op.known(*f, *g); ok {
			return r, levelFree
		}
		if *f > *g && b.op.commutes() {
			*f, *g = *g, *f
		}
		return 0, min(m.levelOf(*f), m.levelOf(*g))
	}
	for {
		level := m.levelOf(*f)
		switch {
		case level > b.last:
			return *f, levelFree
		case b.value[level] == 0:
			return 0, level
		case b.value[level] > 0:
			*f = m.at(*f).High
		default:
			*f = m.at(*f).Low
		}
	}
}

// request returns the id that will hold the result for a pair.
func (b *breadth) request(level uint32, pair Edges, hash uint64) uint32 {
	m := b.m
	q := &b.level[level]
	t := &q.pending
	if t.used >= t.room && !b.growPending(q) {
		return failed
	}
	id, at, shift := m.find(t, pair, hash)
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
	t.put(id, at, shift, hash)
	return id
}

// growPending makes room for more requests of a level. It takes them in the order of
// their ids, which is the order of memory.
func (b *breadth) growPending(q *requests) bool {
	t := &q.pending
	factor := 2
	if t.used < 1<<12 {
		factor = 4
	}
	old := t.groups
	if !b.takeGroups(t, groupsFor(factor*t.used+7)) {
		return false
	}
	if len(old) > 0 {
		b.spare = append(b.spare, old)
	}
	left := q.count
	for _, base := range q.pages {
		n := min(left, pageSize)
		left -= n
		for i, pair := range b.page(base, n) {
			t.insert(base+uint32(i), hashPair(pair.Low, pair.High))
		}
	}
	return true
}

// expand goes down the levels and replaces pairs by requests for their cofactors.
//
// It works through a page of requests in three rounds, each of which does for all
// what the next one waits for: find the cofactors; touch the places in the tables
// where they belong, so that these come into the cache side by side instead of one
// after the other; look them up.
func (b *breadth) expand() bool {
	m := b.m
	var children [2 * pageSize]struct {
		pair   Edges
		hash   uint64
		level  uint32
		result uint32
	}
	for level := range b.level {
		q := &b.level[level]
		left := q.count
		for _, base := range q.pages {
			if err := m.ctx.Err(); err != nil {
				m.err = err
				return false
			}
			n := min(left, pageSize)
			left -= n
			page := b.page(base, n)
			for i, pair := range page {
				f0, f1, g0, g1 := pair.Low, pair.Low, pair.High, pair.High
				if e := m.at(f0); m.levelOf(f0) == uint32(level) {
					f0, f1 = e.Low, e.High
				}
				if e := m.at(g0); b.value == nil && m.levelOf(g0) == uint32(level) {
					g0, g1 = e.Low, e.High
				}
				low, high := &children[2*i], &children[2*i+1]
				low.result, low.level = b.prepare(&f0, &g0)
				high.result, high.level = b.prepare(&f1, &g1)
				low.pair, high.pair = Edges{f0, g0}, Edges{f1, g1}
			}
			for i := range children[:2*n] {
				child := &children[i]
				if child.level == levelFree {
					continue
				}
				child.hash = hashPair(child.pair.Low, child.pair.High)
				if groups := b.level[child.level].pending.groups; len(groups) > 0 {
					m.touched += groups[slotOf(child.hash, len(groups))].tags
				}
			}
			for i := range children[:2*n] {
				child := &children[i]
				if child.level != levelFree {
					if child.result = b.request(child.level, child.pair, child.hash); child.result == failed {
						return false
					}
				}
			}
			for i := range page {
				page[i] = Edges{children[2*i].result, children[2*i+1].result}
			}
		}
		b.drop(&q.pending)
	}
	return true
}

// takeGroups gives a table so many groups, from the spare ones where they fit.
func (b *breadth) takeGroups(t *table, size int) bool {
	best := -1
	for i, groups := range b.spare {
		if cap(groups) >= size && (best < 0 || cap(groups) < cap(b.spare[best])) {
			best = i
		}
	}
	if best < 0 || cap(b.spare[best]) > 8*size {
		if !b.m.reserve(int64(size) * groupBytes) {
			return false
		}
		t.groups = make([]group, size)
	} else {
		t.groups = b.spare[best][:size]
		clear(t.groups)
		b.spare = slices.Delete(b.spare, best, best+1)
	}
	t.room, t.used = 7*size, 0
	return true
}

// drop keeps a table's memory for others.
func (b *breadth) drop(t *table) {
	if len(t.groups) > 0 {
		b.spare = append(b.spare, t.groups)
	}
	*t = table{}
}

// dropAll gives the memory of all tables back.
func (b *breadth) dropAll() {
	for level := range b.level {
		b.drop(&b.level[level].pending)
	}
	for _, groups := range b.spare {
		b.m.release(int64(cap(groups)) * groupBytes)
	}
	b.spare = nil
}

// reduce goes up the levels and turns requests into nodes, or lets them stand for
// one.
func (b *breadth) reduce() bool {
	m := b.m
	b.dropAll()
	for level := len(b.level) - 1; level >= 0; level-- {
		q, t := &b.level[level], &m.tables[level]
		// Most requests that come to nothing are redundant, so look at that before
		// making room.
		nodes := 0
		for left, i := q.count, 0; i < len(q.pages); i++ {
			n := min(left, pageSize)
			left -= n
			page := b.page(q.pages[i], n)
			for i, e := range page {
				e.Low, e.High = m.resolve(e.Low), m.resolve(e.High)
				page[i] = e
				if e.Low != e.High {
					nodes++
				}
			}
		}
		ok := t.used+nodes <= t.room || m.growTable(t, t.used+nodes)
		for left, i := q.count, 0; i < len(q.pages); i++ {
			n := min(left, pageSize)
			left -= n
			if ok {
				ok = b.reducePage(t, q.pages[i], n)
			} else {
				clear(b.page(q.pages[i], n)) // stands for nothing
			}
		}
		if b.done = level; !ok {
			return false
		}
	}
	return true
}

// page returns the first n nodes of a page.
func (b *breadth) page(base, n uint32) []Edges {
	return b.m.chunks[base>>chunkBits].edges[base&(chunkSize-1):][:n]
}

// reducePage reduces the requests of a page, in rounds like expand. Those that it
// does not get to it clears.
func (b *breadth) reducePage(t *table, base, n uint32) bool {
	m := b.m
	page := b.page(base, n)
	if err := m.ctx.Err(); err != nil {
		m.err = err
		clear(page)
		return false
	}
	var hashes [pageSize]uint64
	for i, e := range page {
		if e.Low != e.High {
			hashes[i] = hashPair(e.Low, e.High)
			m.touched += t.groups[slotOf(hashes[i], len(t.groups))].tags
		}
	}
	for i, e := range page {
		if e.Low == e.High {
			continue
		}
		same, g, shift := m.find(t, e, hashes[i])
		if same != 0 {
			page[i] = Edges{same, same}
			continue
		}
		if limit := m.config.MaxNodes; limit > 0 && m.live >= limit {
			m.err = &LimitError{What: "nodes", Limit: int64(limit), Want: int64(m.live) + 1}
			clear(page[i:])
			return false
		}
		t.put(base+uint32(i), g, shift, hashes[i])
		m.live++
		m.stats.Created++
	}
	return true
}

// end gives back the ids of requests that became no nodes, and all of the levels
// that were not reduced. Pages that hold no node at all are free for all levels.
func (b *breadth) end() {
	m := b.m
	m.stats.PeakLive = max(m.stats.PeakLive, uint64(m.live))
	b.dropAll()
	for level := range b.level {
		q := &b.level[level]
		left := q.count
		for _, base := range q.pages {
			n := min(left, pageSize)
			left -= n
			page, nodes := b.page(base, pageSize), 0
			for i := range page {
				if level < b.done || i >= int(n) {
					page[i] = Edges{}
				}
				if page[i].Low != page[i].High {
					nodes++
				}
			}
			if nodes == 0 {
				m.freePage(base)
				continue
			}
			for i := pageSize - 1; nodes < pageSize && i >= 0; i-- {
				if page[i].Low == page[i].High {
					m.giveBack(base + uint32(i))
				}
			}
		}
	}
}
