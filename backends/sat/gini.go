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
//   - After a stop gini restarts, and may find another model. So nothing stops it before
//     the context's end, and it finds the same model on every machine. GoSolve would
//     start a goroutine for each query, and its result must be polled; instead the
//     context's end sends on the channel that GoSolve's Stop uses. Try leaves its
//     deadline behind for the next Solve, so Solve is never called: every call of Try
//     sets a new deadline.
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

	check  *bool     // gini's own: check the next model
	stop   chan bool // gini's own: true ends the call of Try, within 20,000 propagations
	failed []z.Lit   // memory for the core
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
	s.stop = *(*chan bool)(unsafe.Pointer(own.FieldByName("control").Elem().FieldByName("cStopOrPause").UnsafeAddr()))
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
	return s.solve(ctx, assume, s.try)
}

// SolveWithin implements [bounded]. It stops gini whenever that looks at its deadline, after 20,000 propagations: so
// gini takes the same course on every machine.
func (s *giniSolver) SolveWithin(
	ctx context.Context, assume []cnf.Lit, propagations int64,
) (status backends.Status, core []cnf.Lit, used int64, err error) {
	before := s.propagations.Int()
	bounded, giveUp := context.WithCancel(ctx)
	defer giveUp()
	status, core, err = s.solve(bounded, assume, func(context.Context) int {
		result := s.gini.Try(1)
		if used = s.propagations.Int() - before; used >= propagations {
			giveUp()
		}
		return result
	})
	if err != nil {
		err = ended(ctx) // giving up is none
	}
	return status, core, used, err
}

// solve runs gini until it finds an answer or the context ends.
func (s *giniSolver) solve(
	ctx context.Context, assume []cnf.Lit, try func(context.Context) int,
) (backends.Status, []cnf.Lit, error) {
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
		if result = try(ctx); result == 0 {
			if err := ended(ctx); err != nil {
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

// forever is longer than any call, and short enough to be added to a time.
const forever = 1e6 * time.Hour

// try runs gini until it answers or the context ends: then it returns 0.
func (s *giniSolver) try(ctx context.Context) int {
	most := forever
	if deadline, has := ctx.Deadline(); has { // where no other goroutine can stop gini (WebAssembly), its clock does
		most = max(1, time.Until(deadline))
	}
	if ctx.Done() == nil {
		return s.gini.Try(most)
	}
	answered := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		select {
		case s.stop <- true:
		case <-answered:
		}
	})()
	defer close(answered)
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
