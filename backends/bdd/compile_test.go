package bdd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/order"
	"queens/robdd"
)

// The sizes of the diagrams in row-major order, terminals not counted; counting them
// gives Knuth's 2,453 at n = 8 (TAOCP 4A, section 7.1.4).
var sizes = map[int]struct{ robdd, zdd int }{
	5:  {167, 40},
	6:  {129, 24},
	7:  {1099, 186},
	8:  {2451, 373},
	9:  {9557, 1309},
	10: {25945, 3120},
}

func named(t testing.TB, name string, n int) order.Order {
	t.Helper()
	o, err := order.ByName(name)
	require.NoError(t, err)
	return o.Of(n)
}

func problem(t testing.TB, n int, placed, blocked []board.Cell) encode.Problem {
	t.Helper()
	p, err := encode.Queens(n, placed, blocked)
	require.NoError(t, err)
	return p
}

func compile(t testing.TB, p encode.Problem, o order.Order, options Options) *Compiled {
	t.Helper()
	c, err := Compile(context.Background(), p, o, options)
	require.NoError(t, err)
	return c
}

// drawn returns the ROBDD.
func robddOf(t testing.TB, c *Compiled) *robdd.Diagram { return as(t, c, robdd.BDD) }

func zdd(t testing.TB, c *Compiled) *robdd.Diagram { return as(t, c, robdd.ZDD) }

func as(t testing.TB, c *Compiled, kind robdd.Kind) *robdd.Diagram {
	t.Helper()
	d, err := c.As(context.Background(), kind)
	require.NoError(t, err)
	return d
}

// Nodes of the chain-reduced BDD as published, two terminals counted: the rows of DD-CBDD
// in results/nqueens_metrics.csv of github.com/XJTU-NetVerify/NDD.
func TestPublishedChainReducedSizes(t *testing.T) {
	for n, want := range map[int]int{8: 772, 9: 2795, 10: 6601, 11: 22455, 12: 98900} {
		c := compile(t, problem(t, n, nil, nil), named(t, "row-major", n), Options{})
		assert.Equal(t, want, robddOf(t, c).ChainReduced()+2, "n=%d", n)
	}
}

func TestKnownSizes(t *testing.T) {
	for n, want := range sizes {
		p := problem(t, n, nil, nil)
		for _, name := range []string{"row-major", "column-major"} {
			c := compile(t, p, named(t, name, n), Options{})
			assert.Equal(t, want.robdd, robddOf(t, c).Len(), "%s n=%d", name, n)
			assert.Equal(t, want.robdd, c.Nodes(robdd.BDD))
			assert.Equal(t, want.zdd, zdd(t, c).Len(), "%s n=%d", name, n)
		}
	}
}

// A mirrored order has the same size: diagonals of one kind become those of the
// other.
func TestMirroredOrdersHaveEqualSizes(t *testing.T) {
	for n := 1; n <= 9; n++ {
		p := problem(t, n, nil, nil)
		a := compile(t, p, named(t, "diagonal-interleaved", n), Options{})
		b := compile(t, p, named(t, "anti-diagonal", n), Options{})
		assert.Equal(t, robddOf(t, a).Widths(), robddOf(t, b).Widths(), "n=%d", n)
	}
}

// draw returns a problem with a few cells placed or blocked, often without
// solutions, and a random order.
func draw(t testing.TB, rng *rand.Rand, n int) (encode.Problem, order.Order) {
	t.Helper()
	var placed, blocked []board.Cell
	for i := range n * n {
		if rng.IntN(2*n*n) == 0 {
			placed = append(placed, board.At(n, i))
		} else if rng.IntN(2*n) == 0 {
			blocked = append(blocked, board.At(n, i))
		}
	}
	o := make(order.Order, n*n)
	for i, j := range rng.Perm(n * n) {
		o[i] = cnf.Var(j + 1)
	}
	return problem(t, n, placed, blocked), o
}

// On boards that take one, two, three and four words per set: the diagram is reduced,
// and has exactly the solutions that search finds.
func TestFreeSetAgainstSearch(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	for n := 1; n <= 13; n++ {
		for range max(1, 8-n/2) {
			p, o := draw(t, rng, n)
			if n > 10 { // keep them small
				for row := range n - 9 {
					if c := (board.Cell{Row: row, Col: (2*row + 1) % n}); !slices.Contains(p.Placed(), c) {
						p = p.With(encode.CellVar(n, c).Pos())
					}
				}
			}
			hint := fmt.Sprintf("seed=%d n=%d placed=%v blocked=%v order=%v", seed, n, p.Placed(), p.Blocked(), o)
			var want []string
			for model, err := range search.New(p).Solutions(ctx, nil) {
				require.NoError(t, err)
				want = append(want, fmt.Sprint(model))
			}
			slices.Sort(want)
			c := compile(t, p, o, Options{Construction: "free-set"})
			requireSound(t, zdd(t, c))
			requireSound(t, robddOf(t, c))
			var got []string
			for model, err := range New(c).Solutions(ctx, nil) {
				require.NoError(t, err)
				got = append(got, fmt.Sprint(model))
			}
			slices.Sort(got)
			require.Equal(t, want, got, hint)
		}
	}
}

// The same on boards of up to 64, where each row takes a whole word, with most rows
// decided.
func TestFreeSetOnWideBoards(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	for _, n := range []int{16, 17, 21, 22, 32, 33, 64} {
		solved, err := search.New(problem(t, n, nil, nil)).Solve(ctx, nil)
		require.NoError(t, err)
		var placed []board.Cell
		for _, l := range solved.Model {
			if l.Positive() {
				placed = append(placed, encode.VarCell(n, l.Var()))
			}
		}
		rng.Shuffle(n, func(i, j int) { placed[i], placed[j] = placed[j], placed[i] })
		p := problem(t, n, placed[:n-8], nil)
		want, err := search.New(p).Count(ctx, nil)
		require.NoError(t, err)
		for _, o := range []order.Order{named(t, "row-major", n), named(t, "random:1", n)} {
			for _, construction := range []string{"free-set", "solutions"} {
				c := compile(t, p, o, Options{Construction: construction})
				requireSound(t, robddOf(t, c))
				got, err := New(c).Count(ctx, nil)
				require.NoError(t, err)
				require.Equal(t, want, got, "%s: seed=%d n=%d placed=%v", construction, seed, n, p.Placed())
			}
		}
	}
	_, err := Compile(ctx, problem(t, 65, nil, nil), named(t, "row-major", 65), Options{})
	assert.ErrorContains(t, err, "compiling queens n = 65: boards of up to 64 are compiled")
}

// Under any limit, the answer is the diagram or the limit's error.
func TestLimits(t *testing.T) {
	ctx := context.Background()
	p, o := problem(t, 7, nil, nil), named(t, "row-major", 7)
	for _, options := range []Options{{Construction: "free-set"}, {Construction: "solutions"}, {Construction: "solutions", Workers: 3}} {
		for bytes := int64(1); ; bytes = bytes*5/4 + 100 {
			options.MaxBytes = bytes
			c, err := Compile(ctx, p, o, options)
			if err == nil {
				_, err = c.As(ctx, robdd.BDD)
			}
			if err == nil {
				assert.LessOrEqual(t, c.Stats().PeakBytes, uint64(bytes))
				assert.Equal(t, sizes[7].robdd, robddOf(t, c).Len())
				break
			}
			var limit *backends.LimitError
			require.ErrorAs(t, err, &limit)
			assert.Equal(t, "bytes", limit.What)
		}
	}
}

// requireSound checks a diagram by saving and loading it.
func requireSound(t testing.TB, d *robdd.Diagram) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "diagram")
	saveDiagram(t, d, file, nil)
	_, _, err := robdd.Load(context.Background(), file, 0)
	require.NoError(t, err)
}

// equal reports whether two diagrams are the same function in the same order and of the same
// kind, whatever the sequence of nodes on a level.
func equal(t testing.TB, d, e *robdd.Diagram) bool {
	t.Helper()
	m, err := robdd.NewManager(d.Order(), robdd.Config{})
	require.NoError(t, err)
	f, err := m.Thaw(context.Background(), d)
	require.NoError(t, err)
	g, err := m.Thaw(context.Background(), e)
	require.NoError(t, err)
	return f == g && d.Kind() == e.Kind() && slices.Equal(d.Widths(), e.Widths())
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, o := problem(t, 8, nil, nil), named(t, "row-major", 8)
	_, err := Compile(ctx, p, o, Options{})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestBadInput(t *testing.T) {
	ctx := context.Background()
	p, o := problem(t, 4, nil, nil), named(t, "row-major", 4)
	_, err := Compile(ctx, p, o, Options{Construction: "bottom-down"})
	assert.ErrorContains(t, err, `construction "bottom-down": expected one of free-set`)
	_, err = Compile(ctx, p, o[1:], Options{})
	assert.ErrorContains(t, err, "variable order: 15 variables")
}

// Every construction builds the same diagram, in any order, with any cells placed or
// blocked.
func TestConstructionsAgree(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 6; n++ {
		for i := range 6 {
			if testing.Short() && i > 2 {
				break
			}
			p, o := draw(t, rng, n)
			if i == 0 {
				p, o = problem(t, n, nil, nil), named(t, "row-major", n)
			}
			want := compile(t, p, o, Options{Construction: "free-set"})
			for _, c := range Constructions() {
				hint := fmt.Sprintf("%s: seed=%d n=%d placed=%v blocked=%v order=%v", c.Name, seed, n, p.Placed(), p.Blocked(), o)
				var told atomic.Int64
				got := compile(t, p, o, Options{Construction: c.Name, Trace: true, Progress: func(backends.Progress) { told.Add(1) }})
				require.Positive(t, told.Load(), "progress: %s", hint)
				require.True(t, equal(t, robddOf(t, want), robddOf(t, got)), hint)
				require.Equal(t, c.Name, got.Construction)
				require.GreaterOrEqual(t, got.Stats().NodesCreated, uint64(robddOf(t, got).Len()), hint)
				require.GreaterOrEqual(t, got.Stats().PeakNodes, uint64(robddOf(t, got).Len()), hint)
				last := got.Stats().Growth[len(got.Stats().Growth)-1]
				require.Equal(t, robddOf(t, got).Len(), last.Nodes, "the trace ends with the result: %s", hint)
				again := compile(t, p, o, Options{Construction: c.Name, Trace: true})
				robddOf(t, again)
				require.Equal(t, got.Stats(), again.Stats(), "the same at every run: %s", hint)
				untraced, traced := compile(t, p, o, Options{Construction: c.Name}), got.Stats()
				robddOf(t, untraced)
				if c.Dynamic {
					traced.Growth = nil
				}
				require.Equal(t, traced, untraced.Stats(), "a trace only counts: %s", hint)
				// A collection must not remove anything that is needed later.
				eager := compile(t, p, o, Options{Construction: c.Name, Trace: true, eager: true})
				require.True(t, equal(t, robddOf(t, want), robddOf(t, eager)), "with collections: %s", hint)
				require.Equal(t, got.Stats().Growth, eager.Stats().Growth, hint)
			}
		}
	}
}

// Queens placed at the bottom of the board: all constructions agree on a small board, and those that consider
// the placed queens first can build a large one.
func TestQueensAtTheBottom(t *testing.T) {
	board := func(n int, list string) (encode.Problem, order.Order) {
		placed, err := board.ParseCells(n, list)
		require.NoError(t, err)
		return problem(t, n, placed, nil), named(t, "row-major", n)
	}
	p, o := board(9, "b6,e7,i8,d9")
	want := compile(t, p, o, Options{Construction: FreeSet})
	for _, c := range Constructions() {
		require.True(t, equal(t, robddOf(t, want), robddOf(t, compile(t, p, o, Options{Construction: c.Name}))), c.Name)
	}
	p, o = board(24, "a16,k17,t18,x19,o20,l21,r22,f23,m24")
	for _, name := range []string{FreeSet, solutionsName} {
		count, err := New(compile(t, p, o, Options{Construction: name})).Count(context.Background(), nil)
		require.NoError(t, err)
		require.EqualValues(t, 23318, count.Int64(), name)
	}
}

// A reordering changes the order during the construction, but not the solutions.
func TestReorderings(t *testing.T) {
	ctx := context.Background()
	p, o := problem(t, 6, nil, []board.Cell{{Row: 1, Col: 1}}), named(t, "random:3", 6)
	p8, o8 := problem(t, 7, nil, nil), named(t, "random:3", 7)
	_, err := Compile(ctx, p, o, Options{Construction: "direction", Sift: "sort"})
	assert.ErrorContains(t, err, `reordering "sort": there is none of that name`)
	for _, c := range Constructions() {
		_, err := Compile(ctx, p, o, Options{Construction: c.Name, Sift: "sift"})
		if !c.Dynamic {
			assert.ErrorContains(t, err, "takes no reordering")
			continue
		}
		require.NoError(t, err)
		if c.Name == "pairwise" || c.Name == "per-cell" {
			p8, o8 = p, o // they take seconds
		}
		static := compile(t, p8, o8, Options{Construction: c.Name, Sift: Reorderings()[0].Name})
		assert.Zero(t, static.Stats().Siftings)
		for i, r := range Reorderings()[1:] {
			if testing.Short() && i > 0 && c.Name != "line-wise" {
				continue
			}
			name := c.Name + " " + r.Name
			sifted := compile(t, p8, o8, Options{Construction: c.Name, Sift: r.Name})
			requireSound(t, robddOf(t, sifted))
			assert.NotZero(t, sifted.Stats().Siftings, "%s: a construction by operations calls step as it grows, where the order may change", name)
			if r.Name == "sift" { // windows are small: the result may be larger, though the diagrams on the way are not
				assert.Less(t, robddOf(t, sifted).Len(), robddOf(t, static).Len(), name)
			}
			want, err := New(static).Count(ctx, nil)
			require.NoError(t, err)
			got, err := New(sifted).Count(ctx, nil)
			require.NoError(t, err)
			assert.Equal(t, want, got, name)
			var found []string
			for model, err := range New(sifted).Solutions(ctx, nil) {
				require.NoError(t, err)
				found = append(found, fmt.Sprint(model))
				require.NoError(t, verify(p8, model))
			}
			slices.Sort(found)
			assert.Len(t, slices.Compact(found), int(want.Int64()), name)
		}
	}
}

func verify(p encode.Problem, model []cnf.Lit) error {
	var queens []board.Cell
	for _, l := range model {
		if l.Positive() {
			queens = append(queens, encode.VarCell(p.N, l.Var()))
		}
	}
	return board.VerifyCells(p.N, queens)
}

// For an ROBDD (made by operations, or loaded), the ZDD is made once for all users.
func TestZDDIsMadeOnce(t *testing.T) {
	p, o := problem(t, 7, nil, nil), named(t, "row-major", 7)
	withZDD := compile(t, p, o, Options{})
	c := compile(t, p, o, Options{Construction: "row-wise"})
	require.Nil(t, c.other)
	var made [4]*robdd.Diagram
	var wait sync.WaitGroup
	for i := range made {
		wait.Go(func() {
			_, err := New(c).Valid(context.Background(), []cnf.Lit{1}, "")
			assert.NoError(t, err)
			made[i] = zdd(t, c)
		})
	}
	wait.Wait()
	for _, zdd := range made {
		assert.Same(t, made[0], zdd)
	}
	assert.True(t, equal(t, zdd(t, withZDD), zdd(t, c)))
	assert.Equal(t, int64(sizes[7].robdd+sizes[7].zdd)*8, c.Bytes())
	zdd := compile(t, p, o, Options{})
	assert.Equal(t, int64(sizes[7].zdd)*8, zdd.Bytes(), "one diagram, counted once")
}

// free-set ends early if its states would exceed the limit by far. It completes a construction that
// fits, even if only just.
func TestGrowthIsForeseen(t *testing.T) {
	ctx := context.Background()
	p := encodetest.Family(t, "dominoes", 12)
	options := Options{Construction: "free-set", MaxBytes: 64 << 20}
	_, err := Compile(ctx, p, orderFor(t, p, "random:1"), options)
	var limit *backends.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Greater(t, limit.Want, 16*limit.Limit)
	assert.ErrorContains(t, err, "free-set would need far more memory under this order: after level ")
	compile(t, p, orderFor(t, p, "natural"), options)

	for _, c := range []struct {
		p     encode.Problem
		order string
	}{
		{problem(t, 11, nil, nil), "row-major"}, {problem(t, 11, nil, nil), "random:1"}, {problem(t, 11, nil, nil), "knight-lines"},
		{encodetest.Family(t, "latin", 4), "natural"}, {encodetest.Family(t, "dominoes", 12), "natural"}, {encodetest.Family(t, "rooks", 9), "random:2"},
	} {
		o := orderFor(t, c.p, c.order)
		least := int64(compile(t, c.p, o, Options{Construction: "free-set"}).Stats().PeakBytes)
		compile(t, c.p, o, Options{Construction: "free-set", MaxBytes: least})
	}
}

// saveDiagram writes a diagram to a file.
func saveDiagram(t testing.TB, d *robdd.Diagram, file string, meta robdd.Meta) {
	t.Helper()
	var saved bytes.Buffer
	require.NoError(t, d.Write(&saved, meta))
	require.NoError(t, os.WriteFile(file, saved.Bytes(), 0o644))
}

// A formula whose diagram would not fit is refused early; those that fit are not.
func TestForesee(t *testing.T) {
	compile := func(shape string, vars int) error {
		p := encodetest.Make(shape, vars, 1, true)
		o, _, err := order.Estimate(context.Background(), p)
		require.NoError(t, err)
		_, err = Compile(context.Background(), p, o, Options{MaxBytes: 1 << 30})
		return err
	}
	err := compile("random", 150)
	var limit *backends.LimitError
	require.ErrorAs(t, err, &limit)
	assert.ErrorContains(t, err, "the diagram would need far more memory under this order: with ")
	require.NoError(t, compile("random", 50))
	require.NoError(t, compile("grid", 121))
	require.NoError(t, compile("features", 300))
}

// A construction tells how many steps it expects. It ends if it may not have more, and otherwise makes the same diagram.
func TestExpectedSteps(t *testing.T) {
	enough := errors.New("enough")
	for _, c := range []struct {
		shape string
		vars  int
		fits  bool
	}{{"local", 100, true}, {"grid", 81, true}, {"random", 60, false}, {"grid", 196, false}} {
		p := encodetest.Make(c.shape, c.vars, 1, true)
		o, _, err := order.Estimate(context.Background(), p)
		require.NoError(t, err)
		last, want := Growth{}, 0.
		made, err := Compile(context.Background(), p, o, Options{More: func(g Growth) (int64, error) {
			require.GreaterOrEqual(t, g.Steps, last.Steps)
			last = g
			if want == 0 && g.Steps > 6000 {
				want = g.Want()
			}
			if want > 400_000 {
				return 0, enough
			}
			return 0, nil
		}})
		if !c.fits {
			require.ErrorIs(t, err, enough, "%s of %d", c.shape, c.vars)
			continue
		}
		require.NoError(t, err, "%s of %d", c.shape, c.vars)
		assert.Greater(t, last.Steps, uint64(1000))
		assert.Positive(t, last.Bytes)
		assert.InDelta(t, float64(last.Steps), last.Want(), 1, "in the end it knows")
		assert.Equal(t, compile(t, p, o, Options{}).Stats(), made.Stats())
	}
	p := encodetest.Make("grid", 81, 1, true)
	o, _, err := order.Estimate(context.Background(), p)
	require.NoError(t, err)
	_, err = Compile(context.Background(), p, o, Options{More: func(g Growth) (int64, error) {
		if g.Steps > 1000 {
			return 1 << 10, nil
		}
		return 0, nil
	}})
	var limit *backends.LimitError
	require.ErrorAs(t, err, &limit, "the limit holds from then on")
}
