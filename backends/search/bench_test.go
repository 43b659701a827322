package search

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/csplib"
)

// walks returns the walks for queens on a board of size n, by name.
func walks(n int) map[string]func(encode.Problem) walker {
	walks := map[string]func(encode.Problem) walker{
		"general": func(p encode.Problem) walker { return newGeneral(p) },
	}
	if n <= narrowMax {
		walks["narrow"] = func(p encode.Problem) walker { return newNarrow(p) }
		walks["packed"] = func(p encode.Problem) walker { return newPacked(p) }
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

// BenchmarkValid finds the valid cells of boards with half of a solution placed.
func BenchmarkValid(b *testing.B) {
	for _, n := range []int{12, 20, 32, 50, 100} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		answer, err := New(p).Solve(context.Background(), nil)
		require.NoError(b, err)
		var assume = answer.Model[:0:0]
		for _, l := range answer.Model[:n*n/2] {
			if l.Positive() {
				assume = append(assume, l)
			}
		}
		for name, make := range walks(n) {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				o := newOracle(p, make(p), "")
				for b.Loop() {
					_, err := o.Valid(context.Background(), assume, "")
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
