package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// State is all that a search needs to resume, as saved in JSON. Orders are
// lists of variables, top level first.
type State struct {
	Vars      int             `json:"vars"`
	Solutions int             `json:"solutions"` // identifies the problem, together with Vars
	Diagram   string          `json:"diagram"`
	Largest   bool            `json:"largest,omitempty"`
	Seed      uint64          `json:"seed"`
	Ensembles []EnsembleState `json:"ensembles"`
}

// EnsembleState is the state of one ladder of replicas.
type EnsembleState struct {
	Random      []byte         `json:"random"` // state of rand.PCG
	Hottest     float64        `json:"hottest"`
	Moves       int            `json:"moves"`
	Replicas    []ReplicaState `json:"replicas"` // the coldest first
	Best        order.Order    `json:"best"`
	Evaluations int64          `json:"evaluations"`
}

// ReplicaState is the state of one rung of the ladder.
type ReplicaState struct {
	Random []byte      `json:"random"`
	Order  order.Order `json:"order"`
	Turn   []cnf.Var   `json:"turn"` // variables that the pass has still to move
}

// State returns a copy of the search's state.
func (s *Search) State() State {
	sizer := s.workers[0].sizer
	st := State{
		Vars: sizer.NumVars(), Solutions: sizer.NumSolutions(),
		Diagram: s.diagram.String(), Largest: s.largest, Seed: s.seed,
	}
	for _, e := range s.ensembles {
		es := EnsembleState{
			Random: e.save(), Hottest: e.hottest, Moves: e.moves,
			Best: slices.Clone(e.best.order), Evaluations: e.evaluations,
		}
		for _, r := range e.replica {
			es.Replicas = append(es.Replicas, ReplicaState{r.save(), slices.Clone(r.order), slices.Clone(r.turn)})
		}
		st.Ensembles = append(st.Ensembles, es)
	}
	return st
}

// ResumeSearch resumes a search from a state, with any number of workers. It
// fails if the context ends or the state does not fit the Sizer.
func ResumeSearch(ctx context.Context, s *Sizer, st State, workers int) (*Search, error) {
	d, err := diagram.ParseKind(st.Diagram)
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
	search := newSearch(s, d, st.Largest, st.Seed, len(st.Ensembles), workers)
	for i, e := range search.ensembles {
		if err := e.restore(ctx, search.workers[0], st.Ensembles[i]); err != nil {
			return nil, fmt.Errorf("ensemble %d: %w", i+1, err)
		}
	}
	return search, nil
}

func (e *ensemble) restore(ctx context.Context, a *annealer, st EnsembleState) error {
	vars := a.sizer.NumVars()
	if len(st.Replicas) != replicas {
		return fmt.Errorf("%d replicas: expected %d", len(st.Replicas), replicas)
	}
	if !(st.Hottest > 0) || st.Evaluations < 0 || st.Moves < 0 {
		return fmt.Errorf("hottest %v, evaluations %d and moves %d: expected hottest above 0 and the others 0 or more",
			st.Hottest, st.Evaluations, st.Moves)
	}
	best, err := a.restore(ctx, st.Best)
	if err != nil {
		return err
	}
	if err := e.load(st.Random); err != nil {
		return err
	}
	e.best = found{best.order, best.nodes}
	e.hottest, e.moves, e.evaluations = st.Hottest, st.Moves, st.Evaluations
	for k, r := range st.Replicas {
		// A pass in progress has already moved the variables that are not left.
		if left := (vars - st.Moves%vars) % vars; len(r.Turn) != left {
			return fmt.Errorf("replica %d: %d variables left in its pass, expected %d", k+1, len(r.Turn), left)
		}
		if err := checkTurn(r.Turn, vars); err != nil {
			return fmt.Errorf("replica %d: %w", k+1, err)
		}
		to := e.replica[k]
		if to.state, err = a.restore(ctx, r.Order); err != nil {
			return fmt.Errorf("replica %d: %w", k+1, err)
		}
		if err := to.load(r.Random); err != nil {
			return fmt.Errorf("replica %d: %w", k+1, err)
		}
		to.turn = slices.Clone(r.Turn)
	}
	return nil
}

// restore checks an order and measures it.
func (a *annealer) restore(ctx context.Context, o order.Order) (*state, error) {
	if err := o.Check(a.sizer.NumVars()); err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	return a.measure(ctx, o)
}

func (r random) save() []byte {
	data, err := r.source.MarshalBinary()
	if err != nil {
		panic(err) // MarshalBinary never fails
	}
	return data
}

func (r random) load(data []byte) error {
	if err := r.source.UnmarshalBinary(data); err != nil {
		return fmt.Errorf("random: %w", err)
	}
	return nil
}

// checkTurn returns an error unless the list holds distinct variables of 1..n.
func checkTurn(turn []cnf.Var, n int) error {
	seen := make([]bool, n)
	for _, v := range turn {
		if v < 1 || int(v) > n || seen[v-1] {
			return fmt.Errorf("turn: variable %d is not one of 1..%d or occurs twice", v, n)
		}
		seen[v-1] = true
	}
	return nil
}
