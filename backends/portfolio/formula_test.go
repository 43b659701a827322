package portfolio

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/near"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

func TestFormulaConformance(t *testing.T) {
	conformance.RunAny(t, Methods(), func(p encode.Problem) backends.Backend { return NewFormula(p.Counting(amo.Sequential), 0) })
}

// Alone and in turn, near and sat give the same answers to a person's questions, and the work says who settled how much.
func TestTurns(t *testing.T) {
	files, err := filepath.Glob("../../configs/models/*-1.cnf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	seed := conformance.Number(t, "TURNS_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	settled := map[string]int64{}
	problems := []encode.Problem{encodetest.Make("random", 70, 3, true)} // near leaves half of it to sat
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		p, _, err := encode.ReadCNF(f, file)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		problems = append(problems, p)
	}
	for _, p := range problems {
		solver, alone, turns, poor := sat.New(p), near.New(p), NewFormula(p, 0), NewFormula(p, 1)
		require.Nil(t, poor.sat)
		for q := range 6 {
			var assume []cnf.Lit
			if q > 0 { // the first question assumes nothing
				for range rng.IntN(8) {
					assume = append(assume, cnf.Lit(1+rng.IntN(p.NumVars()))*cnf.Lit(1-2*rng.IntN(2)))
				}
			}
			want, err := solver.Valid(ctx, assume, "rest")
			require.NoError(t, err)
			for _, by := range []backends.Backend{alone, turns, poor} {
				for _, remember := range []bool{false, true} {
					method := map[bool]string{true: "remember"}[remember]
					got, err := by.Valid(ctx, assume, method)
					require.NoError(t, err)
					require.Equal(t, want.Satisfiable, got.Satisfiable, "%s under %v, TURNS_SEED=%d", p, assume, seed)
					require.Equal(t, want.Possible, got.Possible, "%s under %v, TURNS_SEED=%d", p, assume, seed)
					require.Equal(t, want.Forced, got.Forced, "%s under %v, TURNS_SEED=%d", p, assume, seed)
					for _, c := range got.Work.Counts() {
						settled[c.Name] += c.N
					}
				}
				answer, err := by.Solve(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, want.Satisfiable, answer.Status == backends.Sat, "%s under %v, TURNS_SEED=%d", p, assume, seed)
			}
		}
	}
	for _, name := range []string{"near settled", "sat settled", "sat solves", "searches", "conflicts"} {
		require.Positive(t, settled[name], name)
	}
}

func TestOutlookSaysHowLong(t *testing.T) {
	lengths := map[time.Duration]string{80 * time.Minute: "about an hour", 100 * time.Minute: "about 2 hours", math.MaxInt64: "years"}
	for expected, want := range lengths {
		require.Contains(t, Outlook{Expected: expected}.String(), "for "+want)
	}
}
