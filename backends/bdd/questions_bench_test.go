package bdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
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

// Sessions as people play them: from nothing decided, a random variable that is still open each time, and a quarter of
// the questions takes the last decision back. The ZDD is in memory.
//
// Why one question goes to [SweepZDD] and a session to [Annotated], up to n = 13: CPU time in microseconds of preparing
// the method and of a session, by the least of nine trials of twelve sessions, and the sessions after which
// preparing has paid.
//
//	               prepare  annotated  sweep-zdd  pays after
//	queens 6             7        2.6        6.4           2
//	queens 8            23         11         23           2
//	queens 10          118         39         88           3
//	queens 12        2,000        146        358          10
//	queens 13       11,100        498        599         110
//	queens 14       75,700      1,831      1,248       never
//	dominoes 6          24         73        103           1
//	dominoes 8          70        377        458           1
//	features            57        707        775           1
//
// go test -run xxx -bench Session ./backends/bdd repeats them.
func BenchmarkSession(b *testing.B) {
	for _, name := range []string{"queens 6", "queens 8", "queens 10", "queens 12", "queens 13", "queens 14", "dominoes 8", "features"} {
		compiled, sessions := playedSessions(b, name, 12)
		for _, method := range []string{SweepZDD, Annotated} {
			b.Run(name+"/"+method, func(b *testing.B) {
				var prepare, bytes int64
				for b.Loop() {
					for _, session := range sessions {
						o, start := New(compiled), time.Now()
						require.NoError(b, o.Prepare(b.Context(), method))
						prepare += time.Since(start).Nanoseconds()
						for _, decided := range session {
							if _, err := o.Valid(b.Context(), decided, method); err != nil {
								b.Fatal(err)
							}
						}
						bytes = o.Stats().Bytes
					}
				}
				each := float64(b.N * len(sessions))
				b.ReportMetric(float64(prepare)/each, "ns/prepare")
				b.ReportMetric((float64(b.Elapsed().Nanoseconds())-float64(prepare))/each, "ns/session")
				b.ReportMetric(float64(bytes), "bytes")
			})
		}
	}
}

// playedSessions returns a problem's diagram and the questions of some sessions.
func playedSessions(b *testing.B, name string, number int) (*Compiled, [][][]cnf.Lit) {
	var p encode.Problem
	by := "row-major"
	if name == "features" {
		f, err := os.Open("../../configs/models/features-120-1.cnf")
		require.NoError(b, err)
		defer f.Close()
		by = "estimate"
		p, _, err = encode.ReadCNF(f, name)
		require.NoError(b, err)
	} else {
		var family string
		var n int
		_, err := fmt.Sscan(name, &family, &n)
		require.NoError(b, err)
		p = encodetest.Family(b, family, n)
	}
	compiled := compile(b, p, orderFor(b, p, by), Options{})
	sessions := make([][][]cnf.Lit, number)
	for i := range sessions {
		rng, o := rand.New(rand.NewPCG(uint64(i), 0)), New(compiled)
		var decided []cnf.Lit
		for {
			sessions[i] = append(sessions[i], slices.Clone(decided))
			a, err := o.Valid(b.Context(), decided, Annotated)
			require.NoError(b, err)
			var open []cnf.Lit
			for _, v := range a.Possible {
				if !slices.Contains(a.Forced, v) {
					open = append(open, v.Pos())
				}
			}
			if len(open) == 0 {
				break
			}
			if len(decided) > 0 && rng.IntN(4) == 0 {
				decided = decided[:len(decided)-1]
				continue
			}
			l := open[rng.IntN(len(open))]
			if p.Place == nil && rng.IntN(2) == 1 {
				l = l.Not()
			}
			decided = append(decided, l)
		}
	}
	return compiled, sessions
}
