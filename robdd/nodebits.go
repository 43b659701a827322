package robdd

import (
	"context"
	"math/bits"
	"slices"
)

// nodeBits keeps the nodes that the root reaches, and those among them that have a solution below, in
// bit sets over all ids, and visits them in the order of memory. A third set has a bit for each word of
// the first that is not empty, so no other word is scanned or cleared. The inner loops have no branch
// that depends on a node: child 0 has a bit like any other.
type nodeBits struct {
	reached, alive []uint64 // by id/64
	words          []uint64 // by id/64/64
	before         []uint32 // by id/64: the new id, in a copy, of the first node of a word
}

func (b *nodeBits) bytes() int64 {
	return 8*int64(cap(b.reached)+cap(b.alive)+cap(b.words)) + 4*int64(cap(b.before))
}

// next returns the first word from this one on that is not empty, or one past the last.
func (b *nodeBits) next(word uint32) uint32 {
	at := word / 64
	if int(at) >= len(b.words) {
		return word
	}
	for left := b.words[at] >> (word % 64) << (word % 64); ; left = b.words[at] {
		if left != 0 {
			return at*64 + uint32(bits.TrailingZeros64(left))
		}
		if at++; int(at) == len(b.words) {
			return at * 64
		}
	}
}

func (b *nodeBits) add(id uint32) {
	b.reached[id/64] |= 1 << (id % 64)
	b.words[id/64/64] |= 1 << (id / 64 % 64)
}

// clear empties the sets.
func (b *nodeBits) clear(ids int) {
	if b.reached == nil {
		words := ids/64 + 1
		b.reached, b.alive, b.words = make([]uint64, words), make([]uint64, words), make([]uint64, words/64+1)
	}
	for i, words := range b.words {
		for ; words != 0; words &= words - 1 {
			word := i*64 + bits.TrailingZeros64(words)
			b.reached[word], b.alive[word] = 0, 0
		}
		b.words[i] = 0
	}
}

// reach finds the nodes that the root reaches. On each level it keeps at most width nodes, spread
// evenly, and treats the others as false; all reports whether there were no others.
func (b *nodeBits) reach(ctx context.Context, u *under, width int) (all bool, err error) {
	d, levels := u.d, len(u.value)
	b.clear(len(d.nodes) + 2)
	if all = true; d.root >= u.floor[levels] {
		b.add(d.root)
	}
	for h := levels - 1; h >= u.end; h-- {
		if err := d.ended(ctx); err != nil {
			return false, err
		}
		low, high := u.allowed(h)
		lo, hi := d.first[h], d.first[h+1]
		if int(hi-lo) > width && b.thin(lo, hi, width) {
			all = false
		}
		for word := b.next(lo / 64); word*64 < hi; word = b.next(word + 1) {
			for ids := between(b.reached[word], word, lo, hi); ids != 0; ids &= ids - 1 {
				e := d.nodes[word<<6+uint32(bits.TrailingZeros64(ids))-2].from(low, high)
				b.add(e.Low)
				b.add(e.High)
			}
		}
	}
	return all, nil
}

// count returns the number of nodes that are reached.
func (b *nodeBits) count() (n int) {
	for word := b.next(0); int(word) < len(b.reached); word = b.next(word + 1) {
		n += bits.OnesCount64(b.reached[word])
	}
	return n - bits.OnesCount64(b.reached[0]&3)
}

// thin reduces the reached ids lo <= id < hi to width ids, spread evenly. It returns false if there are
// no more than that.
func (b *nodeBits) thin(lo, hi uint32, width int) bool {
	count := 0
	for word := b.next(lo / 64); word*64 < hi; word = b.next(word + 1) {
		count += bits.OnesCount64(between(b.reached[word], word, lo, hi))
	}
	if count <= width {
		return false
	}
	due := 0 // count times the number of ids that should have been kept by now but were not
	for word := b.next(lo / 64); word*64 < hi; word = b.next(word + 1) {
		for ids := between(b.reached[word], word, lo, hi); ids != 0; ids &= ids - 1 {
			if due += width; due < count {
				b.reached[word] &^= ids & -ids
			} else {
				due -= count
			}
		}
	}
	return true
}

// findAlive finds, from the bottom up, the nodes that have a solution below. It fills in seen and deep.
func (b *nodeBits) findAlive(ctx context.Context, u *under) error {
	d, alive := u.d, b.alive
	for word, end := b.next(0), d.first[u.end]; word*64 < end; word = b.next(word + 1) {
		alive[word] = between(b.reached[word], word, 2, end)
	}
	alive[0] |= 1 << 1
	for h := u.end; h < len(u.value); h++ {
		if err := d.ended(ctx); err != nil {
			return err
		}
		low, high := u.allowed(h)
		lo, hi := d.first[h], d.first[h+1]
		var canLow, canHigh uint32
		deepest := ^uint32(0)
		for word := b.next(lo / 64); word*64 < hi; word = b.next(word + 1) {
			left := uint64(0)
			for ids := between(b.reached[word], word, lo, hi); ids != 0; ids &= ids - 1 {
				bit := bits.TrailingZeros64(ids)
				e := d.nodes[word<<6+uint32(bit)-2].from(low, high)
				l := uint32(alive[e.Low/64]>>(e.Low%64)) & 1
				r := uint32(alive[e.High/64]>>(e.High%64)) & 1
				canLow |= l
				canHigh |= r
				// A child that is not alive counts as the largest id.
				deepest = min(deepest, e.Low|(l-1), e.High|(r-1))
				left |= uint64(l|r) << bit
			}
			alive[word] |= left
		}
		u.seen[h], u.deep[h] = uint8(canHigh)*canBeTrue|uint8(canLow)*canBeFalse, ^uint16(0)
		if canLow|canHigh != 0 {
			u.deep[h] = uint16(d.topOf(h, deepest))
		}
	}
	return nil
}

// below adds to a set the annotations of the reached nodes below height end.
func (b *nodeBits) below(a *annotation, set []uint64, end int) {
	for h, hi := range a.d.first[1 : end+1] {
		lo := a.d.first[h]
		for word := b.next(lo / 64); word*64 < hi; word = b.next(word + 1) {
			for ids := between(b.reached[word], word, lo, hi); ids != 0; ids &= ids - 1 {
				a.add(set, h, word<<6+uint32(bits.TrailingZeros64(ids)))
			}
		}
	}
}

// isAlive reports whether a node is reached and has a solution below.
func (b *nodeBits) isAlive(id uint32) bool { return b.alive[id/64]>>(id%64)&1 != 0 }

// copyTo copies the nodes that have a solution below to a diagram.
func (b *nodeBits) copyTo(r *Diagram, u *under) {
	d := u.d
	if b.before == nil {
		b.before = make([]uint32, len(b.alive))
	}
	r.nodes = slices.Grow(r.nodes, b.count())
	b.before[0] = 1
	for h := range u.value {
		low, high := u.allowed(h)
		lo, hi := d.first[h], d.first[h+1]
		r.first[h] = uint32(len(r.nodes)) + 2
		for word := b.next(lo / 64); word*64 < hi; word = b.next(word + 1) {
			if word<<6 >= lo { // otherwise it began on the level below
				b.before[word] = uint32(len(r.nodes)) + 2
			}
			for ids := between(b.alive[word], word, lo, hi); ids != 0; ids &= ids - 1 {
				e := d.nodes[word<<6+uint32(bits.TrailingZeros64(ids))-2].from(low, high)
				r.nodes = append(r.nodes, Node{b.renamed(e.Low), b.renamed(e.High)})
			}
		}
	}
	r.first[len(u.value)] = uint32(len(r.nodes)) + 2
	if d.root >= u.floor[len(u.value)] {
		r.root = b.renamed(d.root)
	}
}

// renamed returns the id of a node in the copy, or 0 if the copy lacks it.
func (b *nodeBits) renamed(id uint32) uint32 {
	alive, bit := b.alive[id/64], id%64
	if alive>>bit&1 == 0 {
		return 0
	}
	return b.before[id/64] + uint32(bits.OnesCount64(alive&(1<<bit-1)))
}
