package conformance

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/csplib"
	"queens/encode/encodetest"
)

// Truth is a problem with all its solutions, which are found once for any number of
// back-ends.
type Truth struct {
	Problem encode.Problem
	all     [][]cnf.Lit
}

// Random draws a problem whose solutions brute force can list: a board with placed and blocked
// cells, another family, queens without some constraints, random constraints, a random
// CNF, or a problem in which only some variables count. One in four of those without auxiliary variables
// is written to a file, as DIMACS or OPB, and read back.
func Random(rng *rand.Rand) (Truth, error) {
	var p encode.Problem
	var err error
	switch rng.IntN(6) {
	case 0:
		p, err = encode.Queens(5+rng.IntN(2), nil, nil)
	case 1:
		p, err = randomBoard(rng, 1+rng.IntN(6))
	case 2:
		var small []encode.Problem
		if small, err = smallFamilies(); err == nil {
			p = small[rng.IntN(len(small))]
		}
	case 3:
		if p, err = encode.Queens(2+rng.IntN(3), nil, nil); err == nil {
			p.Family = "some of queens"
			p.Constraints = slices.DeleteFunc(p.Constraints, func(encode.Constraint) bool { return rng.IntN(4) == 0 })
		}
	case 4:
		p = randomConstraints(rng, 7)
	case 5:
		if rng.IntN(2) == 0 {
			return projected(rng)
		}
		p = randomConstraints(rng, 7)
		p.Fixed, p.Auxiliary = nil, rng.IntN(p.NumVars())
		p.Names = encode.List(slices.Repeat([]string{""}, p.NumVars()-p.Auxiliary))
	}
	if err != nil || p.NumVars() == 0 {
		return Truth{p, nil}, err
	}
	o := Of(p)
	if p.Auxiliary == 0 && rng.IntN(4) == 0 {
		o.Problem, err = throughFile(rng, p)
	}
	return o, err
}

// projected draws a CNF file in which only some variables count. It finds the solutions from the clauses
// that it wrote.
func projected(rng *rand.Rand) (Truth, error) {
	f := &cnf.Formula{Vars: 1 + rng.IntN(8)}
	for range rng.IntN(2 * f.Vars) {
		var clause []cnf.Lit
		for range 1 + rng.IntN(3) {
			clause = append(clause, randomSign(rng, rng.IntN(f.Vars), 2))
		}
		if rng.IntN(3) == 0 {
			amo.Pairwise.Encode(f, clause)
		} else {
			f.Add(clause...)
		}
	}
	var shown []int
	var file bytes.Buffer
	word := []string{"p show", "ind"}[rng.IntN(2)]
	for v := range f.Vars {
		if v > 0 && rng.IntN(3) > 0 || v == 0 && len(shown) == 0 && rng.IntN(2) == 0 {
			shown = append(shown, v)
			fmt.Fprintf(&file, "c %s %d 0\n", word, v+1)
		}
	}
	fmt.Fprintf(&file, "c %s 0\n", word)
	if err := f.WriteDIMACS(&file, nil, nil); err != nil {
		return Truth{}, err
	}
	p, _, err := encode.ReadCNF(&file, "f.cnf")
	o := Truth{Problem: p}
	value := make([]bool, f.Vars)
	for bits := range 1 << f.Vars {
		for v := range value {
			value[v] = bits>>v&1 == 1
		}
		if !f.Eval(value) {
			continue
		}
		model := []cnf.Lit{}
		for i, v := range shown {
			model = append(model, cnf.Var(i+1).Lit(value[v]))
		}
		if !isOneOf(model, o.all) {
			o.all = append(o.all, model)
		}
	}
	slices.SortFunc(o.all, slices.Compare)
	return o, err
}

// throughFile writes a problem to a file, with or without a variable order, and reads it back.
func throughFile(rng *rand.Rand, p encode.Problem) (read encode.Problem, err error) {
	var file bytes.Buffer
	var order []cnf.Var
	if rng.IntN(2) == 0 {
		for v := range p.NumVars() {
			order = append(order, cnf.Var(v+1))
		}
	}
	if rng.IntN(2) == 0 {
		if err = p.WriteOPB(&file, order); err == nil {
			read, _, err = encode.ReadOPB(&file, "f.opb")
		}
		return read, err
	}
	if err = p.WriteDIMACS(&file, amo.Pairwise, order); err == nil {
		read, _, err = encode.ReadCNF(&file, "f.cnf")
	}
	return read, err
}

// Ask asks a back-end about the given number of sets of assumptions, which grow
// and shrink, and compares everything that it can answer with brute force.
func (o Truth) Ask(t *testing.T, backend backends.Backend, methods []backends.Method, rng *rand.Rand, questions int, hint string) {
	t.Helper()
	(&subject{t, o, backend, backends.Names(methods), hint}).history(rng, questions)
}

// smallFamilies returns the problems of all families that are small enough to ask about each of them often.
func smallFamilies() (list []encode.Problem, err error) {
	for _, f := range encode.Families() {
		sizes, err := Sizes(f)
		if err != nil {
			return nil, err
		}
		for _, n := range sizes {
			p, err := f.Build(n)
			if err != nil {
				return nil, err
			}
			if p.NumVars() <= 27 {
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// randomBoard returns queens with some cells placed and some blocked.
func randomBoard(rng *rand.Rand, n int) (encode.Problem, error) {
	var placed, blocked []board.Cell
	for i := range n * n {
		if rng.IntN(n*n) == 0 {
			placed = append(placed, board.At(n, i))
		}
		if rng.IntN(n+2) == 0 {
			blocked = append(blocked, board.At(n, i))
		}
	}
	return encode.Queens(n, placed, blocked)
}

// randomConstraints returns a problem of up to the given number of variables, with
// constraints of all bounds over literals of both signs, or only clauses, and sometimes with
// fixed literals, which may contradict each other.
func randomConstraints(rng *rand.Rand, most int) encode.Problem {
	vars := 1 + rng.IntN(most)
	p := encode.Problem{Family: "random", Names: encode.List(slices.Repeat([]string{""}, vars))}
	onlyClauses := rng.IntN(3) == 0
	for range rng.IntN(2 * vars) {
		rule := encodetest.Any(rng)
		if onlyClauses {
			rule = encode.AtLeastOne
		}
		var lits []cnf.Lit
		for _, v := range rng.Perm(vars)[:1+rng.IntN(min(vars, 4))] {
			lits = append(lits, randomSign(rng, v, 3))
		}
		if rng.IntN(40) == 0 {
			lits = nil
		}
		p.Constraints = append(p.Constraints, rule("random", lits...))
	}
	for range rng.IntN(3) * rng.IntN(2) {
		p = p.With(randomSign(rng, rng.IntN(vars), 2))
	}
	return p
}

// randomSign returns a literal of the variable v+1, negative with probability 1/some.
func randomSign(rng *rand.Rand, v, some int) cnf.Lit {
	return cnf.Var(v + 1).Lit(rng.IntN(some) > 0)
}

// String names the problem and its fixed literals, and lists the constraints if it is not of a family.
func (o Truth) String() string {
	if o.Problem.N == 0 {
		return fmt.Sprintf("%s %v fixed=%v", o.Problem, o.Problem.Constraints, o.Problem.Fixed)
	}
	return fmt.Sprintf("%s fixed=%v", o.Problem, o.Problem.Fixed)
}

// Excluding returns queens on the board of a CSPLib instance without its first d diagonals.
func Excluding(t testing.TB, in csplib.Instance, d int) encode.Problem {
	t.Helper()
	blocked, err := in.Blocked(d)
	require.NoError(t, err)
	p, err := encode.Queens(in.N, nil, blocked)
	require.NoError(t, err)
	return p
}
