package sat

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// The model that is kept between questions is one of the problem under the last question's
// assumptions, whatever was asked before, and the answers are those of one query for each value.
func TestRotationKeepsAModel(t *testing.T) {
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
			model := make([]cnf.Lit, p.AllVars())
			for i, value := range o.rotation.value {
				if model[i] = cnf.Var(i + 1).Neg(); value {
					model[i] = model[i].Not()
				}
			}
			require.NoError(t, p.Whole().Verify(model), "%s under %v, seed %d", file, assume, seed)
			require.Subset(t, model, assume)
		}
	}
}

// A feature model is settled without the solver. What takes too many contradictions is asked.
func TestWhatRotationLeavesToTheSolver(t *testing.T) {
	f, err := os.Open("../../configs/models/features-120-1.cnf")
	require.NoError(t, err)
	defer f.Close()
	p, _, err := encode.ReadCNF(f, "features")
	require.NoError(t, err)
	o := New(p)
	o.Make = func(*cnf.Formula) Solver { panic("asked") }
	valid, err := o.Valid(context.Background(), nil, "pack")
	require.NoError(t, err)
	assert.Greater(t, len(valid.Possible), 100)

	// x1 is forced: each of the four signs of x2 and x3 needs it.
	hidden := encode.Problem{Names: make(encode.List, 3)}
	for _, c := range [][]cnf.Lit{{1, 2, 3}, {1, 2, -3}, {1, -2, 3}, {1, -2, -3}} {
		hidden.Constraints = append(hidden.Constraints, encode.AtLeastOne("", c...))
	}
	o = New(hidden)
	o.Make = func(*cnf.Formula) Solver { panic("asked") }
	valid, err = o.Valid(context.Background(), nil, "pack")
	require.NoError(t, err)
	assert.Equal(t, backends.Valid{Satisfiable: true, Possible: []cnf.Var{1, 2, 3}, Forced: []cnf.Var{1},
		Method: "pack", Work: valid.Work}, valid)

	// Unless the last variable is true, seven pigeons have six holes: more contradictions than a search has.
	const pigeons, holes = 7, 6
	many := encode.Problem{Names: make(encode.List, pigeons*holes+1)}
	for pigeon := range pigeons {
		some := []cnf.Lit{pigeons*holes + 1}
		for hole := range holes {
			l := cnf.Lit(pigeon*holes + hole + 1)
			some = append(some, l)
			for other := range pigeon {
				many.Constraints = append(many.Constraints, encode.AtLeastOne("", l.Not(), -cnf.Lit(other*holes+hole+1)))
			}
		}
		many.Constraints = append(many.Constraints, encode.AtLeastOne("", some...))
	}
	o = New(many)
	valid, err = o.Valid(context.Background(), nil, "pack")
	require.NoError(t, err)
	assert.Len(t, valid.Possible, pigeons*holes+1)
	assert.Equal(t, []cnf.Var{pigeons*holes + 1}, valid.Forced)
	assert.Positive(t, valid.Work.Of("solves"))
}

// Groups that exclude literals are repaired as well: all kinds of constraints, against all assignments.
func TestRotationOfGroups(t *testing.T) {
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

// Where a model shows few targets, packs of them are left to rotation: an exactly-one constraint whose literals
// others restrict, too, against one query for each value.
func TestSmallPacksAreRotated(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	ctx := context.Background()
	rotated := 0
	for range 100 {
		long := 40 + rng.IntN(40)
		p := encode.Problem{Names: make(encode.List, 2*long)}
		var first, second []cnf.Lit
		for i := range long {
			first, second = append(first, cnf.Lit(i+1)), append(second, cnf.Lit(long+i+1))
		}
		p.Constraints = append(p.Constraints, encode.ExactlyOne("", first...), encode.ExactlyOne("", second...))
		for range rng.IntN(6 * long) { // a value of one excludes a value of the other
			p.Constraints = append(p.Constraints, encode.AtMostOne("", first[rng.IntN(long)], second[rng.IntN(min(long, 5))]))
		}
		assume := []cnf.Lit{}
		for range rng.IntN(4) {
			assume = append(assume, cnf.Lit(rng.IntN(2*long)+1).Not())
		}
		o, slow := New(p), New(p)
		want, err := slow.Valid(ctx, assume, "per-cell")
		require.NoError(t, err)
		got, err := o.Valid(ctx, assume, "pack")
		require.NoError(t, err)
		require.Equal(t, want.Satisfiable, got.Satisfiable, "seed %d", seed)
		require.Equal(t, want.Possible, got.Possible, "seed %d", seed)
		require.Equal(t, want.Forced, got.Forced, "seed %d", seed)
		if o.rotation != nil {
			rotated++
			require.Less(t, got.Work.Of("solves"), want.Work.Of("solves")/4, "seed %d", seed)
		}
	}
	require.Greater(t, rotated, 50, "seed %d", seed)
}
