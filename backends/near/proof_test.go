package near

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/cnf/rup"
	"queens/encode/encodetest"
)

// Each line of a proof follows by unit propagation from the constraints and the lines before, and everything that is refuted is
// a line. A line that no solution needs does not follow.
func TestProof(t *testing.T) {
	seed := conformance.Number(t, "PROOF_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 4))
	refuted, rejected := 0, 0
	for range 600 {
		p := encodetest.Problem(rng)
		p.Constraints = append(p.Constraints, encodetest.Problem(rng).Constraints...)
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

// Where a file says that only some variables count, the proof follows from its clauses, too, and the answer is brute force's.
func TestProjectedProof(t *testing.T) {
	seed := conformance.Number(t, "PROOF_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 5))
	const vars = 9
	refuted, without := 0, 0
	for range 400 {
		var text bytes.Buffer
		shown := rng.Perm(vars)[:1+rng.IntN(vars-1)]
		text.WriteString("c p show")
		for _, v := range shown {
			fmt.Fprint(&text, " ", v+1)
		}
		clauses := 18 + rng.IntN(24)
		fmt.Fprintf(&text, " 0\np cnf %d %d\n", vars, clauses)
		for range clauses {
			for _, v := range rng.Perm(vars)[:2+rng.IntN(2)] {
				fmt.Fprint(&text, (v+1)*(1-2*rng.IntN(2)), " ")
			}
			text.WriteString("0\n")
		}
		file, err := cnf.ReadDIMACS(bytes.NewReader(text.Bytes()), "random")
		require.NoError(t, err)
		can := map[cnf.Lit]bool{}
		for bits := range 1 << vars {
			holds := func(l cnf.Lit) bool { return bits>>(l.Var()-1)&1 == 1 == l.Positive() }
			some := true
			for i := range file.Len() {
				some = some && slices.ContainsFunc(file.At(i), holds)
			}
			for v := cnf.Var(1); some && v <= vars; v++ {
				can[v.Pos()] = can[v.Pos()] || holds(v.Pos())
			}
			can[0] = can[0] || some
		}
		p, _, err := encode.ReadProvableCNF(bytes.NewReader(text.Bytes()), "random")
		require.NoError(t, err)
		var proof bytes.Buffer
		o := New(p)
		o.Proof = &proof
		valid, err := o.Valid(t.Context(), nil, "")
		require.NoError(t, err)
		require.Equal(t, can[0], valid.Satisfiable, "PROOF_SEED=%d: %s", seed, &text)
		checker := rup.New(file)
		require.NoError(t, checker.Replay(&proof, "proof"), "PROOF_SEED=%d: %s", seed, &text)
		if !valid.Satisfiable {
			require.True(t, checker.Refuted, "PROOF_SEED=%d: %s", seed, &text)
			without++
		}
		for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
			possible := slices.Contains(valid.Possible, v)
			require.Equal(t, can[p.Number(v).Pos()], possible, "PROOF_SEED=%d: %s", seed, &text)
			if !possible {
				require.True(t, checker.Follows(p.Number(v).Neg()), "PROOF_SEED=%d: %s", seed, &text)
				refuted++
			}
		}
	}
	require.Greater(t, refuted, 50, "PROOF_SEED=%d", seed)
	require.Greater(t, without, 20, "PROOF_SEED=%d", seed)
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
