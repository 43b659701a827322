package mdd

import (
	"context"
	"fmt"

	"queens/encode/cnf"
)

// packing lays out a set of values of all lines in words. No line spans two words.
type packing struct {
	words int
	slots []slot // by level
}

type slot struct{ word, shift int }

// first returns the index of the bit of the line's first value.
func (s slot) first() int { return s.word<<6 | s.shift }

func pack(lines [][]cnf.Var) packing {
	p := packing{words: 1}
	used := 0
	for _, line := range lines {
		if used+len(line) > 64 {
			p.words, used = p.words+1, 0
		}
		p.slots = append(p.slots, slot{p.words - 1, used})
		used += len(line)
	}
	return p
}

// add adds values of a line to a set.
func (p *packing) add(set []uint64, level int, values uint64) {
	s := &p.slots[level]
	set[s.word] |= values << s.shift
}

// annotation returns a set for every node, in the order of ids: the values that the lines from the
// node's level down have on paths below it. One pass makes it for the first question, and all users of
// the diagram share it. For queens n = 12 it takes 786 KiB, in addition to 710 KiB for the
// diagram.
func (d *Diagram) annotation(ctx context.Context) ([]uint64, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.below != nil || len(d.nodes) == 0 {
		return d.below, nil
	}
	words := d.packing.words
	if err := d.fits(8 * int64(words) * int64(len(d.nodes)+1)); err != nil {
		return nil, fmt.Errorf("annotating a multi-valued diagram of %d nodes: %w", len(d.nodes), err)
	}
	below := make([]uint64, words*(len(d.nodes)+1)) // the terminal's set is empty
	for r := len(d.lines) - 1; r >= 0; r-- {
		for id := d.first[r]; id < d.first[r+1]; id++ {
			if id&0xffff == 0 && ctx.Err() != nil {
				return nil, d.stopped(ctx.Err())
			}
			n := &d.nodes[id]
			set := below[int(id)*words:][:words]
			d.packing.add(set, r, n.values)
			for _, child := range d.children(n) {
				for i, w := range below[int(child)*words:][:words] {
					set[i] |= w
				}
			}
		}
	}
	d.below = below
	return below, nil
}
