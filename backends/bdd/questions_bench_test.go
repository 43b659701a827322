package bdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

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
