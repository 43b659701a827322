package near

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// A search finds a model with a literal, or refutes it, as brute force does, whatever was asked and learned before. The
// clauses learned hold in all solutions of the problem, and once half of them are forgotten, the learner still sets what a new one does.
func TestSearchAgainstBruteForce(t *testing.T) {
	seed := conformance.Number(t, "LEARNER_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 3))
	ctx := context.Background()
	cases := conformance.Cases(1500)
	met := map[string]int{}
	for range cases {
		p := encodetest.Problem(rng)
		if rng.IntN(2) == 0 { // more contradictions
			p.Constraints = append(p.Constraints, encodetest.Problem(rng).Constraints...)
			p.Names = make(encode.List, 11)
		}
		solutions := conformance.BruteForce(p)
		has := func(lits ...cnf.Lit) bool {
			return slices.ContainsFunc(solutions, func(s []cnf.Lit) bool {
				return !slices.ContainsFunc(lits, func(l cnf.Lit) bool { return s[l.Var()-1] != l })
			})
		}
		w := newSearcher(p, nil)
		r := w.root
		if w.learner.dead {
			continue
		}
		search := func(l cnf.Lit) (found, known bool) {
			found, known, err := w.search(ctx, l, bound{1000, 1 << 40})
			w.learner.retract()
			require.NoError(t, err, "LEARNER_SEED=%d", seed)
			return found, known
		}
		random := func() cnf.Lit { return cnf.Lit(1+rng.IntN(p.NumVars())) * cnf.Lit(1-2*rng.IntN(2)) }
		for range 4 {
			var assume []cnf.Lit
			for range rng.IntN(4) {
				assume = append(assume, random())
			}
			found, known := false, !w.learner.assume(r, assume)
			if !known {
				found, known = search(0)
			}
			require.True(t, known, "LEARNER_SEED=%d", seed)
			if !found {
				core := w.learner.blame()
				require.Subset(t, assume, core, "LEARNER_SEED=%d", seed)
				require.False(t, has(core...), "LEARNER_SEED=%d: core %v of %v under %v", seed, core, p.Constraints, assume)
			}
			require.Equal(t, has(assume...), found, "LEARNER_SEED=%d: %v under %v", seed, p.Constraints, assume)
			for range 12 {
				if l := random(); found && w.learner.isOpen(l) {
					shown, known := search(l)
					require.True(t, known, "LEARNER_SEED=%d", seed)
					require.Equal(t, has(append(assume, l)...), shown, "LEARNER_SEED=%d: %d in %v under %v", seed, l, p.Constraints, assume)
					require.True(t, !shown || w.model.Values()[l.Var()-1] == l.Positive(), "LEARNER_SEED=%d", seed)
					met[map[bool]string{true: "shown", false: "refuted"}[shown]]++
				}
				if found {
					model := make([]cnf.Lit, p.NumVars())
					for i, is := range w.model.Values() {
						model[i] = cnf.Var(i + 1).Lit(is)
					}
					require.Contains(t, solutions, model, "LEARNER_SEED=%d", seed)
					require.Subset(t, model, assume, "LEARNER_SEED=%d", seed)
				}
			}
			for _, clause := range learnedBy(w.learner) {
				require.False(t, has(cnf.Negated(clause)...), "LEARNER_SEED=%d: %v does not follow from %v", seed, clause, p.Constraints)
				met["learned"]++
			}
			if rng.IntN(3) == 0 && !w.learner.dead {
				w.learner.forget()
				fresh, l := newLearner(p.NumVars(), p.Constraints), random()
				got, want := w.learner.assume(r, []cnf.Lit{l}), fresh.assume(r, []cnf.Lit{l})
				require.True(t, want || !got, "LEARNER_SEED=%d", seed)
				require.True(t, got || !has(l), "LEARNER_SEED=%d", seed)
				if got {
					require.Subset(t, w.learner.trail, fresh.trail, "LEARNER_SEED=%d", seed)
				}
			}
		}
	}
	for _, what := range []string{"shown", "refuted", "learned"} {
		require.Greater(t, met[what], int(cases/5), "%s: LEARNER_SEED=%d", what, seed)
	}
}

// learnedBy lists the clauses that are learned.
func learnedBy(w *learner) (clauses [][]cnf.Lit) {
	for _, l := range w.units {
		clauses = append(clauses, []cnf.Lit{l})
	}
	for i := 0; i < len(w.learned); i += 2 {
		clauses = append(clauses, []cnf.Lit{w.learned[i].Not(), w.learned[i+1].Not()})
	}
	ends := map[int32]int32{}
	for _, list := range w.longer {
		for _, by := range list {
			if int(by.from) >= w.own {
				ends[by.from] = by.to
			}
		}
	}
	for from, to := range ends {
		clauses = append(clauses, w.clauses[from:to])
	}
	return clauses
}

// What many literals need is refuted once, and they become false with it.
func TestRefuteWhatOthersNeed(t *testing.T) {
	const many, x, a = 50, 51, 52
	constraints := []encode.Constraint{encode.AtLeastOne("", -x, a), encode.AtLeastOne("", -x, -a)}
	for l := cnf.Lit(1); l <= many; l++ {
		constraints = append(constraints, encode.AtLeastOne("", -l, x), encode.AtLeastOne("", -l, a))
	}
	w := newLearner(a, constraints)
	w.decide(7)
	require.False(t, w.propagate())
	require.True(t, w.learn(w.assumed))
	w.refuteLast()
	require.True(t, w.propagate())
	assert.Len(t, w.trail, many+1) // x too, but not a
	for l := cnf.Lit(1); l <= x; l++ {
		assert.Contains(t, w.trail, l.Not())
	}
	assert.True(t, w.isOpen(a))

	w = newLearner(3, []encode.Constraint{ // 1 needs both others, which exclude each other
		encode.AtLeastOne("", -1, 2), encode.AtLeastOne("", -1, 3), encode.AtLeastOne("", -2, -3)})
	w.decide(1)
	require.False(t, w.propagate())
	require.True(t, w.learn(w.assumed))
	w.refuteLast()
	assert.Equal(t, []cnf.Lit{-1}, w.trail)
}

// What was tried in vain is not tried again before the assumptions change.
func TestTryWhatOthersNeedOnce(t *testing.T) {
	const x, a = 1, 2
	p := encode.Problem{Names: make(encode.List, a), Constraints: []encode.Constraint{encode.AtLeastOne("", -x, a)}}
	w, root := newLearner(a, p.Constraints), encode.NewPropagator(p)
	w.last = x
	for _, propagated := range []uint64{2, 2, 4} {
		if propagated == 4 {
			require.True(t, w.assume(root, nil))
		}
		w.refuteLast()
		assert.Equal(t, propagated, w.propagated)
		assert.Empty(t, w.trail)
	}
}

// A contradiction beside a decision that stays teaches what excludes it, and sets nothing.
func TestLearnBesideAKeptDecision(t *testing.T) {
	const kept, a, b, x, y = 1, 2, 3, 4, 5
	w := newLearner(y, []encode.Constraint{encode.AtLeastOne("", -a, x), encode.AtLeastOne("", -b, x),
		encode.AtLeastOne("", -kept, -x, y), encode.AtLeastOne("", -kept, -x, -y)})
	w.decide(kept)
	require.True(t, w.propagate())
	w.decide(a)
	require.False(t, w.propagate())
	require.True(t, w.learn(1))
	assert.Equal(t, []cnf.Lit{kept}, w.trail)
	assert.Equal(t, []cnf.Lit{-kept}, w.pairs[cnf.Lit(x).Index()])
	w.decide(b)
	require.False(t, w.propagate())
	require.True(t, w.learn(w.assumed)) // now that may set it
	require.True(t, w.propagate())
	assert.Equal(t, []cnf.Lit{kept, -x, -a, -b}, w.trail)
}
