package robdd

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Samples are solutions, and every solution is drawn about equally often: in all but one of 100,000 runs
// the chi-squared statistic stays within six standard deviations of its mean, or a little more if it has
// few degrees of freedom.
func TestSamplesAreUniform(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	ctx := context.Background()
	for range 60 {
		n := 1 + r.IntN(6)
		bdd, table := randomDiagram(t, r, n)
		assume := randomAssumptions(r, n)
		drawn := map[int]int{}
		for a, value := range table {
			if value && agrees(a, assume) {
				drawn[a] = 0
			}
		}
		total, draws := len(drawn), 100*len(drawn)
		for solution, err := range NewCounter(bdd).Samples(ctx, assume, r) {
			require.NoError(t, err)
			a := 0
			for _, l := range solution {
				if l > 0 {
					a |= 1 << (l - 1)
				}
			}
			require.Contains(t, drawn, a, "not a solution under %v: %v", assume, table)
			drawn[a]++
			if draws--; draws == 0 {
				break
			}
		}
		require.Zero(t, draws, "no solutions are drawn only where there are none")
		chi := 0.0
		for _, times := range drawn {
			chi += float64((times-100)*(times-100)) / 100
		}
		freedom := float64(max(0, total-1))
		require.LessOrEqual(t, (chi-freedom)*(chi-freedom), 36*2*(freedom+1)+1000, "%d solutions", total)
	}
}

// Sampling also works for functions with more solutions than a word can count. This one has 3/8 of
// 2^300; a third each has 10 and 200 true, only 10, only 200.
func TestSamplesOfManySolutions(t *testing.T) {
	const n, draws = 300, 3000
	m, err := NewManager(natural(n), Config{})
	require.NoError(t, err)
	ctx := context.Background()
	f, err := m.Or(ctx, literal(t, m, 10), literal(t, m, 200))
	require.NoError(t, err)
	f, err = m.And(ctx, f, literal(t, m, -299))
	require.NoError(t, err)
	times, at := map[string]int{}, 0
	for solution, err := range NewCounter(m.Freeze(f)).Samples(ctx, nil, rand.New(rand.NewPCG(1, 0))) {
		require.NoError(t, err)
		require.EqualValues(t, -299, solution[298])
		times[fmt.Sprint(solution[9] > 0, solution[199] > 0)]++
		if at++; at == draws {
			break
		}
	}
	require.Len(t, times, 3)
	for which, k := range times {
		require.InDelta(t, draws/3, k, 5*26, which) // the standard deviation is 26
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range NewCounter(m.Freeze(f)).Samples(cancelled, nil, nil) {
		require.ErrorIs(t, err, context.Canceled)
	}
}

// uniform returns every value.
func TestUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, bound := range []int64{1, 2, 3, 5, 8} {
		var seen []int64
		for range 200 {
			seen = append(seen, uniform(rng, big.NewInt(bound)).Int64())
		}
		slices.Sort(seen)
		seen = slices.Compact(seen)
		require.Len(t, seen, int(bound))
		require.Equal(t, bound-1, seen[len(seen)-1])
	}
}
