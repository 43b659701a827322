package encode_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

func varOf(i int) cnf.Var { return cnf.Var(i + 1) }

// What WriteDIMACS writes with an order reads back with the same names, order and
// models.
func TestCNFReadsBack(t *testing.T) {
	for _, f := range encode.Families() {
		p, err := f.Build(3)
		require.NoError(t, err)
		order := make([]cnf.Var, p.NumVars())
		for i := range order {
			order[len(order)-1-i] = varOf(i)
		}
		var b bytes.Buffer
		require.NoError(t, p.WriteDIMACS(&b, amo.Pairwise, order))
		got, gotOrder, err := encode.ReadCNF(&b, "f.cnf")
		require.NoError(t, err)
		assert.Equal(t, order, gotOrder, "not by number")
		assert.Equal(t, p.VarName(2), got.VarName(2))
		assert.Equal(t, conformance.BruteForce(p), conformance.BruteForce(got), f.Name)
	}
}

// A board that is read from a file is the board again, with the names of its lines. Anything
// less is not: another name, a unit.
func TestBoardsReadBack(t *testing.T) {
	for _, family := range []string{"queens", "rooks", "toroidal"} {
		f, err := encode.FamilyNamed(family)
		require.NoError(t, err)
		for _, n := range []int{5, 7} {
			p, err := f.Build(n)
			require.NoError(t, err)
			order := make([]cnf.Var, p.NumVars())
			for i := range order {
				order[i] = varOf(i)
			}
			var b, opb bytes.Buffer
			require.NoError(t, p.WriteDIMACS(&b, amo.Pairwise, order))
			text := b.String()
			got, _, err := encode.ReadCNF(&b, "f.cnf")
			require.NoError(t, err)
			require.Equal(t, p.Constraints, got.Constraints, "%s n = %d", family, n)
			assert.True(t, got.IsBoard())
			require.NoError(t, p.WriteOPB(&opb, order))
			got, _, err = encode.ReadOPB(&opb, "f.opb")
			require.NoError(t, err)
			require.Equal(t, p.Constraints, got.Constraints, "%s n = %d", family, n)
			other, _, err := encode.ReadCNF(strings.NewReader(strings.Replace(text, " a1\n", " a0\n", 1)), "f.cnf")
			require.NoError(t, err)
			assert.False(t, other.IsBoard())
		}
	}
}

func TestCNFWithoutNames(t *testing.T) {
	p, order, err := encode.ReadCNF(strings.NewReader("c a remark\nc 7 dwarfs\np cnf 3 4\n1 -2\n0 3 3 0\n-1 1 2 0\n-3 0\n%\n0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Nil(t, order)
	assert.Equal(t, "2", p.VarName(2))
	require.Len(t, p.Constraints, 3, "a clause with both signs of a variable is left out: it is always true")
	assert.Equal(t, encode.AtLeastOne("line 5", -2, 1), p.Constraints[0])
	assert.Equal(t, encode.AtLeastOne("line 7", -3), p.Constraints[2])
	assert.Empty(t, p.Fixed, "units of the file are constraints, not assumptions")
}

// The variables that count are the problem's, whatever their numbers; the others are neither named nor
// counted, and most are resolved away.
func TestShownVariables(t *testing.T) {
	for _, lines := range []string{"c p show 2 5 0", "c ind 5 0\nc ind 2 0", "c p show 5 2 5 0"} {
		p, _, err := encode.ReadCNF(strings.NewReader(
			"c 2 b\nc 3 c\n"+lines+"\nc t pmc\np cnf 5 3\n1 2 3 0\nc p show 2 0\n-1 5 4 0\n-4 5 0\n"), "f.cnf")
		require.NoError(t, err)
		assert.Equal(t, []string{"b", "5"}, p.VarNames([]cnf.Var{1, 2}), lines)
		assert.Equal(t, 2, p.NumVars())
		assert.Zero(t, p.Auxiliary, "x3 may always be true")
		v, err := p.Names.Var("5")
		require.NoError(t, err)
		assert.Equal(t, cnf.Var(5), p.Number(v))
		assert.Len(t, conformance.BruteForce(p), 4)
	}
	none, _, err := encode.ReadCNF(strings.NewReader("c p show 0\np cnf 2 1\n1 2 0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Equal(t, [][]cnf.Lit{{}}, conformance.BruteForce(none), "there is a solution, and nothing to tell it from others")
	remark, _, err := encode.ReadCNF(strings.NewReader("c ind. Variables: all\nc ind of them\np cnf 2 1\n1 2 0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Equal(t, 2, remark.NumVars())
}

// A problem in which only some variables count is written as such: the same ones count when it is read again,
// and have the same names, numbers and sequence.
func TestShownVariablesReadBack(t *testing.T) {
	seed := conformance.Number(t, "SHOWN_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	auxiliary := 0
	for range 500 {
		vars := 2 + rng.IntN(9)
		f := &cnf.Formula{Vars: vars}
		for range rng.IntN(5 * vars) {
			f.Add(cnf.Lit(1+rng.IntN(vars))*cnf.Lit(1-2*rng.IntN(2)), cnf.Lit(1+rng.IntN(vars))*cnf.Lit(1-2*rng.IntN(2)),
				cnf.Lit(1+rng.IntN(vars))*cnf.Lit(1-2*rng.IntN(2)))
		}
		var b bytes.Buffer
		for _, v := range rng.Perm(vars)[:1+rng.IntN(vars)] {
			fmt.Fprintf(&b, "c ind %d 0\n", v+1)
			if rng.IntN(2) == 0 {
				fmt.Fprintf(&b, "c %d name-%d\n", v+1, v+1)
			}
		}
		require.NoError(t, f.WriteDIMACS(&b, nil, nil))
		text := b.String()
		p, _, err := encode.ReadCNF(&b, "f.cnf")
		require.NoError(t, err)
		auxiliary += p.Auxiliary
		order := make([]cnf.Var, p.AllVars())
		for i, v := range rng.Perm(len(order)) {
			order[i] = varOf(v)
		}
		e := amo.All()[rng.IntN(len(amo.All()))]
		require.NoError(t, p.WriteDIMACS(&b, e, order))
		again, theirs, err := encode.ReadCNF(&b, "f.cnf")
		require.NoError(t, err, "SHOWN_SEED=%d\n%s", seed, text)
		own := slices.DeleteFunc(order, func(v cnf.Var) bool { return int(v) > p.NumVars() })
		if !slices.IsSorted(own) {
			require.Equal(t, own, theirs, "SHOWN_SEED=%d\n%s", seed, text)
		}
		for v := range p.NumVars() {
			require.Equal(t, p.Names.Name(varOf(v)), again.Names.Name(varOf(v)))
			require.Equal(t, p.Number(varOf(v)), again.Number(varOf(v)))
		}
		require.Equal(t, conformance.BruteForce(p), conformance.BruteForce(again), "SHOWN_SEED=%d, %s\n%s", seed, e.Name, text)
	}
	require.Positive(t, auxiliary, "resolution leaves some")
}

// What every encoding hides in a board is found again.
func TestEncodedBoardsReadBack(t *testing.T) {
	for _, e := range amo.All() {
		for _, n := range []int{4, 9, 13, 16} {
			p, err := encode.Queens(n, nil, nil)
			require.NoError(t, err)
			order := make([]cnf.Var, p.NumVars())
			for i := range order {
				order[i] = varOf(i)
			}
			var b bytes.Buffer
			require.NoError(t, p.WriteDIMACS(&b, e, order))
			got, _, err := encode.ReadCNF(&b, "f.cnf")
			require.NoError(t, err)
			assert.True(t, got.IsQueens(), "%s n = %d", e.Name, n)
		}
	}
}

// What has a meaning in a list of literals is _ in a name, and the number of another variable begins with it.
func TestNamesOfAFile(t *testing.T) {
	p, _, err := encode.ReadCNF(strings.NewReader("c 1 -my  own, name\nc 2 2\nc 3 10\nc 4 3\np cnf 4 0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Equal(t, []string{"_my_own__name", "2", "10", "_3"}, p.VarNames([]cnf.Var{1, 2, 3, 4}))
	for v, name := range p.VarNames([]cnf.Var{1, 2, 3, 4}) {
		found, err := p.Names.Var(name)
		require.NoError(t, err)
		assert.Equal(t, varOf(v), found)
	}
}

func TestCNFErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "f.cnf:1: the file ends without a problem line",
		"1 2 0\n":                       `f.cnf:1: "1" comes before the problem line`,
		"p cnf x 3\n":                   `f.cnf:1: "x" variables`,
		"p cnf 3\n":                     `f.cnf:1: problem line "p cnf 3"`,
		"p cnf 3 -1\n":                  `f.cnf:1: "-1" clauses`,
		"p cnf 2000000000 0\n":          `f.cnf:1: "2000000000" variables`,
		"p cnf 2 1\n1 3 0\n":            "f.cnf:2: literal 3: the problem line says that there are 2 variables",
		"p cnf 2 1\n1 two 0\n":          `f.cnf:2: literal "two"`,
		"p cnf 2 1\n1 0\n2 0\n":         "f.cnf:3: more clauses than the 1",
		"p cnf 2 2\n1 0\n":              "f.cnf:2: the file ends after 1 clauses",
		"p cnf 2 1\n1\n":                "f.cnf:2: the file ends within a clause",
		"p cnf 1 0\np cnf 1 0\n":        "f.cnf:2: there is a second problem line",
		"c p show 1 3 0\np cnf 2 0\n":   "f.cnf:1: variable 3 is to count: the problem line says that there are 2",
		"p cnf 2 0\nc p show 1 2\n":     `f.cnf:2: variable "2" of those that count: expected numbers of variables, then 0`,
		"c p show 1 -2 0\np cnf 2 0\n":  `f.cnf:1: variable "-2" of those that count`,
		"c p show\np cnf 2 0\n":         "f.cnf:1: variables that count: expected their numbers, then 0",
		"p cnf 2 1\n99999999999999 0\n": `f.cnf:2: literal 99999999999999: the problem line says`,
		"p cnf 1000000000 1\n1 0\n":     `f.cnf:1: "1000000000" variables: expected a whole number from 0 to 16777216`,
	} {
		_, _, err := encode.ReadCNF(strings.NewReader(text), "f.cnf")
		assert.ErrorContains(t, err, want, text)
	}
}

// No solver reads comments, so none makes a file unreadable: they name variables in the forms that the
// field's tools write, and are remarks if they contradict each other or were clauses.
func TestCommentsNameOrAreRemarks(t *testing.T) {
	for text, want := range map[string]struct {
		names []string
		note  string
	}{
		"c 1 a\nc 2 b\n":      {[]string{"a", "b", "3"}, ""},
		"c 1 a\nc 1 a\n":      {[]string{"a", "2", "3"}, ""},
		"c 1 = p\nc 2 <- q\n": {[]string{"p", "q", "3"}, ""},
		"c varname 1 x_{1,1}\nc varname 3 x_{1,2}\n":           {[]string{"x_{1_1}", "2", "x_{1_2}"}, ""},
		"c 1 = =\nc 2 =\n":                                     {[]string{"=", "2", "3"}, `f.cnf:2: a comment that names nothing: others have another form`},
		"c 3 input signals\nc 3 output signals\n":              {[]string{"1", "2", "3"}, "f.cnf:1: a comment that names nothing: several words, and no other variable has a name; and 1 more like it"},
		"c 3 input signals\nc 2 a\nc 3 b\nc 3 input signals\n": {[]string{"1", "a", "3"}, "f.cnf:1: a comment that names nothing: variable 3 is given two names; and 2 more like it"},
		"c 1 -2 0\nc 1 3 0\nc 2 0\n":                           {[]string{"1", "2", "3"}, ""},
		"c 1 a,b\nc 2 a b\nc 3 c\n":                            {[]string{"1", "2", "c"}, `f.cnf:1: a comment that names nothing: the name "a_b" is given to two variables; and 1 more like it`},
		"c 1 2\nc 2 0 x\nc 3 -1\n":                             {[]string{"_2", "0_x", "_1"}, ""},
		"c 2 \x1b[31m\n":                                       {[]string{"1", "2", "3"}, `f.cnf:1: a comment that names nothing: the name "\x1b[31m" has a control character`},
		"c 1 frames (k = 0)\nc x'0 = 1\nc x'1 = 2\nc 3 = -\n":  {[]string{"x'0", "x'1", "_"}, "f.cnf:1: a comment that names nothing: others have another form"},
		"c runs = 2\nc 1 Bus\nc 2 Car\nc 3 Gas\n":              {[]string{"Bus", "Car", "Gas"}, "f.cnf:1: a comment that names nothing: others have another form"},
		"c n =  3\n":         {[]string{"1", "2", "3"}, "f.cnf:1: a comment that names nothing: it may be a parameter, and no other variable has a name"},
		"c n = 3\nc k = 2\n": {[]string{"1", "2", "3"}, "f.cnf:1: a comment that names nothing: it may be a parameter: variable 1 has no name; and 1 more like it"},
		"c n =  3\nc  1 :  [0, 1]\nc  2 :  [0, 2]\n": {[]string{"[0__1]", "[0__2]", "3"}, "f.cnf:1: a comment that names nothing: it may be a parameter: variable 1 has no name"},
		"c b = 2\nc a = 1\n":                         {[]string{"a", "b", "3"}, ""},
		"c 1 \xe9\nc 2 \xff\nc 3 z\n":                {[]string{"1", "2", "z"}, `f.cnf:1: a comment that names nothing: the name "\xe9" is not UTF-8; and 1 more like it`},
		"c 3 = 2\nc 1 = 0\n":                         {[]string{"_0", "2", "_2"}, ""},
		"c 1 frames (k = 0)\nc 256 state variables (100%)\nc   256 primary inputs (100%)\n": {[]string{"1", "2", "3"}, "f.cnf:1: a comment that names nothing: several words, and no other variable has a name"},
	} {
		p, order, err := encode.ReadCNF(strings.NewReader(text+"p cnf 3 2\n1 2 0\n-3 0\n"), "f.cnf")
		require.NoError(t, err, text)
		assert.Equal(t, want.names, p.VarNames([]cnf.Var{1, 2, 3}), text)
		assert.Equal(t, want.note, p.Note, text)
		assert.Len(t, conformance.BruteForce(p), 3, text)
		assert.Nil(t, order, text)
		opb := strings.ReplaceAll("\n"+text, "\nc", "\n*") + "+1 x1 +1 x2 >= 1 ;\n-1 x3 >= 0 ;\n"
		p, _, err = encode.ReadOPB(strings.NewReader(opb[1:]), "f.cnf")
		require.NoError(t, err, opb)
		assert.Equal(t, want.names, p.VarNames([]cnf.Var{1, 2, 3}), opb)
		assert.Equal(t, want.note, p.Note, opb)
	}
}

// A formula with weights is a formula; only what depends on weights says so.
func TestWeightedCNF(t *testing.T) {
	p, _, err := encode.ReadCNF(strings.NewReader("c t wmc\nc p weight 1 .6 0\np cnf 2 1\n1 2 0\nc p weight -1 .4 0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Len(t, conformance.BruteForce(p), 3)
	assert.Equal(t, `f.cnf:1: "c t wmc" gives literals weights`, p.Weighted)
}

// Garbage without line ends is refused before it fills the memory.
func TestGarbageIsRefusedEarly(t *testing.T) {
	for name, read := range map[string]func(io.Reader) error{
		"cnf": func(r io.Reader) error { _, _, err := encode.ReadCNF(r, "f"); return err },
		"opb": func(r io.Reader) error { _, _, err := encode.ReadOPB(r, "f"); return err },
	} {
		for _, garbage := range []string{"\x00", "1", "\xff x =", "1 x1 \n"} {
			endless := &endless{text: garbage}
			assert.Regexp(t, "^f:[0-9]+: [^b]", read(endless), name)
			assert.LessOrEqual(t, endless.read, cnf.LongestLine, name)
		}
	}
	clause := &endless{text: "1 -2 3\n"}
	_, _, err := encode.ReadCNF(io.MultiReader(strings.NewReader("p cnf 3 1\n"), clause), "f.cnf")
	assert.ErrorContains(t, err, "f.cnf:337: a clause of more than 1006 literals, of 3 variables")
	assert.Less(t, clause.read, 1<<20)
}

// endless repeats a text for ever.
type endless struct {
	text string
	read int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(b)
	return len(b), nil
}

// A file that is read has the solutions of the clauses that were written; the error for any
// other names a line.
func FuzzReadCNF(f *testing.F) {
	f.Add("c 1 a\nc 2 b\np cnf 2 2\n1 -2 0\n2 0\n")
	f.Add("p cnf 3 4\n1 -2\n0 3 3 0\n-1 1 2 0\n-3 0\n%\n0\n")
	f.Add("c\n\np cnf 0 1\n0\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, _, err := encode.ReadCNF(strings.NewReader(text), "f.cnf")
		if err != nil {
			require.Contains(t, err.Error(), "f.cnf")
			return
		}
		var b bytes.Buffer
		formula := p.CNF(amo.Pairwise)
		if formula.Vars > 1000 {
			return
		}
		require.NoError(t, formula.WriteDIMACS(&b, nil, nil))
		again, _, err := encode.ReadCNF(&b, "f.cnf")
		require.NoError(t, err)
		if p.NumVars() <= 10 {
			require.Equal(t, conformance.BruteForce(p), conformance.BruteForce(again))
		}
	})
}
