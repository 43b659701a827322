package board

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// After every step of a random history, a Position agrees with the rules applied
// cell by cell to its queens and blocked cells, on boards narrower and wider than a
// machine word.
func TestPositionByTheRules(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 13, 63, 64, 65, 70} {
		for range 1 + 40/n {
			p := NewPosition(n, nil, nil)
			var queens []Cell
			blocked := map[Cell]bool{}
			for range min(n+2, 12) {
				c := At(n, rng.IntN(n*n))
				if rng.IntN(2) == 0 {
					p.Block(c)
					blocked[c] = true
				} else {
					if p.Cols[c.Row] != int32(c.Col) {
						queens = append(queens, c)
					}
					p.Put(c)
				}
				checkPosition(t, p, queens, blocked)
			}
			again := clone(p)
			p.Reset(nil, nil)
			checkPosition(t, p, nil, nil)
			p.CopyFrom(again)
			checkPosition(t, p, queens, blocked)
		}
	}
}

func checkPosition(t *testing.T, p *Position, queens []Cell, blocked map[Cell]bool) {
	t.Helper()
	n, dead := p.N, false
	hasQueen := map[Line]bool{}
	for i, q := range queens {
		dead = dead || blocked[q] // whether before the queen or after, it cannot stay
		for _, before := range queens[:i] {
			dead = dead || q.Attacks(before)
		}
		hasQueen[Line{Row, q.Row}], hasQueen[Line{Column, q.Col}] = true, true
	}
	isFree := func(c Cell) bool {
		free := !blocked[c]
		for _, q := range queens {
			free = free && c != q && !c.Attacks(q)
		}
		return free
	}
	var free []Cell
	for i := range n * n {
		c := At(n, i)
		if isFree(c) {
			free = append(free, c)
		}
		require.Equal(t, isFree(c), p.IsFree(c), "n=%d %s, queens %v, blocked %v", n, c, queens, blocked)
	}
	require.Equal(t, free, p.Cells())
	byLeft := map[int][]Line{}
	open := 0
	for _, l := range Lines(n)[:2*n] {
		cells := make([]Cell, 0)
		for _, c := range l.Cells(n) {
			if isFree(c) {
				cells = append(cells, c)
			}
		}
		require.Equal(t, cells, p.FreeCells(l))
		if hasQueen[l] {
			require.Equal(t, -1, p.Left(l))
			continue
		}
		require.Equal(t, len(cells), p.Left(l), "n=%d %s", n, l.Name(n))
		byLeft[len(cells)] = append(byLeft[len(cells)], l)
		dead = dead || len(cells) == 0
		if l.Kind == Row {
			open++
		}
	}
	require.Equal(t, open, p.Open())
	for left := range 4 {
		require.Equal(t, byLeft[left], linesLeft(p, left))
	}
	if !blocksAQueen(queens, blocked) {
		require.Equal(t, dead, p.Dead || len(linesLeft(p, 0)) > 0, "n=%d queens %v blocked %v", n, queens, blocked)
	}
}

// linesLeft returns the open rows and columns with this number of free cells.
func linesLeft(p *Position, free int) []Line {
	var lines []Line
	for _, kind := range [...]LineKind{Row, Column} {
		for i := range p.N {
			if l := (Line{kind, i}); p.Left(l) == free {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// clone returns a copy.
func clone(p *Position) *Position {
	q := NewPosition(p.N, nil, nil)
	q.CopyFrom(p)
	return q
}

// blocksAQueen reports whether a queen's cell is blocked. If the queen came first,
// that is not a legal step, and Dead is unspecified.
func blocksAQueen(queens []Cell, blocked map[Cell]bool) bool {
	return slices.ContainsFunc(queens, func(q Cell) bool { return blocked[q] })
}

// Propagate and LookAhead keep every solution, and leave no line with a single free
// cell and no free cell that would empty a line.
func TestUnitStepsAndLookAheadKeepTheSolutions(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	refuted, struck := 0, 0
	for range 600 {
		n := 4 + rng.IntN(4)
		var queens, blocked []Cell
		for i := range n * n {
			if rng.IntN(4) == 0 {
				blocked = append(blocked, At(n, i))
			}
		}
		start := NewPosition(n, nil, blocked)
		if cells := start.Cells(); len(cells) > 0 && rng.IntN(2) == 0 {
			queens = append(queens, cells[rng.IntN(len(cells))])
		}
		start = NewPosition(n, queens, blocked)
		want := completions(start)
		steps := clone(start)
		steps.Propagate()
		ahead := clone(start)
		ahead.LookAhead()
		for _, p := range []*Position{steps, ahead} {
			if p.Dead {
				refuted++
				require.Zero(t, want, "queens %v blocked %v", queens, blocked)
				continue
			}
			require.Equal(t, want, completions(p), "queens %v blocked %v", queens, blocked)
			require.Empty(t, linesLeft(p, 1))
		}
		if ahead.Dead {
			continue
		}
		struck += len(steps.Cells()) - len(ahead.Cells())
		for _, c := range ahead.Cells() {
			next := clone(ahead)
			next.Put(c)
			require.False(t, next.Dead, "%s empties a line: queens %v blocked %v", c, queens, blocked)
		}
	}
	require.Positive(t, refuted)
	require.Positive(t, struck)
}

// completions counts the solutions of a position, row by row.
func completions(p *Position) int {
	if p.Dead {
		return 0
	}
	for row, col := range p.Cols {
		if col < 0 {
			count := 0
			for _, c := range p.FreeCells(Line{Row, row}) {
				next := clone(p)
				next.Put(c)
				count += completions(next)
			}
			return count
		}
	}
	return 1
}

// The symmetries are eight different permutations of the cells that preserve
// attacks.
func TestSymmetries(t *testing.T) {
	const n = 4
	images := map[[n * n]int]bool{}
	for _, s := range Symmetries() {
		var image [n * n]int
		of := func(c Cell) Cell { row, col := s.Of(n, c.Row, c.Col); return Cell{row, col} }
		for i := range n * n {
			image[i] = of(At(n, i)).Index(n)
			for k := range n * n {
				assert.Equal(t, At(n, i).Attacks(At(n, k)), of(At(n, i)).Attacks(of(At(n, k))))
			}
		}
		images[image] = true
	}
	assert.Len(t, images, 8)
}

// BenchmarkPosition puts half of a solution's queens on an empty board.
func BenchmarkPosition(b *testing.B) {
	const n = 100 // 2, 4, ..., 100, 1, 3, ..., 99 is a solution, since 100 is 4 modulo 6
	var queens []Cell
	for row := 0; row < n; row += 2 {
		queens = append(queens, Cell{row, (2*row + 1) % (n + 1)})
	}
	p := NewPosition(n, nil, nil)
	for b.Loop() {
		p.Reset(queens, nil)
	}
	require.False(b, p.Dead)
}
