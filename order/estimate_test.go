package order

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// The cost agrees with its definition, counted cut by cut.
func TestCost(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		g := openGraph(randomClauses(rng, 2+rng.IntN(12)))
		sequence := g.natural()
		rng.Shuffle(len(sequence), func(i, j int) { sequence[i], sequence[j] = sequence[j], sequence[i] })
		forth := slowCost(g, sequence)
		backwards := slices.Clone(sequence)
		slices.Reverse(backwards)
		back := slowCost(g, backwards)
		g.lay(sequence)
		got, turned := newCosting(g).cost()
		require.Equal(t, min(forth, back), got)
		require.Equal(t, back < forth, turned)
	}
}

func slowCost(g *graph, sequence []int32) float64 {
	total := 0.0
	for cut := range sequence {
		above := sequence[:cut]
		open, live := 0, map[int32]bool{}
		for _, edge := range g.edges {
			var upper []int32
			for _, v := range edge {
				if slices.Contains(above, v) {
					upper = append(upper, v)
				}
			}
			if 0 < len(upper) && len(upper) < len(edge) {
				open++
				for _, v := range upper {
					live[v] = true
				}
			}
		}
		total += math.Exp2(float64(min(open, len(live))))
	}
	return total
}

func randomClauses(rng *rand.Rand, vars int) encode.Problem {
	p := encode.Problem{Family: "random", Names: make(encode.List, vars)}
	for range vars {
		var lits []cnf.Lit
		for _, v := range rng.Perm(vars)[:2+rng.IntN(min(3, vars-1))] {
			lits = append(lits, cnf.Lit(v+1))
		}
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", lits...))
	}
	return p
}

// Unit propagation comes first: no remaining constraint contains a variable with a value.
func TestOpenGraph(t *testing.T) {
	p := encode.Problem{Names: make(encode.List, 7), Fixed: []cnf.Lit{1}, Constraints: []encode.Constraint{
		encode.AtLeastOne("", -1, 2),   // so 2
		encode.ExactlyOne("", 2, 3),    // so not 3
		encode.AtLeastOne("", 3, 4, 5), // 4 or 5
		encode.AtMostOne("", 3, 6),     // nothing
		encode.AtMostOne("", -7, 4, 5), // stays
		encode.AtLeastOne("", 2, 6),    // holds
	}}
	g := openGraph(p)
	assert.Equal(t, []cnf.Var{4, 5, 7}, g.vars)
	assert.Equal(t, [][]int32{{0, 1}, {2, 0, 1}}, g.edges)
	assert.Equal(t, Order{7, 4, 5, 1, 2, 3, 6}, g.order(p, []int32{2, 0, 1}))
	o, from, _ := Estimate(context.Background(), p.With(-2))
	assert.NoError(t, o.Check(7), "a problem that propagation refutes has an order, too")
	assert.Equal(t, "natural", from)
}

// On a graph that has a perfect elimination order, the min-fill rule finds one: a variable of a
// random 3-tree is eliminated with at most three neighbours, which lie on its path to the root.
func TestMinFillOnTrees(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		const k, vars = 3, 60
		names := rng.Perm(vars)
		cliques := [][]int{{0, 1, 2}}
		p := encode.Problem{Names: make(encode.List, vars)}
		for v := k; v < vars; v++ {
			base := cliques[rng.IntN(len(cliques))]
			lits := []cnf.Lit{cnf.Lit(names[v] + 1)}
			for i, u := range base {
				lits = append(lits, cnf.Lit(names[u]+1))
				next := slices.Clone(base)
				next[i] = v
				cliques = append(cliques, next)
			}
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", lits...))
		}
		g := openGraph(p)
		e, err := newElimination(context.Background(), g, MostNeighbours)
		require.NoError(t, err)
		for range g.vars {
			v := e.next(rng)
			require.Zero(t, e.fill[v], "seed %d", seed)
			require.LessOrEqual(t, len(e.eliminate(v)), k, "seed %d", seed)
		}
		sequence, err := minFilled(context.Background(), g, rng)
		require.NoError(t, err)
		require.NoError(t, g.order(p, sequence).Check(vars))
	}
}

// While variables are eliminated, the neighbours and fills that are kept are those of the graph, also where variables
// have more neighbours than min-fill considers, or had.
func TestEliminationKeepsFills(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	narrowed := 0
	for range 5 {
		const vars, hubs = 200, 3
		p := encode.Problem{Names: make(encode.List, vars)}
		for v := range vars {
			lits := []cnf.Lit{cnf.Lit(v + 1), cnf.Lit(rng.IntN(vars) + 1)}
			if rng.IntN(3) > 0 {
				lits = append(lits, cnf.Lit(rng.IntN(hubs)+1))
			}
			slices.Sort(lits)
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", slices.Compact(lits)...))
		}
		g := openGraph(p)
		e, err := newElimination(context.Background(), g, MostNeighbours)
		require.NoError(t, err)
		live := make([]map[int32]bool, len(g.vars)) // the graph again, without anything that is kept
		for v := range live {
			live[v] = map[int32]bool{}
		}
		for _, edge := range g.edges {
			for _, a := range edge {
				for _, b := range edge {
					if a != b {
						live[a][b] = true
					}
				}
			}
		}
		wasWide := make([]bool, len(live))
		for {
			for v, of := range live {
				if of == nil {
					continue
				}
				require.Equal(t, slices.Sorted(maps.Keys(of)), slices.Sorted(slices.Values(e.alive(int32(v)))))
				if len(of) > MostNeighbours {
					wasWide[v] = true
					continue
				}
				fill := int32(0)
				for a := range of {
					for b := range of {
						if a < b && !live[a][b] {
							fill++
						}
					}
				}
				require.Equal(t, fill, e.fill[v])
			}
			v := e.next(rng)
			if v < 0 {
				break
			}
			if wasWide[v] {
				narrowed++
			}
			for a := range live[v] {
				for b := range live[v] {
					if a != b {
						live[a][b] = true
					}
				}
				delete(live[a], v)
			}
			live[v] = nil
			e.eliminate(v)
		}
	}
	require.Positive(t, narrowed, "no variable had many neighbours and then few")
}

// For a problem with shuffled variables, the estimate finds an order about as good as the numbering that
// shows the structure.
func TestEstimateFindsTheStructure(t *testing.T) {
	for _, shape := range []string{"local", "grid", "features"} {
		for seed := range uint64(3) {
			cost := func(shuffled bool) float64 {
				p := encodetest.Make(shape, 100, seed, shuffled)
				o, _, _ := Estimate(context.Background(), p)
				require.NoError(t, o.Check(100))
				again, _, _ := Estimate(context.Background(), p)
				require.Equal(t, o, again)
				g := openGraph(p)
				if !shuffled {
					return min(slowCost(g, g.natural()), slowCost(g, g.sequence(o)))
				}
				assert.Less(t, slowCost(g, g.sequence(o)), slowCost(g, g.natural())/1000, "%s, seed %d", shape, seed)
				return slowCost(g, g.sequence(o))
			}
			assert.Less(t, cost(true), 16*cost(false), "%s, seed %d", shape, seed)
		}
	}
}

// With more visits an order costs hardly more, and that of Estimate, which has most, no more than any of them.
func TestEstimateWithin(t *testing.T) {
	for seed := range uint64(10) {
		if testing.Short() && seed > 2 {
			break
		}
		p := encodetest.Make("local", 200, seed, true)
		last := math.Inf(1)
		for visits := 1 << 10; visits <= MostVisits; visits *= 8 {
			o, _, err := EstimateWithin(context.Background(), p, visits, nil)
			require.NoError(t, err)
			require.NoError(t, o.Check(200))
			cost := Cost(p, p.Constraints, o)
			assert.LessOrEqual(t, cost, 1.5*last, "seed %d, %d visits", seed, visits)
			last = min(last, cost)
		}
		whole, _, err := Estimate(context.Background(), p)
		require.NoError(t, err)
		assert.LessOrEqual(t, Cost(p, p.Constraints, whole), last)
	}
}

// However large a tree is, FORCE leaves enough of the budget for min-fill, under which a diagram
// remembers few variables at a time.
func TestEstimateOfALargeTree(t *testing.T) {
	const vars = 30_000
	rng := rand.New(rand.NewPCG(1, 0))
	names := rng.Perm(vars)
	p := encode.Problem{Family: "tree", Names: make(encode.List, vars)}
	for v := 1; v < vars; v++ {
		child, parent := cnf.Var(names[v]+1), cnf.Var(names[rng.IntN(v)]+1)
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", child.Neg(), parent.Pos()))
	}
	o, _, _ := Estimate(context.Background(), p)
	g := openGraph(p)
	g.lay(g.sequence(o))
	cost, _ := newCosting(g).cost()
	assert.Less(t, cost, 1000.0*vars)
}

// sequence is the inverse of order.
func (g *graph) sequence(o Order) []int32 {
	var sequence []int32
	for _, v := range o {
		if i, found := slices.BinarySearch(g.vars, v); found {
			sequence = append(sequence, int32(i))
		}
	}
	return sequence
}

// Where all constraints bind near variables only, numbers that are shuffled do not hide that.
func TestEstimateFindsTheLine(t *testing.T) {
	cost := func(p encode.Problem) float64 {
		o, _, err := Estimate(context.Background(), p)
		require.NoError(t, err)
		return Cost(p, p.Constraints, o)
	}
	for seed := range uint64(3) {
		straight := encodetest.Make("local", 200, seed, false)
		natural, err := ByName("natural")
		require.NoError(t, err)
		o, err := natural.For(context.Background(), straight)
		require.NoError(t, err)
		assert.Less(t, cost(encodetest.Make("local", 200, seed, true)), 10*Cost(straight, straight.Constraints, o), "seed %d", seed)
	}
}
