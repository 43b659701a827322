package encode

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
)

// All 2^16 boards of size 4: the formula with the board as units is satisfiable
// exactly when board.Verify says so.
func TestEncodingsOnEveryBoardOfFour(t *testing.T) {
	p, err := Queens(4, nil, nil)
	require.NoError(t, err)
	step := 1
	if testing.Short() { // each board under one encoding
		step = len(amo.All())
	}
	for i, e := range amo.All() {
		f := p.CNF(e)
		for word := i % step; word < 1<<16; word += step {
			var queens []board.Cell
			var lits []cnf.Lit
			for i := range 16 {
				if word>>i&1 == 1 {
					queens = append(queens, board.At(4, i))
					lits = append(lits, cnf.Lit(i+1))
				} else {
					lits = append(lits, cnf.Lit(-i-1))
				}
			}
			if want := board.VerifyCells(4, queens) == nil; want != (cnftest.Count(f, 16, lits...) > 0) {
				t.Fatalf("%s: %v: solution %v", e.Name, queens, want)
			}
		}
	}
}

func TestEncodingsCountedToSix(t *testing.T) {
	for _, e := range amo.All() {
		for n, want := range []int{1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4} { // OEIS A000170
			if n == 0 {
				continue
			}
			p, err := Queens(n, nil, nil)
			require.NoError(t, err)
			assert.Equal(t, want, cnftest.Count(p.CNF(e), n*n), "%s n=%d", e.Name, n)
		}
	}
}

// A problem has auxiliary variables if its pairwise clauses have more variables than count.
func TestHasAuxiliary(t *testing.T) {
	var problems []Problem
	for _, f := range Families() {
		for n := 1; n < 8; n++ {
			if p, err := f.Build(n); err == nil {
				problems = append(problems, p)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for range 300 {
		n := 1 + rng.IntN(16)
		c := Constraint{Least: rng.IntN(n + 1), Most: rng.IntN(n + 2)}
		for v := range n {
			c.Lits = append(c.Lits, cnf.Lit(v+1))
			if n < 8 {
				c.Weights = append(c.Weights, 1+rng.IntN(4))
			}
		}
		problems = append(problems, Problem{Family: "p", Names: make(List, n), Constraints: []Constraint{c}})
	}
	seen := map[bool]int{}
	for _, p := range problems {
		has := p.HasAuxiliary()
		assert.Equal(t, p.CNF(amo.Pairwise).Vars > p.NumVars(), has, "%s %v", p, p.Constraints)
		seen[has]++
	}
	assert.Greater(t, min(seen[true], seen[false]), 50)
	assert.True(t, Problem{Auxiliary: 1}.HasAuxiliary())
}

func TestDefaultAMOBySize(t *testing.T) {
	for n, want := range map[int]string{8: "pairwise", 50: "pairwise", 100: "bimander", 200: "bimander"} {
		p, err := Queens(n, nil, nil)
		require.NoError(t, err)
		if n <= 50 {
			assert.Equal(t, p.CNF(amo.Pairwise).NumClauses()-2*n, p.Pairs())
		}
		assert.Equal(t, want, amo.Default(p.Pairs()).Name, "n=%d", n)
	}
}

// The size of the whole formula for a board of 100.
func ExampleProblem_CNF() {
	p, _ := Queens(100, nil, nil)
	for _, e := range amo.All() {
		f := p.CNF(e)
		fmt.Printf("%-10s %7d clauses %5d auxiliary variables\n", e.Name, f.NumClauses(), f.Vars-p.NumVars())
	}
	// Output:
	// pairwise   1646900 clauses     0 auxiliary variables
	// sequential  117812 clauses 39402 auxiliary variables
	// ladder      158996 clauses 39996 auxiliary variables
	// product     106292 clauses 16104 auxiliary variables
	// commander   135804 clauses 18968 auxiliary variables
	// bimander    248928 clauses  3084 auxiliary variables
	// totalizer   117218 clauses 38808 auxiliary variables
}
