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

	"queens/backends"
	"queens/backends/localsearch"
	"queens/backends/search"
	"queens/backends/table"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

func listed(p encode.Problem) iter.Seq2[[]cnf.Lit, error] {
	return search.New(p).Solutions(context.Background(), nil)
}

// For queens, whose solutions and mirror images are listed row by row, the list equals that of
// exact search: with nothing fixed, with some cells fixed, and with mirror-symmetric fixed cells.
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

// With several words of summaries, counts and possible variables still equal those of exact search.
func TestSummariesLoseNoSolution(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	p := encodetest.Family(t, "queens", 12)
	o, err := table.New(ctx, p, nil, 0)
	require.NoError(t, err)
	exact := search.New(p)
	for range 40 {
		var assume []cnf.Lit
		for range rng.IntN(6) {
			assume = append(assume, cnf.Lit(1+rng.IntN(144))*cnf.Lit(1-2*rng.IntN(2)))
		}
		total, each, err := exact.CountEach(ctx, assume)
		require.NoError(t, err)
		gotTotal, gotEach, err := o.CountEach(ctx, assume)
		require.NoError(t, err)
		require.Equal(t, total.String(), gotTotal.String(), "assuming %v", assume)
		require.Equal(t, fmt.Sprint(each), fmt.Sprint(gotEach), "assuming %v", assume)
		count, err := o.Count(ctx, assume)
		require.NoError(t, err)
		require.Equal(t, total.String(), count.String(), "assuming %v", assume)
		valid, err := o.Valid(ctx, assume, "")
		require.NoError(t, err)
		var possible []cnf.Var
		for i, n := range each {
			if n.Sign() > 0 {
				possible = append(possible, cnf.Var(i+1))
			}
		}
		require.Equal(t, possible, valid.Possible, "assuming %v", assume)
	}
}

// BenchmarkQuestions asks about boards with half of the queens of a random solution placed, and
// counts their completions. Times without and with summaries, in microseconds, each the minimum of six short
// interleaved runs:
//
//	n     Valid        Count         CountEach
//	10    .82   .66    .38   .30     4.7   6.3
//	12    .71   .79    .62   .56     8.3   6.6
//	14    8.4   2.4     10   1.7      22    11
//	15     88    15    109   9.1     142    30
func BenchmarkQuestions(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{10, 12, 14, 15} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(b, err)
		o, err := table.New(ctx, p, nil, 0)
		require.NoError(b, err)
		var sessions [][]cnf.Lit
		for seed := range uint64(32) {
			w := localsearch.NewWalk(board.NewPosition(n, nil, nil), seed)
			require.True(b, w.Complete(ctx, 1000+20*n))
			var assume []cnf.Lit
			for _, row := range rand.New(rand.NewPCG(seed, uint64(n))).Perm(n)[:n/2] {
				assume = append(assume, encode.CellVar(n, board.Cell{Row: row, Col: int(w.Solution()[row])}).Pos())
			}
			sessions = append(sessions, assume)
		}
		for name, ask := range map[string]func([]cnf.Lit) error{
			"Valid":     func(assume []cnf.Lit) error { _, err := o.Valid(ctx, assume, ""); return err },
			"Count":     func(assume []cnf.Lit) error { _, err := o.Count(ctx, assume); return err },
			"CountEach": func(assume []cnf.Lit) error { _, _, err := o.CountEach(ctx, assume); return err },
		} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					require.NoError(b, ask(sessions[i%len(sessions)]))
				}
			})
		}
	}
}

// Too many solutions are an error that names other back-ends: at once if the number is
// published, or else as soon as the list is full.
func TestTooManySolutions(t *testing.T) {
	for name, n := range map[string]int{"queens": 16, "rooks": 11, "latin": 6, "dominoes": 8} {
		assert.ErrorContains(t, table.Takes(encodetest.Family(t, name, n)), "bdd, search and sat keep no list", name)
	}
	assert.NoError(t, table.Takes(encodetest.Family(t, "queens", 15)))
	assert.NoError(t, table.Takes(encodetest.Family(t, "queens", 100).With(1)), "few may be left")
	assert.NoError(t, table.Takes(encodetest.Family(t, "amazons", 18)), "the number is not published, and that of 17 is small")

	p := encodetest.Family(t, "queens", 10) // 724 solutions of two words and as many bits again
	_, err := table.New(context.Background(), p, nil, 724*40-1)
	assert.ErrorContains(t, err, "queens n = 10: more than 723 solutions")
	assert.ErrorAs(t, err, new(*backends.LimitError))
	o, err := table.New(context.Background(), p, nil, 724*40)
	require.NoError(t, err)
	count, err := o.Count(context.Background(), nil)
	require.NoError(t, err)
	assert.EqualValues(t, 724, count.Int64())
	assert.Greater(t, o.Stats().Bytes, int64(724*2*8))

	r := encodetest.Family(t, "rooks", 7)
	_, err = table.New(context.Background(), r, listed(r), 5000*20)
	assert.ErrorContains(t, err, "rooks n = 7: more than 5000 solutions")
}

func TestListingEndsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := encodetest.Family(t, "queens", 12)
	_, err := table.New(ctx, p, nil, 0)
	assert.ErrorIs(t, err, context.Canceled)
	r := encodetest.Family(t, "rooks", 7)
	_, err = table.New(ctx, r, search.New(r).Solutions(ctx, nil), 0)
	assert.ErrorIs(t, err, context.Canceled)
}
