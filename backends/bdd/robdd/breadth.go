package robdd

import (
	"iter"
	"math/bits"
	"slices"
)

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
// So a request takes the 8 bytes of the node that it most often becomes, and while
// its level waits to be expanded 5.7 more.

type breadth struct {
	m     *Manager
	op    Op
	level []requests
	at    uint32   // the level being expanded
	spare []groups // of levels that are expanded, for levels that are not
}

// requests are one level's, in the order they were made.
type requests struct {
	runs    []run  // ids come from here
	left    uint64 // of the last run: ids that are not taken yet
	count   int
	pending table // finds a request by its arguments
}

// run is a word that had unused ids, and those of them that requests have.
type run struct {
	word uint32
	ids  uint64
}

// breadthFirst returns op(f, g).
func (m *Manager) breadthFirst(op Op, f, g uint32) uint32 {
	b := &breadth{m: m, op: op, level: make([]requests, len(m.order))}
	root, level := b.prepare(&f, &g)
	if level != unowned {
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

// prepare returns the result for a pair where it takes no request, with the level
// unowned, and else the level of the request, and makes the pair its key.
func (b *breadth) prepare(f, g *uint32) (result, level uint32) {
	m := b.m
	if *f < 2 || *g < 2 || *f == *g {
		if r, ok := b.op.known(*f, *g); ok {
			return r, unowned
		}
	}
	if *f > *g && b.op.commutes() {
		*f, *g = *g, *f
	}
	return 0, min(m.levelOf(*f), m.levelOf(*g))
}

// request returns the id that will hold the result for a pair.
func (b *breadth) request(level uint32, pair Edges, hash uint64) uint32 {
	m := b.m
	q := &b.level[level]
	t := &q.pending
	if t.used >= t.room && !b.growPending(level) {
		return failed
	}
	id, slot := m.find(t, pair, hash)
	if id != 0 {
		return id
	}
	if q.left == 0 {
		word, from, ok := m.gap(level, true)
		if !ok {
			return failed
		}
		*from = (*from)[:len(*from)-1]
		q.left = ^*m.usedOf(word)
		q.runs = append(q.runs, run{word: word})
	}
	last := &q.runs[len(q.runs)-1]
	id = last.word<<wordBits | uint32(bits.TrailingZeros64(q.left))
	last.ids |= q.left & -q.left
	q.left &= q.left - 1
	q.count++
	m.setAt(id, pair)
	t.put(id, slot, hash)
	return id
}

// growPending makes room for more requests of a level. The level below the one being
// expanded most often has about as many. It takes them in the order of their ids, which
// is the order of memory.
func (b *breadth) growPending(level uint32) bool {
	q := &b.level[level]
	t := &q.pending
	more := 2*t.used + 7
	if t.used < 1<<12 {
		more *= 2
	}
	if level == b.at+1 {
		more = max(more, 2*b.level[b.at].count)
	}
	old := t.groups
	if !b.takeGroups(t, groupsFor(more)) {
		return false
	}
	if len(old.tags) > 0 {
		b.spare = append(b.spare, old)
	}
	for ids := range q.batches() {
		for _, id := range ids {
			pair := b.m.at(id)
			t.insert(id, hashPair(pair.Low, pair.High))
		}
	}
	return true
}

// batches iterates over the ids of the requests, some at a time.
func (q *requests) batches() iter.Seq[[]uint32] {
	return batches(func(yield func(uint32, uint64) bool) {
		for _, r := range q.runs {
			if !yield(r.word, r.ids) {
				return
			}
		}
	})
}

// expand goes down the levels and replaces pairs by requests for their cofactors.
//
// It works through a batch of requests in three rounds, each of which does for all
// what the next one waits for: find the cofactors; touch the places in the tables
// where they belong, so that these come into the cache side by side instead of one
// after the other; look them up.
func (b *breadth) expand() bool {
	m := b.m
	var children [2 * batchSize]struct {
		pair   Edges
		hash   uint64
		level  uint32
		result uint32
	}
	for level := range b.level {
		q := &b.level[level]
		b.at = uint32(level)
		for ids := range q.batches() {
			if !m.goOn() {
				return false
			}
			for i, id := range ids {
				pair := m.at(id)
				f0, f1, g0, g1 := pair.Low, pair.Low, pair.High, pair.High
				if m.levelOf(f0) == uint32(level) {
					e := m.at(f0)
					f0, f1 = e.Low, e.High
				}
				if m.levelOf(g0) == uint32(level) {
					e := m.at(g0)
					g0, g1 = e.Low, e.High
				}
				low, high := &children[2*i], &children[2*i+1]
				low.result, low.level = b.prepare(&f0, &g0)
				high.result, high.level = b.prepare(&f1, &g1)
				low.pair, high.pair = Edges{f0, g0}, Edges{f1, g1}
			}
			for i := range children[:2*len(ids)] {
				child := &children[i]
				if child.level != unowned {
					child.hash = hashPair(child.pair.Low, child.pair.High)
					m.touch(&b.level[child.level].pending, child.hash)
				}
			}
			for i := range children[:2*len(ids)] {
				child := &children[i]
				if child.level != unowned {
					if child.result = b.request(child.level, child.pair, child.hash); child.result == failed {
						return false
					}
				}
			}
			for i, id := range ids {
				m.setAt(id, Edges{children[2*i].result, children[2*i+1].result})
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
		if cap(groups.tags) >= size && (best < 0 || cap(groups.tags) < cap(b.spare[best].tags)) {
			best = i
		}
	}
	if best < 0 || cap(b.spare[best].tags) > 8*size {
		if !b.m.reserve(int64(size) * groupBytes) {
			return false
		}
		t.groups = makeGroups(size)
	} else {
		t.groups = b.spare[best].cut(size)
		b.spare = slices.Delete(b.spare, best, best+1)
	}
	t.room, t.used = 7*size, 0
	return true
}

// drop keeps a table's memory for others.
func (b *breadth) drop(t *table) {
	if len(t.tags) > 0 {
		b.spare = append(b.spare, t.groups)
	}
	*t = table{}
}

// dropAll gives the memory of all tables back.
func (b *breadth) dropAll() {
	for level := range b.level {
		b.drop(&b.level[level].pending)
	}
	bytes := int64(0)
	for _, groups := range b.spare {
		bytes += int64(cap(groups.tags)) * groupBytes
	}
	b.spare = nil
	b.m.discard(bytes)
}

// reduce goes up the levels and turns requests into nodes, or lets them stand for
// one.
func (b *breadth) reduce() bool {
	m := b.m
	b.dropAll()
	for level := len(b.level) - 1; level >= 0; level-- {
		q := &b.level[level]
		// Most requests that come to nothing are redundant, so look at that before
		// making room.
		nodes := 0
		for ids := range q.batches() {
			for _, id := range ids {
				e := m.at(id)
				e.Low, e.High = m.resolve(e.Low), m.resolve(e.High)
				m.setAt(id, e)
				if e.Low != e.High {
					nodes++
				}
			}
		}
		t, ok := m.tableFor(uint32(level), nodes)
		if !ok {
			return false
		}
		for ids := range q.batches() {
			if !m.goOn() || !b.reduceBatch(t, ids) {
				return false
			}
		}
	}
	return true
}

// reduceBatch reduces a batch of requests, in rounds like expand.
func (b *breadth) reduceBatch(t *table, ids []uint32) bool {
	m := b.m
	var hashes [batchSize]uint64
	n := 0
	for _, id := range ids {
		if e := m.at(id); e.Low != e.High {
			ids[n], hashes[n] = id, hashPair(e.Low, e.High)
			n++
		}
	}
	m.warm(t, hashes[:n])
	for i, id := range ids[:n] {
		same, slot := m.find(t, m.at(id), hashes[i])
		if same != 0 {
			m.setAt(id, Edges{same, same})
			continue
		}
		if limit := m.config.MaxNodes; limit > 0 && m.live >= limit {
			m.err = &LimitError{What: "nodes", Limit: int64(limit), Want: int64(m.live) + 1}
			return false
		}
		t.put(id, slot, hashes[i])
		m.use(id)
		m.live++
		m.stats.Created++
	}
	return true
}

// end lists the words of the requests again where not all of their ids became nodes.
// Pages that hold no node at all are for all levels again.
func (b *breadth) end() {
	m := b.m
	m.stats.PeakLive = max(m.stats.PeakLive, uint64(m.live))
	b.dropAll()
	for level := range b.level {
		runs := b.level[level].runs
		if len(runs) == 0 {
			continue
		}
		words := m.gaps[level]
		for _, r := range slices.Backward(runs) {
			words = append(words, r.word)
		}
		m.gaps[level] = slices.DeleteFunc(words, func(word uint32) bool {
			if m.ownerOf(word) == uint16(level) && m.empty(word/pageWords) {
				m.disown(word / pageWords)
			}
			return m.ownerOf(word) != uint16(level) || *m.usedOf(word) == allUsed
		})
		m.own[level] = slices.DeleteFunc(m.own[level], func(page uint32) bool { return m.owner[page] != uint16(level) })
	}
}
