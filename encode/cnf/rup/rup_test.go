package rup

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
)

func read(t *testing.T, text string) *cnf.File {
	t.Helper()
	f, err := cnf.ReadDIMACS(strings.NewReader(text), "f.cnf")
	require.NoError(t, err)
	return f
}

// All three variables are true in every solution, but no unit clause says so.
func TestReplay(t *testing.T) {
	const formula = "p cnf 3 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 3 0\n"
	for proof, want := range map[string]string{
		"2 0\n1 0\n3 0\n":             "",
		"c a remark\n\n2 0\n":         "",
		"3 1 0\nd 1 3 0\n2 0\n":       "",
		"-3 0\n":                      "p:1: clause [-3] does not follow",
		"2 0\n-1 0\n":                 "p:2: clause [-1] does not follow",
		"0\n":                         "p:1: clause [] does not follow",
		"d 1 2 0\nd -1 2 0\n2 0\n":    "p:3: clause [2] does not follow",
		"2 0\nd 1 2 0\nd -1 2 0\n3 0": "", // what has followed stays
		"2\n":                         "p:1: a clause without 0 at its end",
		"4 0\n":                       "p:1: variable 4: the formula has 3",
		"2 0 1 0\n":                   "p:1: 0 before the end of the line",
		"a\x01\x02":                   "expected a literal (a proof in binary form is not read)",
	} {
		c := New(read(t, formula))
		err := c.Replay(strings.NewReader(proof), "p")
		if want == "" {
			assert.NoError(t, err, proof)
			assert.False(t, c.Refuted)
		} else {
			assert.ErrorContains(t, err, want, proof)
		}
	}
	c := New(read(t, formula))
	require.NoError(t, c.Replay(strings.NewReader("2 0\nd 2 1 0\n"), "p"))
	assert.ElementsMatch(t, []cnf.Lit{1, 2, 3}, c.Holds())
	assert.Equal(t, [2]int{1, 1}, [2]int{c.Added, c.Removed})
	assert.True(t, c.Follows(3, -2))
	assert.False(t, c.Follows(-3))
}

// What the checker accepts holds in all solutions, whatever was removed before; it knows refuted formulas.
func TestAcceptsOnlyWhatFollows(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	accepted, refused := 0, 0
	for range 500 {
		vars := 1 + rng.IntN(7)
		clause := func(most int) (clause []cnf.Lit) {
			for range rng.IntN(most + 1) {
				clause = append(clause, cnf.Lit(1+rng.IntN(vars))*cnf.Lit(1-2*rng.IntN(2)))
			}
			return clause
		}
		f := &cnf.Formula{Vars: vars}
		for range rng.IntN(5 * vars) {
			f.Add(append(clause(2), cnf.Lit(1+rng.IntN(vars)))...)
		}
		var text bytes.Buffer
		require.NoError(t, f.WriteDIMACS(&text, nil, nil))
		var solutions [][]bool
		for bits := range 1 << vars {
			value := make([]bool, vars)
			for v := range value {
				value[v] = bits>>v&1 == 1
			}
			if f.Eval(value) {
				solutions = append(solutions, value)
			}
		}
		c := New(read(t, text.String()))
		for range 30 {
			line, remove := clause(3), rng.IntN(4) == 0
			var words []string
			for _, l := range line {
				words = append(words, fmt.Sprint(l))
			}
			proof := strings.Join(append(words, "0"), " ")
			if remove {
				proof = "d " + proof
			}
			holds := true
			for _, value := range solutions {
				satisfied := false
				for _, l := range line {
					satisfied = satisfied || value[l.Var()-1] == l.Positive()
				}
				holds = holds && satisfied
			}
			if err := c.Replay(strings.NewReader(proof), "p"); err == nil && !remove {
				accepted++
				require.True(t, holds, "seed %d: %s\n%s", seed, proof, text.String())
			} else if err != nil {
				refused++
			}
		}
		require.False(t, c.Refuted && len(solutions) > 0, "seed %d\n%s", seed, text.String())
	}
	assert.Greater(t, accepted, 500)
	assert.Greater(t, refused, 500)
}

// The proofs of another program are accepted, and with one line changed they are not.
func TestProofsOfCadical(t *testing.T) {
	if _, err := exec.LookPath("cadical"); err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatal("no cadical (Debian: cadical)")
		}
		t.Skip("no cadical (Debian: cadical)")
	}
	var text bytes.Buffer
	require.NoError(t, cnftest.Pigeons(5).WriteDIMACS(&text, nil, nil))
	folder := t.TempDir()
	formula, file := filepath.Join(folder, "f.cnf"), filepath.Join(folder, "proof")
	require.NoError(t, os.WriteFile(formula, text.Bytes(), 0o600))
	_ = exec.Command("cadical", "-q", "--plain", "--no-binary", formula, file).Run() // 20: no solution
	proof, err := os.ReadFile(file)
	require.NoError(t, err)
	c := New(read(t, text.String()))
	require.NoError(t, c.Replay(bytes.NewReader(proof), "proof"))
	require.True(t, c.Refuted)
	require.Greater(t, c.Added, 20)

	lines := strings.Split(string(proof), "\n")
	for i, line := range lines { // the first clause loses a literal that it needs
		if words := strings.Fields(line); len(words) > 2 && words[0] != "d" {
			lines[i] = strings.Join(words[1:], " ")
			break
		}
	}
	require.ErrorContains(t, New(read(t, text.String())).Replay(strings.NewReader(strings.Join(lines, "\n")), "proof"), "does not follow")
}
