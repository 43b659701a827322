package tasks

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends/conformance"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/csplib"
	"queens/experiments"
)

func diagonals(t *testing.T, n, exclude int, seed uint64, backend string) experiments.Task {
	return made(t, "diagonals", params{"n": n, "seed": seed, "exclude": exclude, "backend": backend})
}

// Every back-end agrees with the others and with the number of solutions, on instances with and
// without one.
func TestDiagonalsAgree(t *testing.T) {
	verdicts, checked := map[string]int{}, 0
	largest, least := 10, 30
	if testing.Short() {
		largest, least = 7, 10
	}
	for seed := range uint64(6) {
		for n := 4; n <= largest; n += 3 {
			for exclude := 0; exclude <= 10; exclude += 2 {
				for _, b := range ask.Names(ask.Able(ask.Valid)) {
					task := diagonals(t, n, exclude, seed, b)
					asked := judge(t, task)
					if asked == 0 {
						continue // the instance has fewer diagonals
					}
					in, err := csplib.Random(n, 4, seed)
					require.NoError(t, err)
					if exclude == 0 {
						in.Diagonals = nil
					}
					problem := conformance.Excluding(t, in, exclude)
					own, err := ask.Named(b, 0)
					require.NoError(t, err)
					builders := slices.DeleteFunc(ask.All(), func(d ask.Descriptor) bool {
						return d.SharesWith(own, problem, ask.Solve) || d.Name != "bdd" && d.Name != "table"
					})
					require.Len(t, builders, asked, "n <= 12")
					checked += asked

					count, err := search.New(problem).Count(context.Background(), nil)
					require.NoError(t, err)
					want := "UNSATISFIABLE"
					if count.Sign() > 0 {
						want = "SATISFIABLE"
					}
					f := run(t, task)
					assert.Equal(t, want, f.Answer, "%+v", task)
					assert.Equal(t, want == "SATISFIABLE", f.Proved)
					assert.Equal(t, count.Sign(), f.Values.(DiagonalsResult).Solvable)
					verdicts[want]++
				}
			}
		}
	}
	assert.GreaterOrEqual(t, checked, 100)
	assert.GreaterOrEqual(t, verdicts["SATISFIABLE"], least)
	assert.GreaterOrEqual(t, verdicts["UNSATISFIABLE"], least)
}

// Boards with cells blocked at random: as many as asked for, others for another seed, and the
// back-ends agree on boards with a solution and on boards without.
func TestBlockedCells(t *testing.T) {
	verdicts, boards := map[int]int{}, map[string]bool{}
	for seed := range uint64(8) {
		for _, exclude := range []int{20, 32, 36, 40} {
			task := diagonals(t, 8, exclude, seed, "search")
			asked := task.Value.(*Diagonals)
			asked.Instance = "cells"
			require.True(t, exists(t, task))
			assert.Positive(t, judge(t, task))
			result := run(t, task).Values.(DiagonalsResult)
			assert.Equal(t, exclude, result.Blocked)
			assert.Equal(t, 64, result.Diagonals)
			verdicts[result.Solvable]++
			cells, _, err := asked.blocked()
			require.NoError(t, err)
			boards[board.FormatCells(cells)] = true
			p, err := encode.Queens(8, nil, cells)
			require.NoError(t, err)
			count, err := search.New(p).Count(context.Background(), nil)
			require.NoError(t, err)
			assert.Equal(t, count.Sign(), result.Solvable)
		}
	}
	assert.Len(t, boards, 32)
	assert.Greater(t, verdicts[0], 4)
	assert.Greater(t, verdicts[1], 4)
	task := diagonals(t, 8, 65, 1, "search")
	task.Value.(*Diagonals).Instance = "cells"
	assert.False(t, exists(t, task), "there are 64 cells")
}

// Without excluded diagonals there is one instance per size, for every seed.
func TestDiagonalsNormalise(t *testing.T) {
	task := diagonals(t, 8, 0, 7, "search")
	asked := task.Value.(*Diagonals)
	asked.Order, asked.AMO = "snake", "sequential"
	require.True(t, exists(t, task))
	assert.Equal(t, diagonals(t, 8, 0, 0, "search").Value, task.Value)
	assert.False(t, exists(t, diagonals(t, 8, 31, 7, "search")))
	asks := func(n int, backend string) (names []string) {
		for _, other := range diagonals(t, n, 8, 1, backend).References() {
			names = append(names, other.Title())
		}
		return names
	}
	assert.Equal(t, []string{"sat", "near"}, asks(40, "search"), "nor do large diagrams and lists check")
	assert.Equal(t, []string{"sat", "near"}, asks(40, "portfolio"), "it searches")
	assert.Equal(t, []string{"search", "portfolio", "near"}, asks(40, "sat"))
	assert.Equal(t, []string{"table"}, asks(21, "search"), "a list row by row refutes soonest")
	assert.Equal(t, []string{"sat", "search", "portfolio", "near"}, asks(21, "table"))
}

// A solution is checked against the board and the excluded diagonals.
func TestDiagonalsVerify(t *testing.T) {
	task := diagonals(t, 4, 0, 0, "sat").Value.(*Diagonals)
	solution, err := board.ParseCells(4, "b1,d2,a3,c4")
	require.NoError(t, err)
	assert.NoError(t, task.verify(solution, []board.Cell{board.At(4, 0)}))
	assert.ErrorContains(t, task.verify(solution, solution[:1]), "has a queen on b1, which is excluded")
	assert.Error(t, task.verify(solution[:3], nil))
}
