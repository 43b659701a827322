package backbones

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/internal/system/program"
)

func TestOutputsOfExtractors(t *testing.T) {
	for name, c := range map[string]struct {
		output   string
		code     int
		backbone []cnf.Lit
		unsat    bool
		took     time.Duration
		err      string
	}{
		"CadiBack, quiet": {"b 3\nb -2\nb 0\ns SATISFIABLE\n", 10, []cnf.Lit{3, -2}, false, 0, ""},
		"CadiBack": {"c CadiBack\nb 3\nc\nb 0\ns SATISFIABLE\nc total process time since initialization:         0.25    seconds\n",
			10, []cnf.Lit{3}, false, 250 * time.Millisecond, ""},
		"one line": {"b 1 -2 3 0\n", 0, []cnf.Lit{1, -2, 3}, false, 0, ""},
		"twice":    {"b 1\nb 1\nb 0\n", 10, []cnf.Lit{1}, false, 0, ""},
		"nothing":  {"b 0\n", 10, nil, false, 0, ""},
		"minibones": {"c *** minibones: a backbone tool ***\nrange: 1-3\nc computation completed \ni sc:4\ns 1\nv  1 -3\nc backbone size: 2\ni complete\n",
			10, []cnf.Lit{1, -3}, false, 0, ""},
		"minibones, nothing":     {"s 1\nv \ni complete\n", 10, nil, false, 0, ""},
		"minibones, unsat":       {"c instance unsatisfiable\ns 0\ni complete\n", 20, nil, true, 0, ""},
		"minibones, interrupted": {"dbbones received external signal SIGTERM. \ns 1\nv  1\n", 10, nil, false, 0, "its output has no end"},
		"a model":                {"s SATISFIABLE\nv 1 -2 3 0\n", 10, nil, false, 0, "its output has no end"},
		"unsat":                  {"s UNSATISFIABLE\n", 20, nil, true, 0, ""},
		"unsat, by code":         {"", 20, nil, true, 0, ""},
		"no end":                 {"b 1\nb 2\n", 10, nil, false, 0, "its output has no end"},
		"empty":                  {"", 0, nil, false, 0, "its output has no end"},
		"after the end":          {"b 1\nb 0\nb 2\n", 10, nil, false, 0, "names literal 2 after the end"},
		"both":                   {"b 1\nb -1\nb 0\n", 10, nil, false, 0, "names literal -1 and its negation"},
		"too large":              {"b 4\nb 0\n", 10, nil, false, 0, "names literal 4 of a file with 3 variables"},
		"no number":              {"b x1\nb 0\n", 10, nil, false, 0, "names literal x1"},
		"contradiction":          {"b 0\ns UNSATISFIABLE\n", 20, nil, false, 0, "that there is a model and that there is none"},
		"other code":             {"s SATISFIABLE\n", 20, nil, false, 0, "that there is a model and that there is none"},
	} {
		s, err := read(c.output, c.code, 3)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, c.backbone, s.backbone, name)
		assert.Equal(t, c.unsat, s.unsat, name)
		assert.Equal(t, c.took, s.took, name)
		assert.Equal(t, c.took > 0, s.told, name)
	}
}

// stub makes an extractor of awk, which tries every assignment.
func stub(t *testing.T) Extractor {
	awk, err := exec.LookPath("awk")
	if err != nil {
		t.Skip("no awk: it is in the Debian package mawk")
	}
	script := filepath.Join(t.TempDir(), "backbone.awk")
	require.NoError(t, os.WriteFile(script, []byte(`
/^c/ { next }
/^p/ { vars = $3; next }
{ clause[++clauses] = $0 }
END {
	for (bits = 0; bits < 2 ^ vars; bits++) {
		rest = bits
		for (v = 1; v <= vars; v++) { value[v] = rest % 2; rest = (rest - value[v]) / 2 }
		good = 1
		for (c = 1; c <= clauses && good; c++) {
			n = split(clause[c], lits, " "); good = 0
			for (i = 1; i < n; i++) if (lits[i] > 0 && value[lits[i]] || lits[i] < 0 && !value[-lits[i]]) good = 1
		}
		if (good) { models++; for (v = 1; v <= vars; v++) trues[v] += value[v] }
	}
	if (!models) { print "s UNSATISFIABLE"; exit 20 }
	for (v = 1; v <= vars; v++) {
		if (trues[v] == models) print "b " v
		if (trues[v] == 0) print "b " (-v)
	}
	print "b 0"; exit 10
}`), 0o600))
	return Extractor{program.OnFile{Name: "stub", Command: awk + " -f " + script + " {cnf}"}}
}

// An extractor finds what brute force finds, for problems with and without auxiliary variables, under assumptions.
func TestExtractors(t *testing.T) {
	extractors := []Extractor{stub(t)}
	if _, err := exec.LookPath("cadiback"); err == nil {
		extractors = append(extractors, Extractor{program.OnFile{Name: "cadiback", Command: "cadiback -q {cnf}"}})
	}
	seed := conformance.Number(t, "BACKBONE_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 30 {
		truth, err := conformance.Random(rng)
		require.NoError(t, err)
		p := truth.Problem
		if p.AllVars() > 8 || len(p.Counters(amo.Pairwise)) > 0 {
			continue
		}
		var assume []cnf.Lit
		for v := range p.NumVars() {
			if rng.IntN(4) == 0 {
				assume = append(assume, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
		}
		var want backends.Valid
		held := make([]int, p.NumVars())
		solutions := conformance.BruteForce(p.With(assume...))
		for _, s := range solutions {
			for v := range held {
				if s[v] > 0 {
					held[v]++
				}
			}
		}
		for v, trues := range held {
			if trues > 0 {
				want.Possible = append(want.Possible, cnf.Var(v+1))
			}
			if trues > 0 && trues == len(solutions) {
				want.Forced = append(want.Forced, cnf.Var(v+1))
			}
		}
		want.Satisfiable = len(solutions) > 0
		for _, e := range extractors {
			got, err := New(e, p).Valid(t.Context(), assume, "")
			require.NoError(t, err)
			require.Equal(t, want, got, "BACKBONE_SEED=%d %s: %v under %v", seed, e.Name, p.Constraints, assume)
		}
	}
}

func TestExtractorsThatFail(t *testing.T) {
	p := encode.Problem{Family: "p", Names: make(encode.List, 2)}
	failing := filepath.Join(t.TempDir(), "failing.sh")
	require.NoError(t, os.WriteFile(failing, []byte("echo b 0; echo out of memory >&2; exit 1"), 0o600))
	for command, want := range map[string]string{
		"cadiback":                    `backbone extractor "cadiback": expected a command with {cnf} for the file`,
		"no-such-extractor {cnf}":     `program "no-such-extractor" is not on the PATH`,
		"sh " + failing + " {cnf}":    "expected exit code 0, 10 or 20, not 1: out of memory",
		"cat {cnf}":                   "its output has no end",
		"printf 'b 3\\nb 0\\n' {cnf}": "names literal 3 of a file with 2 variables",
	} {
		_, err := New(Extractor{program.OnFile{Name: "bad", Command: command}}, p).Valid(context.Background(), nil, "")
		assert.ErrorContains(t, err, want, command)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := New(Extractor{program.OnFile{Name: "cat", Command: "cat {cnf}"}}, p)
	_, err := o.Valid(ctx, nil, "")
	assert.ErrorIs(t, err, context.Canceled)
	_, err = o.Valid(context.Background(), []cnf.Lit{3}, "")
	assert.Error(t, err)
	_, err = o.Solve(context.Background(), nil)
	assert.ErrorIs(t, err, errOnly)
	for _, err := range o.Solutions(context.Background(), nil) {
		assert.ErrorIs(t, err, errOnly)
	}
}
