package robdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A truth table of up to six variables: bit a is the value at the assignment whose
// bit v-1 is variable v.
type truth uint64

// truthVar is the table of a variable.
func truthVar(v Var) truth {
	return [...]truth{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}[v-1]
}

func (t truth) cofactor(v Var, value bool) truth {
	shift, x := 1<<(v-1), truthVar(v)
	if value {
		return t&x | t&x>>shift
	}
	return t&^x | t&^x<<shift
}

// operation is one of two arguments.
type operation struct {
	name  string
	truth func(f, g truth) truth
	apply func(*Manager, context.Context, Func, Func) (Func, error)
}

var operations = []operation{
	{"and", func(f, g truth) truth { return f & g }, (*Manager).And},
	{"or", func(f, g truth) truth { return f | g }, (*Manager).Or},
}

// literal returns the function of a literal.
func literal(t testing.TB, m *Manager, l Lit) Func {
	low, high := False, True
	if l < 0 {
		low, high = True, False
	}
	f, err := m.Mk(l.Var(), low, high)
	require.NoError(t, err)
	return f
}

// tableOf evaluates a function of a Manager at all assignments.
func tableOf(m *Manager, f Func) truth {
	var t truth
	for a := range 1 << len(m.order) {
		g := f
		for g > True {
			low, high := m.children(g)
			if v := m.order[m.levelOf(g)]; a>>(v-1)&1 != 0 {
				low = high
			}
			g = low
		}
		t |= truth(g) << a
	}
	return t
}

func permutations(n int) [][]Var {
	if n == 0 {
		return [][]Var{{}}
	}
	var all [][]Var
	for _, p := range permutations(n - 1) {
		for i := range n {
			q := append(append(append([]Var{}, p[:i]...), Var(n)), p[i:]...)
			all = append(all, q)
		}
	}
	return all
}

// TestAllFunctionsOfThreeVariables applies every operation to all 256 functions of
// three variables, in all six orders, with runs and without. The functions are made
// first, by truth table, so each result must be the very node.
func TestAllFunctionsOfThreeVariables(t *testing.T) {
	ctx := context.Background()
	for _, order := range permutations(3) {
		for _, drawn := range []bool{false, true} {
			t.Run(fmt.Sprint(order, drawn), func(t *testing.T) {
				m, err := NewManager(order, Config{})
				require.NoError(t, err)
				m.expanded = drawn
				var node [256]Func
				for f := range node {
					table := make([]bool, 8)
					for a := range table {
						table[a] = f>>a&1 != 0
					}
					node[f] = fromTable(t, m, table)
					require.Equal(t, truth(f), tableOf(m, node[f]))
				}
				created := m.Stats().Created
				// check compares without building messages: there are millions.
				check := func(want truth, got Func, err error, what string, args ...any) {
					if err != nil || node[want] != got {
						require.NoError(t, err)
						require.Equal(t, node[want], got, "%s %b", what, args)
					}
				}
				for f := range truth(256) {
					for g := range truth(256) {
						for _, op := range operations {
							got, err := op.apply(m, ctx, node[f], node[g])
							check(op.truth(f, g), got, err, op.name, f, g)
						}
					}
					for cube := range 27 {
						want, lits := f, []Lit{}
						for v, rest := Var(1), cube; v <= 3; v, rest = v+1, rest/3 {
							if rest%3 > 0 {
								want = want.cofactor(v, rest%3 == 1)
								lits = append(lits, Lit(v)*Lit(3-2*(rest%3)))
							}
						}
						got, err := m.Restrict(ctx, node[f], lits...)
						check(want&255, got, err, "restrict", f, cube)
					}
				}
				require.Equal(t, created, m.Stats().Created, "all functions existed before")
				require.NoError(t, m.Check())
				require.Equal(t, m.Stats().Live, uint64(m.NodeCount(node[:]...)))
			})
		}
	}
}

// formula is a random formula over n variables, as a tree.
type formula struct {
	op   operation
	a, b *formula
	lit  Lit
}

func randomFormula(r *rand.Rand, n, depth int) *formula {
	if depth == 0 || r.IntN(10) == 0 {
		return &formula{lit: Lit(r.IntN(n)+1) * Lit(1-2*r.IntN(2))}
	}
	return &formula{op: operations[r.IntN(len(operations))], a: randomFormula(r, n, depth-1), b: randomFormula(r, n, depth-1)}
}

func (x *formula) eval(a int) bool {
	if x.a == nil {
		return (a>>(x.lit.Var()-1)&1 != 0) == (x.lit > 0)
	}
	bit := map[bool]truth{true: 1}
	return x.op.truth(bit[x.a.eval(a)], bit[x.b.eval(a)]) == 1
}

func (x *formula) build(t testing.TB, m *Manager) Func {
	if x.a == nil {
		return literal(t, m, x.lit)
	}
	f, err := x.op.apply(m, context.Background(), x.a.build(t, m), x.b.build(t, m))
	require.NoError(t, err)
	return f
}

// TestRandomFormulas compares random formulas over ten variables with their value at
// all assignments, under several settings, which must all produce the same diagram.
func TestRandomFormulas(t *testing.T) {
	const n = 10
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	for range 12 {
		x := randomFormula(r, n, 7)
		order := natural(n)
		r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		var first *Diagram
		for _, drawn := range []bool{false, true} {
			m, err := NewManager(order, Config{})
			require.NoError(t, err)
			m.expanded = drawn
			f := x.build(t, m)
			d := m.Freeze(f)
			require.NoError(t, d.Check())
			require.NoError(t, m.Check())
			if first == nil {
				first = d
				count := int64(0)
				for a := range 1 << n {
					if x.eval(a) {
						count++
					}
				}
				require.Equal(t, count, m.SatCount(f).Int64())
				for lits, err := range d.Solutions(context.Background(), nil) {
					require.NoError(t, err)
					a := 0
					for _, l := range lits {
						if l > 0 {
							a |= 1 << (l - 1)
						}
					}
					require.True(t, x.eval(a))
				}
			}
			require.Equal(t, first, d)
			require.Equal(t, d.Len(), m.NodeCount(f))
		}
	}
}
