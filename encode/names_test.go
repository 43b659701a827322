package encode

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
)

// A literal is a name, or a number that no name is; in OPB x3 is variable 3.
func TestLiterals(t *testing.T) {
	model, _, err := ReadCNF(strings.NewReader("c 1 motor\nc 2 3\nc 3 wheel\np cnf 4 1\n1 2 3 4 0\n"), "f.cnf")
	require.NoError(t, err)
	counts, _, err := ReadOPB(strings.NewReader("+1 x1 +1 x2 +1 x3 >= 1;\n"), "f.opb")
	require.NoError(t, err)
	for word, want := range map[string]cnf.Lit{"motor": 1, "-motor": -1, "_3": 2, "-_3": -2, "3": 3, "wheel": 3, "4": 4, "-4": -4,
		"1": 1, "x1": 0, "5": 0, "": 0, "-": 0, "--4": 0} {
		l, err := model.Literal(word)
		if want == 0 {
			assert.Error(t, err, word)
			continue
		}
		require.NoError(t, err, word)
		assert.Equal(t, want, l, word)
		again, err := model.Literal(model.Word(l))
		require.NoError(t, err, word)
		assert.Equal(t, l, again, word)
	}
	for word, want := range map[string]cnf.Lit{"x2": 2, "-x2": -2, "2": 2, "x4": 0} {
		l, err := counts.Literal(word)
		assert.Equal(t, want == 0, err != nil, word)
		if err == nil {
			assert.Equal(t, want, l, word)
		}
	}
	// A number is no name, also where a file calls a variable by the number of another.
	var numerals []cnf.Var
	for v := cnf.Var(1); int(v) <= model.NumVars(); v++ {
		if model.Numeral(v) {
			numerals = append(numerals, v)
		}
	}
	assert.Equal(t, []cnf.Var{2, 4}, numerals)
	assert.True(t, model.Named())
	assert.False(t, counts.Named())
}

// A name that no variable has is an error with a text, also where there is no variable, or the file does not let the variable count.
func TestNamesThatNoVariableHas(t *testing.T) {
	for text, want := range map[string]string{
		"p cnf 0 0\n": `variable "b": the problem has no variables`,
		"c p show 1 0\nc 1 a\nc 2 b\np cnf 2 1\n1 2 0\n": `variable "b": the file does not list it among the variables that count`,
	} {
		p, _, err := ReadCNF(strings.NewReader(text), "f.cnf")
		require.NoError(t, err)
		_, err = p.Literal("b")
		assert.EqualError(t, err, want)
	}
	p := Problem{Family: "cnf", Names: List{"_", "_3", "", "7"}}
	for v, want := range []bool{false, true, true, true} {
		assert.Equal(t, want, p.Numeral(cnf.Var(v+1)), v)
	}
}
