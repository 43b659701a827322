package mdd_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/conformance"
	"queens/backends/mdd"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/internal/contexttest"
	"queens/order"
)

func natural(p encode.Problem) order.Order {
	o := make(order.Order, p.NumVars())
	for i := range o {
		o[i] = cnf.Var(i + 1)
	}
	return o
}

func compile(t testing.TB, p encode.Problem, o order.Order) *mdd.Diagram {
	t.Helper()
	d, err := mdd.Compile(context.Background(), p, o, bdd.Options{})
	require.NoError(t, err, "%s", p)
	return d
}

func TestConformance(t *testing.T) {
	conformance.RunAny(t, mdd.Methods(), func(p encode.Problem) backends.Backend {
		if mdd.Takes(p) != nil {
			return nil
		}
		return mdd.New(compile(t, p, natural(p)))
	})
}

// Questions on boards and other families, in several orders, have the answers of exact search, which
// knows no diagram; so have boards whose fixed cells leave all symmetries, some and none.
func TestAgainstSearch(t *testing.T) {
	ctx, seed := context.Background(), uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	queens := encodetest.Family(t, "queens", 9)
	problems := []encode.Problem{
		queens, queens.With(-5), queens.With(-1, -9), queens.With(-12), queens.With(3),
		encodetest.Family(t, "rooks", 5), encodetest.Family(t, "latin", 4), encodetest.Family(t, "dominoes", 4),
	}
	for _, p := range problems {
		shuffled := natural(p)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for i, o := range []order.Order{natural(p), shuffled} {
			d, exact := mdd.New(compile(t, p, o)), search.New(p)
			var solutions [][]cnf.Lit
			for model, err := range exact.Solutions(ctx, nil) {
				require.NoError(t, err)
				solutions = append(solutions, model)
			}
			for range 40 {
				var assume []cnf.Lit
				if model := solutions[rng.IntN(len(solutions))]; rng.IntN(3) > 0 {
					for _, l := range model {
						if l > 0 && rng.IntN(3) == 0 {
							assume = append(assume, l)
						}
					}
				}
				for range rng.IntN(3) {
					assume = append(assume, cnf.Lit(1+rng.IntN(p.NumVars()))*cnf.Lit(1-2*rng.IntN(2)))
				}
				hint := fmt.Sprintf("%s, order %d, assuming %v, seed %d", p, i, assume, seed)
				want, err := exact.Valid(ctx, assume, "")
				require.NoError(t, err)
				for _, method := range backends.Names(mdd.Methods()) {
					got, err := d.Valid(ctx, assume, method)
					require.NoError(t, err)
					require.Equal(t, want.Satisfiable, got.Satisfiable, hint)
					require.ElementsMatch(t, want.Possible, got.Possible, hint)
					require.ElementsMatch(t, want.Forced, got.Forced, hint)
					require.True(t, slices.IsSorted(got.Possible) && slices.IsSorted(got.Forced), hint)
				}
				wantCount, wantEach, err := exact.CountEach(ctx, assume)
				require.NoError(t, err)
				count, each, err := d.CountEach(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, fmt.Sprint(wantCount, wantEach), fmt.Sprint(count, each), hint)
				count, err = d.Count(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, wantCount.String(), count.String(), hint)
				next := 0
				for model, err := range d.Samples(ctx, assume, seed) {
					require.NoError(t, err)
					require.NoError(t, p.Verify(model), hint)
					for _, l := range assume {
						require.Contains(t, model, l, hint)
					}
					if next++; next == 3 {
						break
					}
				}
				require.Equal(t, wantCount.Sign() > 0, next > 0, hint)
			}
		}
	}
}

// The nodes are those of the prototype in another language, which merged equal subdiagrams of a search
// tree; with the solutions counted they fix the diagram.
func TestSizes(t *testing.T) {
	for _, c := range []struct{ n, nodes, edges int }{{8, 287, 378}, {10, 2425, 3148}, {12, 33549, 47418}} {
		p := encodetest.Family(t, "queens", c.n)
		d := compile(t, p, natural(p))
		assert.Equal(t, []int{c.nodes, c.edges}, []int{d.Len(), d.Edges()}, "n=%d", c.n)
		sum := 0
		for _, w := range d.Widths() {
			sum += w
		}
		assert.Equal(t, c.nodes, sum)
		known, _ := board.KnownSolutions(c.n)
		count, err := mdd.New(d).Count(context.Background(), nil)
		require.NoError(t, err)
		assert.Equal(t, new(big.Int).SetUint64(known), count)
	}
}

// Equal numbers of each solution are drawn: chi-squared over the 92 boards of n = 8 stays below the
// value that is exceeded once in ten million.
func TestSamplesAreUniform(t *testing.T) {
	p, seed, drawn := encodetest.Family(t, "queens", 8), rand.Uint64(), map[string]int{}
	const each = 100
	next := 0
	for model, err := range mdd.New(compile(t, p, natural(p))).Samples(context.Background(), nil, seed) {
		require.NoError(t, err)
		drawn[fmt.Sprint(model)]++
		if next++; next == 92*each {
			break
		}
	}
	require.Len(t, drawn, 92)
	chi := 0.0
	for _, n := range drawn {
		chi += float64((n-each)*(n-each)) / each
	}
	require.Less(t, chi, 180.0, "seed %d", seed)
}

// Where the number of solutions does not fit in a word, big integers count and sample.
func TestLargeCounts(t *testing.T) {
	ctx := context.Background()
	var p encode.Problem
	const lines = 70 // independent choices of two
	p.Family, p.Names = "pairs", encode.List(slices.Repeat([]string{""}, 2*lines))
	for i := range lines {
		p.Constraints = append(p.Constraints, encode.ExactlyOne("", cnf.Lit(2*i+1), cnf.Lit(2*i+2)))
	}
	o := mdd.New(compile(t, p, natural(p)))
	two := func(n int) string { return new(big.Int).Lsh(big.NewInt(1), uint(n)).String() }
	total, each, err := o.CountEach(ctx, []cnf.Lit{2, -5})
	require.NoError(t, err)
	assert.Equal(t, two(lines-2), total.String())
	assert.Equal(t, []string{"0", two(68), two(67), two(67), "0", two(68)},
		[]string{each[0].String(), each[1].String(), each[2].String(), each[3].String(), each[4].String(), each[5].String()})
	count, err := o.Count(ctx, nil)
	require.NoError(t, err)
	assert.Equal(t, two(lines), count.String())
	count, err = o.Count(ctx, nil)
	require.NoError(t, err)
	assert.Equal(t, two(lines), count.String(), "an answer is not changed by the next")
	trues, next := 0, 0
	for model, err := range o.Samples(ctx, nil, 1) {
		require.NoError(t, err)
		require.NoError(t, p.Verify(model))
		if model[0] > 0 {
			trues++
		}
		if next++; next == 1000 {
			break
		}
	}
	assert.InDelta(t, 500, trues, 100)
}

// The first question by annotated makes the annotation, even if it could do without, so that later ones
// take no longer than others of their kind.
func TestFirstQuestionAnnotates(t *testing.T) {
	p := encodetest.Family(t, "queens", 8)
	d := compile(t, p, natural(p))
	valid, err := mdd.New(d).Valid(context.Background(), []cnf.Lit{1, 2}, mdd.Annotated)
	require.NoError(t, err)
	require.False(t, valid.Satisfiable)
	first := contexttest.After(1000)
	_, err = mdd.New(d).Valid(first, nil, mdd.Annotated)
	require.NoError(t, err)
	again := contexttest.After(1000)
	_, err = mdd.New(d).Valid(again, nil, mdd.Annotated)
	require.NoError(t, err)
	require.Equal(t, first.Left(), again.Left(), "neither fills")
}

// A question with the upper half placed row by row visits about one node per row. Its mirror image costs
// no more, since it is turned.
func TestAnnotatedEndsAtTheLastQueen(t *testing.T) {
	const n = 12
	p := encodetest.Family(t, "queens", n)
	o := mdd.New(compile(t, p, natural(p)))
	answer, err := search.New(p).Solve(context.Background(), nil)
	require.NoError(t, err)
	var upper, lower []cnf.Lit
	for _, l := range answer.Model {
		if l > 0 && int(l) <= n*n/2 {
			upper = append(upper, l)
			lower = append(lower, encode.Turned(n, board.FlipRows, l))
		}
	}
	for _, queens := range [][]cnf.Lit{upper, lower} {
		visited := map[string]int64{}
		for _, method := range backends.Names(mdd.Methods()) {
			valid, err := o.Valid(context.Background(), queens, method)
			require.NoError(t, err)
			visited[method] = valid.Work.Of("nodes visited")
		}
		assert.Equal(t, int64(n/2+1), visited[mdd.Annotated])
		assert.Greater(t, visited[mdd.Sweep], visited[mdd.Annotated])
	}
}

func TestWhatItTakes(t *testing.T) {
	for _, name := range []string{"queens", "rooks", "latin", "dominoes"} {
		assert.NoError(t, mdd.Takes(encodetest.Family(t, name, 4)), name)
	}
	p := encodetest.Family(t, "queens", 4)
	loose := p
	loose.Constraints = slices.DeleteFunc(slices.Clone(p.Constraints), encode.Constraint.IsExactlyOne)
	assert.ErrorContains(t, mdd.Takes(loose), "divide all variables among them")
	_, err := mdd.Compile(context.Background(), loose, natural(loose), bdd.Options{})
	assert.ErrorContains(t, err, "back-end bdd takes every problem")
}

func TestLimitsAndCancelling(t *testing.T) {
	p := encodetest.Family(t, "queens", 11)
	var limit *backends.LimitError
	refused := false
	for bytes := int64(1 << 10); ; bytes *= 2 { // every limit is respected, at whichever step it is reached
		d, err := mdd.Compile(context.Background(), p, natural(p), bdd.Options{MaxBytes: bytes})
		if err != nil {
			require.ErrorAs(t, err, &limit)
			refused = true
			continue
		}
		require.LessOrEqual(t, d.Bytes(), bytes)
		valid, err := mdd.New(d).Valid(context.Background(), nil, mdd.Annotated)
		require.True(t, err == nil && valid.Satisfiable || errors.As(err, &limit), "%v", err)
		break
	}
	require.True(t, refused)
	o := mdd.New(compile(t, p, natural(p)))
	interrupted := 0
	for ; ; interrupted++ { // at every time at which the context is looked at
		valid, err := o.Valid(contexttest.After(interrupted), []cnf.Lit{-1}, mdd.Annotated)
		if err == nil {
			require.True(t, valid.Satisfiable)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Equal(t, 3, interrupted, "the first filling, the walk down, the walk up")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := mdd.Compile(ctx, p, natural(p), bdd.Options{})
	require.ErrorIs(t, err, context.Canceled)
}
