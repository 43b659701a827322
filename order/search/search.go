package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// Search looks for an order with a smaller diagram, or a larger one, by parallel
// tempering (replica exchange: Swendsen and Wang 1986; Hukushima and Nemoto 1996). An
// ensemble is a ladder of replicas, each annealed at its own temperature: the coldest
// refines its order, the hottest is melted. After each replica has made a pass, which
// moves every variable once, neighbours exchange their orders by the Metropolis rule.
// Given much time this beats cooling with restarts here, since good orders that
// divide the board into lines in different ways lie far apart but differ by few
// nodes.
//
// Ensembles are independent, and every replica has its own random numbers, so any
// number of workers can share the replicas' passes. The work is a whole number of
// steps, in each of which every replica makes the same number of moves. The same
// start, seed, number of ensembles and evaluations therefore give the same order,
// whatever the number of workers.
type Search struct {
	diagram   diagram.Kind
	largest   bool
	workers   []*annealer
	ensembles []*ensemble
}

// Options configures a search. The zero value is a search for a smaller ROBDD from
// row-major, with one ensemble and seed 0, on one worker.
type Options struct {
	Diagram   diagram.Kind
	Largest   bool // look for the largest diagram instead of the smallest
	Seed      uint64
	Ensembles int
	Workers   int         // goroutines; more than there are replicas are of no use
	Start     order.Order // row-major, the order of the variables' numbers, if empty
}

// The ladder: the number of replicas, and the coldest temperature as a share of
// the hottest.
const (
	replicas = 8
	coldest  = 1.0 / 32
)

// settling is the number of passes in which the ladder cools down: all replicas
// but the coldest begin melted and cool to their own temperatures, so a search
// with little time is simulated annealing on several replicas. Meanwhile the
// coldest refines the start.
const settling = 64

// ensemble is one ladder of replicas, the coldest first.
type ensemble struct {
	rng         *rand.Rand
	hottest     float64
	replica     []*replica
	moves       int // made by each replica so far
	evaluations int64
	best        found
}

// replica is one rung of the ladder, with the order that it now holds.
type replica struct {
	rng *rand.Rand
	*state
	turn []cnf.Var // variables that the pass has still to move
	best found     // found in this step
}

// found is an order and its nodes; the order is nil until one is found.
type found struct {
	order order.Order
	nodes int
}

// NewSearch starts a search. It copies the Sizer for each worker, so the caller
// may go on using it. It fails if the context ends or the start is not an order.
func NewSearch(ctx context.Context, s *Sizer, opts Options) (*Search, error) {
	start := slices.Clone(opts.Start)
	if start == nil {
		start = make(order.Order, s.NumVars())
		for i := range start {
			start[i] = cnf.Var(i + 1)
		}
	}
	if err := start.Check(s.NumVars()); err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	search := &Search{diagram: opts.Diagram, largest: opts.Largest}
	ensembles := max(1, opts.Ensembles)
	for range max(1, min(opts.Workers, ensembles*replicas)) {
		search.workers = append(search.workers, newAnnealer(s.clone(), opts.Diagram, opts.Largest))
	}
	a := search.workers[0]
	st, err := a.measure(ctx, start)
	if err != nil {
		return nil, err
	}
	for i := range uint64(ensembles) {
		e := &ensemble{
			rng: rand.New(rand.NewPCG(opts.Seed, i<<8)), best: found{st.order, st.nodes}, evaluations: 2,
		}
		if e.hottest, err = hottest(ctx, a, e.rng, start); err != nil {
			return nil, err
		}
		for k := range uint64(replicas) {
			rng := rand.New(rand.NewPCG(opts.Seed, i<<8|(k+1)))
			e.replica = append(e.replica, &replica{rng: rng, state: st.clone()})
		}
		search.ensembles = append(search.ensembles, e)
	}
	return search, nil
}

// hottest returns a temperature at which orders melt. A variable saves about
// size/n nodes, for the size under a random order (the smallest are a half to two
// thirds of it), when it gives up its freedom to be at any of n places, log n in
// entropy. The two balance at a temperature that is their ratio.
func hottest(ctx context.Context, a *annealer, rng *rand.Rand, o order.Order) (float64, error) {
	shuffled := slices.Clone(o)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	st, err := a.measure(ctx, shuffled)
	if err != nil {
		return 0, err
	}
	n := len(o)
	return max(1, float64(st.nodes)) / float64(n*bits.Len(uint(n))), nil
}

// temperature returns the temperature of a replica: geometric from coldest to
// hottest. While the ensemble settles, all but the coldest cool from the hottest
// temperature to their own.
func (e *ensemble) temperature(replica, passes int) float64 {
	share := 1 - float64(replica)/(replicas-1)
	if replica > 0 && passes < settling {
		share *= float64(passes) / settling
	}
	return e.hottest * math.Pow(coldest, share)
}

// exchange offers neighbours each other's orders, from the hottest pair down, so
// a good order can fall all the way at once.
func (e *ensemble) exchange(passes int, largest bool) {
	for k := replicas - 1; k > 0; k-- {
		hot, cold := e.replica[k], e.replica[k-1]
		worse := cold.nodes - hot.nodes
		if largest {
			worse = -worse
		}
		gain := float64(worse) * (1/e.temperature(k-1, passes) - 1/e.temperature(k, passes))
		if gain >= 0 || e.rng.Float64() < math.Exp(gain) {
			hot.state, cold.state = cold.state, hot.state
		}
	}
}

// Run continues until the search has made at least this many evaluations in total
// (an evaluation is an order whose size became known). If the context ends, Run
// returns its error, and the search has only its best order still to tell. After each
// step Run calls after, which may be nil; an error from after ends the run.
func (s *Search) Run(ctx context.Context, evaluations int64, after func() error) error {
	for s.Evaluations() < evaluations {
		if err := s.step(ctx); err != nil {
			return err
		}
		if after != nil {
			if err := after(); err != nil {
				return err
			}
		}
	}
	return nil
}

// stepWork is the work of a replica in a step, in moves times solutions times
// their queens: about a tenth of a second. A step that is stopped is not counted.
const stepWork = 100_000

// stepMoves returns the number of moves that each replica makes in a step, at
// most as many as are left of the pass.
func (s *Search) stepMoves(e *ensemble) int {
	sizer := s.workers[0].sizer
	return min(max(1, stepWork/(len(sizer.holds)+1)), sizer.vars-e.moves%sizer.vars)
}

// step lets every replica make some moves. The best order found in a step that is
// stopped in the middle is kept.
func (s *Search) step(ctx context.Context) error {
	type job struct {
		e     *ensemble
		place int
	}
	var jobs []job
	for _, e := range s.ensembles {
		for k := range e.replica {
			jobs = append(jobs, job{e, k})
		}
	}
	var (
		wait sync.WaitGroup
		next atomic.Int64
		errs = make([]error, len(s.workers))
	)
	for i, a := range s.workers {
		wait.Go(func() {
			for errs[i] == nil {
				j := int(next.Add(1)) - 1
				if j >= len(jobs) {
					return
				}
				errs[i] = s.moves(ctx, a, jobs[j].e, jobs[j].place)
			}
		})
	}
	wait.Wait()
	for _, e := range s.ensembles {
		for _, r := range e.replica {
			s.keep(&e.best, r.best)
			r.best = found{}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	vars := s.workers[0].sizer.vars
	for _, e := range s.ensembles {
		made := s.stepMoves(e)
		e.moves += made
		e.evaluations += int64(made * vars * replicas)
		if e.moves%vars == 0 {
			e.exchange(e.moves/vars, s.largest)
		}
	}
	return nil
}

// keep replaces best by the other order if that is better.
func (s *Search) keep(best *found, other found) {
	if other.order != nil && (best.order == nil || s.workers[0].better(other.nodes, best.nodes)) {
		*best = other
	}
}

// moves makes one replica's moves in a step.
func (s *Search) moves(ctx context.Context, a *annealer, e *ensemble, place int) error {
	r := e.replica[place]
	a.heat(e.temperature(place, e.moves/a.sizer.vars))
	for range s.stepMoves(e) {
		if len(r.turn) == 0 {
			r.turn = shuffle(r.rng, a.sizer.vars)
		}
		if err := a.move(ctx, r.rng, r.state, r.turn[0]); err != nil {
			return err
		}
		r.turn = r.turn[1:]
		if a.better(r.nodes, e.best.nodes) && (r.best.order == nil || a.better(r.nodes, r.best.nodes)) {
			r.best = found{slices.Clone(r.order), r.nodes}
		}
	}
	return nil
}

// Evaluations returns the number of orders whose size became known, over all
// ensembles.
func (s *Search) Evaluations() int64 {
	var total int64
	for _, e := range s.ensembles {
		total += e.evaluations
	}
	return total
}

// Best returns the best order so far and its nodes; among equally good ones,
// the first ensemble's.
func (s *Search) Best() (order.Order, int) {
	var best found
	for _, e := range s.ensembles {
		s.keep(&best, e.best)
	}
	return slices.Clone(best.order), best.nodes
}

// Prove tries to prove the minimum by [Minimum], and makes an order that attains
// it the search's best. It reports whether that was possible: false without an
// error means that the function is too large for a proof, or that the search is
// for the largest diagram.
func (s *Search) Prove(ctx context.Context, symmetries [][]cnf.Var) (bool, error) {
	if s.largest {
		return false, nil
	}
	proof, err := Minimum(ctx, s.workers[0].sizer, s.diagram, symmetries)
	if errors.Is(err, ErrTooMany) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s.keep(&s.ensembles[0].best, found{proof.Order, proof.Nodes})
	return true, nil
}
