package order

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"queens/encode"
)

var estimate = Named{
	Name:      "estimate",
	Reason:    "of natural, FORCE from nine starts and min-fill, the one with the least estimate of the diagram's size",
	variables: func(p encode.Problem) Order { o, _ := Estimate(p); return o },
}

// Candidates of [Estimate].
const (
	randomStarts = 8
	minFills     = 4
	mostRounds   = 60 // of FORCE from one start
	idleRounds   = 5  // of those, without a better one
	// mostVisits bounds the work, in variables of constraints visited: about a second.
	mostVisits = 100_000_000
)

// Estimate returns the order that is expected to give the smallest diagram of a problem, and
// how it was made. Unit propagation comes first. Candidates are natural, FORCE from natural
// and from eight random starts, min-fill with ties broken in four ways, and FORCE from those;
// each of them backwards, too. The expected size is the sum, over the places between two
// variables, of 2 to the power of what a diagram must remember there: the variables above
// whose constraints reach below, or these constraints, whichever are fewer. (The first is the
// cutwidth-like bound of Berman, Circuit width, register allocation, and reduced function
// graphs, 1991; each clause or bound has two states as long as nothing contradicts it.) A
// problem gives the same order every time and everywhere.
func Estimate(p encode.Problem) (o Order, from string) {
	e := &estimation{graph: openGraph(p), left: mostVisits, least: math.Inf(1)}
	natural := e.natural()
	e.consider(natural, "natural")
	e.force(natural, "FORCE from natural")
	rng := rand.New(rand.NewPCG(1, uint64(len(natural))))
	for i := range randomStarts {
		start := slices.Clone(natural)
		rng.Shuffle(len(start), func(i, j int) { start[i], start[j] = start[j], start[i] })
		e.force(start, fmt.Sprintf("FORCE from random start %d", i+1))
	}
	for i := range minFills {
		if e.left < 0 {
			break
		}
		sequence := e.minFill(rng)
		e.left -= 16 * e.size()
		name := fmt.Sprintf("min-fill %d", i+1)
		e.consider(sequence, name)
		e.force(sequence, "FORCE from "+name)
	}
	return e.order(p, e.best), e.name
}

// estimation keeps the best candidate.
type estimation struct {
	*graph
	left  int // visits
	best  []int32
	name  string
	least float64
}

// size returns the visits that a walk over all constraints makes.
func (e *estimation) size() int {
	total := len(e.vars)
	for _, edge := range e.edges {
		total += len(edge)
	}
	return total
}

// force considers what FORCE makes of a start: of its rounds, the one with the least cost.
func (e *estimation) force(sequence []int32, name string) {
	least := math.Inf(1)
	var best []int32
	for round, since := 0, 0; round < mostRounds && since < idleRounds && e.left > 0; round++ {
		next := e.pulled(sequence)
		e.left -= 3 * e.size()
		if slices.Equal(next, sequence) {
			break
		}
		sequence = next
		since++
		if cost := e.cost(sequence); cost < least {
			least, best, since = cost, sequence, 0
		}
	}
	if best != nil {
		e.consider(best, name)
	}
}

// consider keeps a sequence, or the sequence backwards, if it is better than all before.
func (e *estimation) consider(sequence []int32, name string) {
	if cost := e.cost(sequence); cost < e.least {
		e.best, e.name, e.least = sequence, name, cost
	}
	backwards := slices.Clone(sequence)
	slices.Reverse(backwards)
	if cost := e.cost(backwards); cost < e.least {
		e.best, e.name, e.least = backwards, name+", backwards", cost
	}
}

// cost returns the expected size of the diagram, in nodes up to a factor that is the same for
// all sequences.
func (g *graph) cost(sequence []int32) float64 {
	at := places(sequence)
	// What is remembered between the places i-1 and i changes there by these numbers.
	variables, constraints := make([]int32, len(at)+1), make([]int32, len(at)+1)
	last := make([]int32, len(at)) // by variable: the last place of its constraints
	for _, edge := range g.edges {
		low, high := int32(len(at)), int32(0)
		for _, v := range edge {
			low, high = min(low, at[v]), max(high, at[v])
		}
		for _, v := range edge {
			last[v] = max(last[v], high)
		}
		constraints[low+1]++
		constraints[high+1]--
	}
	for v, place := range at {
		variables[place+1]++
		variables[last[v]+1]--
	}
	total := 0.0
	live, open := 0, 0
	for i := range at {
		live += int(variables[i])
		open += int(constraints[i])
		total += math.Ldexp(1, min(live, open, 1000))
	}
	return total
}
