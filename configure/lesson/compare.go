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
	"queens/robdd"
)

const (
	// entrantTime bounds one entrant, so the slowest cannot use up the others'
	// time.
	entrantTime = 700 * time.Millisecond
	// A question is repeated this many times, or for this long; so is the preparation for it.
	repeats    = 5
	repeatTime = 150 * time.Millisecond
)

// Comparison is one valid-cell question, put to every back-end by every method.
type Comparison struct {
	Rows  []Entrant `json:"rows"`
	Agree bool      `json:"agree"` // all that answered found the same cells
}

// Entrant is one way to answer, and the time and work it took. Times are in
// seconds.
type Entrant struct {
	Name    string `json:"name"` // for people: the back-end and its method
	Backend string `json:"backend"`
	Method  string `json:"method"`
	// Build is the median time to prepare the back-end for the first question: to
	// compile the diagram or build the formula.
	Build  float64 `json:"build"`
	Builds int     `json:"builds"` // times that it was prepared
	First  float64 `json:"first"`  // the first answer
	// Again is the median time of the later answers to the same question, for which
	// a solver may use what it has learned.
	Again  float64          `json:"again"`
	Runs   int              `json:"runs"` // answers after the first
	Work   map[string]int64 `json:"work"` // of the first answer
	Valid  int              `json:"valid"`
	Failed string           `json:"failed,omitempty"` // why there is no answer
}

// entrant is an Entrant before it has run.
type entrant struct {
	backend ask.Descriptor
	method  string
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
				list = append(list, entrant{b, m.Name})
			}
		}
	}
	return list
}

// Compare asks every back-end in turn for the valid cells of a placement. Diagrams
// have the named variable order.
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
	c := &Comparison{Rows: []Entrant{}, Agree: true}
	var first []cnf.Var
	for _, e := range entrants(warm.Limits(), state.N) {
		row := Entrant{
			Name: e.backend.MethodTitle(e.method), Backend: e.backend.Name, Method: e.method, Work: map[string]int64{},
		}
		limited, cancel := WithTimeout(ctx, within)
		found, err := e.run(limited, warm, state, orderName, &row)
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			row.Failed = "out of time"
		case errors.As(err, new(*robdd.LimitError)):
			row.Failed = "out of memory"
		case err != nil:
			return nil, err
		default:
			row.Method, row.Work = found.Method, found.Work.Map()
			row.Valid = max(0, len(found.Possible)-len(state.Placed)) // only the empty cells
			if first == nil {
				first = append([]cnf.Var{}, found.Possible...)
			}
			c.Agree = c.Agree && slices.Equal(first, found.Possible)
		}
		c.Rows = append(c.Rows, row)
	}
	return c, nil
}

// run prepares one entrant (several times if that is quick), asks it the question, and times both.
func (e entrant) run(
	ctx context.Context, warm *pool.Pool, state configure.State, orderName string, row *Entrant,
) (found backends.Valid, err error) {
	finder, build, done, err := e.ready(ctx, warm, state.N, orderName)
	if err != nil {
		return found, err
	}
	defer done()
	row.Build, row.Builds = repeated([]float64{build}, func() (float64, error) {
		if e.backend.Reads("diagram") {
			return warm.Recompile(ctx, state.N, orderName)
		}
		_, took, done, err := e.ready(ctx, warm, state.N, orderName)
		if err == nil {
			done()
		}
		return took, err
	})
	ask := func() (backends.Valid, float64, error) {
		start := time.Now()
		found, err := finder.Valid(ctx, state.Assumptions(), e.method)
		return found, Seconds(start), err
	}
	if found, row.First, err = ask(); err != nil {
		return found, err
	}
	row.Again, row.Runs = repeated(nil, func() (float64, error) {
		_, took, err := ask()
		return took, err
	})
	return found, nil
}

// repeated adds the times of further runs to the given ones, all in seconds, and returns their median and
// number. It stops after a while, or at an error, such as the end of a time limit.
func repeated(times []float64, run func() (float64, error)) (float64, int) {
	for begun := time.Now(); len(times) < repeats && time.Since(begun) < repeatTime; {
		took, err := run()
		if err != nil {
			break
		}
		times = append(times, took)
	}
	return median(times), len(times)
}

// ready prepares a back-end and returns how long that took. A diagram comes from the pool, together with
// the time that it took to compile.
func (e entrant) ready(
	ctx context.Context, warm *pool.Pool, n int, orderName string,
) (finder backends.Backend, build float64, done func(), err error) {
	start := time.Now()
	if e.backend.Reads("diagram") {
		lease, err := warm.Lend(ctx, n, ask.Choice{Backend: ask.Diagram, Order: ask.OrderName(orderName)})
		if err != nil {
			return nil, 0, nil, err
		}
		finder, done, build = lease, func() { warm.Return(lease) }, lease.Diagram.Seconds
		start = time.Now()
	} else {
		problem, err := encode.Queens(n, nil, nil)
		if err != nil {
			return nil, 0, nil, err
		}
		made, err := ask.Start(ctx, problem, ask.Choice{Backend: ask.BackendName(e.backend.Name)}, ask.Valid,
			ask.Resources{})
		if err != nil {
			return nil, 0, nil, err
		}
		finder, done = made, func() { made.Close() }
	}
	// With every cell blocked the question is answered at once and leaves the
	// back-end ready: the formula built, the diagram thawed.
	if _, err := finder.Valid(ctx, cnf.Model(n*n), e.method); err != nil {
		done()
		return nil, 0, nil, err
	}
	return finder, build + Seconds(start), done, nil
}

// median returns the middle value, 0 if there is none. It sorts in place.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
