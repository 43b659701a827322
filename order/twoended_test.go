package order

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whole rows: from row 1 until more than half are taken, then from the last row
// down. The first and the last row taken follow the rule applied by hand.
func TestTwoEndedRows(t *testing.T) {
	for n, want := range map[int][]int{
		1: {1}, 2: {1, 2}, 3: {1, 2, 3}, 7: {1, 2, 3, 4, 7, 6, 5},
		8: {1, 2, 3, 4, 5, 8, 7, 6}, 13: {1, 2, 3, 4, 5, 6, 7, 13, 12, 11, 10, 9, 8},
	} {
		cells := fromBothEnds(n)
		require.Len(t, cells, n*n)
		var rows []int
		for chunk := range slices.Chunk(cells, n) {
			rows = append(rows, chunk[0].Row+1)
			for _, c := range chunk {
				assert.Equal(t, chunk[0].Row, c.Row)
			}
		}
		assert.Equal(t, want, rows)
	}
}

// On a board of 6, by hand. Row 2, while the diagram widens: one cell of row 1 attacks a2
// and f2, two attack each of the others, and of these the middle comes first. Row 4, after three
// rows: three or four cells attack each of its cells, and a4 and f4, attacked by three, come
// first. Row 6, after rows 1 to 4: four cells attack a6 (c4, d3, e2, f1), three attack b6
// (d4, e3, f2) and c6 (a4, e4, f3), so the edge comes last.
func TestTwoEndedColumns(t *testing.T) {
	rows := map[int][]int{}
	for _, c := range fromBothEnds(6) {
		rows[c.Row+1] = append(rows[c.Row+1], c.Col)
	}
	assert.Equal(t, []int{2, 3, 1, 4, 0, 5}, rows[2])
	assert.Equal(t, []int{0, 5}, rows[4][:2])
	assert.ElementsMatch(t, []int{1, 4}, rows[6][:2])
	assert.ElementsMatch(t, []int{0, 5}, rows[6][4:])
	assert.Equal(t, 4, attackers(6, []int{0, 1, 2, 3}, 5, 0))
	assert.Equal(t, 3, attackers(6, []int{0, 1, 2, 3}, 5, 2))
}
