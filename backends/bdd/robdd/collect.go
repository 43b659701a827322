package robdd

import (
	"math/bits"
	"slices"
)

// Garbage collection: mark from the roots, level by level from the top, then sweep.
//
// It happens only where the caller says so, never inside an operation, so that
// counts do not depend on when memory ran short. It moves nothing and allocates
// next to nothing: the marks are part of the store and become its used ids, and the unique
// tables keep their size, to be made again when they are asked for.

// Collect drops every node that no root reaches, and returns how many. Nodes under
// the roots keep their value; every other Node is void from here on.
func (m *Manager) Collect(roots ...Node) int {
	m.markAll(roots)
	m.mark(0)
	m.mark(1)
	before := m.live
	m.sweep()
	m.sweepCache()
	m.stats.Collections++
	m.stats.Collected += uint64(before - m.live)
	return before - m.live
}

// sweep makes the marked ids the used ones, and leaves the tables out of date. Pages
// without a node go back to all levels.
func (m *Manager) sweep() {
	for level := range m.tables {
		t, strays := &m.tables[level], m.strays[level]
		t.used, t.room, t.loose = len(strays), 0, slices.Clone(strays)
		m.own[level], m.gaps[level] = m.own[level][:0], m.gaps[level][:0]
	}
	m.pages, m.sharedGaps, m.shares, m.live = m.pages[:0], m.sharedGaps[:0], 0, 0
	for page := uint32(len(m.owner)) - 1; page > 0; page-- {
		nodes := 0
		for word := page * pageWords; word < (page+1)*pageWords; word++ {
			*m.usedOf(word) = *m.marksOf(word)
			nodes += bits.OnesCount64(*m.marksOf(word))
		}
		m.live += nodes
		switch owner := m.owner[page]; {
		case nodes == 0:
			m.disown(page)
		case owner == shared:
			m.shares++
		default:
			m.tables[owner].used += nodes
			m.own[owner] = append(m.own[owner], page)
		}
		for word := (page+1)*pageWords - 1; nodes > 0 && word >= page*pageWords; word-- {
			if *m.usedOf(word) != allUsed {
				m.addGap(word)
			}
		}
		if page%(chunkSize/pageSize) == 0 {
			m.dropLevels(page)
		}
	}
	m.dropLevels(0)
}

// dropLevels gives the levels of a chunk's nodes back, when it has no shared page any
// more. page is the chunk's first.
func (m *Manager) dropLevels(page uint32) {
	c := m.chunks[page>>(chunkBits-pageBits)]
	if c.levels == nil {
		return
	}
	for _, owner := range m.owner[page : page+chunkSize/pageSize] {
		if owner == shared {
			return
		}
	}
	c.levels = nil
	m.release(levelsBytes)
}

// sweepCache forgets results about nodes that are gone, and of calls, which are over.
func (m *Manager) sweepCache() {
	for i := range m.cache.entries {
		e := &m.cache.entries[i]
		if e.f == 0 || e.h > keyCall || !m.marked(e.f) || !m.marked(e.g) || !m.marked(e.r) || e.h < maxID && !m.marked(e.h) {
			*e = entry{}
		}
	}
}
