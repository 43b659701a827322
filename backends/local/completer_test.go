package local

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
func TestCompleterAgreesWithBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		placed := someCells(t, n, 2, "placed")
		blocked := someCells(t, n, n, "blocked")
		want := someCells(t, n, 2, "want")
		c := CompleterOf(board.NewPosition(n, placed, blocked), rapid.Uint64().Draw(t, "seed"))
		c.MaxSteps = 20000
		cols, found := c.Complete(context.Background(), want...)
		exists := len(completions(n, slices.Concat(placed, want), blocked)) > 0
		require.Equal(t, exists, found)
		if found {
			checkCompletion(t, cols, placed, want, blocked)
		}
	})
}

// The cells found valid on random completable placements are the valid ones.
func TestCompleterFindsEveryValidCell(t *testing.T) {
	const n = 8
	rng := rand.New(rand.NewPCG(8, 8))
	solutions := completions(n, nil, nil)
	require.Len(t, solutions, 92)
	for range 40 {
		solution := board.Queens(solutions[rng.IntN(len(solutions))])
		rng.Shuffle(n, func(i, j int) { solution[i], solution[j] = solution[j], solution[i] })
		placed := solution[:rng.IntN(5)]
		c := CompleterOf(board.NewPosition(n, placed, nil), 1)
		valid := map[board.Cell]bool{}
		for _, s := range completions(n, placed, nil) {
			for _, q := range board.Queens(s) {
				valid[q] = true
			}
		}
		for i := range n * n {
			want := []board.Cell{board.At(n, i)}
			cols, found := c.Complete(context.Background(), want...)
			require.Equal(t, valid[want[0]], found, "%s with %s placed", want[0], board.FormatCells(placed))
			if found {
				checkCompletion(t, cols, placed, want, nil)
			}
		}
	}
}

// After every step: no two queens attack each other, the line sets are those of the
// queens, the rows without a queen are the ones left, wanted queens are in place.
func TestCompleterKeepsItsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 140).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		start := CompleterOf(board.NewPosition(n, nil, nil), seed)
		solution, found := start.Complete(context.Background())
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
		c := CompleterOf(board.NewPosition(n, placed, blocked), seed)
		require.False(t, c.at.Dead)
		require.True(t, c.start(want))
		c.fill()
		for range 300 {
			checkBooks(t, c, want)
			if c.repair(context.Background(), c.steps+1) {
				break
			}
		}
		checkBooks(t, c, want)
	})
}

func checkBooks(t *rapid.T, c *Completer, want []board.Cell) {
	n := c.n
	taken, diag, anti := slices.Clone(c.closed), make(bitset, len(c.diag)), make(bitset, len(c.anti))
	left := []int32{}
	queens := map[int32]bool{}
	for r, col := range c.col {
		if c.placed[r] >= 0 {
			require.Equal(t, int32(-1), col)
			continue
		}
		if col < 0 {
			left = append(left, int32(r))
			continue
		}
		require.True(t, c.free[r*c.words:].has(int(col)))
		require.Equal(t, int32(r), c.row[col])
		require.False(t, taken.has(int(col)) || diag.has(int(col)-r+n-1) || anti.has(r+int(col)))
		taken.add(int(col))
		diag.add(int(col) - r + n - 1)
		anti.add(r + int(col))
		queens[col] = true
	}
	require.Equal(t, taken, c.taken)
	require.Equal(t, diag, c.diag)
	require.Equal(t, anti, c.anti)
	for col, r := range c.row {
		require.Equal(t, queens[int32(col)], r >= 0)
	}
	got := slices.Clone(c.left)
	slices.Sort(got)
	require.Equal(t, left, append([]int32{}, got...))
	for _, q := range want {
		require.Equal(t, int32(q.Col), c.col[q.Row])
	}
}

// cover asks for each cell not yet shown until all are, and passes each model to
// judge; it returns the number of models.
func cover(t testing.TB, c *Completer, judge func(cols []int32, want board.Cell)) int {
	n := c.n
	unseen := slices.Clone(c.free)
	models := 0
	for i := range n * n {
		if !unseen[i/n*c.words:].has(i % n) {
			continue
		}
		want := board.At(n, i)
		cols, found := c.Complete(context.Background(), want)
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
func TestCompleterCoversTheBoard(t *testing.T) {
	for _, n := range []int{20, 50, 64, 65, 100} {
		c := CompleterOf(board.NewPosition(n, nil, nil), 1)
		models := cover(t, c, func(cols []int32, want board.Cell) {
			checkCompletion(t, cols, nil, []board.Cell{want}, nil)
		})
		assert.GreaterOrEqual(t, models, n, "n=%d", n)
	}
}

func TestCompleterRepeatsItself(t *testing.T) {
	run := func(seed uint64) (all [][]int32) {
		c := CompleterOf(board.NewPosition(60, []board.Cell{{Row: 5, Col: 7}}, nil), seed)
		for range 10 {
			cols, found := c.Complete(context.Background())
			require.True(t, found)
			all = append(all, slices.Clone(cols))
		}
		return all
	}
	assert.Equal(t, run(3), run(3))
	assert.NotEqual(t, run(3), run(4))
}

func TestCompleterOrdinaryInput(t *testing.T) {
	for n, solvable := range []bool{1: true, 2: false, 3: false, 4: true, 5: true, 6: true} {
		if n == 0 {
			continue
		}
		c := CompleterOf(board.NewPosition(n, nil, nil), 1)
		_, found := c.Complete(context.Background())
		assert.Equal(t, solvable, found, "n=%d", n)
	}
	c := CompleterOf(board.NewPosition(4, []board.Cell{{Row: 0, Col: 1}}, nil), 1)
	cols, found := c.Complete(context.Background(), board.Cell{Row: 0, Col: 1})
	require.True(t, found)
	assert.Equal(t, []int32{1, 3, 0, 2}, cols)
	for _, want := range [][]board.Cell{
		{{Row: 0, Col: 0}}, {{Row: 1, Col: 2}}, {{Row: 3, Col: 3}}, {{Row: 9, Col: 0}},
		{{Row: 1, Col: 3}, {Row: 2, Col: 3}}, {{Row: 1, Col: 3}, {Row: 1, Col: 3}, {Row: 2, Col: 1}},
	} {
		_, found := c.Complete(context.Background(), want...)
		assert.False(t, found, "%v", want)
	}
	attacking := []board.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 1}}
	_, found = CompleterOf(board.NewPosition(4, attacking, nil), 1).Complete(context.Background())
	assert.False(t, found)
}

// A model through a wanted cell: models/cover is the number of models until all n*n cells
// are shown.
func BenchmarkCompleter(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			c := CompleterOf(board.NewPosition(n, nil, nil), 1)
			models := 0
			for i := 0; i < b.N; i++ {
				models += cover(b, c, func([]int32, board.Cell) {})
			}
			b.ReportMetric(float64(models)/float64(b.N), "models/cover")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(models), "ns/model")
		})
	}
}
