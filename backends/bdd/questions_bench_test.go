package bdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Questions of a session: the valid cells and the counts of a board with some queens of a random
// solution, on a diagram that is in memory, one question after another.
func BenchmarkQuestions(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{8, 10, 12, 14} {
		p := problem(b, n, nil, nil)
		rng := rand.New(rand.NewPCG(1, 0))
		var solutions [][]cnf.Lit
		for range 8 { // the first solution with random queens in two rows
			for len(solutions) < 64 {
				q := problem(b, n, []board.Cell{{Row: rng.IntN(n / 2), Col: rng.IntN(n)}, {Row: n/2 + rng.IntN(n/2), Col: rng.IntN(n)}}, nil)
				a, err := search.New(q).Solve(ctx, nil)
				require.NoError(b, err)
				var queens []cnf.Lit
				for _, l := range a.Model {
					if l.Positive() {
						queens = append(queens, l)
					}
				}
				if len(queens) == n {
					rng.Shuffle(n, func(i, j int) { queens[i], queens[j] = queens[j], queens[i] })
					solutions = append(solutions, queens)
				}
			}
		}
		for _, name := range []string{"row-major", "random:1"} {
			compiled := compile(b, p, named(b, name, n), Options{})
			for _, placed := range []struct {
				name string
				n    int
			}{{"1", 1}, {"quarter", n / 4}, {"half", n / 2}, {"three-quarters", 3 * n / 4}} {
				o := New(compiled)
				ask := func(what string, do func(lits []cnf.Lit) (int64, error)) {
					b.Run(fmt.Sprintf("%s/%s/n=%d/%s", what, name, n, placed.name), func(b *testing.B) {
						visited, i := int64(0), 0
						for b.Loop() {
							v, err := do(solutions[i%len(solutions)][:placed.n])
							if err != nil {
								b.Fatal(err)
							}
							visited += v
							i++
						}
						b.ReportMetric(float64(visited)/float64(b.N), "visited")
					})
				}
				ask("valid", func(lits []cnf.Lit) (int64, error) {
					v, err := o.Valid(ctx, lits, "")
					return v.Work.Of("nodes visited"), err
				})
				ask("count", func(lits []cnf.Lit) (int64, error) { _, err := o.Count(ctx, lits); return 0, err })
				ask("each", func(lits []cnf.Lit) (int64, error) { _, _, err := o.CountEach(ctx, lits); return 0, err })
				_ = encode.VarCell
			}
		}
	}
}

// A session asks a new Oracle for the valid cells of 101 boards, one after another: with some queens of a
// random solution, any of them or those of the first rows. first and bytes are the time of the first
// question and the memory that the Oracle then keeps.
//
// Why [SweepZDD] is the default and not [Annotated], as CPU time of a session under Annotated over that under
// SweepZDD: below 1 only in some places, and above 2 in others, although every warm question is faster.
//
//	queens          1     2     3   n/3   n/2  3n/4
//	n = 8  any    .62   .79               .98   .90
//	n = 10 any    .45   .69   .85        1.07  1.12
//	n = 12 any    .57   .92   .74  1.08  1.45  1.54
//	n = 12 rows   .31   .55   .62  1.12  1.67  2.72
//	n = 13 any   2.22  1.88   .71  1.29  1.71  3.19
//	n = 13 rows  1.52  1.43   .75   .86  2.37  2.19
//
// Why SweepZDD visits all nodes at once if at most 3/7 of the cells are free: the CPU time of a session
// that does so over that of one that samples first. Below each ratio is the share of free cells.
//
//	queens          1     2     3     4
//	n = 12 any   1.05  1.01   .79   .92
//	              .74   .54   .39   .27
//	n = 13 any   3.63  1.33   .61   .82
//	              .76   .57   .42   .30
//	n = 14 any   8.98  2.65  1.28   .52
//	              .78   .60   .45   .33
//	n = 15 any   31.9  8.56  3.28   .76
//	              .79   .62   .48   .36
//
// go test -run xxx -bench Session ./backends/bdd repeats the first; for the second, robdd's Possible is made
// with narrow as large as the diagram.
func BenchmarkSession(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{8, 10, 12, 13} {
		compiled := compile(b, problem(b, n, nil, nil), named(b, "row-major", n), Options{})
		var solutions [][]cnf.Lit
		for model, err := range New(compiled).Samples(ctx, nil, 1) {
			require.NoError(b, err)
			queens := slices.DeleteFunc(slices.Clone(model), func(l cnf.Lit) bool { return !l.Positive() })
			if solutions = append(solutions, queens); len(solutions) == 101 {
				break
			}
		}
		for _, anywhere := range []bool{true, false} {
			rng := rand.New(rand.NewPCG(1, 0))
			for _, queens := range solutions {
				if anywhere {
					rng.Shuffle(n, func(i, j int) { queens[i], queens[j] = queens[j], queens[i] })
				} else {
					slices.Sort(queens)
				}
			}
			for _, placed := range []int{0, 1, n / 4, n / 3, n / 2, 3 * n / 4} {
				for _, method := range []string{SweepZDD, Annotated} {
					b.Run(fmt.Sprintf("n=%d/anywhere=%t/placed=%d/%s", n, anywhere, placed, method), func(b *testing.B) {
						var first time.Duration
						bytes := int64(0)
						for b.Loop() {
							o, start := New(compiled), time.Now()
							for i, queens := range solutions {
								if _, err := o.Valid(ctx, queens[:placed], method); err != nil {
									b.Fatal(err)
								}
								if i == 0 {
									first += time.Since(start)
								}
							}
							bytes = o.Stats().Bytes
						}
						b.ReportMetric(float64(first)/float64(b.N), "first-ns")
						b.ReportMetric(float64(bytes), "bytes")
					})
				}
			}
		}
	}
}
