package localsearch

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// TestMakeSteps measures steps.csv again, in a minute or two: MAKE_STEPS=1 go test
// -run TestMakeSteps ./backends/localsearch
func TestMakeSteps(t *testing.T) {
	if os.Getenv("MAKE_STEPS") == "" {
		t.Skip("measures steps.csv only with MAKE_STEPS=1")
	}
	file, err := os.Create("steps.csv")
	require.NoError(t, err)
	defer file.Close()
	fmt.Fprintln(file, "n,seeds,median,p90,p99,max,cornered")
	for _, n := range []int{4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 25, 30, 50, 70, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000} {
		o := Options{Method: MinConflicts, Init: Random, Tries: 1, Limit: 20_000 + 2*int64(n)}
		seeds := min(2000, max(100, 4_000_000/n))
		var steps []int64
		for seed := range seeds {
			o.Seed = uint64(seed)
			r, err := Solve(context.Background(), Board{N: n}, o)
			require.NoError(t, err)
			if r.Found {
				steps = append(steps, r.Steps)
			}
		}
		slices.Sort(steps)
		at := func(p float64) int64 { return steps[int(p*float64(len(steps)-1))] }
		fmt.Fprintf(file, "%d,%d,%d,%d,%d,%d,%d\n", n, seeds, at(.5), at(.9), at(.99), at(1), seeds-len(steps))
	}
}

// The constants are the line through the data.
func TestLimitIsFittedToItsData(t *testing.T) {
	file, err := os.Open("steps.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"n", "seeds", "median", "p90", "p99", "max", "cornered"}, rows[0])
	var n, p99, weight []float64
	for _, row := range rows[1:] {
		var v []float64
		for _, word := range row {
			x, err := strconv.ParseFloat(word, 64)
			require.NoError(t, err)
			v = append(v, x)
		}
		if v[0] < 50 {
			continue
		}
		assert.Zero(t, v[6], "tries that end without a solution")
		assert.Less(t, v[5], float64(FittedLimit(int(v[0]))), "the limit is never reached from n = 50 on")
		n, p99, weight = append(n, v[0]), append(p99, v[4]), append(weight, 1/(v[4]*v[4]))
	}
	base, slope := stat.LinearRegression(n, p99, weight, false)
	assert.InEpsilon(t, base, fitBase, 1e-3, "fitBase")
	assert.InEpsilon(t, slope, fitSlope, 1e-3, "fitSlope")
	assert.Greater(t, stat.RSquared(n, p99, weight, base, slope), 0.99)
}

func TestLimits(t *testing.T) {
	assert.Greater(t, FittedLimit(1_000_000), int64(1_200_000))
}
