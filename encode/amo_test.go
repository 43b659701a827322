package encode

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode/cnf"
)

// dpll is the tests' own judge of formulas with auxiliary variables: unit
// propagation by looking at every clause, and branching in the order of the
// variables.
type dpll struct {
	clauses [][]cnf.Lit
	value   []int8 // by variable; 1 true, -1 false
	trail   []cnf.Lit
}

func newDPLL(f *cnf.Formula) *dpll {
	d := &dpll{value: make([]int8, f.Vars+1)}
	for c := range f.Clauses() {
		d.clauses = append(d.clauses, append([]cnf.Lit(nil), c...))
	}
	return d
}

func (d *dpll) of(l cnf.Lit) int8 {
	if l < 0 {
		return -d.value[-l]
	}
	return d.value[l]
}

func (d *dpll) set(l cnf.Lit) {
	d.trail = append(d.trail, l)
	if l < 0 {
		d.value[-l] = -1
	} else {
		d.value[l] = 1
	}
}

func (d *dpll) undo(mark int) {
	for _, l := range d.trail[mark:] {
		d.value[l.Var()] = 0
	}
	d.trail = d.trail[:mark]
}

// propagate reports false when a clause is falsified.
func (d *dpll) propagate() bool {
	for changed := true; changed; {
		changed = false
	clauses:
		for _, c := range d.clauses {
			var unit cnf.Lit
			open := 0
			for _, l := range c {
				switch d.of(l) {
				case 1:
					continue clauses
				case 0:
					unit = l
					if open++; open > 1 {
						continue clauses
					}
				}
			}
			if open == 0 {
				return false
			}
			d.set(unit)
			changed = true
		}
	}
	return true
}

// count returns the number of assignments of the first vars variables that
// extend to a model, given what is set.
func (d *dpll) count(vars int) int {
	mark := len(d.trail)
	defer d.undo(mark)
	if !d.propagate() {
		return 0
	}
	for v := 1; v < len(d.value); v++ {
		if d.value[v] != 0 {
			continue
		}
		total := 0
		for _, l := range []cnf.Lit{cnf.Lit(v), cnf.Lit(-v)} {
			inner := len(d.trail)
			d.set(l)
			total += d.count(vars)
			d.undo(inner)
			if v > vars && total > 0 {
				return 1
			}
		}
		return total
	}
	return 1
}

// Every assignment of up to nine literals: it extends to the auxiliary variables
// exactly when at most one literal is true.
func TestAMOOnEveryAssignment(t *testing.T) {
	for _, amo := range AMOs() {
		for k := range 10 {
			f := &cnf.Formula{Vars: k}
			amo.Encode(f, newVars(k))
			for word := range 1 << k {
				d := newDPLL(f)
				for i := range k {
					l := cnf.Lit(i + 1)
					if word>>i&1 == 0 {
						l = -l
					}
					d.set(l)
				}
				require.Equal(t, bits.OnesCount(uint(word)) <= 1, d.count(k) > 0, "%s k=%d %b", amo.Name, k, word)
			}
		}
	}
}

func newVars(k int) []cnf.Lit {
	lits := make([]cnf.Lit, k)
	for i := range lits {
		lits[i] = cnf.Lit(i + 1)
	}
	return lits
}

func TestAMOPropagatesFromOneTrueLiteral(t *testing.T) {
	for _, amo := range AMOs() {
		for _, k := range []int{2, 3, 4, 5, 7, 10, 17, 30} {
			f := &cnf.Formula{Vars: k}
			amo.Encode(f, newVars(k))
			for i := range k {
				d := newDPLL(f)
				d.set(cnf.Lit(i + 1))
				require.True(t, d.propagate())
				for j := range k {
					if j != i {
						require.EqualValues(t, -1, d.value[j+1], "%s k=%d: %d true leaves %d", amo.Name, k, i+1, j+1)
					}
				}
			}
		}
	}
}

func TestAMOSizes(t *testing.T) {
	for _, amo := range AMOs() {
		for k := range 300 {
			f := &cnf.Formula{Vars: k}
			amo.Encode(f, newVars(k))
			clauses, auxiliary := amo.Size(k)
			require.Equal(t, clauses, f.NumClauses(), "clauses of %s for k=%d", amo.Name, k)
			require.Equal(t, auxiliary, f.Vars-k, "auxiliary variables of %s for k=%d", amo.Name, k)
		}
	}
}

func TestLadderNeedsNoProjection(t *testing.T) {
	for k := 2; k < 9; k++ {
		f := &cnf.Formula{Vars: k}
		Ladder.Encode(f, newVars(k))
		assert.Equal(t, k+1, newDPLL(f).count(f.Vars))
	}
}

// All 2^16 boards of size 4: the formula with the board as units is satisfiable
// exactly when board.Verify says so.
func TestEncodingsOnEveryBoardOfFour(t *testing.T) {
	p, err := Queens(4, nil, nil)
	require.NoError(t, err)
	for _, amo := range AMOs() {
		d := newDPLL(p.CNF(amo))
		for word := range 1 << 16 {
			var queens []board.Cell
			for i := range 16 {
				if word>>i&1 == 1 {
					queens = append(queens, board.At(4, i))
					d.set(cnf.Lit(i + 1))
				} else {
					d.set(cnf.Lit(-i - 1))
				}
			}
			if want := board.VerifyCells(4, queens) == nil; want != (d.count(16) > 0) {
				t.Fatalf("%s: %v: solution %v", amo.Name, queens, want)
			}
			d.undo(0)
		}
	}
}

func TestEncodingsCountedToSix(t *testing.T) {
	for _, amo := range AMOs() {
		for n, want := range []int{1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4} { // OEIS A000170
			if n == 0 {
				continue
			}
			p, err := Queens(n, nil, nil)
			require.NoError(t, err)
			assert.Equal(t, want, newDPLL(p.CNF(amo)).count(n*n), "%s n=%d", amo.Name, n)
		}
	}
}

func TestAMONamed(t *testing.T) {
	for _, amo := range AMOs() {
		got, err := AMONamed(amo.Name)
		require.NoError(t, err)
		assert.Equal(t, amo.Name, got.Name)
		assert.NotEmpty(t, amo.Source)
	}
	_, err := AMONamed("pairwize")
	assert.ErrorContains(t, err, `"pairwize": expected one of pairwise, sequential`)
}

func TestDefaultAMOBySize(t *testing.T) {
	for n, want := range map[int]string{8: "pairwise", 50: "pairwise", 100: "bimander", 200: "bimander"} {
		p, err := Queens(n, nil, nil)
		require.NoError(t, err)
		if n <= 50 {
			assert.Equal(t, p.CNF(Pairwise).NumClauses()-2*n, p.Pairs())
		}
		assert.Equal(t, want, DefaultAMO(p.Pairs()).Name, "n=%d", n)
	}
}

// The sizes of the whole formula for a board of 100.
func ExampleAMO() {
	p, _ := Queens(100, nil, nil)
	for _, amo := range AMOs() {
		f := p.CNF(amo)
		fmt.Printf("%-10s %7d clauses %5d auxiliary variables\n", amo.Name, f.NumClauses(), f.Vars-p.NumCells())
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
