package bdd

import (
	"cmp"
	"math/bits"
)

// word is a solution: the levels of its cells in ascending order, the first level in the highest bits,
// so that words compare as the sequences do.
type word interface {
	[2]uint64 | [3]uint64 | [16]uint64
}

// spelling describes how levels are packed into a word.
type spelling struct {
	perWord, width int // levels in a machine word, and the bits of one
}

func spell(levels int) spelling {
	width := max(1, bits.Len(uint(levels-1)))
	return spelling{64 / width, width}
}

// shift returns the machine word that holds the level at a place, and its bit offset there.
func (s spelling) shift(at int) (word, up int) {
	return at / s.perWord, 64 - s.width - at%s.perWord*s.width
}

// shared returns the number of leading levels that two different words share.
func shared[W word](s spelling, v, w *W) int {
	i := 0
	for (*v)[i] == (*w)[i] {
		i++
	}
	return i*s.perWord + bits.LeadingZeros64((*v)[i]^(*w)[i])/s.width
}

func compareWords[W word](x, y W) int {
	for i := 0; i < len(x); i++ {
		if x[i] != y[i] {
			return cmp.Compare(x[i], y[i])
		}
	}
	return 0
}
