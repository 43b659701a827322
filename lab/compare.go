package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/backends/registry"
	"queens/backends/search"
	"queens/configure"
	"queens/configure/engines"
	"queens/encode"
	"queens/encode/cnf"
)

const (
	// entrantTime bounds one entrant, so that the slowest does not take the others'
	// time.
	entrantTime = 700 * time.Millisecond
	// A question is asked this often after the first time, or for this long.
	repeats    = 5
	repeatTime = 150 * time.Millisecond
)

// Comparison is one valid-cell question, put to every back-end by every method.
type Comparison struct {
	Rows  []Entrant `json:"rows"`
	Agree bool      `json:"agree"` // all that answered gave the same cells
}

// Entrant is one way to answer, and what it took. Times are in seconds.
type Entrant struct {
	Name    string `json:"name"` // for people: who answered, and how
	Backend string `json:"backend"`
	Method  string `json:"method"`
	// Build is the time to make the back-end ready before the first question: to
	// compile the diagram, or to build the formula.
	Build float64 `json:"build"`
	First float64 `json:"first"` // the first answer
	// Again is the median time of the answers after the first, to the same question:
	// what a solver has learned, it may use.
	Again  float64          `json:"again"`
	Runs   int              `json:"runs"` // answers after the first
	Work   map[string]int64 `json:"work"` // of the first answer
	Valid  int              `json:"valid"`
	Failed string           `json:"failed,omitempty"` // why there is no answer
}

// entrant is an Entrant before it has run.
type entrant struct{ backend, method string }

// called is what people call the back-ends, and ways what they call their methods.
var (
	called = map[string]string{"bdd": "Diagram", "sat": "SAT (gini)", "portfolio": "Portfolio", "search": "Search"}
	ways   = map[string]string{
		bdd.SweepZDD: "ZDD sweep", bdd.Sweep: "BDD sweep", bdd.Restrict: "a restrict for each cell",
		"per-cell": "a solve for each cell",
	}
)

// larger lists the boards up to which a way is asked, where that is not as far as the
// back-end goes: a person waits for the slowest.
var larger = map[entrant]int{
	{"bdd", bdd.Sweep}: 12, {"bdd", bdd.Restrict}: 10,
	{"sat", "core"}: 60, {"sat", "pack"}: 60, {"sat", "reuse"}: 40, {"sat", "per-cell"}: 24,
	{"search", search.Reuse}: 40, {"search", search.PerCell}: 24, {"search", search.Enumerate}: 9,
}

// entrants lists every way of every back-end in the registry to find valid cells of a
// board of size n.
func entrants(limits engines.Limits, n int) []entrant {
	var list []entrant
	for _, name := range engines.Names() {
		b, err := registry.Meeting[backends.Oracle](name)
		if err != nil {
			continue // not one for sessions
		}
		for _, method := range b.Methods() {
			e := entrant{name, method}
			most, bounded := larger[e]
			if name == "bdd" && (!bounded || most > limits.MaxBDD) {
				most, bounded = limits.MaxBDD, true
			}
			if !bounded || n <= most {
				list = append(list, e)
			}
		}
	}
	return list
}

// Title is what people call a back-end.
func Title(backend string) string {
	if word, known := called[backend]; known {
		return word
	}
	return backend
}

// Way is what people call a back-end and its method: SAT (gini, pack).
func Way(backend, method string) string {
	if words, known := ways[method]; known {
		method = words
	}
	switch {
	case method == "" || backend == "portfolio": // which has one way
		return Title(backend)
	case backend == "sat":
		return fmt.Sprintf("SAT (gini, %s)", method)
	}
	return fmt.Sprintf("%s (%s)", Title(backend), method)
}

// Compare asks every back-end for the valid cells of a placement, one after the other.
// Diagrams have the named variable order.
func Compare(ctx context.Context, pool *engines.Pool, state configure.State, orderName string) (*Comparison, error) {
	return compare(ctx, pool, state, orderName, entrantTime)
}

// compare is Compare with so much time for each entrant.
func compare(
	ctx context.Context, pool *engines.Pool, state configure.State, orderName string, within time.Duration,
) (*Comparison, error) {
	if limits := pool.Limits(); state.N > limits.MaxN {
		return nil, &engines.UnsupportedError{Reason: "board too large to compare"}
	}
	c := &Comparison{Rows: []Entrant{}, Agree: true}
	var first []cnf.Var
	for _, e := range entrants(pool.Limits(), state.N) {
		row := Entrant{Name: Way(e.backend, e.method), Backend: e.backend, Method: e.method, Work: map[string]int64{}}
		limited, cancel := WithTimeout(ctx, within)
		found, err := e.run(limited, pool, state, orderName, &row)
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
			row.Method, row.Work = found.Method, Work(found.Work)
			row.Valid = max(0, len(found.Possible)-len(state.Placed)) // empty ones
			if first == nil {
				first = append([]cnf.Var{}, found.Possible...)
			}
			c.Agree = c.Agree && slices.Equal(first, found.Possible)
		}
		c.Rows = append(c.Rows, row)
	}
	return c, nil
}

// run has one entrant answer, and times it.
func (e entrant) run(
	ctx context.Context, pool *engines.Pool, state configure.State, orderName string, row *Entrant,
) (backends.Valid, error) {
	finder, build, done, err := e.ready(ctx, pool, state.N, orderName)
	if err != nil {
		return backends.Valid{}, err
	}
	defer done()
	row.Build = build
	assume := append(encode.Literals(state.N, state.Placed, true), encode.Literals(state.N, state.Blocked, false)...)
	start := time.Now()
	found, err := finder.Valid(ctx, assume, e.method)
	if row.First = seconds(start); err != nil {
		return found, err
	}
	var again []float64
	for begun := time.Now(); len(again) < repeats && time.Since(begun) < repeatTime; {
		start := time.Now()
		if _, err := finder.Valid(ctx, assume, e.method); err != nil {
			break // out of time: the first answer stands
		}
		again = append(again, seconds(start))
	}
	row.Runs, row.Again = len(again), median(again)
	return found, nil
}

// ready makes a back-end ready to be asked, and says how long that took. A diagram is
// the pool's, with the time that it once took.
func (e entrant) ready(
	ctx context.Context, pool *engines.Pool, n int, orderName string,
) (finder backends.ValidFinder, build float64, done func(), err error) {
	done = func() {}
	start := time.Now()
	switch e.backend {
	case "bdd":
		lease, err := pool.Borrow(ctx, engines.Key{Backend: e.backend, N: n, Order: orderName})
		if err != nil {
			return nil, 0, done, err
		}
		finder, done, build = lease.Oracle, func() { pool.Return(lease) }, lease.Diagram.Seconds
		start = time.Now()
	default:
		problem, err := encode.Queens(n, nil, nil)
		if err != nil {
			return nil, 0, done, err
		}
		if finder, err = registry.New[backends.Oracle](ctx, e.backend, problem, registry.Options{}); err != nil {
			return nil, 0, done, err
		}
	}
	// With every cell blocked the question is answered at once, and the answer leaves
	// the back-end ready: the formula built, the diagram thawed.
	if _, err := finder.Valid(ctx, nothing(n), e.method); err != nil {
		done()
		return nil, 0, func() {}, err
	}
	return finder, build + seconds(start), done, nil
}

// nothing blocks every cell.
func nothing(n int) []cnf.Lit {
	lits := make([]cnf.Lit, n*n)
	for i := range lits {
		lits[i] = cnf.Var(i + 1).Neg()
	}
	return lits
}

// median returns the middle value, 0 of none. It sorts in place.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
