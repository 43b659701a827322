package ask

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// One question may want everything; its parts agree, and the answer says which back-end gave it. Also is
// answered only by back-ends that count without visiting solutions.
func TestAskEverything(t *testing.T) {
	ctx := context.Background()
	p, err := encode.Queens(6, nil, nil)
	require.NoError(t, err)
	assume := []cnf.Lit{2} // b1
	for _, e := range Able(CountEach) {
		s := open(t, e, p, Choice{}, Resources{})
		all, err := s.Ask(ctx, Question{Assume: assume, Want: Valid | Solve | CountEach})
		require.NoError(t, err)
		assert.Equal(t, backends.Sat, all.Status)
		require.NoError(t, p.With(assume...).Verify(all.Model))
		assert.Equal(t, int64(1), all.Count.Int64(), e.Name)
		assert.Equal(t, all.Valid, all.Forced, "one solution is left")
		for i, count := range all.Each {
			assert.Equal(t, all.Model[i].Positive(), count.Sign() > 0, "%s %d", e.Name, i+1)
		}
		assert.EqualValues(t, e.Name, all.By.Backend)
		assert.EqualValues(t, all.How, all.By.Method)

		welcome, err := s.Ask(ctx, Question{Assume: assume, Want: Valid, Also: CountEach})
		require.NoError(t, err)
		assert.Equal(t, e.AtOnce, welcome.Count != nil, e.Name)

		none, err := s.Ask(ctx, Question{Assume: []cnf.Lit{1}, Want: Valid | Solve | Count}) // a corner
		require.NoError(t, err)
		assert.Equal(t, backends.Unsat, none.Status, e.Name)
		assert.Empty(t, none.Valid)
		assert.Zero(t, none.Count.Sign())
	}
	_, err = Once(ctx, p, Choice{Backend: "sat"}, Question{Want: Count}, Resources{})
	assert.ErrorContains(t, err, `"sat": expected one of bdd, search, portfolio, table`)
}

// Every back-end draws each solution about as often as any other: the chi-squared statistic stays below
// its 99.9999% point for nine degrees of freedom. The seeds are fixed, so the test passes or fails always.
func TestSamplesOfEveryBackend(t *testing.T) {
	const draws = 500
	ctx := context.Background()
	p, err := encode.Queens(5, nil, nil)
	require.NoError(t, err)
	for _, e := range Able(Sample) {
		s := open(t, e, p, Choice{}, Resources{})
		for _, assume := range [][]cnf.Lit{nil, {1}, {1, 2}} {
			all := map[string]int{}
			for model, err := range s.Solutions(ctx, assume) {
				require.NoError(t, err)
				all[fmt.Sprint(model)] = 0
			}
			for seed := range uint64(draws) {
				a, err := s.Ask(ctx, Question{Assume: assume, Want: Sample, Seed: seed})
				require.NoError(t, err)
				require.Equal(t, len(all) > 0, a.Status == backends.Sat, e.Name)
				if a.Model != nil {
					require.Contains(t, all, fmt.Sprint(a.Model), e.Name)
					all[fmt.Sprint(a.Model)]++
				}
			}
			expected, chi := float64(draws)/float64(max(1, len(all))), 0.0
			for _, n := range all {
				chi += (float64(n) - expected) * (float64(n) - expected) / expected
			}
			assert.Less(t, chi, 44.8, "%s under %v: %v", e.Name, assume, all)
		}
	}
}
