package bdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/order"
)

// orderFor returns a named order for any problem. If the order is not defined for the problem, it
// returns a random one.
func orderFor(t testing.TB, p encode.Problem, name string) order.Order {
	t.Helper()
	named, err := order.ByName(name)
	require.NoError(t, err)
	o, err := named.For(context.Background(), p)
	if err != nil {
		named, err = order.ByName("random:7")
		require.NoError(t, err)
		o, err = named.For(context.Background(), p)
		require.NoError(t, err)
	}
	return o
}

// Any problem in several orders, by the default construction and, where it can be, by
// free-set.
func TestOracle(t *testing.T) {
	for _, name := range []string{"row-major", "random:5"} {
		for _, construction := range []string{"", FreeSet} {
			if !conformance.Slow && (name == "row-major") != (construction == "") {
				continue
			}
			t.Run(name+" "+construction, func(t *testing.T) {
				conformance.RunAny(t, Methods(), func(p encode.Problem) backends.Backend {
					options := Options{}
					if construction != FreeSet || hasPlan(p) == nil {
						options.Construction = construction
					}
					return New(compile(t, p, orderFor(t, p, name), options))
				})
			})
		}
	}
}

// Diagrams and states in the natural order. Rooks have n 2^(n-1) ZDD nodes, and a state
// for each set of columns that rows can leave: 2^n - 1. The other node counts were
// confirmed with another compiler.
func TestFamilySizes(t *testing.T) {
	for _, c := range []struct {
		problem    string
		n          int
		zdd, robdd int
		states     uint64
	}{
		{"rooks", 4, 32, 83, 15}, {"rooks", 5, 80, 227, 31}, {"rooks", 6, 192, 579, 63},
		{"rooks", 7, 448, 1411, 127}, {"rooks", 8, 1024, 3331, 255}, {"rooks", 9, 2304, 7683, 511},
		{"toroidal", 5, 40, 167, 31}, {"toroidal", 7, 154, 925, 127}, {"toroidal", 11, 814, 8105, 1453},
		{"amazons", 10, 40, 375, 259}, {"amazons", 11, 418, 4209, 1161}, {"amazons", 12, 1000, 10503, 4659},
		{"latin", 3, 66, 179, 55}, {"latin", 4, 1376, 4663, 1035}, {"latin", 5, 92690, 361321, 61011},
		{"dominoes", 4, 48, 108, 33}, {"dominoes", 6, 363, 871, 244}, {"dominoes", 8, 2298, 5679, 1533}, {"dominoes", 12, 70619, 179325, 46944},
	} {
		if testing.Short() && c.robdd > 100_000 {
			continue
		}
		p := encodetest.Family(t, c.problem, c.n)
		o := orderFor(t, p, "natural")
		got := compile(t, p, o, Options{})
		assert.Equal(t, "free-set", got.Construction, "%s", p)
		assert.Equal(t, c.robdd, robddOf(t, got).Len(), "%s", p)
		assert.Equal(t, c.zdd, zdd(t, got).Len(), "%s", p)
		assert.Equal(t, c.states, got.Stats().States, "%s: states", p)
		f, err := encode.FamilyNamed(c.problem)
		require.NoError(t, err)
		if want, known := f.Known(c.n); known {
			count, err := New(got).Count(context.Background(), nil)
			require.NoError(t, err)
			assert.Equal(t, want.String(), count.String(), "%s", p)
		}
	}
}

// The number of states of the sweep. Node counts do not depend on it, so they would not show a mistake
// in its pruning.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		order string
		n     int
		want  uint64
	}{
		{"row-major", 8, 395}, {"row-major", 10, 4580}, {"column-major", 10, 4580}, {"row-major", 11, 18599},
		{"diagonal-interleaved", 8, 594}, {"diagonal-interleaved", 10, 8690},
		{"knight-lines", 8, 1216}, {"random:1", 8, 904}, {"spiral-in", 10, 6949},
	} {
		got := compile(t, problem(t, c.n, nil, nil), named(t, c.order, c.n), Options{Construction: "free-set"})
		assert.Equal(t, c.want, got.Stats().States, "%s n=%d", c.order, c.n)
	}
}

// Queens without some of their constraints: without one kind of diagonal (OEIS A099152),
// without both.
func TestConstraintsTakenAway(t *testing.T) {
	factorial := 1
	for i, want := range []int{1, 1, 3, 7, 23, 83, 405, 2113, 12657} {
		n := i + 1
		factorial *= n
		for _, c := range []struct {
			without []board.LineKind
			want    int
		}{
			{[]board.LineKind{board.Diagonal}, want},
			{[]board.LineKind{board.AntiDiagonal}, want},
			{[]board.LineKind{board.Diagonal, board.AntiDiagonal}, factorial},
		} {
			p := problem(t, n, nil, nil)
			p.Constraints = slices.DeleteFunc(slices.Clone(p.Constraints), func(rule encode.Constraint) bool {
				return slices.ContainsFunc(board.Lines(n), func(line board.Line) bool {
					return slices.Contains(c.without, line.Kind) && line.Name(n) == rule.Name
				})
			})
			for _, o := range []string{"row-major", "random:3"} {
				count, err := New(compile(t, p, named(t, o, n), Options{})).Count(context.Background(), nil)
				require.NoError(t, err)
				assert.Equal(t, int64(c.want), count.Int64(), "n=%d without %v, %s", n, c.without, o)
			}
		}
	}
}

// drawAny returns random constraints: clauses, exactly one and at most one of positive
// literals, or of everything; some literals fixed.
func drawAny(rng *rand.Rand) encode.Problem {
	vars := 1 + rng.IntN(12)
	p := encode.Problem{Family: "random", Names: encode.List(make([]string, vars))}
	kind := rng.IntN(3)
	for i := range rng.IntN(2 * vars) {
		rule := encodetest.Any(rng)
		switch kind {
		case 0:
			rule = encode.AtLeastOne
		case 1:
			if rule = encode.AtMostOne; rng.IntN(2) == 0 {
				rule = encode.ExactlyOne
			}
		}
		var lits []cnf.Lit
		for _, v := range rng.Perm(vars)[:rng.IntN(min(vars, 5)+1)] {
			l := cnf.Lit(v + 1)
			if kind != 1 && rng.IntN(3) == 0 {
				l = l.Not()
			}
			lits = append(lits, l)
		}
		if len(lits) > 0 || rng.IntN(10) == 0 {
			p.Constraints = append(p.Constraints, rule(fmt.Sprint("rule ", i), lits...))
		}
	}
	for v := range vars {
		switch rng.IntN(12) {
		case 0:
			p = p.With(cnf.Lit(v + 1))
		case 1:
			p = p.With(-cnf.Lit(v + 1))
		}
	}
	return p
}

// Every construction that takes a problem builds the same diagram of it, or says why it
// does not take it.
func TestConstructionsAgreeOnAnyProblem(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	problems := []encode.Problem{
		encodetest.Family(t, "toroidal", 5), encodetest.Family(t, "amazons", 5), encodetest.Family(t, "rooks", 4), encodetest.Family(t, "latin", 3), encodetest.Family(t, "dominoes", 4),
	}
	// A literal of a later line excludes nothing here, but its negation is excluded.
	mixed := encode.Problem{Family: "mixed", Names: encode.List(make([]string, 3))}
	mixed.Constraints = []encode.Constraint{
		encode.ExactlyOne("", 1), encode.ExactlyOne("", 2, 3), encode.AtMostOne("", 1, -2),
	}
	problems = append(problems, mixed)
	for range 200 {
		problems = append(problems, drawAny(rng))
	}
	for range 20 {
		p, _ := draw(t, rng, 2+rng.IntN(4))
		p.Constraints = slices.DeleteFunc(slices.Clone(p.Constraints), func(encode.Constraint) bool { return rng.IntN(5) == 0 })
		problems = append(problems, p)
	}
	for _, p := range problems {
		o := orderFor(t, p, fmt.Sprintf("random:%d", rng.IntN(10)))
		want := compile(t, p, o, Options{Construction: "constraint-wise"})
		requireSound(t, robddOf(t, want))
		count, err := New(want).Count(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, int64(len(conformance.BruteForce(p))), count.Int64(), "seed=%d %s fixed %v, %v", seed, p, p.Fixed, p.Constraints)
		taken := 0
		for _, c := range Constructions() {
			got, err := Compile(context.Background(), p, o, Options{Construction: c.Name, eager: true})
			if refused := c.Check(p); refused != nil {
				require.ErrorContains(t, err, c.Name+" does not take ")
				continue
			}
			taken++
			hint := fmt.Sprintf("%s: seed=%d %s fixed %v, %v order=%v", c.Name, seed, p, p.Fixed, p.Constraints, o)
			require.NoError(t, err, hint)
			require.True(t, equal(t, robddOf(t, want), robddOf(t, got)), hint)
		}
		require.GreaterOrEqual(t, taken, 2, "constraint-wise and line-wise take anything")
	}
}
