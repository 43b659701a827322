package ddnnf

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// The count is the number of solutions that search visits, also when the cache of components is often emptied, clauses
// are compiled apart early, the problem is made simpler, the order changes, and compiling is interrupted.
func TestCompilesWhatSearchVisits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	deeper := 0
	for _, shape := range encodetest.Shapes() {
		for range 40 {
			p := encodetest.Make(shape, 11, rng.Uint64(), true)
			for v := range cnf.Var(p.NumVars()) {
				if l := (v + 1).Pos(); rng.IntN(8) == 0 {
					p = p.With([]cnf.Lit{l, l.Not()}[rng.IntN(2)])
				}
			}
			c, err := NewCompiler(t.Context(), p, 0)
			require.NoError(t, err)
			c.least = 2 + rng.IntN(4)
			if rng.IntN(2) == 0 {
				c.mostKeys = 1 // forget often
			}
			if rng.IntN(2) == 0 {
				c.simple.run(math.MaxUint64)
				require.NoError(t, c.begin(t.Context(), c.simple.problem))
			}
			if rng.IntN(2) == 0 {
				c.most = 1
				require.NoError(t, c.begin(t.Context(), c.given))
				c.order.Depth = 100 // so the next order is better
			}
			depth := c.order.Depth
			g, turns := (*Graph)(nil), rng.IntN(3)
			for g == nil {
				c.often = rng.IntN(2) == 0
				left := rng.IntN(10)
				g, err = c.Run(t.Context(), func(uint64, float64) bool { left--; return turns == 0 || left > 0 })
				require.NoError(t, err)
				turns = max(0, turns-1)
			}
			if c.order.Depth < depth {
				deeper++
			}
			if g.Len() > 0 {
				require.InDelta(t, 1, c.done, 1e-9, "all is compiled: seed %d", seed)
			}
			require.NoError(t, g.check())
			count, err := New(g, 0).Count(t.Context(), nil)
			require.NoError(t, err)
			visited, err := search.New(p).Count(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, visited.String(), count.String(), "%s, seed %d: %v", shape, seed, p.Constraints)
		}
	}
	require.Greater(t, deeper, 5, "seed %d", seed)
}

// check returns an error if the graph is not decomposable, deterministic and smooth, by its definition. It lists all
// solutions of each node.
func (g *Graph) check() error {
	all := make([]map[string]bool, g.Len()) // by node: its solutions, as text of ascending literals
	vars := make([][]cnf.Var, g.Len())
	for i, k := range g.kinds {
		all[i] = map[string]bool{}
		switch k {
		case leaf:
			least, most, lits := g.leaf(i)
			for _, l := range lits {
				vars[i] = append(vars[i], cnf.Lit(l).Var())
			}
			for set := range 1 << len(lits) {
				if trues := int32(bits.OnesCount(uint(set))); trues < least || trues > most {
					continue
				}
				var chosen []cnf.Lit
				for b, l := range lits {
					if set>>b&1 == 1 {
						chosen = append(chosen, cnf.Lit(l))
					} else {
						chosen = append(chosen, cnf.Lit(-l))
					}
				}
				all[i][text(chosen)] = true
			}
		case and:
			all[i][""] = true
			for _, child := range g.of(i) {
				vars[i] = append(vars[i], vars[child]...)
				product := map[string]bool{}
				for a := range all[i] {
					for b := range all[child] {
						product[text(append(literals(a), literals(b)...))] = true
					}
				}
				all[i] = product
			}
		case or:
			vars[i] = vars[g.of(i)[0]]
			for _, child := range g.of(i) {
				if !slices.Equal(vars[child], vars[i]) {
					return fmt.Errorf("node %d is not smooth", i)
				}
				for a := range all[child] {
					if all[i][a] {
						return fmt.Errorf("node %d is not deterministic: %s", i, a)
					}
					all[i][a] = true
				}
			}
		}
		slices.Sort(vars[i])
		if len(slices.Compact(slices.Clone(vars[i]))) < len(vars[i]) {
			return fmt.Errorf("node %d is not decomposable", i)
		}
		if len(all[i]) == 0 {
			return fmt.Errorf("node %d has no solution", i)
		}
	}
	if g.Len() > 0 && len(vars[g.Len()-1]) != g.problem.NumVars() {
		return fmt.Errorf("the root has %d of %d variables", len(vars[g.Len()-1]), g.problem.NumVars())
	}
	return nil
}

func text(lits []cnf.Lit) string {
	slices.SortFunc(lits, func(a, b cnf.Lit) int { return int(a.Var() - b.Var()) })
	var b strings.Builder
	for _, l := range lits {
		fmt.Fprintf(&b, "%d ", l)
	}
	return b.String()
}

func literals(text string) (lits []cnf.Lit) {
	for _, word := range strings.Fields(text) {
		n, _ := strconv.Atoi(word)
		lits = append(lits, cnf.Lit(n))
	}
	return lits
}

// A clause of n literals, each of which needs a variable of its own, has 3^n - 2^n solutions: a literal and its
// variable take three pairs of values, and two of these if the literal is false. A clause that holds other long ones
// together is counted apart, too.
func TestLongClausesAreCompiledApart(t *testing.T) {
	for _, n := range []int{2, longClause - 1, longClause, 300} {
		for _, copies := range []int{1, 3} { // linked by a clause of a literal from each
			p := encode.Problem{Names: make(encode.List, 2*n*copies)}
			var link []cnf.Lit
			for c := range copies {
				var long []cnf.Lit
				for i := range n {
					l := cnf.Lit(2*(c*n+i) + 1)
					long = append(long, l)
					p.Constraints = append(p.Constraints, encode.AtLeastOne("", l.Not(), l+1))
				}
				p.Constraints = append(p.Constraints, encode.AtLeastOne("", long...))
				link = append(link, long[0].Not())
			}
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", link...))
			power := func(base int64, n int) *big.Int { return new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(n)), nil) }
			each := new(big.Int).Sub(power(3, n), power(2, n))
			want := new(big.Int).Exp(each, big.NewInt(int64(copies)), nil)
			want.Sub(want, new(big.Int).Exp(power(3, n-1), big.NewInt(int64(copies)), nil)) // the first of each is true
			g, err := Compile(t.Context(), p, Options{})
			require.NoError(t, err)
			count, err := New(g, 0).Count(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, want, count, "%d literals, %d copies", n, copies)
		}
	}
}

// The assignments of one constraint are those that a walk over all of them finds.
func TestAssignments(t *testing.T) {
	for n := range 9 {
		for least := range n + 2 {
			for most := least; most <= n+1; most++ {
				count := int64(0)
				for set := range uint(1) << n {
					if trues := bits.OnesCount(set); least <= trues && trues <= most {
						count++
					}
				}
				require.Equal(t, count, assignments(n, least, most).Int64(), "%d to %d of %d", least, most, n)
			}
		}
	}
}

// Compiling ends with its context, and at its limit of memory.
func TestCompilingEnds(t *testing.T) {
	p := encodetest.Make("grid", 169, 1, true)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := Compile(ctx, p, Options{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = Compile(t.Context(), p, Options{MaxBytes: 1 << 20})
	require.ErrorAs(t, err, new(*backends.LimitError))
}
