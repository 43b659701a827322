package robdd

// nodeList keeps the nodes that the root reaches, while they are few, in a list, linked by
// height and found again by a hash table. Then neither nodes nor words of sets are what a
// question costs, but memory that is in no cache: beyond the nodes themselves this touches
// eight bytes for each level and some thirty for each node. A node's children are read as soon
// as it is met, long before they are needed. A session's questions with half of the queens
// placed take half of the bit sets' time at n = 12, and a third at n = 14.
type nodeList struct {
	met    []met    // the terminals have the first two places
	head   []uint32 // by height: the place of the first node there, 0 if there is none
	places []uint16 // hash table; 0: empty
	most   int      // nodes that are few
}

// met is a node that the root reaches.
type met struct {
	id        uint32
	low, high uint32 // the children; once the node has been left: their places, 0 if not allowed
	next      uint32 // the place of another node of the same height, 0 if there is none
	top       uint16
	alive     bool // a solution lies below it
}

const (
	metBytes  = 20
	maxFew    = 256
	tableBits = 10 // four slots for each of the most nodes
)

func (l *nodeList) bytes() int64 {
	return metBytes*int64(cap(l.met)) + 4*int64(cap(l.head)) + 2*int64(cap(l.places))
}

// reach finds the nodes that the root reaches. It gives up, and reports false, if they are not
// few.
func (l *nodeList) reach(u *under) bool {
	levels := len(u.value)
	if l.head == nil {
		l.head, l.places = make([]uint32, levels), make([]uint16, 1<<tableBits)
	}
	clear(l.head)
	clear(l.places)
	l.met = append(l.met[:0], met{}, met{id: 1, alive: true})
	l.meet(u.d, levels, u.floor[levels], u.d.root)
	for h := levels - 1; h >= 0; h-- {
		floor := u.floor[h]
		for i := l.head[h]; i != 0; i = l.met[i].next {
			low, high := l.met[i].low, l.met[i].high
			if u.value[h] > 0 {
				low = 0
			}
			if u.value[h] < 0 {
				high = 0
			}
			low, high = l.meet(u.d, h, floor, low), l.meet(u.d, h, floor, high)
			if len(l.met) > l.most+2 {
				return false
			}
			l.met[i].low, l.met[i].high = low, high
		}
	}
	return true
}

// meet returns the place of a child of a node at height h, which it adds if it is new, or 0
// if the child lies below floor.
func (l *nodeList) meet(d *Diagram, h int, floor, id uint32) uint32 {
	if id < floor {
		return 0
	}
	if id == 1 {
		return 1
	}
	const mask = 1<<tableBits - 1
	slot := id * 0x9e3779b1 >> (32 - tableBits)
	for ; l.places[slot&mask] != 0; slot++ {
		if place := uint32(l.places[slot&mask]); l.met[place].id == id {
			return place
		}
	}
	place, e := uint32(len(l.met)), d.nodes[id-2]
	l.places[slot&mask] = uint16(place)
	h = d.heightBelow(h, id)
	l.met = append(l.met, met{id: id, low: e.Low, high: e.High, top: uint16(h + 1), next: l.head[h]})
	l.head[h] = place
	return place
}

// root returns the root.
func (l *nodeList) root(u *under) *met {
	switch {
	case u.d.root < u.floor[len(u.value)]:
		return &l.met[0]
	case u.d.root == 1:
		return &l.met[1]
	}
	return &l.met[2]
}

// findAlive finds the nodes that have a solution below, from the bottom up, and fills in seen
// and deep.
func (l *nodeList) findAlive(u *under) {
	for h, first := range l.head {
		seen, deep := uint8(0), ^uint16(0)
		for i := first; i != 0; i = l.met[i].next {
			node := &l.met[i]
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
