package explain

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/sat"
	"queens/board"
	"queens/encode/cnf"
)

// stairs places the queens of the two staircases that solve a board of even size, except in some rows.
func stairs(n int, open []int) (placed []board.Cell) {
	for row := range n {
		if !slices.Contains(open, row) {
			placed = append(placed, board.Cell{Row: row, Col: row/2 + (1-row%2)*n/2})
		}
	}
	return placed
}

// hard is a question whose minimal blame takes hours: whether 121 of its 174 queens can be completed.
var hard = cellQuestion{
	N: 180, Placed: stairs(180, []int{14, 21, 23, 43, 92, 171}), Cell: board.Cell{Row: 21, Col: 21}, Smallest: 100_000,
}

// Explanations of nearly full wide boards take a bounded number of steps, and are the same each time. Their steps
// hold, whether or not fewer queens may suffice.
func TestExplanationsEnd(t *testing.T) {
	questions := []cellQuestion{hard}
	for i, n := range []int{150, 162, 180, 202} {
		if testing.Short() && i > 1 {
			break
		}
		for _, open := range []int{5, 8, 12} {
			seed := uint64(100*i + open)
			rng := rand.New(rand.NewPCG(seed, 0))
			placed, _ := random(t, n, n-open, 3*seed)
			if n%6 != 2 && seed%2 == 0 {
				placed = stairs(n, rng.Perm(n)[:open])
			}
			free := board.NewPosition(n, placed, nil).Cells()
			if len(free) > 0 {
				questions = append(questions, cellQuestion{N: n, Placed: placed, Cell: free[rng.IntN(len(free))], Smallest: 100_000})
			}
		}
	}
	unproved := 0
	for _, q := range questions {
		hint := fmt.Sprintf("n = %d, %d queens, %s", q.N, len(q.Placed), q.Cell)
		var before *cellAnswer
		for range 2 {
			s := &counted{Backend: inTurn(t, q.N)}
			e, err := q.of(context.Background(), New(empty(t, q.N), s))
			require.NoError(t, err, hint)
			require.LessOrEqual(t, s.steps, uint64(minimalWork+q.Smallest)*17/16+200, hint)
			if e.Verdict == IsValid {
				break
			}
			require.Subset(t, q.Placed, e.Blame, hint)
			if follow(t, q, e, hint); !e.Smallest {
				unproved++
			}
			if before != nil {
				require.Equal(t, *before, e, hint)
			}
			before = &e
		}
	}
	assert.Positive(t, unproved)
}

// A SAT solver gives up, too, on a question about fewer queens that would take it hours.
func TestExplanationsBySolverEnd(t *testing.T) {
	var before *cellAnswer
	for range 2 {
		e, err := hard.of(context.Background(), New(empty(t, hard.N), sat.New(empty(t, hard.N))))
		require.NoError(t, err)
		follow(t, hard, e, "gini")
		require.False(t, e.Smallest)
		if before != nil {
			require.Equal(t, *before, e)
		}
		before = &e
	}
}

// counted counts the steps of questions with a bound.
type counted struct {
	backends.Backend
	steps uint64
}

func (c *counted) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (backends.Answer, uint64, error) {
	a, took, err := backends.SolveWithin(ctx, c.Backend, assume, steps)
	c.steps += took
	return a, took, err
}

// The question whose minimal blame takes hours is answered in about a quarter of a second.
func BenchmarkHardQuestion(b *testing.B) {
	solver := inTurn(b, hard.N)
	for b.Loop() {
		_, err := hard.of(context.Background(), New(empty(b, hard.N), solver))
		require.NoError(b, err)
	}
}
