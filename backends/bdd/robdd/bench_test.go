package robdd

import (
	"fmt"
	"testing"
)

// BenchmarkQueens builds the diagram as bdd-benchmark's queens program does: every
// cell's function over all levels, a row as their disjunction, the board as the
// conjunction of the rows.
func BenchmarkQueens(b *testing.B) {
	for _, n := range []int{8, 10, 11, 12} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				m, err := NewManager(natural(n*n), Config{})
				if err != nil {
					b.Fatal(err)
				}
				queens(b, m, n)
				s := m.Stats()
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Created), "ns/created")
				b.ReportMetric(float64(s.PeakBytes)/(1<<20), "peak-MiB")
			}
		})
	}
}
