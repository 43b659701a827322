package robdd

import (
	"context"
	"fmt"
	"io"
	"testing"
)

// BenchmarkQueens builds the diagram as bdd-benchmark's queens program does: each
// cell's function over all levels, each row as the disjunction of its cells, the
// board as the conjunction of the rows; at n = 11 also without runs.
func BenchmarkQueens(b *testing.B) {
	for _, c := range []struct {
		n     int
		drawn bool
	}{{8, false}, {10, false}, {11, false}, {11, true}, {12, false}} {
		name := fmt.Sprint(c.n)
		if c.drawn {
			name += "-without-runs"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m, err := NewManager(natural(c.n*c.n), Config{})
				if err != nil {
					b.Fatal(err)
				}
				if c.drawn {
					m.expand()
				}
				queens(b, m, c.n)
				s := m.Stats()
				b.ReportMetric(float64(s.Created), "created")
				b.ReportMetric(float64(s.PeakBytes)/(1<<20), "peak-MiB")
			}
		})
	}
}

// BenchmarkSaved writes and reads a diagram's file in memory.
func BenchmarkSaved(b *testing.B) {
	d := queensDiagram(b, 11)
	file := saved(b, d, nil)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := d.Write(io.Discard, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(file))/float64(d.Len()), "bytes/node")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := read(context.Background(), file); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkQueries asks the questions of a configurator: on the empty board, with a
// queen on the first row, in the middle and on the last row, and with three. "cold"
// begins with a new query, so working memory is allocated and touched for the first
// time.
func BenchmarkQueries(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{10, 12} {
		d := queensDiagram(b, n)
		at := func(row, column int) Lit { return Lit(row*n + column + 1) }
		for _, c := range []struct {
			name   string
			assume []Lit
		}{
			{"empty", nil},
			{"first-row", []Lit{at(0, 3)}},
			{"middle", []Lit{at(n/2, 3)}},
			{"last-row", []Lit{at(n-1, 3)}},
			{"last-blocked", []Lit{-at(n-1, n-1)}},
			{"three", []Lit{at(0, 3), at(1, 7), at(n/2, 5)}},
		} {
			name := fmt.Sprintf("%d/%s", n, c.name)
			b.Run(name+"/possible", func(b *testing.B) {
				p := NewPossible(d)
				for b.Loop() {
					if _, err := p.Ask(ctx, c.assume); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"/each", func(b *testing.B) {
				counts := NewCounter(d)
				for b.Loop() {
					if _, _, err := counts.CountEach(ctx, c.assume); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"/possible-cold", func(b *testing.B) {
				for b.Loop() {
					if _, err := NewPossible(d).Ask(ctx, c.assume); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"/each-cold", func(b *testing.B) {
				for b.Loop() {
					if _, _, err := NewCounter(d).CountEach(ctx, c.assume); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
