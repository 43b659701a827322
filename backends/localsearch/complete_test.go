package localsearch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"queens/board"
)

// someCells draws at most most distinct cells.
func someCells(t *rapid.T, n, most int, label string) []board.Cell {
	indices := rapid.SliceOfNDistinct(rapid.IntRange(0, n*n-1), 0, min(most, n*n), rapid.ID[int]).Draw(t, label)
	cells := make([]board.Cell, len(indices))
	for i, x := range indices {
		cells[i] = board.At(n, x)
	}
	return cells
}

// completions lists every solution that holds the placed and none of the
// blocked cells, by trying all columns row by row.
func completions(n int, placed, blocked []board.Cell) [][]int {
	var all [][]int
	cols := make([]int, 0, n)
	var extend func()
	extend = func() {
		row := len(cols)
		if row == n {
			all = append(all, slices.Clone(cols))
			return
		}
		for col := range n {
			here := board.Cell{Row: row, Col: col}
			fits := !slices.Contains(blocked, here)
			for _, p := range placed {
				fits = fits && (p.Row != row || p.Col == col)
			}
			for _, q := range board.Queens(cols) {
				fits = fits && !q.Attacks(here)
			}
			if fits {
				cols = append(cols, col)
				extend()
				cols = cols[:row]
			}
		}
	}
	extend()
	return all
}

// complete returns what Complete finds on a position, in a number of repairs that suffices.
func complete(w *Walk, want ...board.Cell) ([]int32, bool) {
	found := w.Complete(context.Background(), 20*w.n+1000, want...)
	return w.Solution(), found
}

// checkCompletion checks an answer: it must be a solution with all required queens.
func checkCompletion(t require.TestingT, cols []int32, placed, want, blocked []board.Cell) {
	require.NoError(t, board.Verify(cols))
	for _, q := range slices.Concat(placed, want) {
		require.Equal(t, int32(q.Col), cols[q.Row], "queen on %s is missing", q)
	}
	for _, b := range blocked {
		require.NotEqual(t, int32(b.Col), cols[b.Row], "a queen on blocked %s", b)
	}
}

// On boards that brute force can judge: a solution is never found when there is none
// and, although that is not guaranteed, always found when there is one.
func TestCompleteAgreesWithBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		placed := someCells(t, n, 2, "placed")
		blocked := someCells(t, n, n, "blocked")
		want := someCells(t, n, 2, "want")
		c := NewWalk(board.NewPosition(n, placed, blocked), rapid.Uint64().Draw(t, "seed"))
		found := c.Complete(context.Background(), 20000, want...)
		exists := len(completions(n, slices.Concat(placed, want), blocked)) > 0
		require.Equal(t, exists, found)
		if found {
			checkCompletion(t, c.Solution(), placed, want, blocked)
		}
	})
}

// The cells found valid on random completable placements are the valid ones.
func TestCompleteFindsEveryValidCell(t *testing.T) {
	const n = 8
	rng := rand.New(rand.NewPCG(8, 8))
	solutions := completions(n, nil, nil)
	require.Len(t, solutions, 92)
	for range 40 {
		solution := board.Queens(solutions[rng.IntN(len(solutions))])
		rng.Shuffle(n, func(i, j int) { solution[i], solution[j] = solution[j], solution[i] })
		placed := solution[:rng.IntN(5)]
		c := NewWalk(board.NewPosition(n, placed, nil), 1)
		valid := map[board.Cell]bool{}
		for _, s := range completions(n, placed, nil) {
			for _, q := range board.Queens(s) {
				valid[q] = true
			}
		}
		for i := range n * n {
			want := []board.Cell{board.At(n, i)}
			cols, found := complete(c, want...)
			require.Equal(t, valid[want[0]], found, "%s with %s placed", want[0], board.FormatCells(placed))
			if found {
				checkCompletion(t, cols, placed, want, nil)
			}
		}
	}
}

// After every step: no two queens attack each other, the line sets are those of the
// queens, the rows without a queen are the ones left, wanted queens are in place.
func TestCompleteKeepsItsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 140).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		start := NewWalk(board.NewPosition(n, nil, nil), seed)
		solution, found := complete(start)
		if !found {
			t.Skip("no solution to take queens from")
		}
		queens := board.Queens(solution)
		rng.Shuffle(n, func(i, j int) { queens[i], queens[j] = queens[j], queens[i] })
		placed, want := queens[:rng.IntN(n/2)], queens[n-1:]
		var blocked []board.Cell
		for range rng.IntN(2 * n) {
			if b := board.At(n, rng.IntN(n*n)); !slices.Contains(blocked, b) && !slices.Contains(queens, b) {
				blocked = append(blocked, b)
			}
		}
		c := NewWalk(board.NewPosition(n, placed, blocked), seed)
		require.False(t, c.at.Dead)
		require.True(t, c.fill(want))
		for range 300 {
			checkBooks(t, c, want)
			if len(c.homes) == 0 {
				break
			}
			c.repair()
		}
	})
}

func checkBooks(t *rapid.T, c *Walk, want []board.Cell) {
	n := c.n
	diag, anti := make(bitset, len(c.diag)), make(bitset, len(c.anti))
	homes, vacant := []int32{}, []int32{}
	queens := map[int32]bool{}
	for r, col := range c.col {
		if col < 0 {
			homes = append(homes, int32(r))
			continue
		}
		require.Equal(t, int32(r), c.row[col])
		queens[col] = true
		if c.at.Cols[r] >= 0 {
			require.Equal(t, c.at.Cols[r], col)
			continue
		}
		d, a := int(col)-r+n-1, r+int(col)
		require.True(t, c.isFree(r, int(col)))
		require.False(t, diag.has(d) || anti.has(a))
		require.Equal(t, []int32{int32(r), int32(r)}, []int32{c.onDiag[d], c.onAnti[a]})
		diag.add(d)
		anti.add(a)
	}
	require.Equal(t, diag, c.diag)
	require.Equal(t, anti, c.anti)
	for col, r := range c.row {
		require.Equal(t, queens[int32(col)], r >= 0)
		if r < 0 {
			vacant = append(vacant, int32(col))
		}
	}
	require.ElementsMatch(t, homes, c.homes)
	require.ElementsMatch(t, vacant, c.vacant)
	for _, q := range want {
		require.Equal(t, int32(q.Col), c.col[q.Row])
	}
}

// cover asks for each cell not yet shown until all are, and passes each model to
// judge; it returns the number of models.
func cover(t testing.TB, c *Walk, judge func(cols []int32, want board.Cell)) int {
	n := c.n
	unseen := slices.Clone(c.free)
	models := 0
	for i := range n * n {
		if !unseen[i/n*c.words:].has(i % n) {
			continue
		}
		want := board.At(n, i)
		cols, found := complete(c, want)
		if !found {
			t.Fatalf("n=%d: nothing found through %s", n, want)
		}
		judge(cols, want)
		models++
		for r, col := range cols {
			unseen[r*c.words:].remove(int(col))
		}
	}
	return models
}

// Every cell of an empty board is in a solution (n = 6 and below aside).
func TestCompleteCoversTheBoard(t *testing.T) {
	for _, n := range []int{20, 50, 64, 65, 100} {
		c := NewWalk(board.NewPosition(n, nil, nil), 1)
		models := cover(t, c, func(cols []int32, want board.Cell) {
			checkCompletion(t, cols, nil, []board.Cell{want}, nil)
		})
		assert.GreaterOrEqual(t, models, n, "n=%d", n)
	}
}

func TestCompleteRepeatsItself(t *testing.T) {
	run := func(seed uint64) (all [][]int32) {
		c := NewWalk(board.NewPosition(60, []board.Cell{{Row: 5, Col: 7}}, nil), seed)
		for range 10 {
			cols, found := complete(c)
			require.True(t, found)
			all = append(all, slices.Clone(cols))
		}
		return all
	}
	assert.Equal(t, run(3), run(3))
	assert.NotEqual(t, run(3), run(4))
}

func TestCompleteOrdinaryInput(t *testing.T) {
	for n, solvable := range []bool{1: true, 2: false, 3: false, 4: true, 5: true, 6: true} {
		if n == 0 {
			continue
		}
		c := NewWalk(board.NewPosition(n, nil, nil), 1)
		_, found := complete(c)
		assert.Equal(t, solvable, found, "n=%d", n)
	}
	c := NewWalk(board.NewPosition(4, []board.Cell{{Row: 0, Col: 1}}, nil), 1)
	cols, found := complete(c, board.Cell{Row: 0, Col: 1})
	require.True(t, found)
	assert.Equal(t, []int32{1, 3, 0, 2}, cols)
	for _, want := range [][]board.Cell{
		{{Row: 0, Col: 0}}, {{Row: 1, Col: 2}}, {{Row: 3, Col: 3}},
		{{Row: 1, Col: 3}, {Row: 2, Col: 3}}, {{Row: 1, Col: 3}, {Row: 1, Col: 3}, {Row: 2, Col: 1}},
	} {
		_, found := complete(c, want...)
		assert.False(t, found, "%v", want)
	}
	attacking := []board.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 1}}
	_, found = complete(NewWalk(board.NewPosition(4, attacking, nil), 1))
	assert.False(t, found)
}

// A model through a wanted cell: models/cover is the number of models until all n*n cells
// are shown.
func BenchmarkComplete(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			c := NewWalk(board.NewPosition(n, nil, nil), 1)
			models := 0
			for i := 0; i < b.N; i++ {
				models += cover(b, c, func([]int32, board.Cell) {})
			}
			b.ReportMetric(float64(models)/float64(b.N), "models/cover")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(models), "ns/model")
		})
	}
}
