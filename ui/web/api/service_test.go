package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/board"
	"queens/configure"
	"queens/configure/lesson"
	"queens/configure/pool"
)

func service() *Service { return New(pool.New(pool.Limits{}), nil, 5*time.Second) }

// ask asks a question given as a Go value and decodes the answer.
func ask[Answer any](t *testing.T, s *Service, operation string, request any) Answer {
	t.Helper()
	body, err := json.Marshal(request)
	require.NoError(t, err)
	status, text := s.Do(context.Background(), operation, body)
	require.Equal(t, 200, status, "%s %s: %s", operation, body, text)
	var answer Answer
	require.NoError(t, json.Unmarshal(text, &answer))
	return answer
}

// Random placements for n = 6, completable or not, with different back-ends, against brute
// force.
func TestBoardAgainstBruteForce(t *testing.T) {
	const n = 6
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	s := service()
	all := conformance.Queens(n)
	for range 300 {
		b := Board{State: configure.State{N: n}, Backend: pool.Names()[rng.IntN(3)]}
		used := map[board.Cell]bool{}
		for range rng.IntN(4) {
			c := board.At(n, rng.IntN(n*n))
			if used[c] {
				continue
			}
			used[c] = true
			if rng.IntN(3) == 0 {
				b.Blocked = append(b.Blocked, c)
			} else {
				b.Placed = append(b.Placed, c)
			}
		}
		through := map[board.Cell]int{}
		total := 0
		for _, cols := range all {
			queens := board.Queens(cols)
			fits := !slices.ContainsFunc(b.Blocked, func(c board.Cell) bool { return slices.Contains(queens, c) })
			for _, c := range b.Placed {
				fits = fits && slices.Contains(queens, c)
			}
			if fits {
				total++
				for _, q := range queens {
					through[q]++
				}
			}
		}
		answer := ask[BoardAnswer](t, s, "board", BoardRequest{Board: b, Counts: true})
		hint := fmt.Sprintf("%+v", b)
		require.Equal(t, total > 0, answer.Satisfiable, hint)
		var valid []string
		for i := range n * n {
			if c := board.At(n, i); through[c] > 0 && !slices.Contains(b.Placed, c) {
				valid = append(valid, c.String())
			}
		}
		require.ElementsMatch(t, valid, answer.Valid, hint)
		require.Len(t, answer.Marks, n*n)
		listed := ask[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: b, Limit: 100})
		require.Len(t, listed.Solutions, total, hint)
		require.False(t, listed.More)
		compared := ask[lesson.Comparison](t, s, "compare", b)
		require.True(t, compared.Agree, hint)
		if total == 0 {
			require.NotNil(t, answer.Refused, hint)
			require.Nil(t, answer.Counts)
			continue
		}
		counts := ask[CountOutcome](t, s, "count", b).Counts
		if answer.Counts != nil { // on a busy machine there may be no time to count
			require.Equal(t, counts.Through, answer.Counts.Through, hint)
		}
		require.Equal(t, fmt.Sprint(total), counts.Total, hint)
		for i, count := range counts.Through {
			require.Equal(t, fmt.Sprint(through[board.At(n, i)]), count, hint)
		}
	}
}

// The empty boards for n = 2 and 3 are ordinary boards without a solution.
func TestBoardsWithoutASolution(t *testing.T) {
	for n := 2; n <= 3; n++ {
		answer := ask[BoardAnswer](t, service(), "board", Board{State: configure.State{N: n}})
		assert.False(t, answer.Satisfiable)
		assert.Nil(t, answer.Refused, "nothing was decided, so nothing is refused")
	}
	assert.Equal(t, "Q", ask[BoardAnswer](t, service(), "board", Board{State: configure.State{N: 1, Placed: []board.Cell{{}}}}).Marks)
}

func TestPagesOfSolutions(t *testing.T) {
	s := service()
	var all [][]int
	for offset := 0; ; offset += 30 {
		page := ask[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: Board{State: configure.State{N: 8}}, Offset: offset, Limit: 30})
		all = append(all, page.Solutions...)
		if !page.More {
			break
		}
	}
	require.Len(t, all, 92)
	seen := map[string]bool{}
	for _, cols := range all {
		require.NoError(t, board.Verify(cols))
		seen[fmt.Sprint(cols)] = true
	}
	assert.Len(t, seen, 92)
}
