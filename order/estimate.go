package order

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"queens/encode"
)

var estimate = Named{
	Name:   "estimate",
	Reason: "of natural, breadth-first, FORCE from ten starts and min-fill, the one with the least estimate of the diagram's size",
	variables: func(ctx context.Context, p encode.Problem) (Order, error) {
		o, _, err := Estimate(ctx, p)
		return o, err
	},
}

// Candidates of [Estimate].
const (
	randomStarts = 8
	minFills     = 4
	mostRounds   = 60 // of FORCE from one start
	idleRounds   = 5  // rounds without a better one after which FORCE stops
)

// MostVisits bounds the work of [Estimate], counted in visits to variables of constraints: some tenths of a second.
// Half of it is for natural and random starts by FORCE, half for min-fill, since only that finds the order of a large tree.
// The walk, breadth first, and FORCE from it may take an eighth more.
const MostVisits = 50_000_000

// Estimate returns the order that is expected to give the smallest diagram of a problem, and a
// description of how it was made. It starts with unit propagation. The candidates are natural, a walk through the
// constraints, breadth first, FORCE from both and from eight random starts, min-fill with ties broken in four ways,
// and FORCE from those, and each of them backwards. Only the walk finds the order of a line that the file's numbers
// hide: on two formulas of 200 shuffled variables the ROBDD has 10,106 and 9,539 nodes, without it 65,917 and 335,445.
//
// The expected size is a sum over the places between two variables.
// Each place contributes 2 to the power of the number of things that a diagram must remember there: the
// variables above whose constraints reach below, or these constraints, whichever are fewer. (The first
// is the cutwidth-like bound of Berman, Circuit width, register allocation, and reduced function graphs,
// 1991; each clause or bound has two states as long as nothing contradicts it.) The same problem gives
// the same order every time and on every machine.
func Estimate(ctx context.Context, p encode.Problem) (o Order, from string, err error) {
	return EstimateWithin(ctx, p, MostVisits, nil)
}

// EstimateWithin is [Estimate] with another bound of the visits, which [MostVisits] explains. It considers at least natural.
// goOn, unless nil, is called again and again with the visits so far and the least expected size, as [Cost] returns it; if
// goOn returns false, the search ends.
func EstimateWithin(
	ctx context.Context, p encode.Problem, visits int, goOn func(visits int, cost float64) bool,
) (o Order, from string, err error) {
	g := openGraph(p)
	e := newEstimation(g)
	e.goOn = goOn
	e.left = visits / 2
	natural := g.natural()
	e.force(ctx, natural, "natural")
	left := e.left
	e.left = visits / randomStarts // of its own, so that the other candidates stay what they are
	e.force(ctx, g.breadthFirst(), "breadth-first")
	e.left = left
	rng := rand.New(rand.NewPCG(1, uint64(len(natural))))
	for i := range randomStarts {
		start := slices.Clone(natural)
		rng.Shuffle(len(start), func(i, j int) { start[i], start[j] = start[j], start[i] })
		e.force(ctx, start, fmt.Sprintf("random start %d", i+1))
	}
	e.left += visits / 2
	for i := range minFills {
		if e.left < 0 || e.over {
			break
		}
		e.spend(16 * g.size())
		start, err := minFilled(ctx, g, rng)
		if err != nil {
			return nil, "", err
		}
		e.force(ctx, start, fmt.Sprintf("min-fill %d", i+1))
	}
	return e.found(ctx, p)
}

// estimation keeps the best candidate.
type estimation struct {
	forcing *forcing
	costing *costing
	left    int // visits
	spent   int
	goOn    func(spent int, least float64) bool // may be nil
	over    bool                                // goOn has said so
	best    []int32
	name    string
	least   float64
}

func newEstimation(g *graph) *estimation {
	return &estimation{forcing: newForcing(g), costing: newCosting(g), least: math.Inf(1)}
}

// spend counts visits.
func (e *estimation) spend(visits int) {
	e.left, e.spent = e.left-visits, e.spent+visits
	if e.goOn != nil && !e.over {
		e.over = !e.goOn(e.spent, e.least)
	}
}

// found returns the best candidate as an order of a problem.
func (e *estimation) found(ctx context.Context, p encode.Problem) (o Order, from string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	return e.forcing.order(p, e.best), e.name, nil
}

// force considers, as candidates, a start and the result of each round of FORCE from it, and each of
// them backwards. It stops when the context ends.
func (e *estimation) force(ctx context.Context, sequence []int32, name string) {
	least := math.Inf(1)
	for round, since := 0, 0; round < mostRounds && since < idleRounds && (e.left > 0 && !e.over || e.best == nil) && ctx.Err() == nil; round++ {
		e.forcing.lay(sequence)
		e.spend(3 * e.forcing.size())
		cost, backwards := e.costing.cost()
		since++
		if cost < least {
			least, since = cost, 0
		}
		if cost < e.least {
			e.best, e.name, e.least = slices.Clone(sequence), name, cost
			if round > 0 {
				e.name = "FORCE from " + name
			}
			if backwards {
				slices.Reverse(e.best)
				e.name += ", backwards"
			}
		}
		next := e.forcing.pulled()
		if slices.Equal(next, sequence) {
			break
		}
		sequence = next
	}
}

// reach is the first and the last place that the constraints of a variable reach.
type reach struct{ first, last int32 }

// cut is the change, from one place between two neighbours to the next, of the numbers of things to
// remember: constraints with variables on both sides, and variables on one side (above or below) whose
// constraints reach to the other.
type cut struct{ constraints, above, below int32 }

// costing is a graph with scratch memory for cost.
type costing struct {
	*graph
	reach []reach
	cuts  []cut
}

func newCosting(g *graph) *costing {
	return &costing{g, make([]reach, len(g.vars)), make([]cut, len(g.vars)+1)}
}

// cost returns the expected size of the diagram under the sequence last laid, or under the reversed
// sequence if that is smaller. It is in nodes up to a factor that is the same for all sequences.
func (c *costing) cost() (least float64, backwards bool) {
	forth, back := c.costs()
	return min(forth, back), back < forth
}

// costs returns the expected sizes under the sequence last laid and under the reversed one.
func (c *costing) costs() (forth, back float64) {
	clear(c.cuts)
	for v, at := range c.at {
		c.reach[v] = reach{at, at}
	}
	for i, edge := range c.edges {
		of := c.laid[i]
		for _, v := range edge {
			r := &c.reach[v]
			r.first, r.last = min(r.first, of.first), max(r.last, of.last)
		}
		c.cuts[of.first+1].constraints++
		c.cuts[of.last+1].constraints--
	}
	for v, at := range c.at {
		c.cuts[at+1].above++
		c.cuts[c.reach[v].last+1].above--
		c.cuts[c.reach[v].first+1].below++
		c.cuts[at+1].below--
	}
	var sum cut
	for _, at := range c.cuts[:len(c.at)] {
		sum = cut{sum.constraints + at.constraints, sum.above + at.above, sum.below + at.below}
		forth += power(min(sum.constraints, sum.above))
		back += power(min(sum.constraints, sum.below))
	}
	return forth, back
}

// power returns 2 to the power of k, or of 1000 if k is larger.
func power(k int32) float64 { return math.Float64frombits(uint64(1023+min(k, 1000)) << 52) }

// Cost returns the expected size of the diagram of some constraints under an order: see [Estimate].
func Cost(p encode.Problem, constraints []encode.Constraint, o Order) float64 {
	p.Constraints = constraints
	g := openGraph(p)
	sequence := make([]int32, 0, len(g.vars))
	at := make([]int32, p.AllVars())
	for i, v := range g.vars {
		at[v-1] = int32(i + 1)
	}
	for _, v := range o {
		if at[v-1] > 0 {
			sequence = append(sequence, at[v-1]-1)
			at[v-1] = 0
		}
	}
	for _, i := range at { // the order may leave auxiliary ones out
		if i > 0 {
			sequence = append(sequence, i-1)
		}
	}
	g.lay(sequence)
	forth, _ := newCosting(g).costs()
	return forth
}
