package optimize

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Search looks for an order with a smaller diagram, or a larger one, by parallel tempering (replica
// exchange: Swendsen and Wang 1986; Hukushima and Nemoto 1996). Its replicas form a ladder, each
// annealed at its own temperature: the coldest refines its order, the hottest is melted. After each
// replica has made a pass, which moves every variable once, neighbours exchange their orders by the
// Metropolis rule. Given much time this beats cooling with restarts here: good orders that divide the
// board into lines in different ways lie far apart, but differ by few nodes.
//
// Every replica has its own random numbers, so any number of workers can share the replicas' passes. The
// work is a whole number of steps, and in each step every replica makes the same number of moves. So the
// same start, seed and number of evaluations give the same order, whatever the number of workers.
type Search struct {
	workers     []*annealer
	rng         *rand.Rand
	hottest     float64
	replica     []*replica // the coldest first
	moves       int        // the number made by each replica so far
	evaluations int64
	best        found
}

// Options configures a search. The zero value is a search for a smaller ROBDD from
// row-major, with seed 0, on one worker.
type Options struct {
	Diagram robdd.Kind
	Largest bool // look for the largest diagram instead of the smallest
	Seed    uint64
	Workers int         // goroutines; more than the number of replicas are of no use
	Start   order.Order // if empty, row-major, the order of the variables' numbers
	Known   order.Order // an order to beat: Best returns it until a better one is found; may be empty
}

// The ladder: the number of replicas, and the coldest temperature as a share of
// the hottest.
const (
	replicas = 8
	coldest  = 1.0 / 32
)

// settling is the number of passes in which the ladder cools down. All replicas but the coldest begin
// melted and cool to their own temperatures, so a search with little time is simulated annealing on
// several replicas. Meanwhile the coldest refines the start.
const settling = 64

// replica is one rung of the ladder, with the order that it now holds.
type replica struct {
	rng *rand.Rand
	*state
	turn []cnf.Var // the variables that the pass has yet to move
	best found     // the best order that it has held
}

// found is an order and its cost.
type found struct {
	order order.Order
	cost  int
}

// NewSearch starts a search. It copies the Sizer for each worker, so the caller may continue to use it.
func NewSearch(s *Sizer, opts Options) *Search {
	start := opts.Start
	if start == nil {
		start = s.natural()
	}
	search := &Search{rng: rand.New(rand.NewPCG(opts.Seed, 0)), evaluations: 2}
	for range max(1, min(opts.Workers, replicas)) {
		search.workers = append(search.workers, newAnnealer(s, opts.Diagram, opts.Largest))
	}
	st := search.workers[0].measure(start)
	search.best = found{st.order, st.cost}
	search.hottest = search.melting(start)
	if opts.Known != nil {
		if known := search.workers[0].measure(opts.Known); known.cost < search.best.cost {
			search.best = found{known.order, known.cost}
		}
	}
	for k := range uint64(replicas) {
		rng := rand.New(rand.NewPCG(opts.Seed, k+1))
		search.replica = append(search.replica, &replica{rng: rng, state: st.clone(), best: search.best})
	}
	return search
}

// melting returns a temperature at which orders melt. A variable at its place saves about size/n nodes,
// where size is that under a random order (the smallest sizes are a half to two thirds of it). A
// variable free to be at any of n places gains log n of entropy. The two balance at a temperature that
// is their ratio.
func (s *Search) melting(o order.Order) float64 {
	shuffled := slices.Clone(o)
	s.rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	a, n := s.workers[0], len(o)
	nodes := a.sign * a.measure(shuffled).cost
	return max(1, float64(nodes)) / float64(n*bits.Len(uint(n)))
}

// temperature returns the temperature of a replica: geometric from coldest to
// hottest. While the search settles, all but the coldest cool from the hottest
// temperature to their own.
func (s *Search) temperature(replica int) float64 {
	share := 1 - float64(replica)/(replicas-1)
	if passes := s.moves / len(s.best.order); replica > 0 && passes < settling {
		share *= float64(passes) / settling
	}
	return s.hottest * math.Pow(coldest, share)
}

// exchange offers each pair of neighbours each other's orders, from the hottest pair down, so a good
// order can reach the coldest replica at once.
func (s *Search) exchange() {
	for k := replicas - 1; k > 0; k-- {
		hot, cold := s.replica[k], s.replica[k-1]
		gain := float64(cold.cost-hot.cost) * (1/s.temperature(k-1) - 1/s.temperature(k))
		if gain >= 0 || s.rng.Float64() < math.Exp(gain) {
			hot.state, cold.state = cold.state, hot.state
		}
	}
}

// Run continues until the search has made at least this many evaluations in total. (An evaluation is an
// order whose size became known.) If the context ends, Run returns its error; after that, the search can
// only report its best order. Run calls after, which may be nil, at the end of each step; an error from
// after ends the run.
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

// stepWork is the work of a replica in a step, in moves times solutions times queens per solution: about
// a tenth of a second. A step that is stopped does not count.
const stepWork = 100_000

// step lets every replica make the same number of moves, at most as many as the pass has left. If the
// step is stopped in the middle, the best order found in it is kept.
func (s *Search) step(ctx context.Context) error {
	vars, work := len(s.best.order), 1
	for _, solutions := range s.workers[0].sizer.holds {
		work += len(solutions)
	}
	moves := min(max(1, stepWork/work), vars-s.moves%vars)
	var g errgroup.Group
	for i, a := range s.workers {
		g.Go(func() error {
			for k := i; k < replicas; k += len(s.workers) {
				a.heat(s.temperature(k))
				if err := s.replica[k].run(ctx, a, moves); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := g.Wait()
	for _, r := range s.replica {
		if r.best.cost < s.best.cost {
			s.best = r.best
		}
	}
	if err != nil {
		return err
	}
	s.moves += moves
	s.evaluations += int64(moves * vars * replicas)
	if s.moves%vars == 0 {
		s.exchange()
	}
	return nil
}

// run makes a replica's moves of one step.
func (r *replica) run(ctx context.Context, a *annealer, moves int) error {
	for range moves {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(r.turn) == 0 {
			r.turn = shuffle(r.rng, len(r.order))
		}
		a.move(r.rng, r.state, r.turn[0])
		r.turn = r.turn[1:]
		if r.cost < r.best.cost {
			r.best = found{slices.Clone(r.order), r.cost}
		}
	}
	return nil
}

// Evaluations returns the number of orders whose size became known.
func (s *Search) Evaluations() int64 { return s.evaluations }

// Best returns the best order so far and its number of nodes.
func (s *Search) Best() (order.Order, int) {
	return slices.Clone(s.best.order), s.workers[0].sign * s.best.cost
}

// Prove is Run in parallel with a proof of the minimum by [Minimum], on a board of size n, at most
// [LargestProved]. When the proof ends, the search ends too: its best order is then the one that the
// proof found, and optimal is true. A search that ends first waits for the proof.
func (s *Search) Prove(ctx context.Context, n int, evaluations int64, after func() error) (optimal bool, err error) {
	a := s.workers[0]
	sizer := a.sizer.clone()
	searching, stop := context.WithCancel(ctx)
	defer stop()
	var minimum found
	proof := make(chan error, 1)
	go func() {
		o, nodes, err := Minimum(searching, sizer, a.diagram, Symmetries(n))
		minimum = found{o, nodes}
		proof <- err
		if err == nil {
			stop()
		}
	}()
	if err = s.Run(searching, evaluations, after); err != nil {
		stop()
	}
	if <-proof == nil {
		s.best = minimum
		return true, nil
	}
	return false, cmp.Or(ctx.Err(), err)
}
