package bdd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/encodetest"
)

func planOf(t testing.TB, p encode.Problem, orderName string) *plan {
	t.Helper()
	pl, err := newPlan(p, orderFor(t, p, orderName))
	require.NoError(t, err)
	return pl
}

// The plans made from constraints: boards have rows as lanes and folded columns,
// dominoes two families of lanes, Latin squares three.
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		problem              string
		n                    int
		order                string
		lanes, width, across int
	}{
		{"queens", 8, "row-major", 8, 8, 8},
		{"queens", 64, "random:1", 64, 64, 64},
		{"toroidal", 7, "column-major", 7, 7, 7},
		{"rooks", 9, "natural", 9, 9, 9},
		{"latin", 5, "natural", 75, 5, 0},
		{"dominoes", 8, "natural", 64, 4, 0},
	} {
		p := encodetest.Family(t, c.problem, c.n)
		pl := planOf(t, p, c.order)
		assert.Len(t, pl.lanes, c.lanes, "%s", p)
		assert.Equal(t, c.width, pl.width, "%s", p)
		assert.Equal(t, c.across, pl.across, "%s", p)
	}
	rows := planOf(t, encodetest.Family(t, "queens", 4), "row-major")
	assert.Equal(t, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}, rows.lanes)
	columns := planOf(t, encodetest.Family(t, "queens", 4), "column-major")
	assert.Equal(t, rows.lanes, columns.lanes, "lanes are the lines that lie together in the order")

	// Without the rows, all variables are in the columns; without both, in no lane.
	p := encodetest.Family(t, "queens", 5)
	p.Constraints = p.Constraints[5:]
	assert.Equal(t, 5, planOf(t, p, "row-major").owned)
	p.Constraints = p.Constraints[5:]
	pl := planOf(t, p, "row-major")
	assert.Zero(t, pl.owned)
	assert.Equal(t, 25, len(slices.Concat(pl.lanes...)))
}

func TestTooLargeToPlan(t *testing.T) {
	for _, c := range []struct {
		problem string
		n       int
		why     string
	}{
		{"rooks", 65, "a constraint has 65 variables: at most 64 are supported"},
		{"latin", 17, "sets of 867 lanes of 17 bits are too large: at most 64 words are supported"},
		{"latin", 100, "30000 exactly-one constraints: at most 4096 are supported"},
	} {
		p := encodetest.Family(t, c.problem, c.n)
		_, err := newPlan(p, orderFor(t, p, "natural"))
		assert.EqualError(t, err, c.why)
	}
}

// Constraints of a family are disjoint, checked by comparing each pair.
func TestFamilies(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		pl := plan{levels: 15, exactly: make([][]int, rng.IntN(12))}
		for i := range pl.exactly {
			pl.exactly[i] = slices.Sorted(slices.Values(rng.Perm(15)[:rng.IntN(5)]))
		}
		families := pl.families()
		require.ElementsMatch(t, pl.exactly, slices.Concat(families...), "seed %d", seed)
		for _, family := range families {
			for i, a := range family {
				for _, b := range family[:i] {
					overlap := slices.ContainsFunc(a, func(e int) bool { return slices.Contains(b, e) })
					require.False(t, overlap, "seed %d: %v", seed, pl.exactly)
				}
			}
		}
	}
}

// The arithmetic on words, compared with counting variable by variable, for states of
// every width, with folded lanes and with several families of lanes.
func TestLayout(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	check := func(p encode.Problem) {
		pl := planOf(t, p, "random:1")
		switch pl.blocks {
		case 1:
			testLayout[[1]block](t, rng, p, pl)
		case 2:
			testLayout[[2]block](t, rng, p, pl)
		case 4:
			testLayout[[4]block](t, rng, p, pl)
		default:
			testLayout[[maxBlocks]block](t, rng, p, pl)
		}
	}
	for _, n := range []int{1, 2, 3, 5, 8, 11, 16, 17, 21, 22, 32, 33, 50, 64} {
		check(encodetest.Family(t, "queens", n))
	}
	for n := 1; n <= 8; n++ {
		check(encodetest.Family(t, "latin", n))
	}
	for n := 2; n <= 12; n++ {
		check(encodetest.Family(t, "dominoes", n))
	}
	p := encodetest.Family(t, "queens", 9) // a row without a constraint: loose variables in it
	p.Constraints = p.Constraints[1:]
	check(p)
	p.Constraints = append(slices.Clone(p.Constraints[:8]), p.Constraints[17:]...)
	check(p)
}

func testLayout[S bitset](t *testing.T, rng *rand.Rand, p encode.Problem, pl *plan) {
	c := newLayout[S](pl)
	for range 100 {
		set, alone := c.start, *new(S)
		free := make([]bool, pl.levels)
		density := 1 + rng.IntN(2*p.N)
		for level := range free {
			at := &c.vars[level]
			if free[level] = rng.IntN(density) == 0; free[level] {
				continue
			}
			remove(&set, &at.spot)
			for i := range at.copies {
				remove(&set, &at.copies[i])
			}
		}
		needs, columns := c.count(&set, &alone)
		wantNeeds, wantColumns := c.needs, c.columns
		var wantAlone S
		for _, constraint := range pl.exactly {
			var in []int
			for _, level := range constraint {
				if free[level] {
					in = append(in, level)
				}
			}
			lane := slices.IndexFunc(pl.lanes, func(l []int) bool { return slices.Equal(l, constraint) })
			switch {
			case len(in) > 1:
			case len(in) == 1:
				at := &c.vars[in[0]]
				spots := append([]spot{at.spot}, at.copies...)
				if lane < 0 { // folded
					add(&wantAlone, &at.spot)
					continue
				}
				for i := range spots {
					if int(spots[i].word)*c.perWord+int(spots[i].first)/pl.width == lane {
						add(&wantAlone, &spots[i])
					}
				}
			case lane < 0:
				wantColumns &^= c.vars[constraint[0]].column
			default:
				wantNeeds -= 1 << (lane % c.perWord * pl.width)
			}
		}
		require.Equal(t, wantNeeds, needs, "%s %v", p, free)
		require.Equal(t, wantColumns, columns, "%s %v", p, free)
		require.Equal(t, wantAlone, alone, "%s %v", p, free)
		first := slices.Index(free, true)
		if first < 0 {
			first = len(free)
		}
		require.Equal(t, first, c.first(&set, 0), "%s %v", p, free)
	}
}
