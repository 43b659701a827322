package compilers

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/system/program"
)

// mine returns a compiler that is a command.
func mine(command string) Compiler { return Compiler{program.OnFile{Name: "mine", Command: command}} }

// A compiler gets the clauses of the problem and its fixed literals, and what it wrote is read; the files are gone
// afterwards.
func TestCompile(t *testing.T) {
	p := encode.Problem{Family: "p", Names: encode.List{"a", "b"}, Numbers: nil,
		Constraints: []encode.Constraint{encode.AtLeastOne("", 1, 2)}}.With(-1)
	var text []byte
	var name string
	err := mine("cp {cnf} {nnf}").Compile(t.Context(), p, func(file *os.File) (err error) {
		name = file.Name()
		text, err = io.ReadAll(file)
		return err
	})
	require.NoError(t, err)
	assert.Contains(t, string(text), "p cnf 2 2\n")
	assert.NoFileExists(t, name)
	assert.NoDirExists(t, filepath.Dir(name))
}

func TestCompilersThatFail(t *testing.T) {
	p := encode.Problem{Family: "p", Names: encode.List{"a"}}
	never := func(*os.File) error { return assert.AnError }
	for command, want := range map[string]string{
		"d4 {cnf}":                       `compiler "d4 {cnf}": expected a command with {nnf} for the file that it writes`,
		"d4 {nnf}":                       `compiler "d4 {nnf}": expected a command with {cnf} for the file`,
		"no-such-compiler {cnf} {nnf}":   `compiler mine: program "no-such-compiler" is not on the PATH`,
		"echo nothing {cnf} {nnf}":       "compiling p of 1 variables with mine: it wrote no file: nothing",
		"sh -c 'exit 3' {cnf} {nnf}":     "expected exit code 0, 10 or 20, not 3",
		"sh -c 'echo > $1' {cnf} {nnf} ": assert.AnError.Error(),
	} {
		assert.ErrorContains(t, mine(command).Compile(t.Context(), p, never), want, command)
	}
	weighed := encode.Problem{Family: "p", Names: make(encode.List, 3), Constraints: []encode.Constraint{
		{Lits: []cnf.Lit{1, 2, 3}, Weights: []int{3, 2, 2}, Most: 4}}}
	p.Auxiliary = 1
	assert.ErrorContains(t, mine("cp {cnf} {nnf}").Compile(t.Context(), p, never), "auxiliary variables")
	assert.ErrorContains(t, mine("cp {cnf} {nnf}").Compile(t.Context(), weighed, never), "auxiliary variables", "of weights")
}

func TestVersion(t *testing.T) {
	c := mine("sh -c 'echo c Mine version 1.2; cp $0 $1' {cnf} {nnf}")
	assert.Contains(t, c.Is(context.Background()), "Mine version 1.2 (")
	assert.Contains(t, c.Is(context.Background()), "{cnf} {nnf})")
	c.Version = "3"
	assert.Contains(t, c.Is(context.Background()), "3 (sh -c ")
}
