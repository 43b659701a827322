package search

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
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

// sessions returns boards with some queens of a random solution placed.
func sessions(b *testing.B, n, placed int) (sessions [][]cnf.Lit) {
	for seed := range uint64(32) {
		w := localsearch.NewWalk(board.NewPosition(n, nil, nil), seed)
		require.True(b, w.Complete(context.Background(), 1000+20*n))
		var assume []cnf.Lit
		for _, row := range rand.New(rand.NewPCG(seed, uint64(n))).Perm(n)[:placed] {
			assume = append(assume, encode.CellVar(n, board.Cell{Row: row, Col: int(w.Solution()[row])}).Pos())
		}
		sessions = append(sessions, assume)
	}
	return sessions
}

// BenchmarkValid finds the valid cells of boards with some queens of a random solution placed, 32 boards
// in turn, by each method that takes less than some milliseconds.
func BenchmarkValid(b *testing.B) {
	for _, at := range [][2]int{
		{12, 0}, {12, 3}, {12, 6}, {12, 9}, {14, 3}, {14, 7}, {14, 10}, {15, 3}, {15, 7}, {20, 0}, {20, 5},
		{20, 10}, {20, 15}, {26, 13}, {32, 16}, {40, 20}, {100, 50},
	} {
		n, placed := at[0], at[1]
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		boards := sessions(b, n, placed)
		o := New(p)
		for _, method := range backends.Names(Methods()) {
			open := n - placed
			if method == Enumerate && open > 12 || method == Reuse && open > 20 || method == PerCell && open > 12 {
				continue
			}
			b.Run(fmt.Sprintf("n=%d/placed=%d/%s", n, placed, method), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					if _, err := o.Valid(context.Background(), boards[i%len(boards)], method); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkAgainstPlainLoop compares a question about valid cells with a loop that does nothing else, as one
// would write it in C: it lists completions row by row until it has seen every free cell, and allocates
// nothing. Search adds checks, the counts of work, the answer's lists of variables, and a walk that stays
// fast when many completions are left.
func BenchmarkAgainstPlainLoop(b *testing.B) {
	for _, n := range []int{12, 14} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		o, boards := New(p), sessions(b, n, n/2)
		var plain plainLoop
		for _, assume := range boards {
			found, err := o.Valid(context.Background(), assume, Supports)
			require.NoError(b, err)
			require.Equal(b, found.Possible, plain.valid(n, assume))
		}
		b.Run(fmt.Sprintf("n=%d/search", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := o.Valid(context.Background(), boards[i%len(boards)], Supports); err != nil {
					b.Fatal(err) // require looks up its caller on every call, which takes a quarter of the time
				}
			}
		})
		b.Run(fmt.Sprintf("n=%d/plain", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				plain.ask(n, boards[i%len(boards)])
			}
		})
	}
}

// plainLoop is the loop of [BenchmarkAgainstPlainLoop].
type plainLoop struct {
	n          int
	free, seen [32]uint32 // by row; free has the cells that no placed queen attacks
	cols       [32]uint32 // by row: the queen's bit
	rows       [32]int    // open ones
	open, left int
}

func (s *plainLoop) ask(n int, assume []cnf.Lit) {
	s.n, s.open, s.left = n, 0, 0
	for row := range n {
		s.free[row], s.seen[row], s.cols[row] = 1<<n-1, 0, 0
	}
	for _, l := range assume {
		row, bit := (int(l)-1)/n, uint32(1)<<((int(l)-1)%n)
		s.cols[row], s.seen[row] = bit, bit
		for r := range n {
			away := max(r-row, row-r)
			s.free[r] &^= bit | bit<<away | bit>>away
		}
	}
	for row := range n {
		if s.cols[row] == 0 {
			s.rows[s.open] = row
			s.open++
			s.left += bits.OnesCount32(s.free[row])
		}
	}
	s.below(0, 0, 0, 0, 0)
}

// below fills the open rows from the i-th on. cols, up and down are the lines of the queens that it has placed, the
// diagonals as in row at.
func (s *plainLoop) below(i, at int, cols, up, down uint64) bool {
	if i == s.open {
		for _, row := range s.rows[:s.open] {
			if s.seen[row]&s.cols[row] == 0 {
				s.seen[row] |= s.cols[row]
				s.left--
			}
		}
		return s.left > 0
	}
	row := s.rows[i]
	up, down = up<<(row-at), down>>(row-at)
	for free := uint64(s.free[row]) &^ (cols | up | down); free != 0; free &= free - 1 {
		q := free & -free
		s.cols[row] = uint32(q)
		if !s.below(i+1, row, cols|q, up|q, down|q) {
			return false
		}
	}
	return true
}

func (s *plainLoop) valid(n int, assume []cnf.Lit) (vars []cnf.Var) {
	s.ask(n, assume)
	for row, cells := range s.seen[:n] {
		for ; cells != 0; cells &= cells - 1 {
			vars = append(vars, cnf.Var(row*n+bits.TrailingZeros32(cells)+1))
		}
	}
	return vars
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
			p := conformance.Excluding(b, in, min(n-3, len(in.Diagonals)))
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
