package sat

import (
	"context"
	"reflect"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"queens/backends"
	"queens/encode/cnf"
)

// solver is gini v1.0.4 behind a guard. What the guard is for:
//
//   - After an answer UNSAT that rests on no assumption, gini's next Solve
//     derives a clause from a conflict at level 0. With its model check on, that
//     ends the process (log.Fatal); with it off, it answers SAT. A solver in that
//     state is dead: here it answers UNSAT from then on and gini is not asked.
//   - An UNSAT under assumptions leaves its conflict behind, and the next Solve
//     starts by deriving from it, with the same end when that reaches level 0.
//     So every UNSAT is followed by a call that takes gini back to level 0 and
//     forgets the conflict: an Add of the failed assumption's negation where it is
//     one, since gini loses units learned under assumptions; else a call that adds
//     nothing, since Add has the next model checked.
//   - Every SAT answer after an Add is checked against all clauses. After the
//     first call of ActivationLit only the first answer is.
//   - Spare capacity for variables counts as variables to decide in every model.
//     The formula's own and the activation literal's are exactly allocated.
//   - Try on the solver leaves its deadline behind for the next Solve; Try on
//     what GoSolve returns does not, and always consumes the result.
//   - Copy loses the decision heuristic's state, so that nothing is copied; Test
//     scopes make Add panic, so that there are none; Deactivate may drop clauses
//     that are reasons, so that nothing is ever activated.
//
// It serves one goroutine at a time.
type solver struct {
	gini *gini.Gini
	vars int
	dead bool // unsatisfiable without assumptions: gini must not be asked again

	solves    int64         // queries
	models    int64         // of these, answered Sat
	conflicts reflect.Value // gini's own counter
	failed    []z.Lit       // memory for the core
}

// slice is how long gini runs before it is stopped to look whether the context
// still lives. Learned clauses survive the stop.
const slice = 20 * time.Millisecond

// newSolver builds a solver of the formula.
func newSolver(f *cnf.Formula) *solver {
	s := &solver{gini: gini.NewVc(f.Vars+2, f.NumClauses()), vars: f.Vars}
	for _, l := range f.Flat() {
		// An empty clause is fine here: gini then answers UNSAT at once.
		s.gini.Add(z.Dimacs2Lit(int(l)))
	}
	s.gini.ActivationLit()
	// gini counts conflicts but keeps the counter to itself.
	s.conflicts = reflect.ValueOf(s.gini).Elem().FieldByName("xo").Elem().
		FieldByName("Driver").Elem().FieldByName("Conflicts")
	return s
}

// add adds a clause, for this and all later queries.
func (s *solver) add(clause ...cnf.Lit) {
	if s.dead {
		return
	}
	for _, l := range clause {
		s.gini.Add(z.Dimacs2Lit(int(l)))
	}
	s.gini.Add(z.LitNull)
}

// solve asks for a model under assumptions. After Sat, value tells the model
// until the next call; after Unsat, core holds assumptions that suffice, none
// when the clauses alone do. The error is the context's.
func (s *solver) solve(ctx context.Context, assume []cnf.Lit) (status backends.Status, core []cnf.Lit, err error) {
	if err := ctx.Err(); err != nil {
		return backends.Unknown, nil, err
	}
	if s.dead {
		return backends.Unsat, nil, nil
	}
	s.solves++
	result := 0
	for result == 0 {
		for _, l := range assume {
			s.gini.Assume(z.Dimacs2Lit(int(l)))
		}
		if ctx.Done() == nil {
			result = s.gini.Solve()
		} else if result = s.gini.GoSolve().Try(slice); result == 0 {
			if err := ctx.Err(); err != nil {
				return backends.Unknown, nil, err
			}
		}
	}
	if result > 0 {
		s.models++
		return backends.Sat, nil, nil
	}
	s.failed = s.gini.Why(s.failed[:0])
	if len(s.failed) == 0 {
		s.dead = true
		return backends.Unsat, nil, nil
	}
	for _, m := range s.failed {
		core = append(core, cnf.Lit(m.Dimacs()))
	}
	if len(core) == 1 {
		s.add(core[0].Not())
	} else {
		// Both calls go back to level 0; the literal is reused.
		s.gini.Deactivate(s.gini.ActivationLit())
	}
	return backends.Unsat, core, nil
}

// value reports whether the variable is true in the last model.
func (s *solver) value(v cnf.Var) bool {
	return int(v) <= s.vars && s.gini.Value(z.Var(v).Pos())
}
