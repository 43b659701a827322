package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// backtrackTree returns the profile of the tree that plain backtracking visits on a
// board of size n: the number of ways to place queens in the first k rows such that no
// two attack each other, for k = 0..n (Knuth, TAOCP 4B, section 7.2.2).
func backtrackTree(n int) []int {
	full := uint32(1)<<n - 1
	profile := make([]int, n+1)
	var visit func(row int, columns, left, right uint32)
	visit = func(row int, columns, left, right uint32) {
		profile[row]++
		for free := full &^ (columns | left | right); free != 0; free &= free - 1 {
			queen := free & -free
			visit(row+1, columns|queen, (left|queen)<<1, (right|queen)>>1)
		}
	}
	visit(0, 0, 0, 0)
	return profile
}

// The published profiles: OEIS A319284, whose row sums are A319283.
func TestBacktrackTreesAreAsPublished(t *testing.T) {
	published := map[int][]int{
		4:  {1, 4, 6, 4, 2},
		8:  {1, 8, 42, 140, 344, 568, 550, 312, 92},
		12: {1, 12, 110, 756, 4080, 16852, 52856, 120104, 195270, 222720, 160964, 68264, 14200},
	}
	for n, want := range published {
		assert.Equal(t, want, backtrackTree(n), "n=%d", n)
	}
}
