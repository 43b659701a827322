package encode_test

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
)

// What is written reads back with the same constraints, names and order.
func TestOPBReadsBack(t *testing.T) {
	for _, f := range encode.Families() {
		p, err := f.Build(4)
		require.NoError(t, err)
		order := make([]cnf.Var, p.NumVars())
		for i := range order {
			order[len(order)-1-i] = varOf(i)
		}
		var b bytes.Buffer
		require.NoError(t, p.With(-1).WriteOPB(&b, order))
		got, gotOrder, err := encode.ReadOPB(&b, "f.opb")
		require.NoError(t, err)
		assert.Equal(t, order, gotOrder)
		assert.Equal(t, p.VarName(2), got.VarName(2))
		var lines []encode.Constraint // as OPB writes them
		for _, c := range p.Constraints {
			if c.Least > 0 && c.Limits() && c.Least < c.Most { // a line for each bound
				upper := c
				c.Most, upper.Least = c.Total(), 0
				lines = append(lines, c, upper)
			} else {
				lines = append(lines, c)
			}
		}
		require.Len(t, got.Constraints, len(lines)+1, f.Name)
		for i, c := range lines {
			if c.Least == 0 && c.Most == len(c.Lits)-1 && c.Most > 1 { // one is false: a clause is read
				for k, l := range c.Lits {
					c.Lits[k] = -l
				}
				c = encode.AtLeastOne(c.Name, c.Lits...)
			}
			assert.Equal(t, c.Count(), got.Constraints[i].Count(), "%s, %s", f.Name, c.Name)
			assert.Equal(t, slices.Sorted(slices.Values(c.Lits)), slices.Sorted(slices.Values(got.Constraints[i].Lits)), "%s, %s", f.Name, c.Name)
		}
		assert.Equal(t, encode.AtLeastOne(fmt.Sprintf("line %d", 2+p.NumVars()+len(lines)), -1), got.Constraints[len(lines)])
	}
}

// Random constraints, with bounds near and far, comments between them and numbers of variables above
// and below what there is, are read as what they say: an evaluator with big integers, which reads
// the text itself, finds the same solutions.
func TestOPBMeansWhatItSays(t *testing.T) {
	seed := conformance.Number(t, "OPB_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	for i := range conformance.Number(t, "OPB_CASES", conformance.Cases(4000)) {
		var b strings.Builder
		vars := 0
		constraints := 1 + rng.IntN(3)
		for range constraints {
			if rng.IntN(3) == 0 {
				declared := rng.IntN(5)
				vars = max(vars, declared)
				fmt.Fprintf(&b, "* #variable= %d #constraint= %d\n", declared, constraints)
			}
			factor := 1 + rng.IntN(3)*rng.IntN(2)
			weight := func() string { return fmt.Sprintf("%+d", factor*(1-2*rng.IntN(2))) }
			switch rng.IntN(8) {
			case 0, 1, 2:
				weight = func() string { return pick("0", "1", "+2", "-2", "3", "-3", "5") }
			case 3: // beyond encode.MostTotal, and near the bounds below
				weight = func() string { return pick("2", "-3", "4294967296", "-4294967295", "1000000007", "68719476736") }
			}
			terms := rng.Perm(6)[:rng.IntN(7)]
			if rng.IntN(8) == 0 {
				terms = append(terms, rng.IntN(6)) // some variable twice
			}
			for _, v := range terms {
				vars = max(vars, v+1)
				fmt.Fprintf(&b, "%s %sx%d%s", weight(), pick("", "~"), v+1, pick(" ", "\n"))
			}
			bound := strconv.Itoa(factor*(rng.IntN(13)-5) + rng.IntN(2))
			if rng.IntN(4) == 0 {
				bound = pick("9223372036854775807", "-9223372036854775808", "9223372036854775806", "-9223372036854775807",
					"18446744073709551617", "-18446744073709551615", "4294967297", "1000000000000000000000000")
			}
			fmt.Fprintf(&b, "%s %s ;\n", pick(">=", "<=", "="), bound)
		}
		p, _, err := encode.ReadOPB(strings.NewReader(b.String()), "f.opb")
		require.NoError(t, err, "OPB_SEED=%d, case %d:\n%s", seed, i, b.String())
		require.Equal(t, vars, p.NumVars(), "OPB_SEED=%d, case %d:\n%s", seed, i, b.String())
		models := 0
		for assignment := range 1 << vars {
			if holdsOPB(t, b.String(), assignment) {
				models++
			}
		}
		require.Len(t, conformance.BruteForce(p), models, "OPB_SEED=%d, case %d:\n%s", seed, i, b.String())
	}
}

// A sum of four weights keeps weights only if no number of some of its literals says the same, apart from literals
// that must be true.
func TestOPBKeepsWeightsOnlyWhereNeeded(t *testing.T) {
	counting := map[int]bool{} // truth tables, as sets of assignments
	for must := range 16 {
		for some := range 16 {
			for k := range 6 {
				table := 0
				for assignment := range 16 {
					if assignment&must == must && bits.OnesCount(uint(assignment&some)) >= k {
						table |= 1 << assignment
					}
				}
				counting[table] = true
			}
		}
	}
	kept := 0
	for weights := range 6 * 6 * 6 * 6 {
		w := []int{weights % 6, weights / 6 % 6, weights / 36 % 6, weights / 216}
		for bound := 1; bound <= w[0]+w[1]+w[2]+w[3]; bound++ {
			table := 0
			for assignment := range 16 {
				sum := 0
				for i, weight := range w {
					sum += weight * (assignment >> i & 1)
				}
				if sum >= bound {
					table |= 1 << assignment
				}
			}
			text := fmt.Sprintf("%d x1 %d x2 %d x3 %d x4 >= %d ;", w[0], w[1], w[2], w[3], bound)
			p, _, err := encode.ReadOPB(strings.NewReader(text), "f.opb")
			require.NoError(t, err, text)
			weighs := slices.ContainsFunc(p.Constraints, func(c encode.Constraint) bool { return c.Weights != nil })
			require.Equal(t, !counting[table], weighs, "%s: %v", text, p.Constraints)
			if weighs {
				kept++
			}
		}
	}
	require.Greater(t, kept, 1000)
}

// holdsOPB evaluates a file's constraints; bit v-1 of an assignment is the value of xv.
func holdsOPB(t *testing.T, text string, assignment int) bool {
	var words []string
	for line := range strings.Lines(text) {
		if line[0] != '*' {
			words = append(words, strings.Fields(line)...)
		}
	}
	sum, term := new(big.Int), new(big.Int)
	for len(words) > 0 {
		switch word := words[0]; word {
		case ">=", "<=", "=":
			bound, ok := new(big.Int).SetString(words[1], 10)
			require.True(t, ok, words[1])
			if !slices.Contains(map[string][]int{">=": {0, 1}, "<=": {-1, 0}, "=": {0}}[word], sum.Cmp(bound)) {
				return false
			}
			sum.SetInt64(0)
			words = words[3:] // the ;, too
		default:
			term.SetString(word, 10)
			name, not := strings.CutPrefix(words[1], "~")
			if assignment>>(name[1]-'1')&1 == 1 != not {
				sum.Add(sum, term)
			}
			words = words[2:]
		}
	}
	return true
}

// Variables that are not x1, x2 and so on have their own names, and numbers as they come.
func TestOPBIdentifiers(t *testing.T) {
	text := "* #variable= 4 #constraint= 2\n* 1 no-name\n+1 x7 +1 sun >= 1 ;\n+1 ~sun\n+1 snow_1 +1 x7 <= 2 ;\n"
	for name, r := range map[string]io.Reader{"seeker": strings.NewReader(text), "stream": iotest.OneByteReader(strings.NewReader(text))} {
		p, _, err := encode.ReadOPB(r, "f.opb")
		require.NoError(t, err, name)
		assert.Equal(t, []string{"x7", "sun", "snow_1"}, p.VarNames([]cnf.Var{1, 2, 3}), name)
		assert.Equal(t, 3, p.NumVars())
		assert.Empty(t, p.Note)
		// x7 or sun; not all of not sun, snow_1, x7
		assert.Len(t, conformance.BruteForce(p), 5, name)
	}
}

func TestOPBErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"[2] +1 x1 >= 1 ;\n":                           "f.opb:1: a soft constraint: supported are constraints that must hold",
		"* s\nsoft: 6 ;\n":                             "f.opb:2: a soft constraint",
		"min: +1 x1 ;\n":                               "f.opb:1: min: an objective: supported are constraints only",
		"+1 x1\n+1 x2 >= one ;\n":                      `f.opb:1: bound "one": expected a whole number`,
		"+1 x1 x2 >= 1 ;\n":                            "f.opb:1: a product, x1 x2: supported are sums of literals",
		"+1 ~x1 ~x2 +1 x3 >= 1 ;\n":                    "f.opb:1: a product, ~x1 ~x2",
		"+1 x1 +1 >= 1 ;\n":                            `f.opb:1: "+1": expected a coefficient and a variable`,
		"+1 +1 x1 >= 1 ;\n":                            `f.opb:1: variable "+1": expected x1 to x16777216, or an identifier, or one of them after ~`,
		"+1 x0 >= 1 ;\n":                               `f.opb:1: variable "x0": expected x1 to x16777216`,
		"+1 x1000000000 >= 1 ;\n":                      `f.opb:1: variable "x1000000000"`,
		"* #variable= 1000000000 #constraint= 1":       `f.opb:1: "1000000000" variables`,
		"99999999999999999999 x1 >= 1 ;\n":             "f.opb:1: coefficient 99999999999999999999: supported are -68719476736 to 68719476736",
		"+1 x1 >= 1 >= 1;\n":                           "f.opb:1: a constraint without a bound: expected terms, then >=, <= or =, then a number",
		"+1 x1 >= 1 1;\n":                              "f.opb:1: a constraint without a bound",
		"+1 x1 > 1 ;\n":                                "f.opb:1: a constraint without a bound",
		";\n":                                          "f.opb:1: a constraint without a bound",
		"+1 x1 >= 1 ;\n\n+1 x2 >= 1\n":                 "f.opb:3: the file ends within a constraint",
		"+1 rain 2sun >= 1 ;\n":                        `f.opb:1: "2sun": expected a coefficient`,
		"+1 rain sun >= 1 ;\n":                         "f.opb:1: a product, rain sun",
		"+1 rain +1 +1 >= 1 ;\n":                       `f.opb:1: variable "+1": expected an identifier`,
		"* #variable= 2 #constraint= 3\n+1 x1 = 1 ;\n": "f.opb:2: the file ends after 1 constraints: #constraint= says 3",
		"* #variable= 2 #constraint= 2\n+1 x1 +1 x2 >= 1 ;\n":   "f.opb:2: the file ends after 1 constraints: #constraint= says 2",
		"* #variable= 2 #constraint= few\n+1 x1 +1 x2 >= 1 ;\n": `f.opb:1: "few" constraints: expected a whole number, 0 or more`,
	} {
		_, _, err := encode.ReadOPB(strings.NewReader(text), "f.opb")
		assert.ErrorContains(t, err, want, text)
	}
}

// A pseudo-Boolean solver finds as many solutions in what is written as are known.
func TestOPBForAnOutsideSolver(t *testing.T) {
	clasp := outside(t, "clasp")
	for _, f := range encode.Families() {
		p, err := f.Build(4)
		require.NoError(t, err)
		p = p.With(-2)
		file := filepath.Join(t.TempDir(), "f.opb")
		var b bytes.Buffer
		require.NoError(t, p.WriteOPB(&b, nil))
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
		out, _ := exec.Command(clasp, "--models=0", "--quiet=2,2", "--verbose=1", file).CombinedOutput()
		assert.Regexp(t, fmt.Sprintf(`Models +: %d\b`, len(conformance.BruteForce(p))), string(out), f.Name)
	}
}

// A pseudo-Boolean solver finds as many solutions in random files as brute force does in what is read from
// them, and as many again in what is written.
func TestRandomOPBForAnOutsideSolver(t *testing.T) {
	clasp := outside(t, "clasp")
	seed := conformance.Number(t, "OPB_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	file := filepath.Join(t.TempDir(), "f.opb")
	count := func(text []byte) string {
		require.NoError(t, os.WriteFile(file, text, 0o600))
		out, _ := exec.Command(clasp, "--models=0", "--quiet=2,2", "--verbose=1", file).CombinedOutput()
		return regexp.MustCompile(`Models +: (\d+)`).FindStringSubmatch(string(out))[1]
	}
	for i := range conformance.Number(t, "OPB_FILES", conformance.Cases(60)) {
		const vars = 6
		var b bytes.Buffer
		rules := 1 + rng.IntN(4)
		fmt.Fprintf(&b, "* #variable= %d #constraint= %d\n", vars, rules+1)
		for range rules {
			weight, further := 1+rng.IntN(3), 1+5*rng.IntN(2)
			for _, v := range rng.Perm(vars)[:2+rng.IntN(vars-1)] {
				fmt.Fprintf(&b, "%+d x%d ", weight*(1+rng.IntN(further))*(1-2*rng.IntN(2)), v+1)
			}
			if bound := weight * (rng.IntN(4+further) - 2); further == 1 && rng.IntN(2) == 0 { // of = -2, clasp 3.3.5 makes another multiple of 3
				fmt.Fprintf(&b, "= %d ;\n", bound)
			} else {
				fmt.Fprintf(&b, ">= %d ;\n", bound+rng.IntN(4)/3)
			}
		}
		fmt.Fprintln(&b, "+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 >= 0 ;") // says nothing, but uses every variable
		p, order, err := encode.ReadOPB(bytes.NewReader(b.Bytes()), "f.opb")
		require.NoError(t, err, "OPB_SEED=%d, file %d:\n%s", seed, i, b.String())
		want := fmt.Sprint(len(conformance.BruteForce(p)))
		require.Equal(t, want, count(b.Bytes()), "OPB_SEED=%d, file %d:\n%s", seed, i, b.String())
		var again bytes.Buffer
		require.NoError(t, p.WriteOPB(&again, order))
		fmt.Fprintln(&again, "+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 >= 0 ;")
		require.Equal(t, want, count(again.Bytes()), "OPB_SEED=%d, file %d:\n%s", seed, i, again.String())
	}
}

// outside returns the path of a program, or skips the test and names its Debian package.
func outside(t *testing.T, program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatalf("no %s: install the Debian package %s", program, program)
		}
		t.Skipf("no %s: it is in the Debian package %s", program, program)
	}
	return path
}

// A file that is read reads the same when written again; the error for any other names a line.
func FuzzReadOPB(f *testing.F) {
	f.Add("* #variable= 2 #constraint= 1\n* 1 a\n* 2 b\n+1 x1 +1 ~x2 >= 1 ;\n-1 x1 -1 x2 >= -1;\n")
	f.Add("1 x1 = 0;1 x2<=0;")
	f.Add("1;")
	f.Add("min: 1 x1 ;\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, order, err := encode.ReadOPB(strings.NewReader(text), "f.opb")
		if err != nil {
			require.Contains(t, err.Error(), "f.opb")
			return
		}
		if p.NumVars() > 10 {
			return
		}
		var b bytes.Buffer
		require.NoError(t, p.WriteOPB(&b, order))
		again, _, err := encode.ReadOPB(&b, "f.opb")
		require.NoError(t, err, b.String())
		require.Equal(t, conformance.BruteForce(p), conformance.BruteForce(again))
	})
}

// One literal whose weight no bound can be: 3 x = 1 has no solution, and its file says so.
func TestWriteOPBOfOneWeight(t *testing.T) {
	var file bytes.Buffer
	p := encode.Problem{Names: encode.List{"x"}, Constraints: []encode.Constraint{{Least: 1, Most: 1, Lits: []cnf.Lit{-1}, Weights: []int{3}}}}
	require.NoError(t, p.WriteOPB(&file, nil))
	require.Contains(t, file.String(), "-3 x1 = -2 ;")
}
