package threshold

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"queens/backends"
	"queens/backends/sat"
	"queens/board"
	"queens/encode"
)

// Witnesses of many sizes, the larger ones far beyond what solvers refute.
var witnesses = map[int]string{
	19:  "h8,l13,i11,j9,m10",
	36:  "n18,u16,o15,r20,p19,s17,t21,q22",
	40:  "t18,v24,y22,q16,s20,r23,u21,x19,w17",
	60:  "aa27,ae25,ab24,ag30,ac21,ai36,aj26,af34,z35,y32,x29,al31,ad28,ah33",
	100: "ay41,an54,bf53,az51,au50,bd61,al57,bg43,am62,bj42,aw47,be48,ax59,bo45,at52,ar40,ba35,ap49,av60,bb56,as55,bh46,aq44,ao38",
}

// Check uses only the rule of attack and additions, so these refutations need no other trust.
func TestWeightsRefuteWitnesses(t *testing.T) {
	for n, cells := range witnesses {
		witness, err := board.ParseCells(n, cells)
		require.NoError(t, err)
		weights := Weigh(board.NewPosition(n, witness, nil))
		require.NotNil(t, weights, "n = %d", n)
		require.NoError(t, weights.Check(n, witness), "n = %d", n)
		for _, left := range []int{0, len(witness) / 2} { // the rest has a completion
			assert.Nil(t, Weigh(board.NewPosition(n, witness[:left], nil)), "n = %d, %d queens", n, left)
			assert.Error(t, weights.Check(n, witness[:left]), "n = %d, %d queens", n, left)
		}
	}
}

// These weights are tight: Check rejects each change by 1.
func TestCheckFindsWrongWeights(t *testing.T) {
	const n = 19
	witness, err := board.ParseCells(n, witnesses[n])
	require.NoError(t, err)
	weights := Weigh(board.NewPosition(n, witness, nil))
	straight, diagonal := weights.Sums()
	require.Equal(t, []int64{33, 32}, []int64{straight, diagonal}, "as docs/results/completion.md has them")
	for _, line := range board.Lines(n) {
		for _, by := range []int64{-1, 1} {
			wrong := maps.Clone(weights)
			wrong[line] += by
			assert.Error(t, wrong.Check(n, witness), "%s by %d", line.Name(n), by)
		}
	}
}

// Weights refute nothing that has a completion, and gini agrees wherever they refute. The seed of a failure
// is printed.
func TestWeightsAgreeWithGini(t *testing.T) {
	refuted := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		at := board.NewPosition(n, nil, nil)
		for range rapid.IntRange(0, n).Draw(t, "queens") {
			if cells := at.Cells(); len(cells) > 0 {
				at.Put(cells[random.IntN(len(cells))])
			}
		}
		weights := Weigh(at)
		if weights == nil {
			return
		}
		refuted++
		require.NoError(t, weights.Check(n, at.Queens))
		p, err := encode.Queens(n, at.Queens, nil)
		require.NoError(t, err)
		oracle := sat.New(p)
		defer oracle.Close()
		answer, err := oracle.Solve(context.Background(), p.Fixed)
		require.NoError(t, err)
		assert.Equal(t, backends.Unsat, answer.Status, "n = %d: %v", n, at.Queens)
	})
	assert.Positive(t, refuted)
}
