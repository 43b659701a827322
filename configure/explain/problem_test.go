package explain_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/board"
	"queens/configure/explain"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/order"
)

func gini(p encode.Problem) (backends.Backend, error) { return sat.New(p), nil }

// why asks gini.
func why(ctx context.Context, p encode.Problem, q explain.Question) (explain.Explanation, error) {
	return explain.New(p, sat.New(p)).Explain(ctx, q)
}

// Reasons on random problems, against brute force: a witness is a solution; what is to blame rules
// the literal out, is minimal, and is smallest where that is said; the constraints to blame do the
// same alone; and each step follows from its constraint and from what came before.
func TestProblems(t *testing.T) {
	ctx := context.Background()
	seed := conformance.Number(t, "EXPLAIN_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	verdicts := map[string]int{}
	for i := range conformance.Number(t, "EXPLAIN_CASES", 600) {
		p := randomProblem(rng, 10)
		hint := fmt.Sprintf("EXPLAIN_SEED=%d, case %d: %v, fixed %v", seed, i, p.Constraints, p.Fixed)
		var assumed []cnf.Lit
		for _, v := range rng.Perm(p.NumVars())[:rng.IntN(p.NumVars()+1)] {
			assumed = append(assumed, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
		}
		l := cnf.Lit(1+rng.IntN(p.NumVars())) * cnf.Lit(1-2*rng.IntN(2))
		all := conformance.BruteForce(p)
		has := func(lits ...cnf.Lit) bool {
			return slices.ContainsFunc(all, func(model []cnf.Lit) bool { return holds(model, lits) })
		}
		r, err := explain.New(p, sat.New(p)).Contradiction(ctx, assumed, 100_000_000)
		require.NoError(t, err, hint)
		switch {
		case has(assumed...):
			require.True(t, holds(r.Witness, assumed), hint)
			require.NoError(t, p.Verify(r.Witness), hint)
		case len(all) == 0:
			require.Equal(t, explain.Explanation{Verdict: explain.IsUnsatisfiable}, r, hint)
			verdicts["unsatisfiable"]++
			constraints, minimal, smallest, err := explain.Constraints(ctx, p, r, 100_000_000, gini)
			require.NoError(t, err, hint)
			require.True(t, minimal && smallest, hint)
			requireNeeded(t, p, constraints, hint)
		default:
			at := slices.Index(assumed, r.Literal)
			require.True(t, at == 0 || has(assumed[:at]...), "%s: the first that is ruled out", hint)
			require.False(t, has(append(r.Blame, r.Literal)...), hint)
			require.Subset(t, assumed[:at], r.Blame, hint)
			verdicts["contradiction"]++
		}
		r, err = why(ctx, p, explain.Question{Given: assumed, Literal: l, Smallest: 100_000_000})
		require.NoError(t, err, hint)
		if has(append(assumed, l)...) {
			require.True(t, holds(r.Witness, append(assumed, l)), hint)
			require.NoError(t, p.Verify(r.Witness), hint)
			verdicts["possible"]++
			continue
		}
		require.Nil(t, r.Witness, hint)
		require.False(t, has(append(r.Blame, l)...), hint)
		least := r.Blame
		if r.Fewer != nil {
			least = r.Fewer
			require.Less(t, len(least), len(r.Blame), hint)
			require.False(t, has(append(least, l)...), hint)
			verdicts["by more than are needed"]++
		}
		for k := range least {
			require.True(t, has(append(slices.Delete(slices.Clone(least), k, k+1), l)...), hint)
		}
		constraints, minimal, smallest, err := explain.Constraints(ctx, p, r, 100_000_000, gini)
		require.NoError(t, err, hint)
		require.True(t, r.Smallest && minimal && smallest, hint)
		for bits := range 1 << len(assumed) { // no smaller set does
			var some []cnf.Lit
			for k, a := range assumed {
				if bits>>k&1 == 1 {
					some = append(some, a)
				}
			}
			if len(some) < len(least) {
				require.True(t, has(append(some, l)...), "%s: %v is enough", hint, some)
			}
		}
		requireNeeded(t, p.With(append(r.Blame, l)...), constraints, hint)
		verdicts["ruled out"]++
		checkSteps(t, p, assumed, r, hint, verdicts)
	}
	t.Logf("EXPLAIN_SEED=%d: %v", seed, verdicts)
	for _, kind := range []string{"possible", "derived", "supposed", "contradiction"} {
		assert.Positive(t, verdicts[kind], kind)
	}
}

// requireNeeded checks that some constraints of a problem have no solution together, and that all but one of them have one.
func requireNeeded(t *testing.T, p encode.Problem, constraints []int, hint string) {
	only := p
	for drop := -1; drop < len(constraints); drop++ {
		only.Constraints = nil
		for k, c := range constraints {
			if k != drop {
				only.Constraints = append(only.Constraints, p.Constraints[c])
			}
		}
		require.Equal(t, drop >= 0, len(conformance.BruteForce(only)) > 0, hint)
	}
}

// checkSteps replays the steps: each follows from its constraint, from what came before, and from what a true
// literal excludes in an at-most-one; each case is refuted, and none is missing; the given literals that they use
// are those to blame.
func checkSteps(t *testing.T, p encode.Problem, assumed []cnf.Lit, r explain.Explanation, hint string, verdicts map[string]int) {
	direct := []explain.Verdict{explain.IsBlocked, explain.ByConflict, explain.ByAttack}
	require.True(t, slices.Contains(direct, r.Verdict) ||
		(r.Verdict == explain.BySearch) == (plainRung(p, append(slices.Clone(r.Blame), r.Literal)) == explain.BySearch), "%s: %+v", hint, r)
	if len(r.Steps) == 0 {
		given := append(append(slices.Clone(p.Fixed), r.Blame...), r.Literal)
		opposite := slices.ContainsFunc(given, func(l cnf.Lit) bool { return slices.Contains(given, l.Not()) })
		require.True(t, r.Verdict == explain.BySearch || opposite, "%s: no steps, %+v", hint, r)
		verdicts["without steps"]++
		verdicts[string(r.Verdict)]++
		return
	}
	start := slices.Clone(p.Fixed)
	goal := r.Literal.Not()
	if verdicts["derived"]++; r.Supposed {
		start, goal = append(start, r.Literal), 0
		verdicts["derived"]--
		verdicts["supposed"]++
		verdicts[string(r.Verdict)]++
	}
	known, used := append(slices.Clone(r.Blame), start...), map[cnf.Lit]bool{}
	follows := func(s explain.Step, refuted ...cnf.Lit) {
		facts := append(slices.Clone(s.Because), p.Fixed...)
		for _, x := range s.Excluded {
			facts = append(facts, x.Literal.Not())
		}
		c, held, open := p.Constraints[s.Constraint], 0, 0
		facts = append(facts, refuted...)
		for k, l := range c.Lits {
			weight := 1
			if c.Weights != nil {
				weight = c.Weights[k]
			}
			if slices.Contains(facts, l) {
				held += weight
			} else if !slices.Contains(facts, l.Not()) {
				open += weight
			}
		}
		require.True(t, held+open < c.Least || held > c.Most,
			"%s: %v does not follow", hint, s)
	}
	var cases []cnf.Lit
	for i, s := range r.Steps {
		for _, l := range s.Because {
			require.Contains(t, known, l, "%s: %v of %+v, fixed %v", hint, s, r, p.Fixed)
			used[l] = true
		}
		for _, x := range s.Excluded {
			c := p.Constraints[x.Constraint]
			require.True(t, c.Excludes() && slices.Contains(c.Lits, x.Literal) && slices.Contains(c.Lits, x.By), hint)
			require.Contains(t, append(slices.Clone(s.Because), p.Fixed...), x.By, hint)
		}
		because := slices.Sorted(slices.Values(s.Because))
		require.Equal(t, because, slices.Compact(slices.Clone(because)), "%s: a reason is named twice: %s", hint, s.Sentence(p))
		switch s.Kind {
		case explain.Case:
			if len(cases) == 0 {
				start = slices.Clone(known)
				var all []cnf.Lit
				for _, other := range r.Steps {
					if other.Kind == explain.Case {
						all = append(all, other.Literal.Not())
					}
				}
				follows(s, all...)
			} else {
				require.Equal(t, explain.Emptied, r.Steps[i-1].Kind, hint)
			}
			require.NotContains(t, cases, s.Literal, hint)
			cases = append(cases, s.Literal)
			known = append(slices.Clone(start), s.Literal)
		case explain.Forced:
			follows(s, s.Literal.Not())
			known = append(known, s.Literal)
		default:
			require.Zero(t, s.Literal, hint)
			follows(s)
		}
	}
	for _, l := range r.Blame {
		require.True(t, used[l], "%s: no step uses %d", hint, l)
	}
	last := r.Steps[len(r.Steps)-1]
	require.True(t, last.Literal == goal && last.Kind == explain.Forced || last.Kind == explain.Emptied, "%s: %v", hint, r.Steps)
}

// plainRung returns BySearch if neither unit propagation nor trying each open literal of one constraint, of up to
// eight, refutes some literals: by going through all constraints until nothing changes.
func plainRung(p encode.Problem, lits []cnf.Lit) explain.Verdict {
	follow := func(lits []cnf.Lit) (values map[cnf.Lit]bool, consistent bool) {
		values = map[cnf.Lit]bool{}
		for _, l := range lits {
			values[l] = true
		}
		for before := -1; before < len(values); {
			before = len(values)
			for _, c := range p.Constraints {
				held, left, open := split(c, values)
				if held > c.Most || held+left < c.Least {
					return values, false
				}
				for l, weight := range open {
					if held+weight > c.Most {
						values[l.Not()] = true
					}
					if held+left-weight < c.Least {
						values[l] = true
					}
				}
			}
		}
		for l := range values {
			if values[l.Not()] {
				return values, false
			}
		}
		return values, true
	}
	lits = append(slices.Clone(p.Fixed), lits...)
	values, consistent := follow(lits)
	if !consistent {
		return explain.ByChain
	}
	for _, c := range p.Constraints {
		held, _, open := split(c, values)
		fails := func(l cnf.Lit) bool { _, consistent := follow(append(slices.Clone(lits), l)); return !consistent }
		if held < c.Least && len(open) <= 8 && !slices.ContainsFunc(slices.Collect(maps.Keys(open)), func(l cnf.Lit) bool { return !fails(l) }) {
			return explain.ByChoice
		}
	}
	return explain.BySearch
}

// split returns what the true literals weigh, and the weights of those that are neither true nor false, with their sum.
func split(c encode.Constraint, values map[cnf.Lit]bool) (held, left int, open map[cnf.Lit]int) {
	open = map[cnf.Lit]int{}
	for k, l := range c.Lits {
		weight := 1
		if c.Weights != nil {
			weight = c.Weights[k]
		}
		if values[l] {
			held += weight
		} else if !values[l.Not()] {
			left, open[l] = left+weight, weight
		}
	}
	return held, left, open
}

// What an explanation says does not depend on the questions before it; a solver may show another solution.
func TestEarlierQuestionsChangeNothing(t *testing.T) {
	seed := conformance.Number(t, "EXPLAIN_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 2))
	steps := 0
	for i := range conformance.Number(t, "EXPLAIN_CASES", conformance.Cases(600)) {
		p := randomProblem(rng, 10)
		used := explain.New(p, search.New(p))
		for range 8 {
			var given []cnf.Lit
			for _, v := range rng.Perm(p.NumVars())[:rng.IntN(p.NumVars()+1)] {
				given = append(given, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
			q := explain.Question{Literal: cnf.Lit(1+rng.IntN(p.NumVars())) * cnf.Lit(1-2*rng.IntN(2)), Given: given, Smallest: 1000}
			got, err := used.Explain(context.Background(), q)
			require.NoError(t, err)
			want, err := explain.New(p, search.New(p)).Explain(context.Background(), q)
			require.NoError(t, err)
			got.Witness, want.Witness = nil, nil
			require.Equal(t, want, got, "EXPLAIN_SEED=%d, case %d: %v of %v", seed, i, q, p.Constraints)
			steps += len(got.Steps)
		}
	}
	require.NotZero(t, steps)
}

// A cell that a file asks about, in which the board is constraints over named variables, is explained on the same
// rung as the cell of the board, by as many queens, and the steps use the queens that are blamed.
func TestCellsAskedThroughAFile(t *testing.T) {
	ctx := context.Background()
	seed := conformance.Number(t, "EXPLAIN_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	met := map[explain.Verdict]int{}
	for n := 4; n <= 8; n++ {
		problem, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, problem.WriteDIMACS(&text, amo.Pairwise, order.ByNumber(problem)))
		file, _, err := encode.ReadCNF(strings.NewReader(text.String()), "queens.cnf")
		require.NoError(t, err)
		file.Names, file.Place = named(file), nil // no board's
		for range conformance.Cases(12) {
			var placed []board.Cell
			queens := 1 + rng.IntN(3)
			for _, i := range rng.Perm(n * n) {
				if c := board.At(n, i); len(placed) < queens && !slices.ContainsFunc(placed, c.Attacks) {
					placed = append(placed, c)
				}
			}
			for i := range n * n {
				hint := fmt.Sprintf("EXPLAIN_SEED=%d: n = %d, %v, %s", seed, n, placed, board.At(n, i))
				e, err := why(ctx, problem, explain.Question{Given: encode.Literals(n, placed, true), Literal: cnf.Lit(i + 1)})
				require.NoError(t, err, hint)
				if e.Verdict == explain.HasQueen {
					continue
				}
				r, err := why(ctx, file, explain.Question{
					Given: encode.Literals(n, placed, true), Literal: cnf.Lit(i + 1),
				})
				require.NoError(t, err, hint)
				// Of a board, an attack is told even where no queen is to blame.
				if len(r.Blame) > 0 || len(e.ExcludedBy) == 0 {
					require.Equal(t, e.Verdict, r.Verdict, hint)
				}
				require.Equal(t, append([]cnf.Lit{}, e.Blame...), append([]cnf.Lit{}, r.Blame...), hint)
				met[r.Verdict]++
				if r.Witness == nil {
					checkSteps(t, file, encode.Literals(n, placed, true), r, hint, map[string]int{})
				}
			}
		}
	}
	for _, v := range []explain.Verdict{explain.IsValid, explain.ByAttack, explain.ByEmptyLine, explain.ByChain, explain.ByChoice} {
		assert.Positive(t, met[v], "%s: %v", v, met)
	}
}

// named returns the names of a problem's variables as a list.
func named(p encode.Problem) encode.List {
	names := make(encode.List, p.NumVars())
	for i := range names {
		names[i] = p.VarName(cnf.Var(i + 1))
	}
	return names
}

func holds(model, lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(model) == 0 || model[l.Var()-1] != l {
			return false
		}
	}
	return true
}

// randomProblem has constraints of all bounds over literals of both signs, some of them empty,
// some variables fixed, and some in no constraint.
func randomProblem(rng *rand.Rand, most int) encode.Problem {
	vars := 2 + rng.IntN(most-1)
	p := encode.Problem{Family: "random", Names: make(encode.List, vars)}
	for range 1 + rng.IntN(2*vars) {
		var lits []cnf.Lit
		length := 1 + rng.IntN(min(vars, 4))
		if rng.IntN(100) == 0 {
			length = 0
		}
		for _, v := range rng.Perm(vars)[:length] {
			lits = append(lits, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
		}
		p.Constraints = append(p.Constraints, encodetest.Any(rng)("", lits...))
	}
	if rng.IntN(4) == 0 {
		p = p.With(cnf.Lit(1 + rng.IntN(vars)))
	}
	return p
}

// A given literal that contradicts a fact is to blame alone, even where two others exclude each other; no search is needed
// to see it.
func TestAGivenLiteralThatContradictsAFact(t *testing.T) {
	p := encode.Problem{Names: make(encode.List, 4), Constraints: []encode.Constraint{encode.AtMostOne("", 1, 2)}}.With(3)
	r, err := why(context.Background(), p, explain.Question{Given: []cnf.Lit{1, 2, -3}, Literal: 4, Smallest: 1000})
	require.NoError(t, err)
	assert.Equal(t, explain.Explanation{
		Literal: 4, Verdict: explain.ByConflict, Conflict: []cnf.Lit{-3}, Blame: []cnf.Lit{-3}, Smallest: true,
	}, r)
}

// What people read about constraints and reasons.
func TestWords(t *testing.T) {
	p := encode.Problem{Names: encode.List{"bed", "slats", "mattress", "hard", "soft", "bunk"}, Constraints: []encode.Constraint{
		encode.AtLeastOne("line 7", -1, 2),
		encode.AtMostOne("line 8", 5, 6),
		encode.ExactlyOne("lines 9 to 12", -3, 4, 5),
		encode.AtLeastOne("", -2, 3, 6),
		encode.AtLeastOne("line 14", 1),
		encode.AtMostOne("line 15", 4, -5, 6),
	}}
	for i, want := range []string{
		"bed needs slats (line 7)", "soft excludes bunk (line 8)",
		"mattress has exactly one of hard, soft, and they need it (lines 9 to 12)",
		"slats needs one of mattress, bunk (constraint 4)", "bed holds (line 14)",
		"at most one of hard, not soft, bunk (line 15)",
	} {
		assert.Equal(t, want, explain.Words(p, i))
	}
	r, err := why(context.Background(), p, explain.Question{Given: []cnf.Lit{4, -6}, Literal: 5})
	require.NoError(t, err)
	assert.Equal(t, "soft is ruled out by hard", r.Sentence(p))
	assert.Equal(t, "not soft, because of hard: mattress has exactly one of hard, soft, and they need it (lines 9 to 12)",
		r.Steps[0].Sentence(p))
	r, err = why(context.Background(), p, explain.Question{Literal: -2})
	require.NoError(t, err)
	assert.Equal(t, "not slats is in no solution, whatever is assumed", r.Sentence(p))
}

// What people read about constraints that count: a row that needs two, and how it gets too few or too many.
func TestWordsOfCounts(t *testing.T) {
	p := encode.Problem{Names: encode.List{"a3", "b3", "c3", "d3", "e3"}, Constraints: []encode.Constraint{
		{Name: "row 3", Least: 3, Most: 3, Lits: []cnf.Lit{1, 2, 3, 4, 5}},
		encode.AtMostOne("line 13", 2, 3),
		encode.AtLeastOne("line 14", -5, -4, -1),
		{Least: 1, Most: 2, Lits: []cnf.Lit{-1, 2, 3}},
	}}
	for i, want := range []string{"exactly 3 of a3, b3, c3, d3, e3 (row 3)", "b3 excludes c3 (line 13)", "not all of a3, d3, e3 (line 14)",
		"one to 2 of not a3, b3, c3 (constraint 4)"} {
		assert.Equal(t, want, explain.Words(p, i))
	}
	p.Names = append(p.Names.(encode.List), "f5")
	p.Constraints = append(p.Constraints[:1],
		encode.AtMostOne("line 4", 6, 3), encode.AtMostOne("line 5", 6, 4), encode.AtMostOne("line 7", 6, 5))
	for _, test := range []struct {
		p       encode.Problem
		given   []cnf.Lit
		literal cnf.Lit
		want    string
	}{
		{p, nil, 6, "row 3 needs 3 and has 2 left, because of f5: exactly 3 of a3, b3, c3, d3, e3 (row 3); " +
			"f5 excludes c3, d3 and e3 (line 4, line 5 and line 7)"},
		{p.With(1), nil, 6, "row 3 needs 2 more and has one left, because of f5: exactly 3 of a3, b3, c3, d3, e3 (row 3); " +
			"f5 excludes c3, d3 and e3 (line 4, line 5 and line 7)"},
		{p, []cnf.Lit{1, 4, 5}, 2, "not b3, because of a3, d3 and e3: exactly 3 of a3, b3, c3, d3, e3 (row 3)"},
	} {
		r, err := why(context.Background(), test.p, explain.Question{Given: test.given, Literal: test.literal})
		require.NoError(t, err)
		assert.Equal(t, test.want, r.Steps[len(r.Steps)-1].Sentence(p), "%v", r)
	}
}

// A long argument about pieces that are counted is short to read: what one constraint makes false stands in one step,
// and each long list once.
func TestStepsOfCountsAreJoined(t *testing.T) {
	p := encodetest.Family(t, "dominating", 5)
	at := func(name string) cnf.Lit {
		v, err := p.Names.Var(name)
		require.NoError(t, err)
		return v.Pos()
	}
	e, err := why(context.Background(), p, explain.Question{Given: []cnf.Lit{at("b2"), at("d4")}, Literal: at("c4")})
	require.NoError(t, err)
	require.Len(t, e.Steps, 14)
	var derived []cnf.Lit
	var sentences []string
	for _, s := range explain.Joined(e.Steps) {
		derived = append(append(derived, s.Literal), s.Also...)
		sentences = append(sentences, s.Sentence(p))
	}
	for i, s := range e.Steps {
		assert.Equal(t, s.Literal, derived[i])
	}
	assert.Equal(t, []string{
		"not a1, not b1, not c1, not d1, not e1, not d2, not e2, not c3, not e3, not b4, not e4, not a5 and not e5, " +
			"because of b2, d4 and c4: exactly 3 of 25 (the board)",
		"a contradiction, because none of them is left: " +
			"at least one of a1, b1, c1, d1, e1, d2, e2, c3, e3, b4, e4, a5, e5 (a queen on or towards e1)",
	}, sentences)
}
