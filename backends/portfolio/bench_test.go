package portfolio

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/csplib"
	"queens/internal/system"
)

// BenchmarkDiagonals completes boards with random diagonals excluded: as many as keep min
// free cells in every row and column, and at most n-2. It compares the portfolio with
// exact search alone, run right before it: the medians, the longest, and the most that the
// portfolio takes beyond twice the search's time. All times are processor time.
func BenchmarkDiagonals(b *testing.B) {
	for n := 15; n <= 21; n++ {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			problems := excluded(b, n, 60)
			ctx := context.Background()
			var alone, all, beyond []float64
			for b.Loop() {
				alone, all, beyond = alone[:0], all[:0], beyond[:0]
				for _, p := range problems {
					begun := cpuTime(b)
					want, err := search.New(p).Solve(ctx, nil)
					require.NoError(b, err)
					searched := cpuTime(b) - begun
					begun = cpuTime(b)
					got, err := New(p).Solve(ctx, nil)
					require.NoError(b, err)
					took := cpuTime(b) - begun
					require.Equal(b, want.Status, got.Status)
					alone, all = append(alone, searched.Seconds()*1000), append(all, took.Seconds()*1000)
					beyond = append(beyond, (took-2*searched).Seconds()*1000)
				}
			}
			for name, times := range map[string][]float64{"search": alone, "portfolio": all} {
				slices.Sort(times)
				b.ReportMetric(times[len(times)/2], name+"-median-ms")
				b.ReportMetric(times[len(times)-1], name+"-max-ms")
			}
			b.ReportMetric(slices.Max(beyond), "beyond-twice-max-ms")
		})
	}
}

func cpuTime(testing.TB) time.Duration {
	user, kernel := system.ProcessorTime()
	return user + kernel
}

// excluded returns boards of size n with many diagonals excluded.
func excluded(b testing.TB, n, count int) []encode.Problem {
	var problems []encode.Problem
	for seed := uint64(0); len(problems) < count; seed++ {
		in, err := csplib.Random(n, 3+int(seed%2), seed)
		require.NoError(b, err)
		p := conformance.Excluding(b, in, min(n-2, len(in.Diagonals)))
		problems = append(problems, p)
	}
	return problems
}
