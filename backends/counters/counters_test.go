package counters

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/internal/system/program"
)

func TestOutputsOfCounters(t *testing.T) {
	for name, c := range map[string]struct {
		output, count, err string
		projected          bool
	}{
		"competition": {"c o start\ns SATISFIABLE\nc s type mc\nc s log10-estimate 1.96\nc s exact arb int 92\n", "92", "", false},
		"projected":   {"s SATISFIABLE\nc s type pmc\nc s exact arb int 340282366920938463463374607431768211456\n", "340282366920938463463374607431768211456", "", true},
		"ganak":       {"c [ganak] done\ns mc 92\n", "92", "", false},
		"s pmc":       {"s pmc 7\n", "7", "", true},
		"both":        {"s mc 92\nc s exact arb int 92\n", "92", "", false},
		"d4":          {"c Number of nodes: 12\ns 92\n", "92", "", false},
		"sharpSAT": {"Solving /tmp/x.cnf\n# of variables 64\n# solutions \n92\n# END\n\ntime: 0.01s\n", "92",
			"", false},
		"unsat":         {"c o\ns UNSATISFIABLE\n", "0", "", true},
		"unsat, zero":   {"s UNSATISFIABLE\nc s type mc\nc s exact arb int 0\n", "0", "", false},
		"contradiction": {"s UNSATISFIABLE\nc s exact arb int 3\n", "", `it answers "3"`, false},
		"two numbers":   {"s mc 3\ns mc 4\n", "", "it answers 3 and 4", false},
		"approximate":   {"c s approx arb int 93\n", "", "approximate", false},
		"no number":     {"s SATISFIABLE\nv 1 2 0\n", "", "no number", false},
		"negative":      {"s mc -1\n", "", `it answers "-1"`, false},
		"empty":         {"", "", "no number", false},
	} {
		s, err := read(c.output)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, c.count, s.count.String(), name)
		assert.Equal(t, c.projected, s.projected, name)
	}
}

// stub makes a counter of awk: it tries every assignment of the formula's variables, and counts those of
// the shown ones that are part of a model.
func stub(t *testing.T, kind string) Counter {
	awk, err := exec.LookPath("awk")
	if err != nil {
		t.Skip("no awk: it is in the Debian package mawk")
	}
	script := filepath.Join(t.TempDir(), "count.awk")
	require.NoError(t, os.WriteFile(script, []byte(`
/^c p show/ { projected = 1; for (i = 4; i < NF; i++) show[$i] = 1; next }
/^c/ { next }
/^p/ { vars = $3; next }
{ clause[++clauses] = $0 }
END {
	for (bits = 0; bits < 2 ^ vars; bits++) {
		rest = bits; key = ""
		for (v = 1; v <= vars; v++) {
			value[v] = rest % 2; rest = (rest - value[v]) / 2
			if (!projected || v in show) key = key value[v]
		}
		good = 1
		for (c = 1; c <= clauses && good; c++) {
			n = split(clause[c], lits, " "); good = 0
			for (i = 1; i < n; i++) if (lits[i] > 0 && value[lits[i]] || lits[i] < 0 && !value[-lits[i]]) good = 1
		}
		if (good && !(key in seen)) { seen[key] = 1; count++ }
	}
	print "c s type " KIND; print "c s exact arb int " count + 0
}`), 0o600))
	return Counter{program.OnFile{Name: "stub", Command: awk + " -v KIND=" + kind + " -f " + script + " {cnf}"}}
}

// The file for an outside counter has as many solutions as brute force finds, for problems with and
// without auxiliary variables.
func TestCounts(t *testing.T) {
	seed := conformance.Number(t, "COUNTER_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	counter := stub(t, "pmc")
	for range 60 {
		p := encode.Problem{Family: "random", Names: make(encode.List, rng.IntN(5)), Auxiliary: 1 + rng.IntN(3)}
		if rng.IntN(2) == 0 {
			p.Auxiliary, p.Names = 0, make(encode.List, 1+rng.IntN(7))
		}
		for range rng.IntN(8) {
			var lits []cnf.Lit
			for _, v := range rng.Perm(p.AllVars())[:1+rng.IntN(min(p.AllVars(), 4))] {
				lits = append(lits, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
			p.Constraints = append(p.Constraints, encodetest.Any(rng)("", lits...))
		}
		count, err := counter.Count(context.Background(), p)
		require.NoError(t, err)
		require.EqualValues(t, len(conformance.BruteForce(p)), count.Int64(), "COUNTER_SEED=%d %v %v", seed, p.Constraints, p.Auxiliary)
	}
	_, err := stub(t, "mc").Count(context.Background(), encode.Problem{Family: "p", Names: make(encode.List, 1), Auxiliary: 1,
		Constraints: []encode.Constraint{encode.AtLeastOne("", 1, 2)}})
	assert.ErrorContains(t, err, "it does not say that it counts only the variables of c p show")
	_, err = stub(t, "mc").Count(context.Background(), weighed())
	assert.ErrorContains(t, err, "it does not say that it counts only the variables of c p show", "auxiliary variables of weights")
	count, err := counter.Count(context.Background(), weighed())
	require.NoError(t, err)
	assert.EqualValues(t, 9, count.Int64())
}

// weighed is a problem without auxiliary variables whose clauses have some.
func weighed() encode.Problem {
	return encode.Problem{Family: "p", Names: make(encode.List, 4), Constraints: []encode.Constraint{
		{Lits: []cnf.Lit{1, 2, 3, 4}, Weights: []int{3, 2, 2, 1}, Most: 4},
	}}
}

func TestCountersThatFail(t *testing.T) {
	p := encode.Problem{Family: "p", Names: make(encode.List, 1)}
	failing := filepath.Join(t.TempDir(), "failing.sh")
	require.NoError(t, os.WriteFile(failing, []byte("echo s mc 7; exit 1"), 0o600))
	for command, want := range map[string]string{
		"ganak":                    `counter "ganak": expected a command with {cnf} for the file`,
		"no-such-counter {cnf}":    "no-such-counter",
		"sh -c exit\t3 {cnf}":      "its output has no number",
		"sh " + failing + " {cnf}": "expected exit code 0, 10 or 20, not 1: s mc 7",
		"cat {cnf}":                "its output has no number of solutions: expected a line c s exact arb int N, s mc N or s N, or # solutions: p cnf 1 0",
	} {
		_, err := Counter{program.OnFile{Name: "bad", Command: command}}.Count(context.Background(), p)
		assert.ErrorContains(t, err, want, command)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Counter{program.OnFile{Name: "cat", Command: "cat {cnf}"}}.Count(ctx, p)
	assert.ErrorIs(t, err, context.Canceled)
}
