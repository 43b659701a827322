package localsearch

import (
	"context"
	"fmt"
	"testing"
	"time"

	"queens/internal/system"
)

// cpuTime returns the processor time of this process, over all threads and including
// system time: on a shared machine it says more than elapsed time.
func cpuTime(testing.TB) time.Duration {
	user, kernel := system.ProcessorTime()
	return user + kernel
}

// One solution, everything counted: allocation, set-up and repair.
func BenchmarkSolve(b *testing.B) {
	for _, o := range []Options{
		{Method: Swap, Init: Greedy},
		{Method: Swap, Init: Permutation},
		{Method: MinConflicts, Init: Greedy},
		{Method: MinConflicts, Init: Permutation},
		{Method: MinConflicts, Init: Random},
	} {
		for _, n := range []int{8, 100, 1e4, 1e6, 1e7} {
			b.Run(fmt.Sprintf("%s/%s/n=%d", o.Method, o.Init, n), func(b *testing.B) {
				var steps int64
				began := cpuTime(b)
				for i := 0; i < b.N; i++ {
					o.Seed = uint64(i)
					r, err := Solve(context.Background(), Board{N: n}, o)
					if err != nil || !r.Found {
						b.Fatal("not found: ", err)
					}
					steps += r.Steps
				}
				b.ReportMetric(float64(cpuTime(b)-began)/1e6/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
			})
		}
	}
}
