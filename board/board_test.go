package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCellNotationBothWays(t *testing.T) {
	for text, cell := range map[string]Cell{
		"a1": {0, 0}, "h8": {7, 7}, "b1": {0, 1}, "a2": {1, 0},
		"z1": {0, 25}, "aa1": {0, 26}, "az27": {26, 51}, "ba1": {0, 52}, "zz1": {0, 701}, "aaa1": {0, 702},
	} {
		assert.Equal(t, text, cell.String())
		got, err := ParseCell(text)
		require.NoError(t, err)
		assert.Equal(t, cell, got)
	}
	seen := map[string]bool{}
	for i := range 60 * 60 {
		c := At(60, i)
		assert.Equal(t, i, c.Index(60))
		got, err := ParseCell(c.String())
		require.NoError(t, err)
		require.Equal(t, c, got)
		require.False(t, seen[c.String()])
		seen[c.String()] = true
	}
	for _, bad := range []string{"", "a", "1", "1a", "a0", "a-1", "a1b", "a 1", "ä1", "a01", "aaaa1",
		"a99999999999999999999"} {
		_, err := ParseCell(bad)
		require.Error(t, err, bad)
		assert.Contains(t, err.Error(), fmt.Sprintf("%q", bad))
	}
}

func TestParseCellsNamesWhatIsWrong(t *testing.T) {
	cells, err := ParseCells(8, " a1, H8 ,c2")
	require.NoError(t, err)
	assert.Equal(t, []Cell{{0, 0}, {7, 7}, {1, 2}}, cells)
	assert.Equal(t, "a1,h8,c2", FormatCells(cells))
	cells, err = ParseCells(8, "")
	require.NoError(t, err)
	assert.Empty(t, cells)
	for list, want := range map[string]string{
		"i1":     "cell i1 is off the board: for n = 8 cells go from a1 to h8",
		"a1,a9":  "cell a9 is off the board",
		"a1,a1":  "cell a1 is given twice",
		"a1,,b2": `cell "": expected`,
		"queen":  `cell "queen": expected`,
	} {
		_, err := ParseCells(8, list)
		assert.ErrorContains(t, err, want)
	}
}

// Two cells attack each other exactly when some line holds both.
func TestAttacksAgreesWithLines(t *testing.T) {
	for n := 1; n <= 7; n++ {
		share := map[[2]Cell]bool{}
		lines := Lines(n)
		require.Len(t, lines, 6*n-2)
		for _, line := range lines {
			cells := line.Cells(n)
			require.NotEmpty(t, cells)
			for _, c := range cells {
				require.True(t, c.On(n))
				require.Contains(t, c.Lines(n), line)
				for _, d := range cells {
					if c != d {
						share[[2]Cell{c, d}] = true
					}
				}
			}
		}
		for i := range n * n {
			for j := range n * n {
				c, d := At(n, i), At(n, j)
				require.Equal(t, share[[2]Cell{c, d}], c.Attacks(d), "n=%d %s %s", n, c, d)
			}
		}
		for i := range n * n {
			for _, line := range At(n, i).Lines(n) {
				require.True(t, slices.Contains(line.Cells(n), At(n, i)))
			}
		}
	}
}

func TestLineNames(t *testing.T) {
	assert.Equal(t, "row 3", Line{Row, 2}.Name(8))
	assert.Equal(t, "column c", Line{Column, 2}.Name(8))
	assert.Equal(t, "diagonal a1-h8", Line{Diagonal, 7}.Name(8))
	assert.Equal(t, "diagonal a2-g8", Line{Diagonal, 8}.Name(8))
	assert.Equal(t, "anti-diagonal a3-c1", Line{AntiDiagonal, 2}.Name(8))
	assert.Equal(t, "anti-diagonal a1", Line{AntiDiagonal, 0}.Name(8))
}

// Every one of the n^n boards with a queen in each row is judged by Verify and
// by testing all pairs; the solutions are counted against OEIS A000170.
func TestVerifyOnEveryBoard(t *testing.T) {
	known := []int{1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4}
	for n := 1; n <= 6; n++ {
		cols := make([]int, n)
		solutions := 0
		for {
			queens := Queens(cols)
			clash := false
			for i := range queens {
				for j := range i {
					clash = clash || queens[i].Attacks(queens[j])
				}
			}
			err := Verify(cols)
			require.Equal(t, clash, err != nil, "%v: %v", cols, err)
			require.Equal(t, clash, VerifyCells(n, queens) != nil)
			if err == nil {
				solutions++
			}
			i := 0
			for ; i < n; i++ {
				if cols[i]++; cols[i] < n {
					break
				}
				cols[i] = 0
			}
			if i == n {
				break
			}
		}
		assert.Equal(t, known[n], solutions, "n=%d", n)
	}
}

// The published numbers, as far as a simple backtracking count confirms them in
// an instant.
func TestKnownSolutions(t *testing.T) {
	var count func(full, columns, diagonals, antis uint32) uint64
	count = func(full, columns, diagonals, antis uint32) (solutions uint64) {
		if columns == full {
			return 1
		}
		for free := full &^ (columns | diagonals | antis); free != 0; free &= free - 1 {
			queen := free & -free
			solutions += count(full, columns|queen, (diagonals|queen)<<1, (antis|queen)>>1)
		}
		return solutions
	}
	for n := range 13 {
		known, ok := KnownSolutions(n)
		assert.True(t, ok)
		assert.Equal(t, count(1<<n-1, 0, 0, 0), known, "n = %d", n)
	}
	last, ok := KnownSolutions(27) // Preusser and Engelhardt 2017
	assert.True(t, ok)
	assert.Equal(t, uint64(234907967154122528), last)
	for _, n := range []int{-1, 28} {
		_, ok := KnownSolutions(n)
		assert.False(t, ok, "n = %d", n)
	}
}

func TestVerifySaysWhy(t *testing.T) {
	assert.ErrorContains(t, Verify([]int{1, 3, 0, 9}), "row 3: column 9 is off")
	assert.ErrorContains(t, Verify([]int{1, 3, 0, 3}), "queens on d2 and d4 attack each other")
	assert.ErrorContains(t, Verify([]int32{}), "size 0")
	assert.ErrorContains(t, VerifyCells(4, []Cell{{0, 1}}), "1 queens on a board of size 4")
	assert.ErrorContains(t, VerifyCells(2, []Cell{{0, 1}, {0, 0}}), "b1 and a1 attack")
	assert.ErrorContains(t, VerifyCells(1, []Cell{{0, 1}}), "off a board")
}

func TestDraw(t *testing.T) {
	assert.Equal(t, "4 . . Q .\n3 Q . . .\n2 . . . Q\n1 . Q . .\n  a b c d\n", DrawQueens(4, Queens([]int{1, 3, 0, 2})))
	numbers := Draw(4, func(c Cell) string { return fmt.Sprint(c.Index(4)) })
	assert.Equal(t, "4 12 13 14 15\n3  8  9 10 11\n2  4  5  6  7\n1  0  1  2  3\n   a  b  c  d\n", numbers)
	for _, line := range strings.Split(strings.TrimRight(DrawQueens(30, nil), "\n"), "\n") {
		assert.Len(t, line, 2+30*3)
	}
}
