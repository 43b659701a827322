package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/localsearch"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
)

// walks returns the walks for queens on a board of size n, by name.
func walks(n int) map[string]func(encode.Problem) walker {
	walks := map[string]func(encode.Problem) walker{
		"general": func(p encode.Problem) walker { return newGeneral(p) },
	}
	if n <= board.MaxMasks {
		walks["narrow"] = func(p encode.Problem) walker { return newNarrow(p) }
	}
	return walks
}

// BenchmarkCount visits every solution of an empty board.
func BenchmarkCount(b *testing.B) {
	for _, n := range []int{8, 10, 12} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		for name, make := range walks(n) {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				o := newOracle(p, make(p), "")
				for b.Loop() {
					_, err := o.Count(context.Background(), nil)
					require.NoError(b, err)
				}
			})
		}
	}
}

// BenchmarkValid finds the valid cells of boards with some queens of a random solution placed, 32 boards
// in turn, by each method that takes less than some milliseconds. The least of some ten short runs, which interleaved
// the methods, in microseconds; reuse is the version before Supports, which read its assumptions anew
// for each walk:
//
//	n / placed    enumerate    reuse    supports
//	12 / 3              9.1       48         9.9
//	12 / 6              1.6       51         1.9
//	12 / 9              1.5       55         1.5
//	14 / 3              122       53          26
//	14 / 7              2.0       55         2.0
//	14 / 10             1.7       80         1.8
//	15 / 3              650       57          34
//	15 / 7              2.4       66         2.7
//	20 / 5                -      148          56
//	20 / 10               -      188         7.2
//	20 / 15             3.0      157         3.3
//	26 / 13               -      298          33
//	32 / 16               -      702          55
func BenchmarkValid(b *testing.B) {
	for _, at := range [][2]int{
		{12, 0}, {12, 3}, {12, 6}, {12, 9}, {14, 3}, {14, 7}, {14, 10}, {15, 3}, {15, 7}, {20, 0}, {20, 5},
		{20, 10}, {20, 15}, {26, 13}, {32, 16}, {40, 20}, {100, 50},
	} {
		n, placed := at[0], at[1]
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		var sessions [][]cnf.Lit
		for seed := range uint64(32) {
			w := localsearch.NewWalk(board.NewPosition(n, nil, nil), seed)
			require.True(b, w.Complete(context.Background(), 1000+20*n))
			var assume []cnf.Lit
			for _, row := range rand.New(rand.NewPCG(seed, uint64(n))).Perm(n)[:placed] {
				assume = append(assume, encode.CellVar(n, board.Cell{Row: row, Col: int(w.Solution()[row])}).Pos())
			}
			sessions = append(sessions, assume)
		}
		o := New(p)
		for _, method := range Methods() {
			open := n - placed
			if method == Enumerate && open > 12 || method == Reuse && open > 20 || method == PerCell && open > 12 {
				continue
			}
			b.Run(fmt.Sprintf("n=%d/placed=%d/%s", n, placed, method), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					_, err := o.Valid(context.Background(), sessions[i%len(sessions)], method)
					require.NoError(b, err)
				}
			})
		}
	}
}

// BenchmarkSolve finds one solution of an empty board.
func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{20, 32, 64, 100, 200} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		for name, make := range walks(n) {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				o := newOracle(p, make(p), "")
				for b.Loop() {
					_, err := o.Solve(context.Background(), nil)
					require.NoError(b, err)
				}
			})
		}
	}
}

// BenchmarkDiagonals settles boards with random diagonals excluded, hard ones among
// them, with and without a solution.
func BenchmarkDiagonals(b *testing.B) {
	for _, n := range []int{15, 17, 19} {
		var problems []encode.Problem
		for seed := range uint64(20) {
			in, err := csplib.Random(n, 3, seed)
			require.NoError(b, err)
			p, err := in.Problem(min(n-3, len(in.Diagonals)))
			require.NoError(b, err)
			problems = append(problems, p)
		}
		for name, make := range walks(n) {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				var oracles []*Oracle
				for _, p := range problems {
					oracles = append(oracles, newOracle(p, make(p), ""))
				}
				for b.Loop() {
					for _, o := range oracles {
						_, err := o.Solve(context.Background(), nil)
						require.NoError(b, err)
					}
				}
			})
		}
	}
}

// BenchmarkFamilies counts the solutions of the other families.
func BenchmarkFamilies(b *testing.B) {
	for _, c := range []struct {
		family string
		n      int
	}{
		{"rooks", 8}, {"latin", 4}, {"latin", 5}, {"dominoes", 6}, {"dominoes", 8},
		{"toroidal", 11}, {"amazons", 11}, {"amazons", 12}, {"amazons", 13},
	} {
		b.Run(fmt.Sprintf("%s/n=%d", c.family, c.n), func(b *testing.B) {
			family, err := encode.FamilyNamed(c.family)
			require.NoError(b, err)
			p, err := family.Build(c.n)
			require.NoError(b, err)
			want, _ := family.Known(c.n)
			o := New(p)
			for b.Loop() {
				got, err := o.Count(context.Background(), nil)
				require.NoError(b, err)
				require.Equal(b, want.String(), got.String())
			}
		})
	}
}
