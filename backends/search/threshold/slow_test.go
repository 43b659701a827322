//go:build slow

package threshold

import (
	"context"
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The parts of a recorded proof are complete: together they went through as many placements as a count
// without symmetry finds.
func TestRecordedPartsAreTheWhole(t *testing.T) {
	type proof struct{ n, k string }
	sums := map[proof]int64{}
	file, err := os.Open("../../../results/reference/threshold-parts/records.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		cells := map[string]string{}
		for i, name := range rows[0] {
			cells[name] = row[i]
		}
		require.Equal(t, "yes", cells["completes"], "part %s", cells["part"])
		require.Equal(t, "board", cells["checked_by"], "part %s", cells["part"])
		placements, err := strconv.ParseInt(cells["placements"], 10, 64)
		require.NoError(t, err)
		sums[proof{cells["n"], cells["k"]}] += placements
	}
	require.Len(t, sums, 3)
	for p, sum := range sums {
		n, _ := strconv.Atoi(p.n)
		k, _ := strconv.Atoi(p.k)
		count, err := Count(context.Background(), n, k)
		require.NoError(t, err)
		assert.Equal(t, count, sum, "n = %d, k = %d", n, k)
	}
}

// The simple program checks up to three queens on a board of 10, as far as its time allows.
func TestProofCountsWhatAPlainProgramCountsFurther(t *testing.T) { checkCounts(t, 9, 10, 3) }

// gini checks up to n = 16.
func TestValidCellsHaveTheSameThresholdFurther(t *testing.T) {
	for _, n := range []int{11, 15, 16} {
		sameThreshold(t, n)
	}
}
