package robdd

import (
	"errors"
	"fmt"
	"slices"
)

// Check verifies every invariant of the Manager: the order; each node's level, edges, and
// single place in its unique table; runs, none longer than its node has recorded; the list
// of unused ids; cached results; the counts of nodes and bytes. It takes O(ids) time.
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
		if n := m.at(id); n.low != id || n.high != id || n.lowRun != 0 || n.highRun != 0 || uint32(n.level) != bottom {
			return fail("terminal %d is %+v", id, *n)
		}
	}
	onLevel := make([]int, bottom)
	live := int(m.at(1).longest)
	isUsed := func(id uint32) bool { return id < m.next && m.at(id).level != unused }
	for id := uint32(2); id < m.next; id++ {
		if !isUsed(id) {
			continue
		}
		if err := m.checkNode(id, isUsed); err != nil {
			return fail("node %d, %+v: %w", id, *m.at(id), err)
		}
		onLevel[m.at(id).level]++
		live += 1 + int(m.at(id).longest)
	}
	if live != m.live {
		return fail("%d plain nodes, counted as %d", live, m.live)
	}
	memory := int64(len(m.chunks))*chunkBytes + int64(len(m.cache.entries))*entryBytes
	for level := range m.tables {
		t := &m.tables[level]
		listed := len(t.ids())
		if listed != t.used || listed != onLevel[level] || t.used > max(0, room(len(t.slots))) {
			return fail("level %d has %d nodes; its table lists %d, counts %d in %d slots",
				level, onLevel[level], listed, t.used, len(t.slots))
		}
		memory += int64(len(t.slots)) * slotBytes
	}
	if memory != m.memory {
		return fail("%d bytes, counted as %d", memory, m.memory)
	}
	unusedIDs := 0
	for id := range m.next {
		if !isUsed(id) {
			unusedIDs++
		}
	}
	for id := m.free; id != 0; id = m.at(id).low {
		if unusedIDs--; unusedIDs < 0 || id >= m.next || isUsed(id) {
			return fail("id %d is listed as unused", id)
		}
	}
	if unusedIDs != 0 {
		return fail("%d unused ids are not listed", unusedIDs)
	}
	for _, e := range m.cache.entries {
		for _, f := range []Func{e.f, e.g, e.r} {
			if e.f != 0 && !isUsed(f.id()) {
				return fail("cached result %v is about %d, which is not a node", e, f.id())
			}
		}
		if e.f != 0 && e.r.run() > uint32(m.at(e.r.id()).longest) {
			return fail("cached result %v has a run longer than its node has recorded", e)
		}
	}
	return nil
}

func (m *Manager) checkNode(id uint32, isUsed func(uint32) bool) error {
	n := m.at(id)
	if int(n.level) >= len(m.order) {
		return fmt.Errorf("there are %d levels", len(m.order))
	}
	low, high := n.lowEdge(), n.highEdge()
	if low == high {
		return errors.New("its edges are equal")
	}
	for _, f := range [2]Func{low, high} {
		switch {
		case !isUsed(f.id()):
			return fmt.Errorf("%d is not a node", f.id())
		case f.run() > uint32(m.at(f.id()).longest):
			return fmt.Errorf("the run of %d to %d is longer than its node has recorded", f.run(), f.id())
		case f.run() > 0 && (f.id() == 0 || m.expanded):
			return errors.New("it cannot have a run there")
		case int(m.at(f.id()).level)-int(f.run()) <= int(n.level):
			return fmt.Errorf("%d with a run of %d is not below", f.id(), f.run())
		}
	}
	if high == False && m.levelOf(low) == uint32(n.level)+1 && !m.expanded {
		return errors.New("it should be a run")
	}
	if t := &m.tables[n.level]; len(t.slots) == 0 {
		return errors.New("its level has no table")
	} else if found, _ := m.find(t, low, high); found != id {
		return fmt.Errorf("its table finds %d", found)
	}
	return nil
}

// Check verifies every invariant: the shape, children below their parents, no
// redundant node, no two equal nodes, all reachable from the root. It takes O(nodes)
// time, 8 bytes per node of the widest level, and one bit per node.
func (d *Diagram) Check() error {
	if _, err := levelsOf(d.order); err != nil {
		return err
	}
	if err := d.checkShape(); err != nil {
		return fmt.Errorf("robdd: checking a diagram: %w", err)
	}
	s := soundness{kind: d.kind, order: d.order}
	for h := range d.order {
		if err := s.level(h, d.nodes[:d.first[h+1]-2], d.first[h]); err != nil {
			return fmt.Errorf("robdd: checking a diagram: %w", err)
		}
	}
	if err := s.reachable(len(d.nodes)); err != nil {
		return fmt.Errorf("robdd: checking a diagram: %w", err)
	}
	return nil
}

// Equal reports whether two diagrams are the same function in the same order and
// kind. Node numbering within a level does not matter.
func (d *Diagram) Equal(e *Diagram) bool {
	if d.kind != e.kind || !slices.Equal(d.order, e.order) || !slices.Equal(d.first, e.first) ||
		(len(d.nodes) == 0 && d.root != e.root) {
		return false
	}
	twin := make([]uint32, len(d.nodes)+2) // id in e of each node of d, 0 if not yet visited
	twin[1] = 1
	twin[d.root] = e.root
	match := func(a, b uint32) bool {
		if a < 2 || b < 2 {
			return a == b
		}
		if twin[a] == 0 {
			twin[a] = b
		}
		return twin[a] == b
	}
	for i := len(d.nodes) - 1; i >= 0; i-- {
		a, b := d.nodes[i], e.nodes[twin[i+2]-2]
		if !match(a.Low, b.Low) || !match(a.High, b.High) {
			return false
		}
	}
	return true
}

func (d *Diagram) checkShape() error {
	if d.kind != BDD && d.kind != ZDD {
		return fmt.Errorf("unknown kind %d", d.kind)
	}
	if uint64(len(d.nodes)) > maxNodes {
		return fmt.Errorf("%d nodes: ids have 32 bits", len(d.nodes))
	}
	if len(d.first) != len(d.order)+1 {
		return fmt.Errorf("%d level offsets for %d levels: want one more than levels", len(d.first), len(d.order))
	}
	end := uint32(len(d.nodes) + 2)
	if d.first[0] != 2 || d.first[len(d.order)] != end {
		return fmt.Errorf("level offsets run from %d to %d: want 2 to %d", d.first[0], d.first[len(d.order)], end)
	}
	if !slices.IsSorted(d.first) {
		return errors.New("level offsets decrease")
	}
	if len(d.nodes) > 0 && d.root != end-1 {
		return fmt.Errorf("root %d of %d nodes: want the last id %d", d.root, len(d.nodes), end-1)
	}
	if len(d.nodes) == 0 && d.root > 1 {
		return fmt.Errorf("root %d of a diagram without nodes: want 0 or 1", d.root)
	}
	return nil
}
