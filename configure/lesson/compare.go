package lesson

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"queens/ask"
	"queens/backends"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
)

const (
	// entrantTime bounds one entrant, so the slowest cannot use up the others'
	// time.
	entrantTime = 700 * time.Millisecond
	// mostClicks is the number of clicks of a session.
	mostClicks = 8
)

// Comparison is a session put to every back-end by every method: the question about a placement, and those of the
// clicks after it.
type Comparison struct {
	Rows []Entrant `json:"rows"`
	// Clicks is the number of clicks after the placement. Each places one more queen on a valid cell.
	Clicks int  `json:"clicks"`
	Agree  bool `json:"agree"` // all that answered found the same cells, after every click
}

// Entrant is one way to answer, and the time and work it took. Times are in seconds, and medians of its sessions. Each
// session begins with a back-end made afresh, so no answer is one that was kept from the session before.
type Entrant struct {
	Name    string `json:"name"` // for people: the back-end and its method
	Backend string `json:"backend"`
	Method  string `json:"method"`
	// Remembers says that the method keeps what it finds, or prepares, for later clicks.
	Remembers bool    `json:"remembers"`
	Build     float64 `json:"build"` // to make the back-end: to compile the diagram or build the formula
	First     float64 `json:"first"` // the answer about the placement
	// Next is the mean of the answers to the clicks after it, none asked twice; 0 if there are none.
	Next     float64          `json:"next"`
	Sessions int              `json:"sessions"`
	Work     map[string]int64 `json:"work"` // of the first answer
	Valid    int              `json:"valid"`
	Failed   string           `json:"failed,omitempty"` // why there is no answer
}

// entrant is an Entrant before it has run.
type entrant struct {
	backend ask.Descriptor
	method  backends.Method
}

// entrants lists all methods of all back-ends that find the valid cells of a board of size n fast enough
// for interactive use.
func entrants(limits pool.Limits, n int) []entrant {
	var list []entrant
	for _, b := range ask.Able(ask.Valid) {
		for _, m := range b.Methods {
			most := cmp.Or(m.LargestBoard, limits.MaxN)
			if b.Builds {
				most = min(most, limits.MaxBDD)
			}
			if n <= most {
				list = append(list, entrant{b, m})
			}
		}
	}
	return list
}

// Compare asks every back-end in turn for the valid cells of a placement, and of those that follow. Diagrams have the
// named variable order.
func Compare(ctx context.Context, warm *pool.Pool, state configure.State, orderName string) (*Comparison, error) {
	return compare(ctx, warm, state, orderName, entrantTime)
}

// compare is Compare with a time limit for each entrant.
func compare(
	ctx context.Context, warm *pool.Pool, state configure.State, orderName string, within time.Duration,
) (*Comparison, error) {
	if limits := warm.Limits(); state.N > limits.MaxN {
		return nil, badInput("board size n = %d: back-ends are compared for 1 to %d", state.N, limits.MaxN)
	}
	clicks, err := following(ctx, warm, state, within)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Rows: []Entrant{}, Clicks: len(clicks) - 1, Agree: true}
	var first [][]cnf.Var // after each click
	for _, e := range entrants(warm.Limits(), state.N) {
		row := Entrant{
			Name: e.backend.MethodTitle(e.method.Name), Backend: e.backend.Name, Method: e.method.Name,
			Remembers: e.method.Remembers, Work: map[string]int64{},
		}
		limited, cancel := WithTimeout(ctx, within)
		found, err := e.run(limited, warm, clicks, orderName, &row)
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			row.Failed = "out of time"
		case errors.As(err, new(*backends.LimitError)):
			row.Failed = "out of memory"
		case err != nil:
			return nil, err
		default:
			row.Valid = max(0, len(found[0])-len(state.Placed)) // only the empty cells
			if first == nil {
				first = found
			}
			c.Agree = c.Agree && slices.EqualFunc(first, found, slices.Equal)
		}
		c.Rows = append(c.Rows, row)
	}
	return c, nil
}

// following returns the states of a session that begins with a placement: a person places one queen after another,
// each on the middle one of the valid cells. It stops at a time limit.
func following(ctx context.Context, warm *pool.Pool, state configure.State, within time.Duration) (
	states []configure.State, err error,
) {
	states = []configure.State{state}
	lease, err := warm.Lend(ctx, state.N, ask.Choice{Backend: ask.Portfolio}) // on a board of any size
	if err != nil {
		return nil, err
	}
	defer warm.Return(lease)
	limited, cancel := WithTimeout(ctx, within)
	defer cancel()
	state.Mode = configure.Off // forced cells are valid cells like any other
	s, err := configure.Open(limited, state, lease)
	for err == nil && len(states) <= mostClicks {
		var view *configure.View
		if view, err = s.View(limited); err != nil || len(view.Valid) == 0 {
			break
		}
		if err = s.Place(limited, view.Valid[len(view.Valid)/2]); err == nil {
			states = append(states, s.State())
		}
	}
	if errors.As(err, new(*configure.Refusal)) || ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return states, err
}

// run repeats a session if it is short, and records its times. It returns what the entrant found after each click.
func (e entrant) run(
	ctx context.Context, warm *pool.Pool, clicks []configure.State, orderName string, row *Entrant,
) (found [][]cnf.Var, err error) {
	var build, first, next []float64
	for begun := time.Now(); len(build) == 0 || len(build) < repeats && time.Since(begun) < repeatTime; {
		by, took, err := e.open(ctx, warm, clicks[0].N, orderName)
		if err != nil {
			return nil, err
		}
		build = append(build, took)
		times := make([]float64, len(clicks))
		again := found != nil
		for i, state := range clicks {
			assume := state.Assumptions()
			start := time.Now()
			valid, err := by.Valid(ctx, assume, "")
			times[i] = Seconds(start)
			if err != nil {
				return nil, errors.Join(err, by.Close())
			}
			if i == 0 {
				row.Work = valid.Work.Map()
			}
			if !again {
				found = append(found, slices.Clone(valid.Possible))
			}
		}
		if err := by.Close(); err != nil {
			return nil, err
		}
		first = append(first, times[0])
		if len(clicks) > 1 {
			next = append(next, mean(times[1:]))
		}
	}
	row.Build, row.First, row.Next, row.Sessions = median(build), median(first), median(next), len(build)
	return found, nil
}

// open makes the back-end, ready for a first question, and returns the seconds that this took. A diagram that was
// loaded into the pool is used as it is.
func (e entrant) open(ctx context.Context, warm *pool.Pool, n int, orderName string) (*ask.Opened, float64, error) {
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, 0, err
	}
	choice, resources := ask.Choice{Backend: ask.BackendName(e.backend.Name)}, ask.Resources{}
	if e.backend.Builds {
		resources.Bytes = warm.Limits().CompileBytes
	}
	loading := 0.
	if e.backend.Reads("diagram") {
		key, err := warm.Key(n, ask.Choice{Backend: ask.Diagram, Order: ask.OrderName(orderName)})
		if err != nil {
			return nil, 0, err
		}
		if choice = key.Choice; choice.Construction == "" {
			saved, err := warm.Compile(ctx, n, orderName)
			if err != nil {
				return nil, 0, err
			}
			choice.Order, resources.Diagram, loading = "", saved.Compiled, saved.Seconds
		}
	}
	choice.Diagram, choice.Method = "", ask.MethodName(e.method.Name)
	start := time.Now()
	by, err := ask.Start(ctx, problem, choice, ask.Valid, resources)
	return by, loading + Seconds(start), err
}

// mean returns the arithmetic mean of at least one value.
func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
