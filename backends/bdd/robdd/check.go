package robdd

import (
	"fmt"
	"slices"
)

// Check walks every invariant of the Manager: the order; each node's level, children
// and place in its unique table, once and nowhere else; free ids on exactly one list;
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
	for id := uint32(2); id < ids; id++ {
		level := m.levelOf(id)
		if level == levelFree {
			continue
		}
		if level >= bottom {
			return fail("node %d is on level %d of %d", id, level, bottom)
		}
		e := m.at(id)
		if e.Low == e.High {
			return fail("node %d on level %d has equal children %d", id, level, e.Low)
		}
		for _, child := range [2]uint32{e.Low, e.High} {
			if child >= ids || m.levelOf(child) <= level || m.levelOf(child) == levelFree {
				return fail("node %d on level %d has child %d, which is not below", id, level, child)
			}
		}
		t := &m.tables[level]
		if len(t.groups) == 0 {
			return fail("node %d is on level %d, which has no table", id, level)
		}
		if found, _, _ := m.find(t, e, hashPair(e.Low, e.High)); found != id {
			return fail("node %d on level %d with children %v: its table finds %d", id, level, e, found)
		}
		onLevel[level]++
		live++
	}
	if live != m.live {
		return fail("%d nodes, counted as %d", live, m.live)
	}
	memory := int64(len(m.chunks))*chunkBytes + int64(len(m.cache.entries))*entryBytes
	free, listedFree := newSet(int(ids)), 0
	for level := range m.tables {
		t := &m.tables[level]
		listed := 0
		t.each(func(uint32) { listed++ })
		if listed != t.used || listed != onLevel[level] || t.used > t.room || t.room != 7*len(t.groups) {
			return fail("level %d has %d nodes; its table lists %d, counts %d, has room for %d in %d groups", level, onLevel[level], listed, t.used, t.room, len(t.groups))
		}
		memory += int64(len(t.groups)) * groupBytes
		for id := t.free; id != 0; id = m.at(id).Low {
			if id >= ids || m.levelOf(id) != levelFree || free.has(id) {
				return fail("id %d on the free list of level %d is in use or listed twice", id, level)
			}
			free.add(id)
			listedFree++
		}
	}
	for _, base := range m.pages {
		for id := base; id < base+pageSize; id++ {
			if m.levelOf(id) != levelFree || free.has(id) {
				return fail("id %d of a free page is in use or listed", id)
			}
			free.add(id)
			listedFree++
		}
	}
	if want := int(ids) - pageSize - live; listedFree != want {
		return fail("%d free ids are listed, %d are free", listedFree, want)
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
			if e.f != 0 && (id >= ids || m.levelOf(id) == levelFree) {
				return fail("cached result %v is about %d, which is no node", e, id)
			}
		}
	}
	return nil
}
