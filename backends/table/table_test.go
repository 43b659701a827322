package table_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/encode/cnf"
)

func listed(p encode.Problem) iter.Seq2[[]cnf.Lit, error] {
	return search.New(p).Solutions(context.Background(), nil)
}

// The list of queens, whose solutions and mirror images are found row by row, holds what
// exact search finds: with nothing fixed, with some fixed, and with what has a mirror.
func TestQueensAgainstSearch(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 9; n++ {
		whole, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		problems := []encode.Problem{whole, whole.With(cnf.Lit(-1), cnf.Lit(-n)), whole.With(cnf.Lit(1), cnf.Lit(-1))}
		for range 10 {
			var fixed []cnf.Lit
			for range rng.IntN(4) {
				fixed = append(fixed, cnf.Lit(1+rng.IntN(n*n))*cnf.Lit(1-2*rng.IntN(2)))
			}
			problems = append(problems, whole.With(fixed...))
		}
		for _, p := range problems {
			want := map[string]bool{}
			for model, err := range listed(p) {
				require.NoError(t, err)
				want[fmt.Sprint(model)] = true
			}
			o, err := table.New(context.Background(), p, nil, 0)
			require.NoError(t, err)
			got := map[string]bool{}
			for model, err := range o.Solutions(context.Background(), nil) {
				require.NoError(t, err)
				require.NoError(t, p.Verify(model), "%s fixed %v", p, p.Fixed)
				require.False(t, got[fmt.Sprint(model)], "listed twice")
				got[fmt.Sprint(model)] = true
			}
			require.Equal(t, want, got, "%s fixed %v", p, p.Fixed)
		}
	}
}

func family(t *testing.T, name string, n int) encode.Problem {
	f, err := encode.FamilyNamed(name)
	require.NoError(t, err)
	p, err := f.Build(n)
	require.NoError(t, err)
	return p
}

// Too many solutions are an error that names what to use: at once where the number is
// published, or else as soon as the list is full.
func TestTooManySolutions(t *testing.T) {
	for name, n := range map[string]int{"queens": 16, "rooks": 11, "latin": 6, "toroidal": 30, "dominoes": 8} {
		assert.ErrorContains(t, table.Takes(family(t, name, n)), "bdd, search and sat keep no list", name)
	}
	assert.NoError(t, table.Takes(family(t, "queens", 15)))
	assert.NoError(t, table.Takes(family(t, "queens", 100).With(1)), "few may be left")

	p := family(t, "queens", 10) // 724 solutions of two words and as many bits again
	_, err := table.New(context.Background(), p, nil, 724*32-1)
	assert.ErrorContains(t, err, "queens n = 10: more than 723 solutions")
	o, err := table.New(context.Background(), p, nil, 724*32)
	require.NoError(t, err)
	count, err := o.Count(context.Background(), nil)
	require.NoError(t, err)
	assert.EqualValues(t, 724, count.Int64())
	assert.Greater(t, o.Stats().Bytes, int64(724*2*8))

	r := family(t, "rooks", 7)
	_, err = table.New(context.Background(), r, listed(r), 5000*16)
	assert.ErrorContains(t, err, "rooks n = 7: more than 5000 solutions")
}

func TestListingEndsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := family(t, "queens", 12)
	_, err := table.New(ctx, p, nil, 0)
	assert.ErrorIs(t, err, context.Canceled)
	r := family(t, "rooks", 7)
	_, err = table.New(ctx, r, search.New(r).Solutions(ctx, nil), 0)
	assert.ErrorIs(t, err, context.Canceled)
}
