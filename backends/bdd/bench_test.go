package bdd

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
)

// Building, by construction and size. CPU time and peak memory beside other packages
// are in the folder bench.
func BenchmarkCompile(b *testing.B) {
	for _, c := range Constructions() {
		for _, n := range []int{8, 10, 12, 13} {
			if n > 8 && (c.Name == "pairwise" || c.Name == "per-cell") || n > 10 && c.Name != "free-set" && c.Name != "solutions" {
				continue
			}
			b.Run(fmt.Sprintf("%s/n=%d", c.Name, n), func(b *testing.B) {
				p, o := problem(b, n, nil, nil), named(b, "row-major", n)
				for b.Loop() {
					compile(b, p, o, Options{Construction: c.Name})
				}
			})
		}
	}
}

// All valid cells of a compiled board, cold: a fresh Oracle, and the processor's
// caches full of something else. First the empty board, then with queens placed.
func BenchmarkValidCells(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{8, 10, 12} {
		c := compile(b, problem(b, n, nil, nil), named(b, "row-major", n), Options{})
		solution, err := New(c).Solve(ctx, nil)
		require.NoError(b, err)
		var queens []cnf.Lit
		for _, l := range solution.Model {
			if l.Positive() {
				queens = append(queens, l)
			}
		}
		for _, placed := range []int{0, 1, 2, n / 2} {
			assume := queens[n-placed:]
			for _, method := range []string{SweepZDD, Sweep} {
				b.Run(fmt.Sprintf("%s/n=%d/placed=%d", method, n, placed), func(b *testing.B) {
					cold(b, func() error {
						_, err := New(c).Valid(ctx, assume, method)
						return err
					})
				})
			}
			b.Run(fmt.Sprintf("counts/n=%d/placed=%d", n, placed), func(b *testing.B) {
				cold(b, func() error {
					_, _, err := New(c).CountEach(ctx, assume)
					return err
				})
			})
		}
		if n > 10 {
			continue // restrict takes seconds there
		}
		b.Run(fmt.Sprintf("restrict/n=%d/placed=0", n), func(b *testing.B) {
			o := New(c)
			_, err := o.Valid(ctx, nil, Restrict) // thaws the diagram
			require.NoError(b, err)
			cold(b, func() error {
				_, err := o.Valid(ctx, nil, Restrict)
				return err
			})
		})
	}
}

// cold times calls, each after other memory has gone through the caches, and reports
// the median, which a preemption does not move.
func cold(b *testing.B, call func() error) {
	other := make([]uint64, 8<<20)
	sum := uint64(0)
	var times []float64
	for range b.N {
		for i := range other {
			other[i] += sum
			sum++
		}
		start := time.Now()
		if err := call(); err != nil {
			b.Fatal(err)
		}
		times = append(times, float64(time.Since(start).Microseconds()))
	}
	slices.Sort(times)
	b.ReportMetric(0, "ns/op") // would count the other memory
	b.ReportMetric(times[len(times)/2], "median-µs/op")
}
