package search

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/oracletest"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

func TestConformance(t *testing.T) {
	oracletest.Run(t, func(p encode.Problem) backends.Oracle { return New(p) })
}

// The walk for wide boards passes the same suite on small ones.
func TestConformanceOfTheWideWalk(t *testing.T) {
	oracletest.Run(t, func(p encode.Problem) backends.Oracle {
		return &Oracle{problem: p, walker: newWide(p.N)}
	})
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
		assert.Equal(t, oracletest.Known[n], count.Int64())
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

func BenchmarkCount(b *testing.B) {
	for _, n := range []int{8, 10, 12} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			o := oracle(b, n)
			for b.Loop() {
				if _, err := o.Count(context.Background(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
