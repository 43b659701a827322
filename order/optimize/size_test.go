package optimize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

func queens(t testing.TB, n int) *Sizer {
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	s, err := NewSizer(p.NumVars(), search.New(p).Solutions(context.Background(), nil))
	require.NoError(t, err)
	return s
}

// ofSets returns the Sizer of solutions given as their true variables.
func ofSets(t testing.TB, vars int, solutions [][]cnf.Var) *Sizer {
	s, err := NewSizer(vars, func(yield func([]cnf.Lit, error) bool) {
		for _, solution := range solutions {
			if !yield(cnf.Model(vars, solution...), nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	return s
}

// An error of the list is the Sizer's.
func TestSizerOfAListThatFails(t *testing.T) {
	_, err := NewSizer(1, func(yield func([]cnf.Lit, error) bool) { yield(nil, context.Canceled) })
	assert.ErrorIs(t, err, context.Canceled)
}

func named(t testing.TB, name string, n int) order.Order {
	o, err := order.ByName(name)
	require.NoError(t, err)
	return o.Of(n)
}

// shuffled returns an order drawn at random.
func shuffled(rng *rand.Rand, vars int) order.Order {
	o := make(order.Order, vars)
	for i, v := range rng.Perm(vars) {
		o[i] = cnf.Var(v + 1)
	}
	return o
}

// Sizes under row-major that others have published or measured.
func TestKnownSizes(t *testing.T) {
	for n, want := range map[int]Sizes{
		1: {1, 1}, 2: {}, 3: {},
		5: {167, 40}, 6: {129, 24}, 7: {1099, 186}, 8: {2451, 373}, 9: {9557, 1309}, 10: {25945, 3120},
	} {
		assert.Equal(t, want, queens(t, n).Sizes(named(t, "row-major", n)), "n=%d", n)
	}
}

// The engine, which does not list solutions, builds diagrams of the same sizes,
// level by level, for every named order.
func TestSizesEqualTheEngines(t *testing.T) {
	for n := 1; n <= 9; n++ {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		s := queens(t, n)
		for _, o := range order.All() {
			ones, zeros := s.Widths(o.Of(n))
			for kind, want := range map[robdd.Kind][]int{robdd.BDD: ones, robdd.ZDD: zeros} {
				c, err := bdd.Compile(context.Background(), p, o.Of(n), bdd.Options{})
				require.NoError(t, err)
				d, err := c.As(context.Background(), kind)
				require.NoError(t, err)
				require.Equal(t, d.Widths(), want, "%s n=%d %s", o.Name, n, kind)
			}
		}
	}
}

// The sizes agree with their definition, for every family of equally large sets
// over a few variables: the truth table's distinct subfunctions that depend on
// the level's variable (ROBDD), or whose high half is not 0 (ZDD).
func TestSizesByDefinition(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	for try := range 3000 {
		vars := 1 + rng.IntN(9)
		var solutions [][]cnf.Var
		size := rng.IntN(vars + 1)
		for a := range 1 << vars {
			solution := trueVars(a)
			if len(solution) == size && rng.IntN(3) > 0 {
				solutions = append(solutions, solution)
			}
		}
		s := ofSets(t, vars, solutions)
		o := shuffled(rng, vars)
		require.Equal(t, byDefinition(vars, solutions, o), s.Sizes(o), "seed %d try %d", seed, try)
	}
}

func trueVars(a int) (vars []cnf.Var) {
	for v := cnf.Var(1); a != 0; v, a = v+1, a>>1 {
		if a&1 != 0 {
			vars = append(vars, v)
		}
	}
	return vars
}

func byDefinition(vars int, solutions [][]cnf.Var, o order.Order) (total Sizes) {
	table := []byte(strings.Repeat("0", 1<<vars)) // top level first: the highest bit
	level := o.Levels()
	for _, solution := range solutions {
		a := 0
		for _, v := range solution {
			a |= 1 << (vars - 1 - level[v-1])
		}
		table[a] = '1'
	}
	for l := range vars {
		subfunctions := map[string]bool{}
		for part := range slices.Chunk(table, 1<<(vars-l)) {
			if f := string(part); !subfunctions[f] {
				subfunctions[f] = true
				low, high := f[:len(f)/2], f[len(f)/2:]
				if low != high {
					total.BDD++
				}
				if strings.Contains(high, "1") {
					total.ZDD++
				}
			}
		}
	}
	return total
}

func TestSymmetricOrdersHaveEqualSizes(t *testing.T) {
	const seed = 2
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 8; n++ {
		s := queens(t, n)
		for range 20 {
			o := shuffled(rng, n*n)
			want := s.Sizes(o)
			for i, image := range Symmetries(n) {
				turned := make(order.Order, len(o))
				for level, v := range o {
					turned[level] = image[v-1]
				}
				require.NoError(t, turned.Check(n*n))
				require.Equal(t, want, s.Sizes(turned), "seed %d n=%d symmetry %d of %v", seed, n, i, o)
				require.Equal(t, Canonical(n, o), Canonical(n, turned))
			}
		}
	}
}

// In an order by whole rows any row can be reversed: the sets of cells above are
// then mirror images of each other.
func TestRowsReadBackwards(t *testing.T) {
	const seed, n = 8, 8
	rng := rand.New(rand.NewPCG(seed, 0))
	s := queens(t, n)
	for range 20 {
		var forth, mixed []board.Cell
		for _, row := range rng.Perm(n) {
			back := rng.IntN(2) == 0
			for _, col := range rng.Perm(n) {
				forth = append(forth, board.Cell{Row: row, Col: col})
				if back {
					col = n - 1 - col
				}
				mixed = append(mixed, board.Cell{Row: row, Col: col})
			}
		}
		require.Equal(t, s.Sizes(order.FromCells(n, forth)), s.Sizes(order.FromCells(n, mixed)), "seed %d", seed)
	}
}

// A hash table that starts too small grows, and keeps what it holds.
func TestTableGrows(t *testing.T) {
	const seed, words = 14, 1000
	rng := rand.New(rand.NewPCG(seed, 0))
	var own table
	for range 3 {
		own.clear(10)
		want := map[uint64]int32{}
		for i := range int32(3 * words) {
			word := mix(rng.Uint64N(words))
			e, known := own.find(word)
			number, wanted := want[word]
			require.Equal(t, wanted, known, "seed %d", seed)
			if !known {
				own.add(e, word, i)
				want[word] = i
				continue
			}
			require.Equal(t, number, e.number, "seed %d", seed)
		}
	}
}

func BenchmarkSizes(b *testing.B) {
	for _, n := range []int{8, 10, 12} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := queens(b, n)
			o := named(b, "row-major", n)
			s.Sizes(o)
			b.ReportAllocs()
			for b.Loop() {
				s.Sizes(o)
			}
		})
	}
}

// One move computes the sizes of as many orders as there are variables; the
// benchmark reports the time per order.
func BenchmarkMove(b *testing.B) {
	for _, n := range []int{8, 10, 12} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			a := newAnnealer(queens(b, n), robdd.BDD, false)
			st := a.measure(named(b, "row-major", n))
			a.heat(1)
			moves := 0
			for ; b.Loop(); moves++ {
				a.move(rng, st, cnf.Var(moves%(n*n)+1))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves*n*n), "ns/order")
		})
	}
}
