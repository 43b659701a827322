package amo

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
)

// Every assignment of up to nine literals extends to the auxiliary variables
// exactly when at most one literal is true.
func TestAMOOnEveryAssignment(t *testing.T) {
	for _, e := range All() {
		for k := range 10 {
			f := &cnf.Formula{Vars: k}
			e.Encode(f, newVars(k))
			for word := range 1 << k {
				var lits []cnf.Lit
				for i := range k {
					l := cnf.Lit(i + 1)
					if word>>i&1 == 0 {
						l = -l
					}
					lits = append(lits, l)
				}
				require.Equal(t, bits.OnesCount(uint(word)) <= 1, cnftest.Count(f, k, lits...) > 0, "%s k=%d %b", e.Name, k, word)
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
	for _, e := range All() {
		for _, k := range []int{2, 3, 4, 5, 7, 10, 17, 30} {
			f := &cnf.Formula{Vars: k}
			e.Encode(f, newVars(k))
			for i := range k {
				value, consistent := cnftest.Propagate(f, cnf.Lit(i+1))
				require.True(t, consistent)
				for j := range k {
					if j != i {
						require.EqualValues(t, -1, value[j+1], "%s k=%d: %d true leaves %d", e.Name, k, i+1, j+1)
					}
				}
			}
		}
	}
}

// The sizes that the encodings' comments state, where they are closed forms.
func TestAMOSizes(t *testing.T) {
	for k := 2; k < 300; k++ {
		number := bits.Len(uint((k+1)/2 - 1))
		for _, want := range []struct {
			encoding           Encoding
			clauses, auxiliary int
		}{
			{Pairwise, k * (k - 1) / 2, 0}, {Sequential, 3*k - 4, k - 1}, {Ladder, 4*k - 2, k},
			{Bimander, k*number + k/2, number}, {Totalizer, 3*k - 5, k - 2},
		} {
			f := &cnf.Formula{Vars: k}
			want.encoding.Encode(f, newVars(k))
			require.Equal(t, want.clauses, f.NumClauses(), "clauses of %s for k=%d", want.encoding.Name, k)
			require.Equal(t, want.auxiliary, f.Vars-k, "auxiliary variables of %s for k=%d", want.encoding.Name, k)
		}
	}
}

func TestLadderNeedsNoProjection(t *testing.T) {
	for k := 2; k < 9; k++ {
		f := &cnf.Formula{Vars: k}
		Ladder.Encode(f, newVars(k))
		assert.Equal(t, k+1, cnftest.Count(f, f.Vars))
	}
}

func TestNamed(t *testing.T) {
	for _, e := range All() {
		got, err := Named(e.Name)
		require.NoError(t, err)
		assert.Equal(t, e.Name, got.Name)
	}
	_, err := Named("pairwize")
	assert.ErrorContains(t, err, `"pairwize": expected one of pairwise, sequential`)
}
