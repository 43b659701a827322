package search

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/oracletest"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
)

func TestConformance(t *testing.T) {
	oracletest.RunAny(t, func(p encode.Problem) any { return New(p) })
}

// Every walk passes the suite on queens, those too that New would not take.
func TestConformanceOfTheWalks(t *testing.T) {
	for name, make := range map[string]func(encode.Problem) walker{
		"general": func(p encode.Problem) walker { return newGeneral(p) },
		"wide":    func(p encode.Problem) walker { return newWide(p) },
		"packed":  func(p encode.Problem) walker { return newPacked(p) },
	} {
		t.Run(name, func(t *testing.T) {
			oracletest.Run(t, func(p encode.Problem) any { return newOracle(p, make(p), "") })
		})
	}
}

// Every number of lines that a word can hold, against the other walks, on boards
// where one row and one column after another loses its free cells.
func TestWalksAgreeOnBlockedBoards(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := 1 + rng.IntN(13)
		if seed%10 == 0 {
			n = 14 + rng.IntN(narrowMax-13)
		}
		var blocked []board.Cell
		for i := range n * n {
			if rng.IntN(20) < 9 {
				blocked = append(blocked, board.At(n, i))
			}
		}
		p, err := encode.Queens(n, nil, blocked)
		require.NoError(t, err)
		if n > 13 {
			want, err := newOracle(p, newWide(p), "").Solve(context.Background(), nil)
			require.NoError(t, err)
			got, err := newOracle(p, newPacked(p), "").Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, want.Status, got.Status, "seed %d, n=%d", seed, n)
			continue
		}
		want, err := newOracle(p, newWide(p), "").Count(context.Background(), nil)
		require.NoError(t, err)
		for _, w := range []walker{newNarrow(p), newPacked(p), newGeneral(p)} {
			got, err := newOracle(p, w, "").Count(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, want, got, "seed %d, n=%d, %T", seed, n, w)
		}
	}
}

// Hard boards, with a solution and without one, go from one walk to the other.
func TestHardBoardsAreHandedOver(t *testing.T) {
	const n = 17
	handed := map[backends.Status]int{}
	for seed := range uint64(30) {
		in, err := csplib.Random(n, 3, seed)
		require.NoError(t, err)
		p, err := in.Problem(min(14, len(in.Diagonals)))
		require.NoError(t, err)
		o := New(p)
		got, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		if o.walker.(*narrow).hard == nil {
			continue
		}
		handed[got.Status]++
		require.Greater(t, o.Visited(), uint64(hardAfter))
		if got.Status == backends.Sat {
			checkSolution(t, n, got.Model)
		} else {
			want, err := newOracle(p, newWide(p), "").Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, want.Status, got.Status, "seed %d", seed)
		}
		again, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	t.Log(handed)
	require.Positive(t, handed[backends.Sat])
	require.Positive(t, handed[backends.Unsat])
}

func oracle(t testing.TB, n int) *Oracle {
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	return New(p)
}

func TestKnownCountsBeyondTheSuite(t *testing.T) {
	for n := 11; n <= 12; n++ {
		count, err := oracle(t, n).Count(context.Background(), nil)
		require.NoError(t, err)
		known, _ := board.KnownSolutions(n)
		assert.Equal(t, int64(known), count.Int64())
	}
}

// Boards on both sides of a word of columns, and of a word of diagonals.
func TestBoardsAtTheWordsEdges(t *testing.T) {
	for _, n := range []int{31, 32, 33, 63, 64, 65, 100, 130} {
		answer, err := oracle(t, n).Solve(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, backends.Sat, answer.Status)
		checkSolution(t, n, answer.Model)
	}
}

func checkSolution(t *testing.T, n int, model []cnf.Lit) {
	var queens []board.Cell
	for i, l := range model {
		if l.Positive() {
			queens = append(queens, board.At(n, i))
		}
	}
	require.NoError(t, board.VerifyCells(n, queens))
}

// A count that would take years ends soon after its deadline.
func TestDeadlineIsHonouredInsideAWalk(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	o := oracle(t, 24)
	_, err := o.Count(ctx, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	answer, err := o.Solve(context.Background(), nil)
	require.NoError(t, err)
	checkSolution(t, 24, answer.Model)
}
