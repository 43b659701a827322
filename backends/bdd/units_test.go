package bdd

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// The literals that unit propagation adds hold in every solution under the assumptions,
// and if it meets a violated constraint there is no solution. Counting by the engine,
// which does not propagate, confirms both.
func TestPropagate(t *testing.T) {
	ctx := context.Background()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	added, violated := 0, 0
	for n := 4; n <= 6; n++ {
		for range 200 {
			p, o := draw(t, rng, n)
			counts := robdd.NewCounter(zdd(t, compile(t, p, o, Options{})))
			var assume []cnf.Lit
			var lits []robdd.Lit
			for range rng.IntN(5) {
				l := cnf.Var(rng.IntN(n*n) + 1).Pos()
				if rng.IntN(2) == 0 {
					l = l.Not()
				}
				assume, lits = append(assume, l), append(lits, robdd.Lit(l))
			}
			total, each, err := counts.CountEach(ctx, lits)
			require.NoError(t, err)
			units := encode.NewPropagator(p)
			if !units.Assume(assume) {
				require.Zero(t, total.Sign(), "%v under %v", p, assume)
				violated++
				continue
			}
			for i, x := range units.Values() {
				switch {
				case x > 0:
					require.Equal(t, total, each[i], "%v under %v: variable %d", p, assume, i+1)
				case x < 0:
					require.Zero(t, each[i].Sign(), "%v under %v: variable %d", p, assume, i+1)
				}
				if x != 0 {
					added++
				}
			}
			added -= len(assume)
		}
	}
	require.Positive(t, added)
	require.Positive(t, violated)
}
