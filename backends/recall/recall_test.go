package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// known is a problem with all of its solutions, auxiliary variables included.
type known struct {
	encode.Problem
	solutions [][]cnf.Lit
}

// under returns the solutions under assumptions, and what every solution has in common.
func (k *known) under(assume []cnf.Lit) (some [][]cnf.Lit, common []cnf.Lit) {
	for _, s := range k.solutions {
		if !slices.ContainsFunc(assume, func(l cnf.Lit) bool { return s[l.Var()-1] != l }) {
			some = append(some, s)
		}
	}
	if len(some) > 0 {
		common = slices.DeleteFunc(slices.Clone(some[0]), func(l cnf.Lit) bool {
			return slices.ContainsFunc(some, func(s []cnf.Lit) bool { return s[l.Var()-1] != l })
		})
	}
	return some, common
}

func (k *known) valid(assume []cnf.Lit) (v backends.Valid) {
	some, common := k.under(assume)
	v.Satisfiable = len(some) > 0
	for i := range k.NumVars() {
		x := cnf.Var(i + 1)
		if slices.ContainsFunc(some, func(s []cnf.Lit) bool { return s[i] > 0 }) {
			v.Possible = append(v.Possible, x)
		}
		if slices.Contains(common, x.Pos()) {
			v.Forced = append(v.Forced, x)
		}
	}
	return v
}

// What a memory says is true, for random problems and random questions; some assume more or less than the
// last. Solutions that move are solutions, and satisfy the question. A small memory forgets, and says nothing false.
func TestMemoryTellsTheTruth(t *testing.T) {
	seed := conformance.Number(t, "RECALL_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	said := map[string]int{}
	for round := range 300 {
		hint := fmt.Sprintf("RECALL_SEED=%d round %d", seed, round)
		truth, err := conformance.Random(rng)
		require.NoError(t, err)
		p := truth.Problem.Counting(amo.Sequential)
		whole := p.Whole()
		if whole.NumVars() == 0 || whole.NumVars() > 14 {
			continue
		}
		k := &known{p, conformance.BruteForce(whole)}
		m := NewMover(p)
		m.witnesses.most = 1 + rng.IntN(4)
		var assume []cnf.Lit
		for range 60 {
			switch rng.IntN(5) {
			case 0:
				assume = nil
			case 1:
				if len(assume) > 0 {
					i := rng.IntN(len(assume))
					assume = slices.Delete(slices.Clone(assume), i, i+1)
				}
			default:
				if p.NumVars() > 0 {
					assume = append(slices.Clip(assume), cnf.Lit(1+rng.IntN(p.NumVars()))*cnf.Lit(1-2*rng.IntN(2)))
				}
			}
			some, common := k.under(assume)
			if valid, answered := m.Ask(assume); answered {
				require.Equal(t, k.valid(assume), valid, hint)
				said["answered"]++
				continue
			}
			check := func() {
				require.True(t, !m.Satisfiable() || len(some) > 0, hint)
				for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
					for _, l := range []cnf.Lit{v.Pos(), v.Neg()} {
						is := slices.ContainsFunc(some, func(s []cnf.Lit) bool { return s[v-1] == l })
						if m.Impossible(l) {
							require.False(t, is, hint)
							said["impossible"]++
						}
						if m.Likely(l) || m.Possible(l) {
							require.True(t, is, hint)
							said["possible"]++
						}
					}
				}
				for _, b := range m.witnesses.blocks {
					for i := range b.size {
						model := make([]cnf.Lit, len(b.words))
						for v, word := range b.words {
							model[v] = cnf.Var(v + 1).Lit(word>>i&1 == 1)
						}
						require.NoError(t, whole.Verify(model), hint)
						if b.with>>i&1 == 1 {
							require.False(t, slices.ContainsFunc(assume, func(l cnf.Lit) bool { return model[l.Var()-1] != l }), hint)
						}
					}
				}
			}
			check()
			if answer, found := m.Solve(p, assume); found {
				require.True(t, slices.ContainsFunc(some, func(s []cnf.Lit) bool { return slices.Equal(s[:p.NumVars()], answer.Model) }), hint)
			}
			for range rng.IntN(40) {
				if len(some) > 0 {
					m.Keep(some[rng.IntN(len(some))])
				}
			}
			if rng.IntN(2) == 0 && m.Satisfiable() {
				var lost []cnf.Lit
				for range rng.IntN(5) {
					lost = append(lost, cnf.Var(rng.IntN(p.AllVars())+1).Lit(rng.IntN(2) == 0))
				}
				follow := slices.Clone(assume)
				for _, l := range common {
					if rng.IntN(2) == 0 {
						follow = append(follow, l)
					}
				}
				before := m.moved()
				require.NoError(t, m.Move(follow, lost), hint)
				said["moved"] += m.moved() - before
			}
			check()
			if rng.IntN(2) == 0 {
				m.Answered(k.valid(assume))
			}
		}
	}
	for _, what := range []string{"answered", "impossible", "possible", "moved"} {
		require.Greater(t, said[what], 100, "%s: RECALL_SEED=%d", what, seed)
	}
}

// moved counts the kept solutions that satisfy the question.
func (m *Mover) moved() (n int) {
	for _, b := range m.witnesses.blocks {
		for i := range b.size {
			n += int(b.with >> i & 1)
		}
	}
	return n
}

// A memory holds no more than its bounds.
func TestBounds(t *testing.T) {
	m := New(100)
	m.witnesses.most = 3
	for i := range 2 * mostAnswers {
		_, known := m.Ask([]cnf.Lit{cnf.Lit(1 + i%100), cnf.Lit(-1 - i/100)})
		require.False(t, known)
		m.Keep([]cnf.Lit{cnf.Lit(1 + i%100)})
		m.Answered(backends.Valid{Satisfiable: true})
	}
	require.Len(t, m.answers, mostAnswers)
	require.Len(t, m.witnesses.blocks, 3)
	require.Less(t, m.Bytes(), int64(200_000))
}

// A memory that was given something that is no solution says so, at the latest when it moves.
func TestNoSolution(t *testing.T) {
	p := encode.Problem{Family: "p", Names: make(encode.List, 3), Constraints: []encode.Constraint{
		encode.AtLeastOne("", 1, 2), encode.AtLeastOne("", -1, 3),
	}}
	m := NewMover(p)
	m.Ask(nil)
	m.Keep([]cnf.Lit{-1, 2, -3})
	m.Ask([]cnf.Lit{1})
	m.Keep([]cnf.Lit{1, -2, -3})
	require.ErrorContains(t, m.Move([]cnf.Lit{1}, []cnf.Lit{1, 2, 3, -3}), "violates constraint 2")
}

// Of many solutions that follow one another few are kept, and these show every literal that one of them had.
func TestFollow(t *testing.T) {
	seed := conformance.Number(t, "RECALL_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 2))
	const vars, steps = 200, 150
	m, shown, value := New(vars), map[cnf.Lit]bool{}, cnf.Model(vars)
	for step := range steps {
		var flipped []cnf.Lit
		for _, v := range rng.Perm(vars)[:rng.IntN(4)] {
			value[v] = value[v].Not()
			flipped = append(flipped, value[v])
		}
		if step == 0 || rng.IntN(20) == 0 {
			m.Keep(flipped)
		} else {
			m.Follow(flipped)
		}
		for _, l := range value {
			shown[l] = true
		}
		if step == steps/2 {
			m.Ask(nil)
		}
	}
	m.Ask(nil)
	for v := cnf.Var(1); v <= vars; v++ {
		require.Equal(t, shown[v.Pos()], m.Possible(v.Pos()), "RECALL_SEED=%d, %d", seed, v)
		require.Equal(t, shown[v.Neg()], m.Possible(v.Neg()), "RECALL_SEED=%d, -%d", seed, v)
	}
	kept := 0
	for _, b := range m.witnesses.blocks {
		kept += b.size
	}
	require.Less(t, kept, steps/2, "RECALL_SEED=%d", seed)
}
