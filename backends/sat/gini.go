package sat

import (
	"context"
	"reflect"
	"time"
	"unsafe"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"queens/backends"
	"queens/encode/cnf"
)

// The name and version of gini, the SAT solver in this process. Records have them.
const (
	GiniName    = "gini"
	GiniVersion = "v1.0.4"
)

// giniSolver is gini [GiniVersion] behind a guard. The guard handles the following:
//
//   - After an UNSAT that rests on no assumption, gini's next Solve derives a
//     clause from a conflict at level 0. With gini's model check on, this ends the
//     process (log.Fatal); with it off, gini answers SAT. A solver in that state is
//     dead: it answers UNSAT from then on without calling gini.
//   - An UNSAT under assumptions leaves its conflict behind, and the next Solve
//     starts by deriving from it, with the same end when that reaches level 0.
//     So every UNSAT is followed by a call that takes gini back to level 0 and
//     forgets the conflict. A failed assumption that is alone in its core is false in
//     every model, but gini loses units learned under assumptions, so the assumption's
//     negation is added, unless it is already known at level 0.
//   - Every Add makes gini check the next model against all clauses, and compact its
//     clause store for that: a third of the time on a feature model. The check is turned
//     off. [Oracle.Solve] checks models against the constraints.
//   - Spare capacity for variables counts as variables to decide in every model. So
//     exactly the formula's variables and the activation literal's are allocated.
//   - After a stop gini restarts, and may find another model. So only the context's end and a bound stop it. A bound
//     counts gini's ticks: at each it takes a value from the channel that GoSolve's Pause and Stop use. It ends after
//     true; after false it sends true, which a channel with room keeps. So n-1 times false, then true, ends the n-th
//     tick, on every machine. GoSolve itself would start a goroutine for each query, and pause it wherever it is. Try leaves its
//     deadline behind for the next Solve, so Solve is never called: every call of Try sets a new deadline.
//   - Try returns at once when no time is left, and keeps the assumptions for the next
//     call. So every call gets at least a nanosecond.
//   - Copy loses the decision heuristic's state, so nothing is copied; Test scopes
//     make Add panic, so there are none; Deactivate may drop clauses that are
//     reasons, so nothing is ever activated.
//
// It serves one goroutine at a time.
type giniSolver struct {
	gini *gini.Gini
	vars int
	dead bool // unsatisfiable without assumptions: gini must not be called again
	root bool // gini is at level 0: assigned variables have the same value in every model

	conflicts, propagations reflect.Value // gini's own counters

	check  *bool      // gini's own: check the next model
	stop   *chan bool // gini's own: it takes a value at each tick
	failed []z.Lit    // memory for the core
}

// Gini makes a solver that runs gini in this process. It is a [Make].
func Gini(f *cnf.Formula) Solver {
	s := &giniSolver{gini: gini.NewVc(f.Vars+2, f.NumClauses()), vars: f.Vars}
	for clause := range f.Clauses() {
		for _, l := range clause {
			s.gini.Add(z.Dimacs2Lit(int(l)))
		}
		s.gini.Add(z.LitNull) // An empty clause is fine here: gini then answers UNSAT at once.
	}
	s.gini.ActivationLit()
	// gini does not export these.
	own := reflect.ValueOf(s.gini).Elem().FieldByName("xo").Elem()
	s.conflicts = own.FieldByName("Driver").Elem().FieldByName("Conflicts")
	s.propagations = own.FieldByName("Trail").Elem().FieldByName("Props")
	s.check = (*bool)(unsafe.Pointer(own.FieldByName("Cdb").Elem().FieldByName("checkModel").UnsafeAddr()))
	s.stop = (*chan bool)(unsafe.Pointer(own.FieldByName("control").Elem().FieldByName("cStopOrPause").UnsafeAddr()))
	return s
}

// Add implements [Solver].
func (s *giniSolver) Add(clause ...cnf.Lit) {
	if s.dead || len(clause) == 1 && s.root && s.gini.Value(z.Dimacs2Lit(int(clause[0]))) {
		return
	}
	for _, l := range clause {
		s.gini.Add(z.Dimacs2Lit(int(l)))
	}
	s.gini.Add(z.LitNull)
	s.root = true
}

// Solve implements [Solver]. The error is the context's.
func (s *giniSolver) Solve(ctx context.Context, assume []cnf.Lit) (backends.Status, []cnf.Lit, error) {
	return s.solve(ctx, assume, 0)
}

// SolveWithin implements [bounded]. Gini stops at its first tick after the propagations.
func (s *giniSolver) SolveWithin(
	ctx context.Context, assume []cnf.Lit, propagations int64,
) (status backends.Status, core []cnf.Lit, used int64, err error) {
	for before := s.propagations.Int(); status == backends.Unknown && err == nil && used < propagations; {
		status, core, err = s.solve(ctx, assume, int(min((propagations-used-1)/inTick+1, mostTicks)))
		used = s.propagations.Int() - before
	}
	return status, core, used, err
}

// solve runs gini until it finds an answer, the context ends, or gini has ticked a number of times; 0 means no limit.
func (s *giniSolver) solve(ctx context.Context, assume []cnf.Lit, ticks int) (backends.Status, []cnf.Lit, error) {
	if err := ended(ctx); err != nil {
		return backends.Unknown, nil, err
	}
	if s.dead {
		return backends.Unsat, nil, nil
	}
	s.root = false
	*s.check = false
	result := 0
	for result == 0 {
		for _, l := range assume {
			s.gini.Assume(z.Dimacs2Lit(int(l)))
		}
		if result = s.try(ctx, ticks); result == 0 {
			if err := ended(ctx); err != nil || ticks > 0 {
				return backends.Unknown, nil, err
			}
		}
	}
	if result > 0 {
		return backends.Sat, nil, nil
	}
	s.failed = s.gini.Why(s.failed[:0])
	if len(s.failed) == 0 {
		s.dead = true
		return backends.Unsat, nil, nil
	}
	core := make([]cnf.Lit, len(s.failed))
	for i, m := range s.failed {
		core[i] = cnf.Lit(m.Dimacs())
	}
	// Both calls go back to level 0; the activation literal is reused.
	s.gini.Deactivate(s.gini.ActivationLit())
	s.root = true
	if len(core) == 1 {
		s.Add(core[0].Not())
	}
	return backends.Unsat, core, nil
}

// ended returns why a context has ended, or nil. Where nothing but the clock of [giniSolver.try] runs meanwhile, the
// context may not know it yet.
func ended(ctx context.Context) error {
	if deadline, has := ctx.Deadline(); has && ctx.Err() == nil && time.Until(deadline) <= 0 {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// inTick is the number of propagations after which gini looks at its clock and its channel.
const inTick = 20_000

// mostTicks bounds a channel, which the context's end must empty. They take gini half a minute.
const mostTicks = 1 << 12

// forever is longer than any call, and short enough to be added to a time.
const forever = 1e6 * time.Hour

// try runs gini until it answers, with 1 or -1; it returns 0 when the context has ended, or after the ticks.
func (s *giniSolver) try(ctx context.Context, ticks int) int {
	most := forever
	if deadline, has := ctx.Deadline(); has { // where no other goroutine can stop gini (WebAssembly), its clock does
		most = max(1, time.Until(deadline))
	}
	stop := make(chan bool, ticks+1)
	for tick := range ticks {
		stop <- tick == ticks-1
	}
	*s.stop = stop
	defer context.AfterFunc(ctx, func() {
		for { // true comes next
			select {
			case <-stop:
			default:
				stop <- true
				return
			}
		}
	})()
	return s.gini.Try(most)
}

// Value implements [Solver].
func (s *giniSolver) Value(v cnf.Var) bool {
	return int(v) <= s.vars && s.gini.Value(z.Var(v).Pos())
}

// Conflicts returns the number of conflicts so far.
func (s *giniSolver) Conflicts() int64 { return s.conflicts.Int() }

// Close implements [Solver].
func (s *giniSolver) Close() error { return nil }
