package ddnnf

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// drawn returns a random problem whose variables have other numbers in its file, if numbered is set.
func drawn(rng *rand.Rand, vars int, numbered bool) encode.Problem {
	shapes := encodetest.Shapes()
	p := encodetest.Make(shapes[rng.IntN(len(shapes))], vars, rng.Uint64(), true)
	for numbered && len(p.Numbers) < p.AllVars() {
		p.Numbers = append(p.Numbers, cnf.Var(3*len(p.Numbers)+1+rng.IntN(3)))
	}
	return p
}

// solutions counts those of a graph.
func solutions(t *testing.T, g *Graph) *big.Int {
	t.Helper()
	count, err := New(g, 0).Count(t.Context(), nil)
	require.NoError(t, err)
	return count
}

// What is written as c2d does, or by a program that splits on one variable after the other as d4 writes it, reads back
// with the solutions that brute force finds, under literals that the problem fixes as well.
func TestFilesKeepTheSolutions(t *testing.T) {
	seed := conformance.Number(t, "NNF_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	for range conformance.Cases(150) {
		p := drawn(rng, 9, rng.IntN(2) == 0)
		g, err := Compile(t.Context(), p, Options{})
		require.NoError(t, err)
		var c2d bytes.Buffer
		require.NoError(t, g.Write(&c2d))
		for _, text := range []string{c2d.String(), asD4(p)} {
			q := p
			for v := range cnf.Var(p.NumVars()) {
				if l := (v + 1).Pos(); rng.IntN(8) == 0 {
					q = q.With([]cnf.Lit{l, l.Not()}[rng.IntN(2)])
				}
			}
			for _, p := range []encode.Problem{p, q, q.With(1, -1)} {
				read, err := Read(t.Context(), strings.NewReader(text), "file", p, 0)
				require.NoError(t, err, "NNF_SEED=%d\n%s", seed, text)
				require.NoError(t, read.check(), "NNF_SEED=%d\n%s", seed, text)
				require.EqualValues(t, len(conformance.BruteForce(p)), solutions(t, read).Int64(), "NNF_SEED=%d %v %v\n%s",
					seed, p.Constraints, p.Fixed, text)
				if p.Auxiliary == 0 {
					broken, err := read.Breaks(t.Context())
					require.NoError(t, err)
					require.Nil(t, broken, "NNF_SEED=%d\n%s", seed, text)
				}
			}
		}
	}
}

// asD4 writes a d-DNNF in d4's format: a tree that decides all variables except those whose two values give the same.
func asD4(p encode.Problem) string {
	var nodes, edges strings.Builder
	number := 1
	node := func(kind string) int {
		fmt.Fprintf(&nodes, "%s %d 0\n", kind, number)
		number++
		return number - 1
	}
	root := node("o")
	always, never := node("t"), node("f")
	var under func(models [][]cnf.Lit, v int) int
	under = func(models [][]cnf.Lit, v int) int {
		switch len(models) {
		case 0:
			return never
		case 1 << (p.NumVars() - v):
			return always
		}
		var with, without [][]cnf.Lit
		for _, m := range models {
			if m[v] > 0 {
				with = append(with, m)
			} else {
				without = append(without, m)
			}
		}
		o, yes, no := node("o"), under(with, v+1), under(without, v+1)
		fmt.Fprintf(&edges, "%d %d %d 0\n%d %d %d 0\n", o, yes, p.Number(cnf.Var(v+1)), o, no, -p.Number(cnf.Var(v+1)))
		return o
	}
	fmt.Fprintf(&edges, "%d %d 0\n", root, under(conformance.BruteForce(p), 0))
	return nodes.String() + edges.String()
}

// A graph whose solutions violate a constraint breaks it: the graph of a problem without one of its constraints, if that
// has more solutions.
func TestBreaks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng, found := rand.New(rand.NewPCG(seed, 0)), 0
	for found < 100 {
		p := drawn(rng, 9, false)
		if p.Auxiliary > 0 || len(p.Constraints) == 0 {
			continue
		}
		fewer := p
		at := rng.IntN(len(p.Constraints))
		fewer.Constraints = append(append([]encode.Constraint{}, p.Constraints[:at]...), p.Constraints[at+1:]...)
		g, err := Compile(t.Context(), fewer, Options{})
		require.NoError(t, err)
		g.problem = p
		broken, err := g.Breaks(t.Context())
		require.NoError(t, err)
		if len(conformance.BruteForce(p)) == len(conformance.BruteForce(fewer)) {
			require.Nil(t, broken, "seed %d", seed)
			continue
		}
		require.Equal(t, &p.Constraints[at], broken, "seed %d", seed)
		found++
	}
}

// A file that is none, or is not decomposable, is refused by its line.
func TestFilesThatAreRefused(t *testing.T) {
	p := encode.Problem{Family: "cnf", Names: encode.List{"a", "b"}, Projected: true}
	for text, want := range map[string]string{
		"":                                     "f: expected a d-DNNF, as c2d or d4 writes it",
		"p cnf 2 1\n1 2 0\n":                   `f:1: "p": expected the line nnf NODES EDGES VARIABLES of c2d, or a node of d4`,
		"nnf 1 0\nL 1\n":                       "f:1: expected the line nnf NODES EDGES VARIABLES",
		"nnf 1 0 x\nL 1\n":                     `f:1: "x": expected a number of 32 bits`,
		"nnf 1 0 3\nL 3\n":                     "f:2: literal 3: expected one of the 2 variables",
		"nnf 1 0 4\nL -4\n":                    "f:2: literal -4: expected one of the 2 variables that count in the problem",
		"nnf 1 0 1\nL 2\n":                     "f:2: literal 2: expected one of variables 1 to 1",
		"nnf 1 0 2\nL 0\n":                     "f:2: literal 0",
		"nnf 2 0 2\nL 1\n":                     "f: it has 1 nodes and 0 edges, and its first line says 2 and 0: is it complete?",
		"nnf 1 1 2\nA 1 0\n":                   "f:2: child 0: expected a node of a line before",
		"nnf 2 1 2\nL 1\nA 2 0\n":              "f:3: expected L LITERAL, A COUNT CHILDREN or O VARIABLE COUNT CHILDREN",
		"nnf 2 1 2\nL 1\nO 1 1 -1\n":           "f:3: child -1",
		"nnf 2 2 2\nL 1\nA 2 0 0\n":            "f:3: variable 1 is in a conjunction twice: the file is not decomposable",
		"nnf 2 2 2\nL 1\nO 1 2 0 0\n":          "f:3: a disjunction has the same solutions twice: the file is not deterministic",
		"nnf 2 2 2\nL 1\nnnf 2 2 2\nO 1 1 0\n": "f:3: expected L LITERAL",
		"o 2 0\nt 3 0\n2 3 1 0\n":              "f: expected a d-DNNF, as c2d or d4 writes it: there is no node 1",
		"o 1 0\no 1 0\n":                       "f:2: there are two nodes 1",
		"o 1 0\nt 2 0\n1 2 1\n":                "f:3: expected an edge: the numbers of two nodes, literals, and 0",
		"o 1 0\nt 2 0\n1 3 1 0\n":              "f:3: an edge from 1 to 3",
		"o 1 0\nt 2 0\n2 1 1 0\n":              "f:3: an edge from 2 to 1",
		"o 1 0\no 2 0\n1 2 1 0\n2 1 0\n":       "f:1: the node is among those below it",
		"o 1 0\nt 2 0\n1 2 1 -1 0\n":           "f:3: variable 1 is in a conjunction twice",
		"q 1 0\n":                              "f:1: \"q\": expected the line nnf",
		"o 1 99999999999 0\n":                  "f:1: \"99999999999\": expected a number of 32 bits",
	} {
		_, err := Read(t.Context(), strings.NewReader(text), "f", p, 0)
		assert.ErrorContains(t, err, want, text)
	}
	_, err := Read(t.Context(), strings.NewReader("nnf 1 0 2\nL 1\n"), "f", p, 7)
	require.ErrorAs(t, err, new(*backends.LimitError))
}

// d4 compiles, where the environment variable D4 says how: "d4 -dDNNF {cnf} -out={nnf}".
func TestAgainstD4(t *testing.T) {
	command := os.Getenv("D4")
	if command == "" {
		t.Skip("no d4: it is no Debian package; set D4 to its command, with {cnf} and {nnf}")
	}
	seed := conformance.Number(t, "NNF_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.cnf"), filepath.Join(dir, "out.nnf")
	words := strings.Fields(strings.NewReplacer("{cnf}", in, "{nnf}", out).Replace(command))
	for range conformance.Number(t, "NNF_RUNS", 30) {
		p := drawn(rng, 14, false).Counting(amo.Pairwise)
		if p.Auxiliary > 0 {
			continue
		}
		var text bytes.Buffer
		require.NoError(t, p.WriteDIMACS(&text, amo.Pairwise, nil))
		require.NoError(t, os.WriteFile(in, text.Bytes(), 0o600))
		said, err := exec.Command(words[0], words[1:]...).CombinedOutput()
		require.NoError(t, err, "%s", said)
		content, err := os.Open(out)
		require.NoError(t, err)
		theirs, err := Read(t.Context(), content, out, p, 0)
		require.NoError(t, err)
		require.NoError(t, content.Close())
		ours, err := Compile(t.Context(), p, Options{})
		require.NoError(t, err)
		require.Equal(t, solutions(t, ours), solutions(t, theirs), "NNF_SEED=%d", seed)
		broken, err := theirs.Breaks(t.Context())
		require.NoError(t, err)
		require.Nil(t, broken, "NNF_SEED=%d", seed)
	}
}

// clasp finds as many solutions of random formulas, told apart by the variables that the file shows, as the d-DNNF has.
func TestProjectedAgainstClasp(t *testing.T) {
	clasp, err := exec.LookPath("clasp")
	if err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatal("no clasp: install the Debian package clasp")
		}
		t.Skip("no clasp: it is in the Debian package clasp")
	}
	seed := conformance.Number(t, "CLASP_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	file := filepath.Join(t.TempDir(), "f.aspif")
	for range conformance.Number(t, "CLASP_RUNS", 40) {
		const vars = 30
		var clauses, rules, shown strings.Builder // rules forbid a clause's negation
		number := 20 + rng.IntN(60)
		for range number {
			size := 2 + rng.IntN(3)
			fmt.Fprintf(&rules, "1 0 0 0 %d", size)
			for _, v := range rng.Perm(vars)[:size] {
				l := (v + 1) * (1 - 2*rng.IntN(2))
				fmt.Fprintf(&clauses, "%d ", l)
				fmt.Fprintf(&rules, " %d", -l)
			}
			clauses.WriteString("0\n")
			rules.WriteString("\n")
		}
		few := rng.Perm(vars)[:1+rng.IntN(12)]
		atoms := ""
		for v := range vars {
			atoms += fmt.Sprintf(" %d", v+1)
		}
		for _, v := range few {
			fmt.Fprintf(&shown, " %d", v+1)
		}
		p, _, err := encode.ReadCNF(strings.NewReader(
			fmt.Sprintf("c p show%s 0\np cnf %d %d\n%s", shown.String(), vars, number, clauses.String())), "f.cnf")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "asp 1 0 0\n1 1 %d%s 0 0\n%s3 %d%s\n0\n",
			vars, atoms, rules.String(), len(few), shown.String()), 0o600))
		out, _ := exec.Command(clasp, "--project=project", "--models=0", "--quiet", file).CombinedOutput()
		g, err := Compile(t.Context(), p, Options{})
		require.NoError(t, err)
		require.Regexp(t, fmt.Sprintf(`Models +: %s\b`, solutions(t, g)), string(out), "CLASP_SEED=%d", seed)
	}
}
