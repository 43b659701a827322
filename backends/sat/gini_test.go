package sat

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
	"queens/internal/contexttest"
)

// inChild runs the rest of the test in a child process, since it may end the
// process. In the child it returns false; in the parent it returns true, with
// the child's output and how it ended.
func inChild(t *testing.T) (parent bool, output string, err error) {
	t.Helper()
	const key = "SAT_TEST_CHILD"
	if os.Getenv(key) == t.Name() {
		return false, "", nil
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), key+"="+t.Name())
	out, err := cmd.CombinedOutput()
	return true, string(out), err
}

// The behaviour that the guard is for. If this test fails, gini has changed.
func TestGiniAloneEndsTheProcess(t *testing.T) {
	parent, output, err := inChild(t)
	if parent {
		require.Error(t, err)
		assert.Contains(t, output, "first answer -1, why []")
		assert.Contains(t, output, "internal error in solve")
		assert.NotContains(t, output, "second answer")
		return
	}
	g := gini.New()
	for clause := range cnftest.Pigeons(4).Clauses() {
		for _, l := range clause {
			g.Add(z.Dimacs2Lit(int(l)))
		}
		g.Add(z.LitNull)
	}
	first := g.Solve()
	t.Logf("first answer %d, why %v", first, g.Why(nil))
	t.Logf("second answer %d", g.Solve())
}

func TestDeadSolverIsNotAskedAgain(t *testing.T) {
	if parent, output, err := inChild(t); parent {
		require.NoError(t, err, output)
		return
	}
	s := Gini(cnftest.Pigeons(4)).(*giniSolver)
	for _, assume := range [][]cnf.Lit{nil, {1}, {1, -2}, nil} {
		status, core, err := s.Solve(context.Background(), assume)
		require.NoError(t, err)
		require.Equal(t, backends.Unsat, status)
		if s.dead {
			require.Empty(t, core)
		}
		s.Add(3, 4)
	}
	require.True(t, s.dead)
}

// A conflict under assumptions that reaches level 0 in the next call is rare: it
// takes hundreds of small formulas to meet one.
func TestRandomHistoriesAgainstTruthTables(t *testing.T) {
	if parent, output, err := inChild(t); parent {
		require.NoError(t, err, output)
		return
	}
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		vars := 3 + rng.IntN(6)
		literal := func() cnf.Lit {
			l := cnf.Lit(1 + rng.IntN(vars))
			if rng.IntN(2) == 0 {
				l = -l
			}
			return l
		}
		clause := func() []cnf.Lit {
			c := make([]cnf.Lit, 1+min(rng.IntN(6), 2))
			for i := range c {
				c[i] = literal()
			}
			return c
		}
		f := &cnf.Formula{Vars: vars}
		for range vars + rng.IntN(2*vars) {
			f.Add(clause()...)
		}
		s := Gini(f).(*giniSolver)
		for step := range 30 {
			if rng.IntN(40) == 0 {
				c := clause()
				f.Add(c...)
				s.Add(c...)
			}
			var assume []cnf.Lit
			for range rng.IntN(5) {
				assume = append(assume, literal())
			}
			status, core, err := s.Solve(context.Background(), assume)
			require.NoError(t, err)
			require.Equal(t, satisfiable(f, assume), status == backends.Sat, "seed %d step %d", seed, step)
			if status == backends.Sat {
				value := make([]bool, vars)
				for i := range value {
					value[i] = s.Value(cnf.Var(i + 1))
				}
				require.True(t, f.Eval(value), "seed %d step %d", seed, step)
				for _, l := range assume {
					require.Equal(t, l.Positive(), value[l.Var()-1], "seed %d step %d", seed, step)
				}
			} else {
				require.Subset(t, assume, core, "seed %d step %d", seed, step)
				require.False(t, satisfiable(f, core), "seed %d step %d: core %v", seed, step, core)
			}
		}
	}
}

// satisfiable reports whether the formula has a model, by trying all
// assignments.
func satisfiable(f *cnf.Formula, assume []cnf.Lit) bool {
	value := make([]bool, f.Vars)
next:
	for bits := range 1 << f.Vars {
		for i := range value {
			value[i] = bits>>i&1 == 1
		}
		for _, l := range assume {
			if value[l.Var()-1] != l.Positive() {
				continue next
			}
		}
		if f.Eval(value) {
			return true
		}
	}
	return false
}

func TestVariableInNoClauseHasAValue(t *testing.T) {
	s := Gini(&cnf.Formula{Vars: 3}).(*giniSolver)
	status, _, err := s.Solve(context.Background(), []cnf.Lit{2})
	require.NoError(t, err)
	assert.Equal(t, backends.Sat, status)
	assert.True(t, s.Value(2))
	assert.NotPanics(t, func() { s.Value(3); s.Value(99) })
}

func TestEmptyClauseIsUnsat(t *testing.T) {
	f := &cnf.Formula{Vars: 2}
	f.Add(1, 2)
	f.Add()
	s := Gini(f).(*giniSolver)
	for range 3 {
		status, core, err := s.Solve(context.Background(), []cnf.Lit{1})
		require.NoError(t, err)
		assert.Equal(t, backends.Unsat, status)
		assert.Empty(t, core)
	}
}

// The counter is read from gini's internals, so this test notices if it moves.
func TestConflictsAreCounted(t *testing.T) {
	s := Gini(cnftest.Pigeons(6)).(*giniSolver)
	assert.Zero(t, s.conflicts.Int())
	_, _, err := s.Solve(context.Background(), nil)
	require.NoError(t, err)
	assert.Greater(t, s.conflicts.Int(), int64(50))
}

// A cancelled query ends soon and leaves no deadline behind: the next one, long
// enough to check the clock, is answered.
func TestCancelledSolverStaysUsable(t *testing.T) {
	f := cnftest.Pigeons(11) // hours for a CDCL solver
	off := f.NewVar().Pos()
	loose := &cnf.Formula{Vars: f.Vars}
	for c := range f.Clauses() {
		loose.Add(append(append([]cnf.Lit(nil), c...), off)...)
	}
	s := Gini(loose).(*giniSolver)
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		start := time.Now()
		status, _, err := s.Solve(ctx, []cnf.Lit{off.Not()})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, backends.Unknown, status)
		require.Less(t, time.Since(start), 5*time.Second)
		status, _, err = s.Solve(context.Background(), []cnf.Lit{off})
		require.NoError(t, err)
		require.Equal(t, backends.Sat, status)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := s.Solve(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// A question that is cut, at once or within its search, leaves no assumption behind: the next ones are answered rightly.
func TestCutQuestions(t *testing.T) {
	f := &cnf.Formula{}
	const guard = cnf.Lit(1 + 8*7)
	for c := range cnftest.Pigeons(7).Clauses() {
		f.Add(append(slices.Clone(c), guard)...)
	}
	s := Gini(f).(*giniSolver)
	cut := 0
	for i := range 300 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%3-1)*time.Millisecond)
		if i%2 == 0 {
			ctx = contexttest.Late(i % 5)
		}
		if status, _, err := s.Solve(ctx, []cnf.Lit{guard.Not()}); err != nil {
			require.ErrorIs(t, err, context.DeadlineExceeded)
			cut++
		} else {
			require.Equal(t, backends.Unsat, status)
		}
		cancel()
		_, _, used, err := s.SolveWithin(contexttest.Late(i%3), []cnf.Lit{guard.Not()}, 1)
		if err == nil {
			require.Positive(t, used, "giving up takes work")
		}
		status, _, err := s.Solve(t.Context(), []cnf.Lit{guard})
		require.NoError(t, err)
		require.Equal(t, backends.Sat, status)
	}
	require.Greater(t, cut, 100)
	status, core, err := s.Solve(t.Context(), []cnf.Lit{guard.Not(), 1})
	require.NoError(t, err)
	require.Equal(t, backends.Unsat, status)
	require.Equal(t, []cnf.Lit{guard.Not()}, core)
}

func TestSpareCapacityIsNotDecided(t *testing.T) {
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	s := Gini(p.CNF(amo.Pairwise)).(*giniSolver)
	assert.Equal(t, z.Var(8*8+1), s.gini.MaxVar(), "the cells and one activation literal")
}

// The version that records name is the one that is built in.
func TestGiniVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	assert.Contains(t, string(mod), "github.com/go-air/gini "+GiniVersion+"\n")
}

// Gini finds the same model whatever the machine does at the same time, and ends with its context.
func TestGiniIsSteady(t *testing.T) {
	const vars = 250
	f := &cnf.Formula{}
	random := rand.New(rand.NewPCG(11, 1))
	for f.NumClauses() < vars*42/10 { // variable v's planted value is that of v%3 > 0
		var clause []cnf.Lit
		holds := false
		for _, i := range random.Perm(vars)[:3] {
			l := cnf.Lit(i+1) * cnf.Lit(1-2*random.IntN(2))
			clause, holds = append(clause, l), holds || l.Positive() == (l.Var()%3 > 0)
		}
		if holds {
			f.Add(clause...)
		}
	}
	models := make([][]bool, 3)
	var work sync.WaitGroup
	for i := range models {
		work.Go(func() { // beside each other, so that they are interrupted
			s := Gini(f)
			for range 2 {
				status, _, err := s.Solve(t.Context(), nil)
				assert.NoError(t, err)
				if status == backends.Sat {
					for v := range cnf.Var(vars) {
						models[i] = append(models[i], s.Value(v+1))
					}
				}
			}
		})
	}
	work.Wait()
	require.Len(t, models[0], 2*vars)
	assert.Equal(t, models[0], models[1])
	assert.Equal(t, models[0], models[2])
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, _, err := Gini(cnftest.Pigeons(14)).Solve(ctx, nil)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	s := Gini(cnftest.Pigeons(4))
	for range 2 {
		status, _, err := s.Solve(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, backends.Unsat, status)
	}
}

// A question with a bound gives up at the same place each time, and the solver goes on to answer.
func TestGivingUp(t *testing.T) {
	const most = 20_000
	f := cnftest.Pigeons(7)
	var before int64
	var s bounded
	for range 2 {
		s = Gini(f).(bounded)
		status, core, used, err := s.SolveWithin(t.Context(), nil, most)
		require.NoError(t, err)
		require.Equal(t, backends.Unknown, status)
		require.Empty(t, core)
		require.GreaterOrEqual(t, used, int64(most))
		require.Less(t, used, int64(most+25_000))
		if before > 0 {
			require.Equal(t, before, used)
		}
		before = used
		status, core, _, err = s.SolveWithin(t.Context(), []cnf.Lit{-1, -2, -3, -4, -5, -6, -7}, most)
		require.NoError(t, err)
		require.Equal(t, backends.Unsat, status) // a pigeon without a hole
		require.Len(t, core, 7)
	}
	status, _, _, err := s.SolveWithin(t.Context(), nil, 1<<40) // it goes on after giving up
	require.NoError(t, err)
	require.Equal(t, backends.Unsat, status)
}
