package bdd

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// Building, by construction and size. CPU time and peak memory compared with other
// packages are in the folder bench.
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

// The speed-up by several workers: elapsed time with one and with all processors in turn, and the ratio
// of the medians. From it follow the serial share of the work, e = (1/s - 1/p) / (1 - 1/p) for a
// speed-up of s on p processors (Karp and Flatt, "Measuring parallel processor performance", CACM 33(5),
// 1990), and the speed-up that this predicts for 16 processors. It is meaningful only on an idle
// machine.
func BenchmarkWorkers(b *testing.B) {
	ctx, all := context.Background(), runtime.GOMAXPROCS(0)
	const n = 14
	p, o := problem(b, n, nil, nil), named(b, "row-major", n)
	work := map[string]func(workers int) error{}
	enumerated := problem(b, n-1, nil, nil)
	work["enumerate"] = func(workers int) error {
		_, err := search.New(enumerated).Parallel(workers, nil).Count(ctx, nil)
		return err
	}
	for _, name := range []string{"free-set", "solutions"} {
		work[name] = func(workers int) error {
			_, err := Compile(ctx, p, o, Options{Construction: name, Workers: workers})
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(work)) {
		b.Run(name, func(b *testing.B) {
			var took [2][]float64
			for b.Loop() {
				for i, workers := range [2]int{1, all} {
					start := time.Now()
					require.NoError(b, work[name](workers))
					took[i] = append(took[i], time.Since(start).Seconds())
				}
			}
			var median [2]float64
			for i, times := range took {
				slices.Sort(times)
				median[i] = times[len(times)/2]
			}
			processors, gain := float64(all), median[0]/median[1]
			serial := 0.0
			if all > 1 {
				serial = max(0, (1/gain-1/processors)/(1-1/processors))
			}
			b.ReportMetric(0, "ns/op") // of both
			b.ReportMetric(median[1]/median[0], "of-one's-time")
			b.ReportMetric(100*serial, "%serial")
			b.ReportMetric(1/(serial+(1-serial)/16), "speed-up-on-16")
		})
	}
}

// All valid cells of a compiled board, cold: a fresh Oracle, and the processor's caches
// full of other data. First the empty board, then with queens placed: those of one solution
// in the last rows, where a sweep from the top would have most to visit, or as the name
// says.
func BenchmarkValidCells(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{8, 10, 12, 14} {
		compiled := compile(b, problem(b, n, nil, nil), named(b, "row-major", n), Options{})
		solution, err := New(compiled).Solve(ctx, nil)
		require.NoError(b, err)
		var queens []cnf.Lit
		for _, l := range solution.Model {
			if l.Positive() {
				queens = append(queens, l)
			}
		}
		for _, c := range []placement{
			{"0", nil}, {"1", queens[n-1:]}, {"2", queens[n-2:]}, {"half", queens[n-n/2:]},
			{"1-first-row", queens[:1]}, {"1-middle-row", queens[n/2 : n/2+1]}, {"half-upper", queens[:n/2]},
			{"1-centre", []cnf.Lit{encode.CellVar(n, board.Cell{Row: n/2 - 1, Col: n/2 - 1}).Pos()}},
		} {
			for _, method := range []string{SweepZDD, Sweep} {
				if n > 12 && method == Sweep {
					continue // nine million nodes, to compare at smaller n
				}
				b.Run(fmt.Sprintf("%s/n=%d/placed=%s", method, n, c.name), func(b *testing.B) {
					visited := int64(0)
					cold(b, func() error {
						valid, err := New(compiled).Valid(ctx, c.queens, method)
						visited = valid.Work.Of("nodes visited")
						return err
					})
					b.ReportMetric(float64(visited), "visited")
				})
			}
			b.Run(fmt.Sprintf("counts/n=%d/placed=%s", n, c.name), func(b *testing.B) {
				cold(b, func() error {
					_, _, err := New(compiled).CountEach(ctx, c.queens)
					return err
				})
			})
		}
		if n > 10 {
			continue // restrict takes seconds there
		}
		b.Run(fmt.Sprintf("restrict/n=%d/placed=0", n), func(b *testing.B) {
			o := New(compiled)
			_, err := o.Valid(ctx, nil, Restrict) // thaws the diagram
			require.NoError(b, err)
			cold(b, func() error {
				_, err := o.Valid(ctx, nil, Restrict)
				return err
			})
		})
	}
}

// placement is a subset of the queens of a solution.
type placement struct {
	name   string
	queens []cnf.Lit
}

// cold times calls, each after other memory has passed through the caches, and
// reports the median, which a preemption does not change.
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
	b.ReportMetric(0, "ns/op") // would include touching the other memory
	b.ReportMetric(times[len(times)/2], "median-µs/op")
}

// Loading a saved diagram compared with compiling it by the default construction, for both kinds, in
// turn: the ratio of the medians. Loading opens a file in the system's cache, and checks all of it. For
// the ROBDD it also measures loading together with the conversion, and what loading would take if the
// ROBDD itself had been saved.
func BenchmarkLoad(b *testing.B) {
	ctx := context.Background()
	for n := 10; n <= 14; n++ {
		p, o := problem(b, n, nil, nil), named(b, "row-major", n)
		for _, kind := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
			b.Run(fmt.Sprintf("%v/n=%d", kind, n), func(b *testing.B) {
				file, asIs := filepath.Join(b.TempDir(), "saved"), filepath.Join(b.TempDir(), "as-is")
				compiled := compile(b, p, o, Options{})
				saveDiagram(b, zdd(b, compiled), file, nil)
				asked, err := compiled.As(ctx, kind)
				require.NoError(b, err)
				saveDiagram(b, asked, asIs, nil)
				info, err := os.Stat(file)
				require.NoError(b, err)
				calls := []func() error{
					func() error {
						c, err := Compile(ctx, p, o, Options{})
						if err == nil {
							_, err = c.As(ctx, kind)
						}
						return err
					},
					func() error { _, _, err := robdd.Load(ctx, file, 0); return err },
				}
				if kind == robdd.BDD {
					calls = append(calls,
						func() error {
							d, _, err := robdd.Load(ctx, file, 0)
							if err == nil {
								_, err = reloaded(b, compiled, d, 0).As(ctx, robdd.BDD)
							}
							return err
						},
						func() error { _, _, err := robdd.Load(ctx, asIs, 0); return err })
				}
				took := alternately(b, calls...)
				for i, unit := range []string{"µs-compile", "µs-load", "µs-load-and-draw", "µs-load-as-is"}[:len(took)] {
					b.ReportMetric(took[i], unit)
				}
				b.ReportMetric(took[0]/took[1], "times-as-fast")
				b.ReportMetric(float64(info.Size()), "bytes")
			})
		}
	}
}

// alternately times calls in turn, and returns the median of each, in microseconds.
func alternately(b *testing.B, calls ...func() error) []float64 {
	took := make([][]float64, len(calls))
	for b.Loop() {
		for i, call := range calls {
			start := time.Now()
			require.NoError(b, call())
			took[i] = append(took[i], float64(time.Since(start).Nanoseconds())/1e3)
		}
	}
	b.ReportMetric(0, "ns/op") // of all calls
	medians := make([]float64, len(calls))
	for i, times := range took {
		slices.Sort(times)
		medians[i] = times[len(times)/2]
	}
	return medians
}
