package encode_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
		require.Len(t, got.Constraints, len(p.Constraints)+1)
		for i, c := range p.Constraints {
			assert.Equal(t, c.Bound, got.Constraints[i].Bound, "%s, %s", f.Name, c.Name)
			assert.Equal(t, slices.Sorted(slices.Values(c.Lits)), got.Constraints[i].Lits, "%s, %s", f.Name, c.Name)
		}
		assert.Equal(t, encode.Constraint{
			Name: fmt.Sprintf("line %d", 2+p.NumVars()+len(p.Constraints)), Lits: []cnf.Lit{-1},
		}, got.Constraints[len(p.Constraints)])
	}
}

// Every bound that has a meaning is understood as it, on all assignments.
func TestOPBBounds(t *testing.T) {
	for _, text := range []string{"+1 x1 +1 x2 +1 x3", "-1 x1 1 x2 -1 ~x3", "1 ~x1 1 x2", "-1 x2", "1 x1 1 ~x1 +1 x3"} {
		for _, operator := range []string{">=", "<=", "="} {
			for bound := -4; bound <= 4; bound++ {
				file := fmt.Sprintf("* #variable= 3 #constraint= 1\n%s %s %d;\n", text, operator, bound)
				p, _, err := encode.ReadOPB(strings.NewReader(file), "f.opb")
				if err != nil {
					assert.ErrorContains(t, err, "supported are", file)
					continue
				}
				models := 0
				for bits := range 8 {
					sum, sign := 0, 1
					for _, word := range strings.Fields(text) {
						name, not := strings.CutPrefix(word, "~")
						if name[0] != 'x' {
							if sign = 1; word == "-1" {
								sign = -1
							}
						} else if bits>>(name[1]-'1')&1 == 1 != not {
							sum += sign
						}
					}
					if operator == ">=" && sum >= bound || operator == "<=" && sum <= bound || operator == "=" && sum == bound {
						models++
					}
				}
				assert.Len(t, conformance.BruteForce(p), models, file)
			}
		}
	}
}

func TestOPBErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"* a remark\n+2 x1 >= 1 ;\n":             "f.opb:2: coefficient +2: supported are 1 and -1",
		"min: +1 x1 ;\n":                         "f.opb:1: min: an objective: supported are constraints only",
		"+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;\n":       "f.opb:1: at least 2 of 4 literals: supported are",
		"+1 x1 +1 x2 +1 x3 +1 x4 = 2 ;\n":        "f.opb:1: exactly 2 of 4 literals",
		"+1 x1\n+1 x2 >= one ;\n":                `f.opb:1: bound "one": expected a whole number`,
		"+1 x1 x2 >= 1 ;\n":                      `f.opb:1: "x2": expected a coefficient and a variable, as in +1 x1`,
		"+1 x1 +1 >= 1 ;\n":                      `f.opb:1: "+1": expected a coefficient and a variable`,
		"+1 +1 x1 >= 1 ;\n":                      `f.opb:1: variable "+1": expected x1 to x16777216, or ~x1`,
		"+1 y1 >= 1 ;\n":                         `f.opb:1: variable "y1": expected x1`,
		"+1 x0 >= 1 ;\n":                         `f.opb:1: variable "x0": expected x1 to x16777216`,
		"+1 x1000000000 >= 1 ;\n":                `f.opb:1: variable "x1000000000"`,
		"* #variable= 1000000000 #constraint= 1": `f.opb:1: "1000000000" variables`,
		"+1 x1 +1 x1 >= 1 ;\n":                   "f.opb:1: variable x1 occurs twice",
		"+1 x1 >= 1 >= 1;\n":                     "f.opb:1: a constraint without a bound: expected terms, then >=, <= or =, then a number",
		"+1 x1 >= 1 1;\n":                        "f.opb:1: a constraint without a bound",
		"+1 x1 > 1 ;\n":                          "f.opb:1: a constraint without a bound",
		";\n":                                    "f.opb:1: a constraint without a bound",
		"+1 x1 >= 1 ;\n\n+1 x2 >= 1\n":           "f.opb:3: the file ends within a constraint",
		"* 1 a\n* 2 a\n+1 x1 +1 x2 >= 1 ;\n":     `f.opb:2: the name "a" is given twice`,
	} {
		_, _, err := encode.ReadOPB(strings.NewReader(text), "f.opb")
		assert.ErrorContains(t, err, want, text)
	}
}

// A pseudo-Boolean solver finds as many solutions in what is written as are known.
func TestOPBForAnOutsideSolver(t *testing.T) {
	clasp, err := exec.LookPath("clasp")
	if err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatal("no clasp: install the Debian package clasp")
		}
		t.Skip("no clasp: it is in the Debian package clasp")
	}
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
