package sat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// The model that was flipped last is one of the problem under the last question's assumptions, whatever was asked before, the
// answers are those of one query for each value, and what propagation does not rule out the solver does.
func TestFlippedModels(t *testing.T) {
	files, err := filepath.Glob("../../configs/models/*-1.cnf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		p, _, err := encode.ReadCNF(f, file)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		o, slow := New(p), New(p)
		slow.Formula = Whole
		for range 8 {
			assume := []cnf.Lit{}
			for range rng.IntN(12) {
				l := cnf.Lit(1 + rng.IntN(p.NumVars()))
				if rng.IntN(2) == 0 {
					l = l.Not()
				}
				assume = append(assume, l)
			}
			got, err := o.Valid(ctx, assume, "pack")
			require.NoError(t, err)
			want, err := slow.Valid(ctx, assume, "per-cell")
			require.NoError(t, err)
			require.Equal(t, want.Satisfiable, got.Satisfiable, "%s under %v, seed %d", file, assume, seed)
			require.Equal(t, want.Possible, got.Possible, "%s under %v, seed %d", file, assume, seed)
			require.Equal(t, want.Forced, got.Forced, "%s under %v, seed %d", file, assume, seed)
			if !got.Satisfiable {
				continue
			}
			require.Positive(t, got.Work.Of("solves"))
			require.Less(t, got.Work.Of("solves"), want.Work.Of("solves"))
			model := make([]cnf.Lit, p.AllVars())
			for i, value := range o.flipped.Values() {
				model[i] = cnf.Var(i + 1).Lit(value)
			}
			require.NoError(t, p.Whole().Verify(model), "%s under %v, seed %d", file, assume, seed)
			require.Subset(t, model, assume)
		}
	}
}

// Groups that exclude literals are repaired as well: all kinds of constraints, against all assignments.
func TestFlipsOfGroups(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range conformance.Cases(400) {
		p := encodetest.Problem(rng)
		conformance.Of(p).Ask(t, New(p), Methods()[:1], rng, 4, fmt.Sprintf("seed %d: %v", seed, p.Constraints))
	}
}
