package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"queens/encode/cnf"
	"queens/order"
)

// Search looks for an order with a smaller diagram by parallel tempering (replica
// exchange: Swendsen and Wang 1986; Hukushima and Nemoto 1996). An ensemble is a
// ladder of replicas, each annealed at a temperature of its own, the coldest
// refining what it has and the hottest melted; after each has made a pass, which
// moves every variable once, neighbours exchange their orders by the Metropolis
// rule. With much time it beats cooling with restarts here, since the ways in which
// good orders divide the board into lines differ by few nodes and lie far apart.
//
// Ensembles are independent, with random numbers of their own, and each runs on
// a thread of its own in step with the others. The work done is a whole number
// of passes of all ensembles: the same seed, number of ensembles and evaluations
// give the same order, however often the search was stopped and resumed between.
type Search struct {
	diagram   Diagram
	seed      uint64
	ensembles []*ensemble
}

// The ladder: the number of replicas, and the coldest temperature as a share of
// the hottest.
const (
	replicas = 8
	coldest  = 1.0 / 32
)

// settling is the number of rounds in which the ladder comes down: the replicas
// begin melted together and cool, each to its own temperature, so that a search
// with little time is annealing, eight times over. The coldest keeps to refining
// row-major meanwhile.
const settling = 64

// ensemble is one ladder of replicas, the coldest first.
type ensemble struct {
	annealer  *annealer
	source    *rand.PCG // all the state of the annealer's random numbers
	hottest   float64
	replica   []*state
	turn      int // the replica whose pass comes next
	round     int // how often each has had one
	best      order.Order
	bestNodes int
}

// NewSearch starts a search with the order of the variables' numbers, which is
// row-major. The Sizer is copied for each ensemble and may be used further.
func NewSearch(s *Sizer, d Diagram, seed uint64, ensembles int) *Search {
	search := &Search{diagram: d, seed: seed}
	start := make(order.Order, s.NumVars())
	for i := range start {
		start[i] = cnf.Var(i + 1)
	}
	for i := range ensembles {
		e := newEnsemble(s.clone(), d, seed, uint64(i))
		e.hottest = hottest(e.annealer, start)
		for range replicas {
			e.replica = append(e.replica, e.annealer.measure(start))
		}
		e.best, e.bestNodes = start, e.replica[0].nodes
		search.ensembles = append(search.ensembles, e)
	}
	return search
}

func newEnsemble(s *Sizer, d Diagram, seed, number uint64) *ensemble {
	source := rand.NewPCG(seed, number)
	return &ensemble{annealer: newAnnealer(s, d, rand.New(source)), source: source}
}

// hottest returns a temperature at which orders melt. A variable gains about
// size/n nodes, for the size under a random order (the smallest are a half to
// two thirds of it), when it gives up its freedom to be at any of n places, log n
// in entropy; the two balance where the temperature is the one over the other.
func hottest(a *annealer, o order.Order) float64 {
	shuffled := slices.Clone(o)
	a.rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	n := len(o)
	return max(1, float64(a.measure(shuffled).nodes)) / float64(n*bits.Len(uint(n)))
}

// temperature returns that of a replica: geometric from coldest to hottest. While
// the ensemble settles, all but the coldest come down to theirs from the hottest.
func (e *ensemble) temperature(replica int) float64 {
	share := 1 - float64(replica)/(replicas-1)
	if replica > 0 && e.round < settling {
		share *= float64(e.round) / settling
	}
	return e.hottest * math.Pow(coldest, share)
}

// pass moves every variable of the next replica once, and after the last replica
// lets neighbours exchange. An error leaves it unfinished.
func (e *ensemble) pass(ctx context.Context) error {
	r := e.replica[e.turn]
	e.annealer.heat(e.temperature(e.turn))
	for _, x := range e.annealer.shuffle() {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.annealer.move(r, x)
		if r.nodes < e.bestNodes {
			e.best, e.bestNodes = slices.Clone(r.order), r.nodes
		}
	}
	if e.turn++; e.turn == replicas {
		e.turn, e.round = 0, e.round+1
		e.exchange()
	}
	return nil
}

// exchange offers neighbours each other's orders, from the hottest pair down, so
// that a good order can fall all the way at once.
func (e *ensemble) exchange() {
	for k := replicas - 1; k > 0; k-- {
		hot, cold := e.replica[k], e.replica[k-1]
		gain := float64(cold.nodes-hot.nodes) * (1/e.temperature(k-1) - 1/e.temperature(k))
		if gain >= 0 || e.annealer.rng.Float64() < math.Exp(gain) {
			e.replica[k], e.replica[k-1] = cold, hot
		}
	}
}

// Run goes on until at least so many evaluations are done in all (sizes of
// orders that became known), or the context ends; its error is returned then,
// and the search is in a state from which Run may go on. After each step, a pass
// of every ensemble, Run calls after, which may be nil; its error ends the run.
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

// step does one pass of each ensemble, all or none: a search that was stopped in
// the middle of one goes on as if that one had not begun.
func (s *Search) step(ctx context.Context) error {
	saved := s.State()
	errs := make([]error, len(s.ensembles))
	var wait sync.WaitGroup
	for i, e := range s.ensembles {
		wait.Go(func() { errs[i] = e.pass(ctx) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return errors.Join(err, s.restore(saved))
		}
	}
	return nil
}

// Evaluations returns the number of orders whose size became known, by all
// ensembles together.
func (s *Search) Evaluations() int64 {
	var total int64
	for _, e := range s.ensembles {
		total += e.annealer.evaluations
	}
	return total
}

// Best returns the best order so far and its nodes; the first ensemble's when
// several are as good.
func (s *Search) Best() (order.Order, int) {
	best := slices.MinFunc(s.ensembles, func(a, b *ensemble) int { return cmp.Compare(a.bestNodes, b.bestNodes) })
	return slices.Clone(best.best), best.bestNodes
}

// State is all that a search needs to go on, as it is saved in JSON. Orders are
// lists of variables, top level first.
type State struct {
	Vars      int             `json:"vars"`
	Solutions int             `json:"solutions"` // tells, with Vars, which problem it was
	Diagram   string          `json:"diagram"`
	Seed      uint64          `json:"seed"`
	Ensembles []EnsembleState `json:"ensembles"`
}

// EnsembleState is the state of one ladder of replicas.
type EnsembleState struct {
	Random      []byte        `json:"random"` // of rand.PCG
	Hottest     float64       `json:"hottest"`
	Round       int           `json:"round"`
	Turn        int           `json:"turn"`
	Replicas    []order.Order `json:"replicas"` // the coldest first
	Best        order.Order   `json:"best"`
	Evaluations int64         `json:"evaluations"`
}

// State returns a copy of the search's state.
func (s *Search) State() State {
	a := s.ensembles[0].annealer
	st := State{Vars: a.sizer.NumVars(), Solutions: a.sizer.NumSolutions(), Diagram: s.diagram.String(), Seed: s.seed}
	for _, e := range s.ensembles {
		random, err := e.source.MarshalBinary()
		if err != nil {
			panic(err) // it has no way to fail
		}
		es := EnsembleState{
			Random: random, Hottest: e.hottest, Round: e.round, Turn: e.turn,
			Best: slices.Clone(e.best), Evaluations: e.annealer.evaluations,
		}
		for _, r := range e.replica {
			es.Replicas = append(es.Replicas, slices.Clone(r.order))
		}
		st.Ensembles = append(st.Ensembles, es)
	}
	return st
}

// ResumeSearch goes on from a state. The error says what in it does not fit.
func ResumeSearch(s *Sizer, st State) (*Search, error) {
	d, err := ParseDiagram(st.Diagram)
	if err != nil {
		return nil, err
	}
	if st.Vars != s.NumVars() || st.Solutions != s.NumSolutions() {
		return nil, fmt.Errorf("the search was for a function of %d variables and %d solutions, not %d and %d",
			st.Vars, st.Solutions, s.NumVars(), s.NumSolutions())
	}
	if len(st.Ensembles) == 0 {
		return nil, errors.New("the search has no ensembles")
	}
	search := &Search{diagram: d, seed: st.Seed}
	for i := range st.Ensembles {
		search.ensembles = append(search.ensembles, newEnsemble(s.clone(), d, st.Seed, uint64(i)))
	}
	return search, search.restore(st)
}

// restore sets every ensemble to its state.
func (s *Search) restore(st State) error {
	for i, e := range s.ensembles {
		if err := e.restore(st.Ensembles[i]); err != nil {
			return fmt.Errorf("ensemble %d: %w", i+1, err)
		}
	}
	return nil
}

func (e *ensemble) restore(st EnsembleState) error {
	if len(st.Replicas) != replicas || st.Turn < 0 || st.Turn >= replicas || st.Round < 0 {
		return fmt.Errorf("%d replicas, round %d and turn %d: expected %d replicas and a turn below that", len(st.Replicas), st.Round, st.Turn, replicas)
	}
	if !(st.Hottest > 0) || st.Evaluations < 0 {
		return fmt.Errorf("hottest %v and evaluations %d: expected both positive", st.Hottest, st.Evaluations)
	}
	for _, o := range append(slices.Clone(st.Replicas), st.Best) {
		if err := checkPermutation(o, e.annealer.sizer.NumVars()); err != nil {
			return err
		}
	}
	if err := e.source.UnmarshalBinary(st.Random); err != nil {
		return fmt.Errorf("random: %w", err)
	}
	e.replica = e.replica[:0]
	for _, o := range st.Replicas {
		e.replica = append(e.replica, e.annealer.measure(o))
	}
	e.best = slices.Clone(st.Best)
	e.bestNodes = e.annealer.measure(e.best).nodes
	e.hottest, e.round, e.turn = st.Hottest, st.Round, st.Turn
	e.annealer.evaluations = st.Evaluations
	return nil
}

// checkPermutation reports what keeps o from being an order of variables 1..n.
func checkPermutation(o order.Order, n int) error {
	seen := make([]bool, n)
	for _, v := range o {
		if v < 1 || int(v) > n || seen[v-1] {
			return fmt.Errorf("order: variable %d is not one of 1..%d or is there twice", v, n)
		}
		seen[v-1] = true
	}
	if len(o) != n {
		return fmt.Errorf("order: %d variables, expected %d", len(o), n)
	}
	return nil
}

// Prove tries to prove the minimum by [Minimum], and makes an order that has it
// the search's best. It reports whether that was possible: false without an error
// means that the function is too large for a proof.
func (s *Search) Prove(ctx context.Context, symmetries [][]cnf.Var) (bool, error) {
	e := s.ensembles[0]
	proof, err := Minimum(ctx, e.annealer.sizer, s.diagram, symmetries)
	if errors.Is(err, ErrTooMany) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if _, nodes := s.Best(); proof.Nodes < nodes {
		e.best, e.bestNodes = proof.Order, proof.Nodes
	}
	return true, nil
}
