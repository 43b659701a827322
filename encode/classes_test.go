package encode_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// classes counts the classes of solutions by union of each solution with its images, drawn cell by cell.
func classes(p encode.Problem, solutions [][]cnf.Lit, symmetries []board.Symmetry) int {
	trues := func(model []cnf.Lit) (cells []board.Cell) {
		for _, l := range model {
			if l.Positive() {
				cells = append(cells, encode.VarCell(p.N, l.Var()))
			}
		}
		return cells
	}
	seen := map[string]bool{}
	count := 0
	for _, model := range solutions {
		if seen[board.Draw(p.N, func(c board.Cell) string {
			return map[bool]string{true: "Q", false: "."}[slices.Contains(trues(model), c)]
		})] {
			continue
		}
		count++
		for _, s := range symmetries {
			var turned []board.Cell
			for _, c := range trues(model) {
				row, col := s.Of(p.N, c.Row, c.Col)
				turned = append(turned, board.Cell{Row: row, Col: col})
			}
			seen[board.Draw(p.N, func(c board.Cell) string { return map[bool]string{true: "Q", false: "."}[slices.Contains(turned, c)] })] = true
		}
	}
	return count
}

// Each class has one first solution: as many as are published for queens (OEIS A002562), and as many as
// drawing all images finds for other boards, with and without fixed cells.
func TestClasses(t *testing.T) {
	first := func(p encode.Problem, solutions [][]cnf.Lit) (count, symmetries int) {
		c, err := encode.NewClasses(p)
		require.NoError(t, err)
		for _, model := range solutions {
			if c.First(model) {
				count++
			}
		}
		return count, c.Symmetries()
	}
	for i, want := range []int{1, 0, 0, 1, 2, 1} {
		p, err := encode.Queens(i+1, nil, nil)
		require.NoError(t, err)
		got, symmetries := first(p, conformance.BruteForce(p))
		assert.Equal(t, want, got, "n = %d", i+1)
		assert.Equal(t, 8, symmetries)
	}
	seed := conformance.Number(t, "CLASSES_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, name := range []string{"queens", "toroidal", "amazons", "rooks"} {
		f, err := encode.FamilyNamed(name)
		require.NoError(t, err)
		for range 20 {
			p, err := f.Build(3 + rng.IntN(2))
			require.NoError(t, err)
			for range rng.IntN(3) {
				p = p.With(cnf.Var(1 + rng.IntN(p.NumVars())).Neg())
			}
			solutions := conformance.BruteForce(p)
			var kept []board.Symmetry // those that map each solution to a solution are not enough: fixed cells count
			for _, s := range board.Symmetries() {
				moved := func(l cnf.Lit) bool { return !slices.Contains(p.Fixed, encode.Turned(p.N, s, l)) }
				if !slices.ContainsFunc(p.Fixed, moved) {
					kept = append(kept, s)
				}
			}
			got, symmetries := first(p, solutions)
			require.Equal(t, len(kept), symmetries, "CLASSES_SEED=%d %s %v", seed, p, p.Fixed)
			require.Equal(t, classes(p, solutions, kept), got, "CLASSES_SEED=%d %s %v", seed, p, p.Fixed)
		}
	}
	p := encodetest.Family(t, "latin", 2)
	_, err := encode.NewClasses(p)
	assert.ErrorContains(t, err, "latin n = 2: expected a problem whose variables are the cells of a board")
}
