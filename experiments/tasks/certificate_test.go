package tasks

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/cnf/rup"
	"queens/experiments"
)

// randomFile writes a formula whose last variables are in no clause, and some not shown.
func randomFile(t *testing.T, r *rand.Rand, file string) {
	vars := 3 + r.IntN(7)
	clauses := r.IntN(4 * vars)
	var b bytes.Buffer
	fmt.Fprintf(&b, "p cnf %d %d\n", vars+1, clauses)
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "c p show 1 2 %d 0\n", vars)
	}
	for range clauses {
		for range 1 + min(2, r.IntN(5)) {
			fmt.Fprintf(&b, "%d ", (1+r.IntN(vars))*(2*r.IntN(2)-1))
		}
		b.WriteString("0\n")
	}
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
}

// Certificates and diagrams answer alike: sessions and placements on random formulas, some of which have no solution.
func TestCertificatesAnswerAsDiagrams(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	file := filepath.Join(t.TempDir(), "f.cnf")
	proved := 0
	for range 60 {
		randomFile(t, r, file)
		for _, kind := range []string{"sessions", "valid-cells"} {
			given := params{"problem": "cnf:" + file, "backend": "bdd", "seed": r.Uint64() >> 1}
			if kind == "valid-cells" {
				given["placed"], given["placement"], given["queries"] = 1, "random", 3
				given["want"] = []string{"valid", "solution", "sample"}[r.IntN(3)]
			}
			task := made(t, kind, given)
			if !exists(t, task) {
				continue
			}
			f, err := task.Run(context.Background(), &experiments.Meter{})
			if err != nil {
				continue // no such placement
			}
			for _, other := range task.References() {
				if other.Title() == "proof" {
					assert.Equal(t, f.Answer, run(t, other).Answer, "%+v", task.Value)
					proved++
				}
			}
		}
	}
	assert.Greater(t, proved, 50)
}

// Certificates answer about problems that are not clauses, too: weights and large bounds have auxiliary variables.
func TestCertificatesOfEncodedConstraints(t *testing.T) {
	for _, family := range encode.Families() {
		for n := 3; n < 8; n++ {
			if testing.Short() && n > 5 {
				break
			}
			p, err := family.Build(n)
			if err != nil || p.NumVars() > 49 {
				continue
			}
			c, err := newCertifier(ask.ProblemName(family.Name), p)
			require.NoError(t, err)
			certified, err := c.answer(t.Context(), ask.Question{Want: ask.Valid})
			require.NoError(t, err, "%s", p)
			want, err := ask.Once(t.Context(), p, ask.Choice{Backend: ask.DDNNF}, ask.Question{Want: ask.Valid}, ask.Resources{})
			require.NoError(t, err)
			assert.Equal(t, want.Status, certified.Status, "%s", p)
			assert.Equal(t, want.Valid, certified.Valid, "%s", p)
			assert.Equal(t, want.Forced, certified.Forced, "%s", p)
		}
	}
}

// What the clauses of the file do not say is not believed: a proof from other clauses, and a solution of others.
func TestCertificatesAreHeldAgainstTheFile(t *testing.T) {
	dir := t.TempDir()
	read := func(name, text string) *certifier {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		asked := Asked{}
		asked.Problem = ask.ProblemName("cnf:" + file)
		p, err := asked.Build()
		require.NoError(t, err)
		c, err := newCertifier(asked.Problem, p)
		require.NoError(t, err)
		return c
	}
	c := read("a.cnf", "p cnf 3 4\n1 2 0\n-1 2 0\n1 -2 0\n-2 3 0\n")
	a, err := c.answer(context.Background(), ask.Question{Want: ask.Valid})
	require.NoError(t, err)
	assert.Equal(t, []cnf.Var{1, 2, 3}, a.Forced)

	fewer, err := cnf.ReadDIMACS(bytes.NewReader([]byte("p cnf 3 1\n1 2 0\n")), "fewer.cnf")
	require.NoError(t, err)
	c = read("a.cnf", "p cnf 3 4\n1 2 0\n-1 2 0\n1 -2 0\n-2 3 0\n")
	c.checker = rup.New(fewer)
	_, err = c.answer(context.Background(), ask.Question{Want: ask.Valid})
	assert.ErrorContains(t, err, "does not follow")

	more, err := cnf.ReadDIMACS(bytes.NewReader([]byte("p cnf 3 1\n-3 0\n")), "more.cnf")
	require.NoError(t, err)
	c = read("a.cnf", "p cnf 3 4\n1 2 0\n-1 2 0\n1 -2 0\n-2 3 0\n")
	c.clauses = more.Clauses
	_, err = c.answer(context.Background(), ask.Question{Want: ask.Valid})
	assert.ErrorContains(t, err, "the solution violates clause 1")
}

// References share no code with who answers, whoever it is: near and the portfolio on a file are checked by proof, and
// nobody by itself.
func TestReferencesShareNoCode(t *testing.T) {
	file := "cnf:../../configs/models/features-120-1.cnf"
	for _, kind := range []string{"sessions", "valid-cells"} {
		for _, b := range ask.Able(ask.Valid) {
			for _, problem := range []string{"queens", file} {
				for _, method := range b.MethodNames() {
					given := params{"problem": problem, "backend": b.Name, "method": method}
					if problem == "queens" {
						given["n"] = 40
					}
					task := made(t, kind, given)
					if task.Normalise() != nil {
						continue
					}
					require.NotEmpty(t, task.References(), "%+v", task.Value)
					proof := false
					for _, other := range task.References() {
						if proof = proof || other.Title() == "proof"; other.Title() == "proof" {
							continue
						}
						name := other.Parameters()["backend"]
						e, err := ask.Named(name, 0)
						require.NoError(t, err)
						asked, err := (&ask.Setup{Problem: ask.ProblemName(problem), N: 40}).Build()
						require.NoError(t, err)
						assert.False(t, b.SharesWith(e, asked, ask.Valid), "%s by %s", b.Name, name)
					}
					assert.True(t, proof || problem == "queens", "%+v", task.Value)
				}
			}
		}
	}
	task := made(t, "valid-cells", params{"problem": file, "backend": "near"})
	assert.Equal(t, 2, judge(t, task), "sat and proof")
}
