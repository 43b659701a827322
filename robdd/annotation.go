package robdd

import "context"

// annotation says for each node of a ZDD which variables are true on some path below it: one bit for
// each height up to its own. If both values are wanted, as many bits more say which variables are false
// on some path. A node's words are filled in when a question first needs them, so only one goroutine at
// a time may use an annotation.
//
// It is twice as large as a ZDD of queens: 22 MB for n = 14.
type annotation struct {
	d     *Diagram
	words []int // by height: the words of a node for one value
	start []int // by height: where the words of id 0 would be
	sets  int   // sets of a node: 2 if false is wanted too, else 1
	bits  []uint64

	ctx    context.Context // of the question
	filled int             // nodes
	err    error           // the context has ended: the sets that the question has collected are incomplete
}

// pauseAfter is the number of nodes filled in between two checks of the context.
const pauseAfter = 1 << 12

// maxAnnotation is the largest number of words of an annotation.
const maxAnnotation = 1 << 25

// annotate returns the annotation of a diagram, or nil if it would be too large.
func annotate(d *Diagram, sets int) *annotation {
	a := &annotation{d: d, sets: sets, words: make([]int, len(d.order)), start: make([]int, len(d.order))}
	size := 0
	for h := range a.start {
		words := h>>6 + 1
		a.words[h], a.start[h] = words, size-int(d.first[h])*words*sets
		size += int(d.first[h+1]-d.first[h]) * words * sets
	}
	if size > maxAnnotation {
		return nil
	}
	a.bits = make([]uint64, size)
	return a
}

func (a *annotation) bytes() int64 {
	if a == nil {
		return 0
	}
	return 8 * int64(cap(a.bits)+cap(a.words)+cap(a.start))
}

// add adds the annotation of the node at height h to the set of a higher node, or of a question.
func (a *annotation) add(set []uint64, h int, id uint32) {
	words := a.words[h]
	own := a.bits[a.start[h]+int(id)*words*a.sets:][:words*a.sets]
	if own[words-1]>>(h&63)&1 == 0 { // a ZDD node can be true: this one is not filled in
		a.fill(own, h, id)
	}
	for i, w := range own[:words] {
		set[i] |= w
	}
	if a.sets > 1 {
		falses := set[len(set)/2:]
		for i, w := range own[words:] {
			falses[i] |= w
		}
	}
}

// fill fills in the words of a node at height h.
func (a *annotation) fill(own []uint64, h int, id uint32) {
	if a.filled++; a.filled%pauseAfter == 0 && a.err == nil {
		a.err = a.d.ended(a.ctx)
	}
	if a.err != nil {
		return
	}
	e, words := a.d.nodes[id-2], len(own)/a.sets
	a.join(own, h, e.High)
	if e.Low != 0 {
		if a.sets > 1 {
			own[2*words-1] |= 1 << (h & 63)
		}
		a.join(own, h, e.Low)
	}
	if a.err == nil {
		own[words-1] |= 1 << (h & 63)
	}
}

// join adds to the set of a node at height h what is possible through an edge to a child.
func (a *annotation) join(set []uint64, h int, child uint32) {
	top := a.d.topOf(h, child)
	if top > 0 {
		a.add(set, top-1, child)
	}
	a.skip(set, top, h)
}

// skip adds to a set that the heights from <= h < to can be false, since an edge skips them.
func (a *annotation) skip(set []uint64, from, to int) {
	for h := from; h < to && a.sets > 1; h++ {
		set[len(set)/2+h>>6] |= 1 << (h & 63)
	}
}
