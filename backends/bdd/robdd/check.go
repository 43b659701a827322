package robdd

import (
	"fmt"
	"slices"
)

// Check walks every invariant of the Manager: the order; each node's level, children
// and place in its unique table, once and nowhere else; unused ids where they will be found, and once;
// cached results; the counts of nodes and bytes. It takes O(ids) time
// and is meant for tests.
func (m *Manager) Check() error {
	levels, err := levelsOf(m.order)
	if err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("robdd: checking a manager: "+format, args...)
	}
	if !slices.Equal(levels, m.levels) {
		return fail("levels %v do not invert order %v", m.levels, m.order)
	}
	bottom := uint32(len(m.order))
	for id := range uint32(2) {
		if m.at(id) != (Edges{id, id}) || m.levelOf(id) != bottom {
			return fail("terminal %d is on level %d with children %v", id, m.levelOf(id), m.at(id))
		}
	}
	onLevel := make([]int, bottom)
	live, ids := 0, uint32(len(m.chunks))<<chunkBits
	isUsed := func(id uint32) bool { return id < ids && *m.usedOf(id >> wordBits)>>(id&(wordSize-1))&1 != 0 }
	for id := uint32(2); id < ids; id++ {
		if !isUsed(id) {
			continue
		}
		level := m.levelOf(id)
		if level >= bottom {
			return fail("node %d is on level %d of %d", id, level, bottom)
		}
		e := m.at(id)
		if e.Low == e.High {
			return fail("node %d on level %d has equal children %d", id, level, e.Low)
		}
		for _, child := range [2]uint32{e.Low, e.High} {
			if !isUsed(child) || m.levelOf(child) <= level {
				return fail("node %d on level %d has child %d, which is not below", id, level, child)
			}
		}
		t := &m.tables[level]
		if len(t.tags) == 0 {
			return fail("node %d is on level %d, which has no table", id, level)
		}
		if t.room == 0 {
			// out of date
		} else if found, _ := m.find(t, e, hashPair(e.Low, e.High)); found != id {
			return fail("node %d on level %d with children %v: its table finds %d", id, level, e, found)
		}
		onLevel[level]++
		live++
	}
	if live != m.live {
		return fail("%d nodes, counted as %d", live, m.live)
	}
	memory := int64(len(m.chunks))*chunkBytes + int64(len(m.cache.entries))*entryBytes
	for level := range m.tables {
		t := &m.tables[level]
		listed := 0
		t.each(func(uint32) { listed++ })
		if t.room == 0 {
			listed = len(t.loose)
			for ids := range m.usedOn(uint32(level)) {
				listed += len(ids)
			}
		}
		if listed != t.used || listed != onLevel[level] || t.used > 7*len(t.tags) || t.room != 0 && t.room != 7*len(t.tags) {
			return fail("level %d has %d nodes; its table lists %d, counts %d, has room for %d in %d groups", level, onLevel[level], listed, t.used, t.room, len(t.tags))
		}
		memory += int64(len(t.tags)) * groupBytes
	}
	if err := m.checkGaps(); err != nil {
		return fail("%w", err)
	}
	for _, c := range m.chunks {
		if c.levels != nil {
			memory += levelsBytes
		}
	}
	if memory != m.memory {
		return fail("%d bytes, counted as %d", memory, m.memory)
	}
	for _, e := range m.cache.entries {
		nodes := []uint32{e.f, e.g, e.r}
		if e.h < maxID {
			nodes = append(nodes, e.h)
		}
		for _, id := range nodes {
			if e.f != 0 && !isUsed(id) {
				return fail("cached result %v is about %d, which is no node", e, id)
			}
		}
	}
	return nil
}

// checkGaps walks the lists of words with unused ids, and of unowned pages.
func (m *Manager) checkGaps() error {
	listed := make([]int, len(m.owner)*pageWords)
	list := func(words []uint32, owner uint16) {
		for _, word := range words {
			if m.ownerOf(word) == owner {
				listed[word]++
			}
		}
	}
	for level, words := range m.gaps {
		list(words, uint16(level))
	}
	list(m.sharedGaps, shared)
	for _, page := range m.pages {
		if m.owner[page] != unowned || !m.empty(page) {
			return fmt.Errorf("page %d of owner %d is listed as unowned", page, m.owner[page])
		}
		for i := range uint32(pageWords) {
			listed[page*pageWords+i]++
		}
	}
	for word := uint32(pageWords); word < uint32(len(listed)); word++ { // the first page is the terminals'
		want := 1
		if *m.usedOf(word) == allUsed {
			want = 0
		}
		if listed[word] != want {
			return fmt.Errorf("word %d of owner %d with used ids %064b is listed %d times", word, m.ownerOf(word), *m.usedOf(word), listed[word])
		}
	}
	return nil
}
