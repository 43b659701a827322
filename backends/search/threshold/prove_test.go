package threshold

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
)

// count goes through all placements of k queens, without symmetry, row by row, and counts
// them and those without a completion. It is the simple program against which proofs are checked.
func count(n, k int) (placements, incomplete int64) {
	free := func(queens []board.Cell, c board.Cell) bool {
		for _, q := range queens {
			if q == c || q.Attacks(c) {
				return false
			}
		}
		return true
	}
	var complete func(queens []board.Cell, row int) bool
	complete = func(queens []board.Cell, row int) bool {
		for _, q := range queens {
			if q.Row == row && row < n {
				return complete(queens, row+1)
			}
		}
		for col := 0; row < n && col < n; col++ {
			if c := (board.Cell{Row: row, Col: col}); free(queens, c) && complete(append(queens, c), row+1) {
				return true
			}
		}
		return row == n && len(queens) == n
	}
	var place func(queens []board.Cell, from int)
	place = func(queens []board.Cell, from int) {
		if len(queens) == k {
			placements++
			// The queens' rows are skipped from anywhere: complete needs them before the first row.
			if !complete(queens[:k:k], 0) {
				incomplete++
			}
			return
		}
		for i := from; i < n*n; i++ {
			if c := board.At(n, i); free(queens, c) {
				place(append(queens, c), i+1)
			}
		}
	}
	place(nil, 0)
	return placements, incomplete
}

func TestProofCountsWhatAPlainProgramCounts(t *testing.T) {
	most := 8
	if testing.Short() {
		most = 7
	}
	checkCounts(t, 1, most, 5)
}

// checkCounts compares proofs with [count], for boards of these sizes and up to the given number of queens.
func checkCounts(t *testing.T, from, to, queens int) {
	for n := from; n <= to; n++ {
		for k := 1; k <= min(n, queens); k++ {
			placements, incomplete := count(n, k)
			for _, workers := range []int{1, 3} {
				p := newProver(newCells(n), k, Options{Workers: workers, Seed: uint64(n)})
				p.every = true
				proof, err := p.run(context.Background())
				require.NoError(t, err)
				assert.Equal(t, placements, proof.Placements, "n = %d, k = %d", n, k)
				assert.Equal(t, incomplete, proof.incomplete, "n = %d, k = %d", n, k)
				assert.Equal(t, incomplete > 0, proof.Witness != nil, "n = %d, k = %d", n, k)
			}
		}
	}
}

// Each of these mistakes would make a proof worthless; the counts reveal it.
func TestCountsGiveMistakesAway(t *testing.T) {
	const n, k = 8, 3
	placements, incomplete := count(n, k)
	for name, mistake := range map[string]func(p *prover){
		"none":             func(*prover) {},
		"classes left out": func(p *prover) { p.first = p.first[:6] },
		"two classes taken for one": func(p *prover) {
			for c := range p.class {
				p.class[c] = max(p.class[c]-1, 0)
			}
			p.first = append([]int{0}, p.first[2:]...)
		},
		"a symmetry too many": func(p *prover) {
			for c, at := range p.cell {
				p.image[1][c] = p.number[(at.Row+1)%n*n+at.Col]
			}
		},
		"a pair left out": func(p *prover) { p.peers[0][0] &= p.peers[0][0] - 1 },
		"placements that are in no solution are ruled out": func(p *prover) {
			p.pool = append(p.pool, []int8{0, 4, 7, 5, 2, 6, 3, 1}) // the last two queens attack each other
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProver(newCells(n), k, Options{})
			p.every = true
			mistake(p)
			proof, err := p.run(context.Background())
			require.NoError(t, err)
			right := proof.Placements == placements && proof.incomplete == incomplete
			assert.Equal(t, name == "none", right, "%d of %d placements, %d of %d without a completion",
				proof.Placements, placements, proof.incomplete, incomplete)
		})
	}
}

func TestOnlySolutionsAreUsed(t *testing.T) {
	p := newProver(newCells(8), 3, Options{})
	assert.Panics(t, func() { p.add([]int8{0, 4, 7, 5, 2, 6, 3, 1}) })
	assert.NotPanics(t, func() { p.add([]int8{0, 4, 7, 5, 2, 6, 1, 3}) })
}

// Classes are the orbits of the symmetries: their number is the mean number of cells that a symmetry
// keeps (Burnside).
func TestClassesAreOrbits(t *testing.T) {
	for n := 1; n <= MaxSize; n++ {
		g := newCells(n)
		kept := 0
		for _, image := range g.image {
			for c, to := range image {
				if c == to {
					kept++
				}
				assert.Equal(t, g.class[c], g.class[to])
			}
		}
		assert.Equal(t, kept, 8*(len(g.first)-1), "n = %d", n)
	}
}

// A proof in parts is the whole proof.
func TestPartsAddUp(t *testing.T) {
	const n, k = 13, 2
	whole, err := Prove(context.Background(), n, k, Options{})
	require.NoError(t, err)
	var placements, considered int64
	for part := range 4 {
		proof, err := Prove(context.Background(), n, k, Options{Part: part + 1, Parts: 4})
		require.NoError(t, err)
		assert.Nil(t, proof.Witness)
		placements, considered = placements+proof.Placements, considered+proof.Considered
	}
	assert.Equal(t, whole.Placements, placements)
	assert.Equal(t, whole.Considered, considered)
}

func TestProofStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Prove(ctx, 16, 3, Options{Workers: 2, Progress: func(float64, Proof) { cancel() }})
	assert.ErrorIs(t, err, context.Canceled)
}

// The finished share rises to 1, also within a class.
func TestProgressRises(t *testing.T) {
	for _, workers := range []int{1, 3} {
		last, calls := 0.0, 0
		p := newProver(newCells(8), 4, Options{Workers: workers, Progress: func(share float64, _ Proof) {
			assert.GreaterOrEqual(t, share, last)
			last = share
			calls++
		}})
		p.every = true
		_, err := p.run(context.Background())
		require.NoError(t, err)
		assert.InDelta(t, 1, last, 1e-9)
		assert.Greater(t, calls, 10*len(p.first))
	}
}
