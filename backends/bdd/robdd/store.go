package robdd

import (
	"iter"
	"math/bits"
	"runtime"
)

// The node store: where nodes live, and the memory they take.
//
// Nodes live in chunks of 2^14, so that the store grows without copying and
// without a moment at which old and new exist together. A node takes 8 bytes for
// its children, one bit that says that its id is used and one for a collection's mark.
//
// Each level takes its ids in pages of 2^8. So nodes of one level lie together in
// memory, which is what a breadth-first operation wants, and a node's level is that of
// its page: all pages' levels fit into the processor's nearest caches when the nodes
// themselves do not, and looking at a child's level costs no wait for the child. Only
// a change of the order mixes levels: a page that it touches is shared from then on, and
// its nodes keep their levels one by one, until a collection finds it empty.
//
// A node's children always differ. An id whose children are equal is not a node
// but stands for that child: so do the two terminals, and the requests of a
// breadth-first operation that turned out to need no node of their own.

const (
	chunkBits = 14
	chunkSize = 1 << chunkBits
	pageBits  = 8
	pageSize  = 1 << pageBits
	wordBits  = 6 // ids are used and marked by words of 2^6 bits
	wordSize  = 1 << wordBits
	pageWords = pageSize / wordSize

	allUsed = 1<<wordSize - 1
	maxID   = 1<<32 - 1<<17 // ids stay below it; the cache uses what is above

	// Owners of pages that are no level's own.
	unowned = 0xffff
	shared  = 0xfffe
)

type chunk struct {
	levels *[chunkSize]uint16 // of nodes in shared pages; nil when there are none
	edges  [chunkSize]Edges
	used   [chunkSize / wordSize]uint64
	marks  [chunkSize / wordSize]uint64 // of the running collection
}

const (
	chunkBytes  = 8 + chunkSize*8 + 2*chunkSize/8
	levelsBytes = chunkSize * 2
)

type store struct {
	chunks []*chunk
	tables []table  // by level
	owner  []uint16 // of each page: its level, shared or unowned
	pages  []uint32 // unowned pages
	shares int      // shared pages
	live   int      // nodes
	memory int64    // bytes of chunks, tables, cache and running operations

	own [][]uint32 // pages of each level; those that have become shared since are no longer meant

	// Words, as ids of 64 to one, that have an unused id: by level in pages of its own,
	// and in shared pages. A word that has come to another owner is no longer meant.
	gaps       [][]uint32
	sharedGaps []uint32

	strays [][]uint32 // by level: marked nodes in shared pages
}

func (s *store) init(levels int) {
	s.tables = make([]table, levels)
	s.own, s.gaps, s.strays = make([][]uint32, levels), make([][]uint32, levels), make([][]uint32, levels)
	s.addChunk()
	// The first page is for the terminals, on the level below all.
	s.owner[0] = uint16(levels)
	s.pages = s.pages[:len(s.pages)-1]
	for id := range uint32(2) {
		s.setAt(id, Edges{id, id})
		s.use(id)
	}
}

// at returns the children of a node.
func (s *store) at(id uint32) Edges { return s.chunks[id>>chunkBits].edges[id&(chunkSize-1)] }

// setAt changes the children of a node.
func (s *store) setAt(id uint32, e Edges) { s.chunks[id>>chunkBits].edges[id&(chunkSize-1)] = e }

// levelOf returns a node's level; terminals are on the level below all.
func (s *store) levelOf(id uint32) uint32 {
	if level := s.owner[id>>pageBits]; level != shared {
		return uint32(level)
	}
	return uint32(s.chunks[id>>chunkBits].levels[id&(chunkSize-1)])
}

// setLevel changes the level of a node in a shared page.
func (s *store) setLevel(id, level uint32) {
	s.chunks[id>>chunkBits].levels[id&(chunkSize-1)] = uint16(level)
}

// resolve returns the node that an id stands for.
func (s *store) resolve(id uint32) uint32 {
	if e := s.at(id); e.Low == e.High {
		return e.Low
	}
	return id
}

// usedOf and marksOf return the bits of a word.
func (s *store) usedOf(word uint32) *uint64 {
	return &s.chunks[word>>(chunkBits-wordBits)].used[word&(chunkSize/wordSize-1)]
}

func (s *store) marksOf(word uint32) *uint64 {
	return &s.chunks[word>>(chunkBits-wordBits)].marks[word&(chunkSize/wordSize-1)]
}

func (s *store) use(id uint32) { *s.usedOf(id >> wordBits) |= 1 << (id & (wordSize - 1)) }

// ownerOf returns who owns a word.
func (s *store) ownerOf(word uint32) uint16 { return s.owner[word/pageWords] }

// addChunk adds a chunk of unowned pages, the lowest to be taken first.
func (s *store) addChunk() {
	base := uint32(len(s.chunks)) << (chunkBits - pageBits)
	s.chunks = append(s.chunks, new(chunk))
	for i := range uint32(chunkSize / pageSize) {
		s.pages = append(s.pages, base+chunkSize/pageSize-1-i)
		s.owner = append(s.owner, unowned)
	}
}

// reserve takes so many more bytes from the budget.
func (m *Manager) reserve(more int64) bool {
	if want := m.memory + more; m.config.MaxBytes > 0 && want > m.config.MaxBytes {
		m.err = &LimitError{What: "bytes", Limit: m.config.MaxBytes, Want: want}
		return false
	}
	m.memory += more
	m.stats.PeakBytes = max(m.stats.PeakBytes, uint64(m.memory))
	return true
}

// release gives bytes back.
func (m *Manager) release(bytes int64) { m.memory -= bytes }

// discard gives bytes back that now are garbage of Go's. Left alone, Go's collector lets
// garbage grow until it is as large as all that is alive, which would double the peak;
// it finds no pointers here to follow, so that asking for it costs next to nothing.
func (m *Manager) discard(bytes int64) {
	m.release(bytes)
	m.garbage += bytes
	if m.garbage > 1<<23 && m.garbage > m.memory/8 {
		runtime.GC()
		m.garbage = 0
	}
}

// takePage gives a level a page, whose words become gaps, if limits allow.
func (m *Manager) takePage(level uint32) bool {
	if len(m.pages) == 0 && !m.newChunk() {
		return false
	}
	page := m.pages[len(m.pages)-1]
	m.pages = m.pages[:len(m.pages)-1]
	m.owner[page] = uint16(level)
	m.own[level] = append(m.own[level], page)
	for i := range uint32(pageWords) {
		m.gaps[level] = append(m.gaps[level], (page+1)*pageWords-1-i)
	}
	return true
}

// newChunk adds a chunk if limits allow.
func (m *Manager) newChunk() bool {
	if uint64(len(m.chunks)+1)<<chunkBits > maxID {
		m.err = &LimitError{What: "nodes", Limit: maxID, Want: maxID + 1}
		return false
	}
	if !m.reserve(chunkBytes) {
		return false
	}
	m.addChunk()
	return true
}

// gap returns a word with an unused id for a level, in one of its own pages or, if it
// must not be, in a shared one, and the list that has the word at its end.
func (m *Manager) gap(level uint32, own bool) (word uint32, from *[]uint32, ok bool) {
	for {
		from = &m.gaps[level]
		for n := len(*from); n > 0; n-- {
			if word = (*from)[n-1]; m.ownerOf(word) == uint16(level) {
				return word, from, true
			}
			*from = (*from)[:n-1]
		}
		if n := len(m.sharedGaps); n > 0 && !own {
			return m.sharedGaps[n-1], &m.sharedGaps, true
		}
		if !m.takePage(level) {
			return 0, nil, false
		}
	}
}

// alloc takes an unused id for a node on a level.
func (m *Manager) alloc(level uint32, e Edges) uint32 {
	if m.config.MaxNodes > 0 && m.live >= m.config.MaxNodes {
		m.err = &LimitError{What: "nodes", Limit: int64(m.config.MaxNodes), Want: int64(m.live) + 1}
		return failed
	}
	word, from, ok := m.gap(level, false)
	if !ok {
		return failed
	}
	used := m.usedOf(word)
	id := word<<wordBits | uint32(bits.TrailingZeros64(^*used))
	if *used |= *used + 1; *used == allUsed {
		*from = (*from)[:len(*from)-1]
	}
	if m.ownerOf(word) == shared {
		m.setLevel(id, level)
	}
	m.setAt(id, e)
	m.live++
	m.stats.Created++
	m.stats.PeakLive = max(m.stats.PeakLive, uint64(m.live))
	return id
}

// giveBack makes the id of a node unused.
func (m *Manager) giveBack(id uint32) {
	word := id >> wordBits
	used := m.usedOf(word)
	if *used == allUsed {
		m.addGap(word)
	}
	*used &^= 1 << (id & (wordSize - 1))
}

// addGap lists a word with its owner's gaps.
func (m *Manager) addGap(word uint32) {
	if owner := m.ownerOf(word); owner == shared {
		m.sharedGaps = append(m.sharedGaps, word)
	} else {
		m.gaps[owner] = append(m.gaps[owner], word)
	}
}

// share lets the page of a node hold nodes of several levels.
func (m *Manager) share(id uint32) bool {
	page := id >> pageBits
	level := m.owner[page]
	if level == shared {
		return true
	}
	c := m.chunks[id>>chunkBits]
	if c.levels == nil {
		if !m.reserve(levelsBytes) {
			return false
		}
		c.levels = new([chunkSize]uint16)
	}
	m.owner[page] = shared
	m.shares++
	for i := range uint32(pageSize) {
		c.levels[(page<<pageBits+i)&(chunkSize-1)] = level
	}
	for word := page * pageWords; word < (page+1)*pageWords; word++ {
		if *m.usedOf(word) != allUsed {
			m.addGap(word)
		}
	}
	return true
}

// batchSize is how many nodes are worked on side by side.
const batchSize = 128

// batches iterates over ids, some at a time: those whose bits are set in the words.
func batches(words iter.Seq2[uint32, uint64]) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		var batch [batchSize]uint32
		n := 0
		for word, set := range words {
			if n > batchSize-wordSize {
				if !yield(batch[:n]) {
					return
				}
				n = 0
			}
			for ; set != 0; set &= set - 1 {
				batch[n] = word<<wordBits | uint32(bits.TrailingZeros64(set))
				n++
			}
		}
		if n > 0 {
			yield(batch[:n])
		}
	}
}

// idsOn iterates over ids in a level's own pages, some at a time: those whose bits are
// set in what of returns for their word.
func (s *store) idsOn(level uint32, of func(word uint32) *uint64) iter.Seq[[]uint32] {
	return batches(func(yield func(uint32, uint64) bool) {
		for _, page := range s.own[level] {
			if s.owner[page] != uint16(level) {
				continue
			}
			for word := page * pageWords; word < (page+1)*pageWords; word++ {
				if !yield(word, *of(word)) {
					return
				}
			}
		}
	})
}

// empty reports whether a page has no node.
func (s *store) empty(page uint32) bool {
	used := uint64(0)
	for word := page * pageWords; word < (page+1)*pageWords; word++ {
		used |= *s.usedOf(word)
	}
	return used == 0
}

// disown makes a page without nodes anyone's.
func (m *Manager) disown(page uint32) {
	m.owner[page] = unowned
	m.pages = append(m.pages, page)
}
