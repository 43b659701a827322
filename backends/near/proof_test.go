package near

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
)

// Each line of a proof follows by unit propagation from the constraints and the lines before, and everything that is refuted is
// a line. A line that no solution needs does not follow.
func TestProof(t *testing.T) {
	seed := conformance.Number(t, "PROOF_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 4))
	refuted, rejected := 0, 0
	for range 600 {
		p := randomProblem(rng)
		p.Constraints = append(p.Constraints, randomProblem(rng).Constraints...)
		p.Names = make(encode.List, 11)
		var file bytes.Buffer
		o := New(p)
		o.Proof = &file
		valid, err := o.Valid(context.Background(), nil, "")
		require.NoError(t, err)
		lines := readProof(t, file.String())
		constraints := slices.Clone(p.Constraints)
		for _, line := range lines {
			require.True(t, follows(constraints, line), "PROOF_SEED=%d: %v from %v", seed, line, p.Constraints)
			constraints = append(constraints, encode.AtLeastOne("", line...))
		}
		if !valid.Satisfiable {
			require.Contains(t, lines, []cnf.Lit{}, "PROOF_SEED=%d", seed)
			continue
		}
		for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
			if !slices.Contains(valid.Possible, v) {
				require.Contains(t, lines, []cnf.Lit{v.Neg()}, "PROOF_SEED=%d", seed)
				refuted++
				require.False(t, follows(constraints, []cnf.Lit{v.Pos()}), "PROOF_SEED=%d", seed)
				rejected++
			}
		}
	}
	require.Greater(t, min(refuted, rejected), 200, "PROOF_SEED=%d", seed)
}

func readProof(t *testing.T, text string) (lines [][]cnf.Lit) {
	for line := range strings.Lines(text) {
		clause := []cnf.Lit{}
		fields := strings.Fields(line)
		require.Equal(t, "0", fields[len(fields)-1])
		if fields[0] == "d" {
			continue
		}
		for _, f := range fields[:len(fields)-1] {
			l, err := strconv.Atoi(f)
			require.NoError(t, err)
			clause = append(clause, cnf.Lit(l))
		}
		lines = append(lines, clause)
	}
	return lines
}

// follows reports whether propagation over the constraints contradicts the negation of a clause.
func follows(constraints []encode.Constraint, clause []cnf.Lit) bool {
	value := map[cnf.Lit]bool{} // literals that are true
	for _, l := range clause {
		value[l.Not()] = true
	}
	for changed := true; changed; {
		changed = false
		for _, c := range constraints {
			var open []cnf.Lit
			trues := 0
			for _, l := range c.Lits {
				if value[l] {
					trues++
				} else if !value[l.Not()] {
					open = append(open, l)
				}
			}
			if trues > c.Most || trues+len(open) < c.Least {
				return true
			}
			for _, l := range open {
				if trues == c.Most {
					value[l.Not()], changed = true, true
				} else if trues+len(open) == c.Least {
					value[l], changed = true, true
				}
			}
		}
	}
	return false
}
