//go:build slow

package optimize

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// The minima (and the maximum) of n = 5 a second time, by a program that shares nothing
// with Minimum: it visits all 2^25 sets of cells top down, without symmetries or
// interchangeable cells, on solutions found by trying all permutations, and computes
// widths from their definition.
func TestMinimumOfFiveAgain(t *testing.T) {
	var solutions []uint32
	permutations(5, func(columns order.Order) {
		var queens []board.Cell
		set := uint32(0)
		for row, v := range columns {
			queens = append(queens, board.Cell{Row: row, Col: int(v) - 1})
			set |= 1 << (row*5 + int(v) - 1)
		}
		if board.VerifyCells(5, queens) == nil {
			solutions = append(solutions, set)
		}
	})
	require.Len(t, solutions, 10)
	const every = 1<<25 - 1
	bdd, zdd := make([]uint16, every+1), make([]uint16, every+1) // nodes above, at best
	worst := make([]uint16, every+1)                             // ROBDD nodes above, at worst
	for set := range every + 1 {
		if set > 0 {
			bdd[set], zdd[set] = 1<<16-1, 1<<16-1
		}
	}
	for set := range uint32(every) { // before all sets that contain it
		// The completions of each solution's part above, each represented by the first
		// solution with the same part below.
		var completions [10]uint16
		for i, s := range solutions {
			for _, other := range solutions {
				if s&set == other&set {
					below := slices.IndexFunc(solutions, func(first uint32) bool { return (first^other)&^set == 0 })
					completions[i] |= 1 << below
				}
			}
		}
		width := uint16(0)
		var through [25]uint16 // by cell: functions in which a queen can be there
		for i, f := range completions {
			if slices.Contains(completions[:i], f) {
				continue
			}
			width++
			var cells uint32
			for some := f; some != 0; some &= some - 1 {
				cells |= solutions[bits.TrailingZeros16(some)] &^ set
			}
			for ; cells != 0; cells &= cells - 1 {
				through[bits.TrailingZeros32(cells)]++
			}
		}
		for left := every &^ set; left != 0; left &= left - 1 {
			x := bits.TrailingZeros32(left)
			with := set | 1<<x
			bdd[with] = min(bdd[with], bdd[set]+width)
			worst[with] = max(worst[with], worst[set]+width)
			zdd[with] = min(zdd[with], zdd[set]+through[x])
		}
	}
	assert.Equal(t, Sizes{145, 40}, Sizes{int(bdd[every]), int(zdd[every])})
	assert.Equal(t, 193, int(worst[every]), "the largest ROBDD of all orders")
}

// The extremes of n = 6 a second time. The four solutions have no cell in common, so it
// matters only how many cells of each solution, and of the cells in none, a set has. The
// widths are the engine's: for each such set it builds a diagram under an order that
// begins with the set. The extremes are found top down.
func TestMinimumOfSixAgain(t *testing.T) {
	p, err := encode.Queens(6, nil, nil)
	require.NoError(t, err)
	classes := make([][]cnf.Var, 5) // the cells of each of the four solutions, and those in none
	var solutions [][]int
	permutations(6, func(columns order.Order) {
		var queens []board.Cell
		for row, v := range columns {
			queens = append(queens, board.Cell{Row: row, Col: int(v) - 1})
		}
		if board.VerifyCells(6, queens) == nil {
			for _, c := range queens {
				classes[len(solutions)] = append(classes[len(solutions)], encode.CellVar(6, c))
			}
			solutions = append(solutions, nil)
		}
	})
	require.Len(t, solutions, 4)
	used := slices.Concat(classes[:4]...)
	slices.Sort(used)
	require.Len(t, slices.Compact(used), 24, "no cell is in two solutions")
	for v := cnf.Var(1); v <= 36; v++ {
		if !slices.Contains(used, v) {
			classes[4] = append(classes[4], v)
		}
	}
	// Exchanging two solutions cell by cell maps solutions to solutions, since they have no
	// cell in common: so counts in rising order represent all.
	levels := func(kind robdd.Kind, counts [5]int, next int) int {
		o, rest := order.Order{}, order.Order{}
		for j, class := range classes {
			o = append(o, class[:counts[j]]...)
			rest = append(rest, class[counts[j]:]...)
		}
		place := len(o)
		i := slices.Index(rest, classes[next][counts[next]])
		o = append(append(append(o, rest[i]), rest[:i]...), rest[i+1:]...)
		c, err := bdd.Compile(context.Background(), p, o, bdd.Options{})
		require.NoError(t, err)
		d, err := c.As(context.Background(), kind)
		require.NoError(t, err)
		return d.Widths()[place]
	}
	assert.Equal(t, levels(robdd.BDD, [5]int{5, 1, 3, 0, 2}, 0), levels(robdd.BDD, [5]int{3, 0, 5, 1, 2}, 2))
	assert.Equal(t, levels(robdd.ZDD, [5]int{5, 1, 3, 0, 2}, 0), levels(robdd.ZDD, [5]int{3, 0, 5, 1, 2}, 2))
	type extremes struct{ least, most int } // nodes above the level
	for kind, want := range map[robdd.Kind]extremes{robdd.BDD: {69, 135}, robdd.ZDD: {24, 24}} {
		nodes := map[[5]int]extremes{{}: {}}
		for size := range 36 {
			reached := make(map[[5]int]extremes)
			for counts, above := range nodes {
				for j, class := range classes {
					if counts[j] == len(class) {
						continue
					}
					with := counts
					with[j]++
					slices.Sort(with[:4])
					width := levels(kind, counts, j)
					total, is := reached[with]
					if !is {
						total.least = above.least + width
					}
					reached[with] = extremes{min(total.least, above.least+width), max(total.most, above.most+width)}
				}
			}
			nodes = reached
			require.NotEmpty(t, nodes, "size %d", size)
		}
		assert.Equal(t, map[[5]int]extremes{{6, 6, 6, 6, 12}: want}, nodes, kind)
	}
}
