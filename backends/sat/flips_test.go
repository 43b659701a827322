package sat

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

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
	const vars = 9
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	ctx := context.Background()
	for range 400 {
		p := encode.Problem{Names: make(encode.List, vars)}
		for range 3 + rng.IntN(10) {
			rule := encode.AtLeastOne
			if rng.IntN(3) == 0 {
				rule = encodetest.Rule(rng)
			}
			var lits []cnf.Lit
			for _, i := range rng.Perm(vars)[:2+rng.IntN(3)] {
				lits = append(lits, cnf.Lit(i+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
			p.Constraints = append(p.Constraints, rule("", lits...))
		}
		o := New(p)
		for range 4 {
			assume := []cnf.Lit{}
			for _, i := range rng.Perm(vars)[:rng.IntN(3)] {
				assume = append(assume, cnf.Lit(i+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
			want, every := uint(0), ^uint(0)
			for a := range uint(1 << vars) {
				holds := func(l cnf.Lit) bool { return a>>(l.Var()-1)&1 == 1 == l.Positive() }
				ok := true
				for _, l := range assume {
					ok = ok && holds(l)
				}
				for _, c := range p.Constraints {
					trues := 0
					for _, l := range c.Lits {
						if holds(l) {
							trues++
						}
					}
					ok = ok && c.Least <= trues && trues <= c.Most
				}
				if ok {
					want, every = want|a, every&a
				}
			}
			got, err := o.Valid(ctx, assume, "pack")
			require.NoError(t, err)
			require.Equal(t, every != ^uint(0), got.Satisfiable, "%v under %v, seed %d", p.Constraints, assume, seed)
			set := func(list []cnf.Var) (bits uint) {
				for _, v := range list {
					bits |= 1 << (v - 1)
				}
				return bits
			}
			require.Equal(t, want, set(got.Possible), "%v under %v, seed %d", p.Constraints, assume, seed)
			if got.Satisfiable {
				require.Equal(t, every, set(got.Forced), "%v under %v, seed %d", p.Constraints, assume, seed)
			}
		}
	}
}
