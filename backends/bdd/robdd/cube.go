package robdd

import "math/bits"

// Large operations with a cube, level by level: its conjunction and disjunction with a
// function, and a function's restriction by it.
//
// On each level the cube says true, false or nothing, whatever way led there. So the
// result of a node with the part of the cube from its level down depends on the node
// alone: there are no pairs to be found again, no request and no table, but one pass
// down over the nodes that are reached and one pass up that makes each one's result.
// What a result needs beyond that are the literals that an edge skips.

type cubewise struct {
	m      *Manager
	op     Op       // OpAnd or OpOr; 0 restricts
	value  []int8   // by level: 1 true, -1 false, 0 nothing
	last   uint32   // the lowest level with a literal
	below  []uint32 // by level: literals on it and below
	rest   []uint32 // by level, but not to restrict: the cube's part from it down
	before []uint32 // by word: reached nodes in the words before it
	result []uint32 // of the reached nodes, in the order of their ids
}

// isCube reports whether a function is a conjunction of literals, and not true.
func (m *Manager) isCube(f uint32) bool {
	if f < 2 {
		return false
	}
	for f >= 2 {
		switch e := m.at(f); {
		case e.Low == 0:
			f = e.High
		case e.High == 0:
			f = e.Low
		default:
			return false
		}
	}
	return true
}

// withCube returns f and g, or f or g, where g is a cube.
func (m *Manager) withCube(op Op, f, g uint32) uint32 {
	c := &cubewise{m: m, op: op, value: make([]int8, len(m.order)), rest: make([]uint32, len(m.order)+1)}
	next := 0
	for g >= 2 {
		level, e := m.levelOf(g), m.at(g)
		for ; next <= int(level); next++ {
			c.rest[next] = g
		}
		c.last = level
		if c.value[level], g = 1, e.High; e.Low != 0 {
			c.value[level], g = -1, e.Low
		}
	}
	for ; next < len(c.rest); next++ {
		c.rest[next] = 1
	}
	return c.of(f)
}

// of returns the result of a function.
func (c *cubewise) of(f uint32) uint32 {
	m := c.m
	c.below = make([]uint32, len(m.order)+1)
	for level := len(m.order) - 1; level >= 0; level-- {
		if c.below[level] = c.below[level+1]; c.value[level] != 0 {
			c.below[level]++
		}
	}
	m.unmark()
	m.mark(f)
	for level := range c.last {
		if !m.goOn() {
			return failed
		}
		m.markChildren(int(level), c.value[level])
	}
	if !c.number() {
		return failed
	}
	defer func() {
		bytes := 4 * int64(len(c.before)+len(c.result))
		c.before, c.result = nil, nil
		m.discard(bytes)
	}()
	for level := int(c.last); level >= 0; level-- {
		for ids := range m.markedOn(level) {
			if !m.goOn() || !c.make(level, ids) {
				return failed
			}
		}
	}
	return c.child(f, -1)
}

// make makes the results of some nodes of a level, in rounds as in breadth.go.
func (c *cubewise) make(level int, ids []uint32) bool {
	m := c.m
	for ; len(ids) > 0; ids = ids[min(len(ids), batchSize):] {
		some := ids[:min(len(ids), batchSize)]
		t, ok := m.tableFor(uint32(level), len(some))
		if !ok {
			return false
		}
		var edges [batchSize]Edges
		var hashes [batchSize]uint64
		n := 0
		for i, id := range some {
			e := m.at(id)
			switch c.value[level] {
			case 0:
				edges[i] = Edges{c.child(e.Low, level), c.child(e.High, level)}
			case 1:
				high := c.child(e.High, level)
				edges[i] = Edges{c.without(e.Low, high), high}
			case -1:
				low := c.child(e.Low, level)
				edges[i] = Edges{low, c.without(e.High, low)}
			}
			if edges[i].Low == failed || edges[i].High == failed {
				return false
			}
			if edges[i].Low != edges[i].High {
				hashes[n] = hashPair(edges[i].Low, edges[i].High)
				n++
			}
		}
		m.warm(t, hashes[:n])
		n = 0
		for i, id := range some {
			r := edges[i].Low
			if edges[i].Low != edges[i].High {
				if r = m.mkAt(t, uint32(level), edges[i], hashes[n]); r == failed {
					return false
				}
				n++
			}
			*c.place(id) = r
		}
	}
	return true
}

// number makes room for the results.
//
// They lie side by side, not one by one beside the nodes: an operation that reaches a
// tenth of the nodes would wait for memory at each.
func (c *cubewise) number() bool {
	m := c.m
	words := len(m.owner) * pageWords
	if !m.reserve(4 * int64(words)) {
		return false
	}
	before, reached := make([]uint32, words), uint32(0)
	for word := range before {
		before[word] = reached
		reached += uint32(bits.OnesCount64(*m.marksOf(uint32(word))))
	}
	if !m.reserve(4 * int64(reached)) {
		m.release(4 * int64(words))
		return false
	}
	c.before, c.result = before, make([]uint32, reached)
	return true
}

// place returns where the result of a reached node is kept.
func (c *cubewise) place(id uint32) *uint32 {
	word := id >> wordBits
	marks := *c.m.marksOf(word) & (1<<(id&(wordSize-1)) - 1)
	return &c.result[c.before[word]+uint32(bits.OnesCount64(marks))]
}

// without returns the result for a node where the cube is false; to restrict, it is the
// one where the cube is true.
func (c *cubewise) without(id, with uint32) uint32 {
	switch c.op {
	case OpAnd:
		return 0
	case OpOr:
		return id
	}
	return with
}

// child returns the result for a node seen from a level above it, with the literals in
// between where they count.
func (c *cubewise) child(id uint32, from int) uint32 {
	m := c.m
	level := m.levelOf(id)
	r := id
	switch {
	case id < 2 && c.op != 0:
		if r, known := c.op.known(id, c.rest[from+1]); known {
			return r
		}
	case level <= c.last:
		r = *c.place(id)
	case c.op == OpOr:
		r = 1 // or nothing more of the cube, which is true
	}
	if c.op == 0 || c.below[from+1] == c.below[level] {
		return r
	}
	for l := min(int(level)-1, int(c.last)); l > from; l-- {
		switch {
		case c.value[l] > 0:
			r = m.mk(uint32(l), c.without(id, r), r)
		case c.value[l] < 0:
			r = m.mk(uint32(l), r, c.without(id, r))
		}
		if r == failed {
			return r
		}
	}
	return r
}
