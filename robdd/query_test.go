package robdd

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomDiagram makes a function of n variables from its truth table, in a random
// order: bit a of the table is the value at the assignment whose bit v-1 is variable
// v. Sparse tables lead to skipped levels.
func randomDiagram(t testing.TB, r *rand.Rand, n int) (*Diagram, []bool) {
	table := make([]bool, 1<<n)
	density, ignore := r.IntN(5), r.IntN(1<<n)&r.IntN(1<<n)
	for a := range table {
		switch {
		case a&ignore != 0 && density > 0:
			table[a] = table[a&^ignore]
		case density < 4:
			table[a] = r.IntN(1<<density) == 0
		}
	}
	order := natural(n)
	r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	m, err := NewManager(order, Config{})
	require.NoError(t, err)
	return m.Freeze(fromTable(t, m, table)), table
}

// fromTable builds a function from its truth table.
func fromTable(t testing.TB, m *Manager, table []bool) Func {
	var build func(level, assignment int) Func
	build = func(level, assignment int) Func {
		if level == len(m.order) {
			if table[assignment] {
				return True
			}
			return False
		}
		v := m.order[level]
		f, err := m.Mk(v, build(level+1, assignment), build(level+1, assignment|1<<(v-1)))
		require.NoError(t, err)
		return f
	}
	return build(0, 0)
}

func randomAssumptions(r *rand.Rand, n int) []Lit {
	var assume []Lit
	for v := 1; v <= n; v++ {
		switch r.IntN(6) {
		case 0:
			assume = append(assume, Lit(v))
		case 1:
			assume = append(assume, -Lit(v))
		}
	}
	if n > 0 && r.IntN(10) == 0 && len(assume) > 0 {
		assume = append(assume, -assume[0])
	}
	r.Shuffle(len(assume), func(i, j int) { assume[i], assume[j] = assume[j], assume[i] })
	if r.IntN(4) == 0 {
		return nil
	}
	return assume
}

// TestQueriesAgainstTruthTables asks every question of random functions under
// random assumptions, as BDD and as ZDD, with one query for many questions.
func TestQueriesAgainstTruthTables(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	ctx := context.Background()
	for range 400 {
		n := r.IntN(7)
		bdd, table := randomDiagram(t, r, n)
		for _, d := range []*Diagram{bdd, bdd.Convert(ZDD)} {
			require.NoError(t, d.Check())
			asks, counts, finder := NewPossible(d), NewCounter(d), NewFinder(d)
			annotated := NewAnnotated(d.Convert(ZDD), true)
			for i := range 10 {
				if i >= 5 { // a question must not depend on the one before
					asks, counts = NewPossible(d), NewCounter(d)
				}
				asks.narrow = 1 + r.IntN(5)
				asks.list.most = r.IntN(20) // both ways to keep nodes
				assume := randomAssumptions(r, n)
				what := fmt.Sprintf("%v of %v under %v: %v", d.kind, d.order, assume, table)
				total, each := int64(0), make([]int64, n)
				for a, value := range table {
					if value && agrees(a, assume) {
						total++
						for v := range each {
							each[v] += int64(a >> v & 1)
						}
					}
				}
				annotated.list.most = r.IntN(20)
				for i, asks := range []*Possible{asks, asks, annotated} {
					ask := func() (bool, error) { return asks.Ask(ctx, assume) }
					if i == 1 {
						ask = func() (bool, error) { return lookUp(ctx, asks, finder, assume) }
					}
					sat, err := ask()
					require.NoError(t, err, what)
					require.Equal(t, total > 0, sat, what)
					for v, count := range each {
						if sat {
							require.Equal(t, count > 0, asks.CanBe(Lit(v+1)), "variable %d, %s", v+1, what)
							require.Equal(t, count < total, asks.CanBe(-Lit(v+1)), "not variable %d, %s", v+1, what)
						}
					}
				}
				count, err := counts.Count(ctx, assume)
				require.NoError(t, err, what)
				require.Equal(t, total, count.Int64(), what)
				count, of, err := counts.CountEach(ctx, assume)
				require.NoError(t, err, what)
				require.Equal(t, total, count.Int64(), what)
				for v := range each {
					require.Equal(t, each[v], of[v].Int64(), "variable %d, %s", v+1, what)
				}
				// The passes in big integers must agree.
				rest, err := counts.ask(ctx, assume)
				require.NoError(t, err)
				count, of, err = bigEach(ctx, rest)
				require.NoError(t, err)
				require.Equal(t, total, count.Int64(), what)
				for v := range each {
					require.Equal(t, each[v], of[v].Int64(), "in big integers, variable %d, %s", v+1, what)
				}
				// Solutions: the right ones, in the order of the levels.
				var first, last []Lit
				listed := int64(0)
				for lits, err := range d.Solutions(ctx, assume) {
					require.NoError(t, err)
					a := 0
					for _, l := range lits {
						if l > 0 {
							a |= 1 << (l - 1)
						}
					}
					require.True(t, table[a] && agrees(a, assume), what)
					if last != nil {
						require.Positive(t, slices.CompareFunc(d.order, d.order, func(v, _ Var) int {
							return int(last[v-1]) - int(lits[v-1])
						}), "order of solutions: %s", what)
					}
					if last = slices.Clone(lits); first == nil {
						first = last
					}
					listed++
				}
				require.Equal(t, total, listed, what)
				any, err := finder.Any(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, first, any, what)
			}
		}
	}
}

// lookUp asks as a caller does who looks for a solution with each unseen literal.
func lookUp(ctx context.Context, asks *Possible, finder *Finder, assume []Lit) (satisfiable bool, err error) {
	satisfiable, err = asks.Begin(ctx, assume)
	if err != nil || !satisfiable {
		return satisfiable, err
	}
	for _, l := range asks.Unseen() {
		solution, err := finder.Any(ctx, append(slices.Clone(assume), l))
		if err != nil {
			return false, err
		}
		asks.Note(solution)
	}
	return true, nil
}

func agrees(a int, assume []Lit) bool {
	for _, l := range assume {
		if (a>>(l.Var()-1)&1 == 1) != (l > 0) {
			return false
		}
	}
	return true
}

// TestBigCounts counts functions with far more solutions than a word holds.
func TestBigCounts(t *testing.T) {
	const n = 300
	m, err := NewManager(natural(n), Config{})
	require.NoError(t, err)
	ctx := context.Background()
	// x10 or x200, and x299 false: 3/4 * 1/2 of 2^300.
	f, err := m.Or(ctx, literal(t, m, 10), literal(t, m, 200))
	require.NoError(t, err)
	f, err = m.And(ctx, f, literal(t, m, -299))
	require.NoError(t, err)
	pow := func(k uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), k) }
	for _, kind := range []Kind{BDD, ZDD} {
		s := NewCounter(m.Freeze(f).Convert(kind))
		total, each, err := s.CountEach(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, new(big.Int).Mul(big.NewInt(3), pow(n-3)), total)
		require.Equal(t, pow(n-2), each[9])
		require.Equal(t, pow(n-2), each[199])
		require.Zero(t, each[298].Sign())
		require.Equal(t, new(big.Int).Rsh(total, 1), each[0])
		total, each, err = s.CountEach(ctx, []Lit{-10, 1})
		require.NoError(t, err)
		require.Equal(t, pow(n-4), total)
		require.Equal(t, total, each[199])
		require.Equal(t, total, each[0])
		require.Zero(t, each[9].Sign())
		total, err = s.Count(ctx, []Lit{299})
		require.NoError(t, err)
		require.Zero(t, total.Sign())
	}
	_, err = NewCounter(m.Freeze(f)).Count(ctx, []Lit{301})
	require.ErrorContains(t, err, "literal 301")
}

// TestVisited compares the number of nodes that a question reports as visited with the
// number that a walk along allowed edges meets, and checks that assuming implied
// literals makes it visit fewer and answer the same.
func TestVisited(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 8))
	ctx := context.Background()
	fewer := false
	for range 300 {
		n := 1 + r.IntN(9)
		bdd, _ := randomDiagram(t, r, n)
		for _, d := range []*Diagram{bdd, bdd.Convert(ZDD)} {
			assume := randomAssumptions(r, n)
			what := fmt.Sprintf("%v of %v under %v", d.kind, d.order, assume)
			asks := NewPossible(d)
			asks.narrow, asks.list.most = d.Len(), r.IntN(20)
			sat, err := asks.Ask(ctx, assume)
			require.NoError(t, err)
			if !sat || len(assume) == 0 {
				require.True(t, !sat || asks.Visited() == d.Len(), what)
				continue
			}
			visited := asks.Visited()
			require.Equal(t, reachedUnder(d, assume, asks.listed), visited, what)
			var possible, implied []Lit
			for v := Lit(1); int(v) <= n; v++ {
				for _, l := range [2]Lit{v, -v} {
					if asks.CanBe(l) {
						possible = append(possible, l)
						if !asks.CanBe(-l) {
							implied = append(implied, l)
						}
					}
				}
			}
			asks.list.most = 0 // a list counts a node each time that an edge passes through it
			visited = reachedUnder(d, assume, false)
			sat, err = asks.Ask(ctx, implied)
			require.NoError(t, err)
			require.True(t, sat, what)
			for v := Lit(1); int(v) <= n; v++ {
				for _, l := range [2]Lit{v, -v} {
					require.Equal(t, slices.Contains(possible, l), asks.CanBe(l), what)
				}
			}
			require.LessOrEqual(t, asks.Visited(), visited, what)
			fewer = fewer || asks.Visited() < visited
		}
	}
	require.True(t, fewer, "implied literals never kept a question from a node")
}

// A question with few free variables has the same answers whether it is asked by levels or by literals.
func TestBeginOnly(t *testing.T) {
	seed, ctx := rand.Uint64(), context.Background()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	satisfiable := 0
	for range 300 {
		n := 1 + r.IntN(9)
		bdd, _ := randomDiagram(t, r, n)
		for _, d := range []*Diagram{bdd, bdd.Convert(ZDD)} {
			byLevels, byLits := NewPossible(d), NewPossible(d)
			if d.Kind() == ZDD && r.IntN(2) == 0 {
				byLevels = NewAnnotated(d, true)
			}
			byLevels.list.most = r.IntN(20)
			for range 3 {
				var trues, free []uint16
				var lits []Lit
				levels := r.IntN(n + 1)
				for level := range levels {
					switch v := Lit(d.VarAt(level)); r.IntN(4) {
					case 0:
						trues, lits = append(trues, uint16(level)), append(lits, v)
					case 1:
						lits = append(lits, -v)
					default:
						free = append(free, uint16(level))
					}
				}
				what := fmt.Sprintf("%v of %v under %v", d.kind, d.order, lits)
				got, err := byLevels.BeginOnly(ctx, levels, trues, free)
				for err == nil && got && len(byLevels.Unseen()) > 0 {
					err = byLevels.Widen(ctx)
				}
				require.NoError(t, err)
				want, err := byLits.Ask(ctx, lits)
				require.NoError(t, err)
				require.Equal(t, want, got, what)
				if !want {
					continue
				}
				satisfiable++
				for v := Lit(1); int(v) <= n; v++ {
					require.Equal(t, byLits.CanBe(v), byLevels.CanBe(v), what)
					require.Equal(t, byLits.CanBe(-v), byLevels.CanBe(-v), what)
				}
			}
		}
	}
	require.Positive(t, satisfiable)
}

// reachedUnder counts the nodes reached from the root along edges that the assumptions allow. They
// exclude edges of the other value and, in a ZDD, edges that skip the level of a variable assumed true.
// If again is set, a node of an assumed variable counts once for every edge to it, otherwise once.
func reachedUnder(d *Diagram, assume []Lit, again bool) int {
	value := map[Var]bool{}
	for _, l := range assume {
		value[l.Var()] = l > 0
	}
	met, visited := map[uint32]bool{}, 0
	var walk func(level int, id uint32)
	walk = func(level int, id uint32) { // from below level down to the node
		if id == 0 || met[id] {
			return
		}
		to := d.levelOfNode(id)
		for skipped := level + 1; skipped < to; skipped++ {
			if d.kind == ZDD && value[d.VarAt(skipped)] {
				return
			}
		}
		if id < 2 {
			return
		}
		e, want := d.Node(id), value[d.VarAt(to)]
		_, assumed := value[d.VarAt(to)]
		if visited++; !assumed || !again {
			met[id] = true
		}
		if !assumed || !want {
			walk(to, e.Low)
		}
		if !assumed || want {
			walk(to, e.High)
		}
	}
	walk(-1, d.root)
	return visited
}

// levelOfNode returns the level of a node by binary search; terminals are on
// level Vars(), below all variables.
func (d *Diagram) levelOfNode(id uint32) int {
	if id < 2 {
		return len(d.order)
	}
	return len(d.order) - 1 - d.heightBelow(len(d.order), id)
}

// Left keeps exactly the edges and nodes on which some path from the root agrees with the assumptions.
func TestLeftFollowsEveryPath(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		n := 1 + r.IntN(6)
		bdd, _ := randomDiagram(t, r, n)
		for _, d := range []*Diagram{bdd, bdd.Convert(ZDD)} {
			assume := randomAssumptions(r, n)
			edges, live, err := d.Left(context.Background(), assume)
			require.NoError(t, err)
			want := make([]bool, d.Len()+2)
			for a := range 1 << n { // an assignment that agrees, and the nodes on its path
				agrees := func(l Lit) bool { return (a>>(l.Var()-1)&1 == 1) == (l > 0) }
				if slices.ContainsFunc(assume, func(l Lit) bool { return !agrees(l) }) {
					continue
				}
				id, path := d.Root(), []uint32{d.Root()}
				for level := range n {
					is := agrees(Lit(d.VarAt(level)))
					lo, hi := d.Level(level)
					switch {
					case id >= lo && id < hi && is:
						id = d.Node(id).High
					case id >= lo && id < hi:
						id = d.Node(id).Low
					case is && d.Kind() == ZDD:
						id = 0
					}
					path = append(path, id)
				}
				if id == 1 {
					for _, id := range path {
						want[id] = true
					}
					for i := range path[1:] {
						lo, hi := d.Level(i)
						if from, to := path[i], path[i+1]; from >= lo && from < hi {
							require.True(t, edges[from].Low == to || edges[from].High == to, "%v under %v", d.order, assume)
						}
					}
				}
			}
			require.Equal(t, want, live, "%v of order %v under %v", d.Kind(), d.order, assume)
		}
	}
}
