package api

import (
	"context"
	"errors"
	"slices"
	"time"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/configure"
	"queens/configure/engines"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// contestantTime bounds one contestant, so that the slowest does not take the
// others' time.
const contestantTime = 700 * time.Millisecond

// CompareAnswer puts the same valid-cell question to every back-end.
type CompareAnswer struct {
	Rows  []CompareRow `json:"rows"`
	Agree bool         `json:"agree"` // all that answered gave the same cells
}

// CompareRow is one contestant. Cold ones build everything anew, the diagram or
// the solver; warm ones find it ready.
type CompareRow struct {
	Name    string           `json:"name"`
	Backend string           `json:"backend"`
	Method  string           `json:"method"`
	Warm    bool             `json:"warm"`
	Seconds float64          `json:"seconds"`
	Work    map[string]int64 `json:"work"`
	Valid   int              `json:"valid"`            // cells found
	Failed  string           `json:"failed,omitempty"` // why there is no answer
}

// contestant is one way to answer.
type contestant struct {
	name, backend, method string
	warm                  bool
	maxN                  int
}

func contestants(limits engines.Limits) []contestant {
	return []contestant{
		{"BDD, compiled now", "bdd", bdd.Sweep, false, min(12, limits.MaxBDD)},
		{"BDD, compiled before", "bdd", bdd.Sweep, true, limits.MaxBDD},
		{"BDD, a restrict a cell", "bdd", bdd.Restrict, true, min(10, limits.MaxBDD)},
		{"SAT, new solver", "sat", "", false, limits.MaxN},
		{"SAT, warm solver", "sat", "", true, limits.MaxN},
		{"SAT, a solve a cell", "sat", "per-cell", true, 24},
		{"Search", "search", "", true, 40},
	}
}

func (s *Service) compare(ctx context.Context, r Board) (*CompareAnswer, error) {
	state, err := r.state()
	if err != nil {
		return nil, err
	}
	if limits := s.pool.Limits(); state.N > limits.MaxN {
		return nil, &engines.UnsupportedError{Reason: "board too large to compare"}
	}
	assume := append(encode.Literals(state.N, state.Placed, true), encode.Literals(state.N, state.Blocked, false)...)
	answer := &CompareAnswer{Rows: []CompareRow{}, Agree: true}
	var first []cnf.Var
	for _, c := range contestants(s.pool.Limits()) {
		if state.N > c.maxN {
			continue
		}
		row := CompareRow{Name: c.name, Backend: c.backend, Method: c.method, Warm: c.warm, Work: map[string]int64{}}
		limited, cancel := withTimeout(ctx, contestantTime)
		found, err := s.contest(limited, c, state, r.Order, assume, &row)
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
			row.Work, row.Valid = workMap(found.Work), len(found.Possible)
			if first == nil {
				first = append([]cnf.Var{}, found.Possible...)
			}
			answer.Agree = answer.Agree && slices.Equal(first, found.Possible)
		}
		answer.Rows = append(answer.Rows, row)
	}
	return answer, nil
}

// contest has one contestant answer, and times it.
func (s *Service) contest(ctx context.Context, c contestant, state configure.State, orderName string, assume []cnf.Lit, row *CompareRow) (backends.Valid, error) {
	var finder backends.Oracle
	start := time.Now()
	switch {
	case c.warm:
		lease, err := s.pool.Borrow(ctx, engines.Key{Backend: c.backend, N: state.N, Order: orderName})
		if err != nil {
			return backends.Valid{}, err
		}
		defer s.pool.Return(lease)
		finder = lease.Oracle
		if c.method == bdd.Restrict || c.method == "per-cell" {
			// Their preparation (thawing, building the formula) is not the question's.
			if _, err := finder.Valid(ctx, cnfAll(state), c.method); err != nil {
				return backends.Valid{}, err
			}
		}
		start = time.Now()
	case c.backend == "bdd":
		problem, err := encode.Queens(state.N, nil, nil)
		if err != nil {
			return backends.Valid{}, badRequest("%v", err)
		}
		named, err := order.ByName(orderOr(orderName))
		if err != nil {
			return backends.Valid{}, badRequest("%v", err)
		}
		compiled, err := bdd.Compile(ctx, problem, named.Of(state.N), bdd.Options{
			Limits: robdd.Config{MaxBytes: s.pool.Limits().CompileBytes},
		})
		if err != nil {
			return backends.Valid{}, err
		}
		finder = bdd.New(compiled)
	case c.backend == "sat":
		problem, err := encode.Queens(state.N, nil, nil)
		if err != nil {
			return backends.Valid{}, badRequest("%v", err)
		}
		finder = sat.New(problem)
	default:
		problem, err := encode.Queens(state.N, nil, nil)
		if err != nil {
			return backends.Valid{}, badRequest("%v", err)
		}
		finder = search.New(problem)
	}
	if c.method == "" {
		c.method = finder.Methods()[0]
		row.Method = c.method
	}
	found, err := finder.Valid(ctx, assume, c.method)
	row.Seconds = seconds(start)
	return found, err
}

// cnfAll blocks every cell: a question that is answered at once, and makes a
// back-end ready.
func cnfAll(state configure.State) []cnf.Lit {
	lits := make([]cnf.Lit, state.N*state.N)
	for i := range lits {
		lits[i] = cnf.Var(i + 1).Neg()
	}
	return lits
}

func orderOr(name string) string {
	if name == "" {
		return "row-major"
	}
	return name
}
