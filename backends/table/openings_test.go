package table_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/table"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// Sessions of placing, blocking and taking back, in which openings answers as scan does, whatever its memory; where it
// has room, it looks at fewer solutions.
func TestOpeningsAnswersAsScan(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	queens, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	problems := []encode.Problem{queens, queens.With(-20, 3), encodetest.Family(t, "rooks", 5), encodetest.Family(t, "toroidal", 6)}
	for range 12 {
		problems = append(problems, encodetest.Make("features", 14, rng.Uint64(), true))
	}
	for _, p := range problems {
		plain, err := table.New(ctx, p, listed(p), 0)
		require.NoError(t, err)
		least := plain.Stats().Bytes*2 + 1<<10 // a list takes a little more while it grows
		for _, memory := range []int64{0, least, least + least/4} {
			o, err := table.New(ctx, p, listed(p), memory)
			require.NoError(t, err)
			require.NoError(t, o.Prepare(ctx, "openings"))
			looked, all := int64(0), int64(0)
			var assume []cnf.Lit
			for range 60 {
				got, err := o.Valid(ctx, assume, "openings")
				require.NoError(t, err)
				want, err := plain.Valid(ctx, assume, "")
				require.NoError(t, err)
				looked, all = looked+got.Work.Of("matches"), all+want.Work.Of("solutions")
				got.Method, got.Work = want.Method, want.Work
				require.Equal(t, want, got, "%s memory %d, assuming %v", p, memory, assume)
				if memory > 0 {
					require.LessOrEqual(t, o.Stats().Bytes, memory+1<<15, "beyond the book")
				}
				if len(assume) > 0 && (rng.IntN(3) == 0 || !want.Satisfiable) {
					assume = assume[:len(assume)-1]
				} else if assume = slices.Clone(assume); p.NumVars() > 0 {
					assume = append(assume, cnf.Lit(1+rng.IntN(p.NumVars()))*cnf.Lit(1-2*rng.IntN(2)))
					rng.Shuffle(len(assume), func(i, j int) { assume[i], assume[j] = assume[j], assume[i] })
				}
			}
			if memory == 0 && all > 1000 {
				assert.Less(t, looked, all, "%s", p)
			}
		}
	}
}
