package robdd

import "math/bits"

// nodeList is a list of the nodes that the root reaches, used while they are few. The nodes are linked
// by height and looked up in a hash table. The time of a question does not depend on the number of nodes
// or levels of the diagram: one bit per height says whether it has nodes, and entries of earlier
// questions in the hash table count as empty. A node's children are read as soon as it is met, long before they are needed.
//
// Only one edge of a node whose variable is assumed is allowed, so the list leaves such a node out:
// edges pass through it.
type nodeList struct {
	met    []met    // the terminals have the first two places
	head   []uint32 // by height: the place of the first node there, if there is one
	at     []uint64 // by height/64: a bit for each height that has a node
	places []uint32 // hash table: the question above the 16 bits of a place
	asked  uint32   // the number of the question, which has 16 bits
	top    uint32   // the root's place
	passed int      // how often an edge has passed through a node
	most   int      // the most visits that count as few
}

// met is a node that the root reaches.
type met struct {
	id        uint32
	low, high uint32 // the children; once leave has handled the node: their places, 0 if not allowed
	next      uint32 // the place of another node of the same height; 0: none
	top       uint16
	alive     bool // a solution lies below it
}

const (
	metBytes  = 20
	maxFew    = 256
	tableBits = 10 // four slots for each of the most nodes
)

func (l *nodeList) bytes() int64 {
	return metBytes*int64(cap(l.met)) + 4*int64(cap(l.head)+cap(l.places)) + 8*int64(cap(l.at))
}

// reach finds the nodes that the root reaches. If they are not few, it gives up and returns false.
func (l *nodeList) reach(u *under) bool {
	levels := len(u.value)
	if l.head == nil {
		l.head, l.at, l.places = make([]uint32, levels), make([]uint64, levels/64+1), make([]uint32, 1<<tableBits)
	}
	clear(l.at)
	if l.asked++; l.asked == 1<<16 {
		clear(l.places)
		l.asked = 1
	}
	l.met = append(l.met[:0], met{}, met{id: 1, alive: true})
	l.passed = 0
	l.top = l.meet(u, levels, u.floorAt(levels), u.d.root)
	for w := len(l.at) - 1; w >= u.end>>6; w-- {
		for above := 64; ; { // the heights of this word from here on are done
			heights := l.at[w] & (1<<above - 1)
			above = bits.Len64(heights) - 1
			if h := w<<6 + above; above < 0 || h < u.end {
				break
			} else if !l.leave(u, h) {
				return false
			}
		}
	}
	return true
}

// leave looks up the children of the nodes at a height. It reports whether the nodes are still few.
func (l *nodeList) leave(u *under, h int) bool {
	floor := u.floorAt(h)
	for i := l.head[h]; i != 0; i = l.met[i].next {
		low, high := l.met[i].low, l.met[i].high
		low, high = l.meet(u, h, floor, low), l.meet(u, h, floor, high)
		if l.visited() > l.most {
			return false
		}
		l.met[i].low, l.met[i].high = low, high
	}
	return true
}

// meet returns the place of the node that an edge from height h leads to. It adds the node if it is new.
// It returns 0 if the assumptions do not allow the edge. floor is floorAt(h).
func (l *nodeList) meet(u *under, h int, floor, id uint32) uint32 {
	var e Node
	for {
		if id < floor {
			return 0
		}
		if id == 1 {
			return 1
		}
		h = u.d.heightBelow(h, id)
		e = u.d.nodes[id-2]
		value := u.value[h]
		if value == 0 {
			break
		}
		if id = e.Low; value > 0 {
			id = e.High
		}
		floor = u.floorAt(h)
		l.passed++
	}
	const mask = 1<<tableBits - 1
	slot := id * 0x9e3779b1 >> (32 - tableBits)
	for ; l.places[slot&mask]>>16 == l.asked; slot++ {
		if place := l.places[slot&mask] & (1<<16 - 1); l.met[place].id == id {
			return place
		}
	}
	place, next, bit := uint32(len(l.met)), uint32(0), uint64(1)<<(h&63)
	l.places[slot&mask] = l.asked<<16 | place
	if l.at[h>>6]&bit != 0 {
		next = l.head[h]
	}
	l.met = append(l.met, met{id: id, low: e.Low, high: e.High, top: uint16(h + 1), next: next})
	l.head[h] = place
	l.at[h>>6] |= bit
	return place
}

// root returns the root.
func (l *nodeList) root() *met { return &l.met[l.top] }

// visited returns the number of nodes in the list plus the number of times that edges passed through
// others.
func (l *nodeList) visited() int { return len(l.met) - 2 + l.passed }

// findAlive finds the nodes that have a solution below, from the bottom up, and fills in seen
// and, at heights that have nodes, deep.
func (l *nodeList) findAlive(u *under) {
	clear(u.seen)
	for w, heights := range l.at {
		for ; heights != 0; heights &= heights - 1 {
			h := w<<6 + bits.TrailingZeros64(heights)
			seen, deep := uint8(0), ^uint16(0)
			for i := l.head[h]; i != 0; i = l.met[i].next {
				node := &l.met[i]
				if h < u.end {
					node.alive = true
					continue
				}
				if low := &l.met[node.low]; low.alive {
					seen, deep, node.alive = seen|canBeFalse, min(deep, low.top), true
				}
				if high := &l.met[node.high]; high.alive {
					seen, deep, node.alive = seen|canBeTrue, min(deep, high.top), true
				}
			}
			u.seen[h], u.deep[h] = seen, deep
		}
	}
}

// below adds to a set the annotations of the nodes below height end.
func (l *nodeList) below(a *annotation, set []uint64, end int) {
	for w, heights := range l.at[:(end+63)>>6] {
		for ; heights != 0; heights &= heights - 1 {
			h := w<<6 + bits.TrailingZeros64(heights)
			if h >= end {
				return
			}
			for i := l.head[h]; i != 0; i = l.met[i].next {
				a.add(set, h, l.met[i].id)
			}
		}
	}
}

// fillDeep fills in deep at the heights that have no nodes.
func (l *nodeList) fillDeep(u *under) {
	for h := range u.deep {
		if l.at[h>>6]>>(h&63)&1 == 0 {
			u.deep[h] = ^uint16(0)
		}
	}
}
