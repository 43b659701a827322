package oracletest

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Make builds the back-end under test for a problem. The suite checks what its
// interfaces promise; a back-end may be just a Counter.
type Make func(p encode.Problem) any

// Run runs every check that the back-end's interfaces allow, on queens.
func Run(t *testing.T, make Make) {
	t.Run("known counts", func(t *testing.T) { knownCounts(t, make) })
	t.Run("every assumption pair", func(t *testing.T) { everyPair(t, make) })
	t.Run("repeated and contradictory literals", func(t *testing.T) { repeated(t, make, "queens") })
	t.Run("histories", func(t *testing.T) { histories(t, make) })
	t.Run("bad assumptions", func(t *testing.T) { badAssumptions(t, make) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, make) })
}

// RunAny runs [Run], and the same checks on problems that are not queens: the other
// families, queens without some of their constraints, random constraints, random CNF.
func RunAny(t *testing.T, make Make) {
	Run(t, make)
	t.Run("repeated and contradictory literals of the other families", func(t *testing.T) {
		for _, one := range smallFamilies() {
			repeated(t, make, one.family.Name)
		}
	})
	t.Run("no constraints, no variables", func(t *testing.T) { nothing(t, make) })
	t.Run("other problems", func(t *testing.T) { others(t, make) })
}

// subject is a back-end, its problem and all solutions of the problem.
type subject struct {
	*testing.T
	p       encode.Problem
	all     [][]cnf.Lit
	backend any
	hint    string
}

func newSubject(t *testing.T, p encode.Problem, make Make, hint string) *subject {
	return &subject{t, p, BruteForce(p), make(p), hint}
}

// check asks everything that the back-end can answer and compares the answers
// with brute force.
func (s *subject) check(assume ...cnf.Lit) {
	s.Helper()
	want := filter(s.p, s.all, assume)
	hint := fmt.Sprintf("%s fixed=%v assume=%v %s", s.p, s.p.Fixed, assume, s.hint)
	if finder, can := s.backend.(backends.Finder); can {
		s.checkSolve(finder, assume, want, hint)
	}
	if finder, can := s.backend.(backends.ValidFinder); can {
		for _, method := range append(finder.Methods(), "") {
			found, err := finder.Valid(context.Background(), assume, method)
			require.NoError(s, err, "%s: %s", method, hint)
			require.Equal(s, len(want.solutions) > 0, found.Satisfiable, "%s: %s", method, hint)
			require.True(s, slices.Equal(want.possible, found.Possible), "%s: possible %v, expected %v: %s", method,
				found.Possible, want.possible, hint)
			require.True(s, slices.Equal(want.forced, found.Forced), "%s: forced %v, expected %v: %s", method,
				found.Forced, want.forced, hint)
			if method != "" {
				require.Equal(s, method, found.Method)
			}
		}
	}
	if counter, can := s.backend.(backends.Counter); can {
		count, err := counter.Count(context.Background(), assume)
		require.NoError(s, err, hint)
		require.Equal(s, int64(len(want.solutions)), count.Int64(), hint)
	}
	if counter, can := s.backend.(backends.VarCounter); can {
		total, each, err := counter.CountEach(context.Background(), assume)
		require.NoError(s, err, hint)
		require.Equal(s, int64(len(want.solutions)), total.Int64(), hint)
		require.Len(s, each, s.p.NumVars(), hint)
		for i := range each {
			require.Equal(s, want.each[i], each[i].Int64(), "%s: %s", s.p.VarName(cnf.Var(i+1)), hint)
		}
	}
	if lister, can := s.backend.(backends.Enumerator); can {
		s.checkList(lister, assume, want, hint)
	}
}

func (s *subject) checkSolve(finder backends.Finder, assume []cnf.Lit, want truth, hint string) {
	s.Helper()
	answer, err := finder.Solve(context.Background(), assume)
	require.NoError(s, err, hint)
	if len(want.solutions) > 0 {
		require.Equal(s, backends.Sat, answer.Status, hint)
		require.True(s, isOneOf(answer.Model, want.solutions), "%v is not a solution: %s", answer.Model, hint)
		return
	}
	require.Equal(s, backends.Unsat, answer.Status, hint)
	for _, l := range answer.Core {
		require.Contains(s, assume, l, hint)
	}
	require.Empty(s, filter(s.p, s.all, answer.Core).solutions, "core %v is not sufficient: %s", answer.Core, hint)
}

func (s *subject) checkList(lister backends.Enumerator, assume []cnf.Lit, want truth, hint string) {
	s.Helper()
	seen := map[string]bool{}
	for model, err := range lister.Solutions(context.Background(), assume) {
		require.NoError(s, err, hint)
		require.True(s, isOneOf(model, want.solutions), "%v is not a solution: %s", model, hint)
		key := fmt.Sprint(model)
		require.False(s, seen[key], "%s listed twice: %s", key, hint)
		seen[key] = true
	}
	require.Len(s, seen, len(want.solutions), hint)
	if len(want.solutions) > 1 { // stopping early is allowed, and leaves the back-end usable
		for range lister.Solutions(context.Background(), assume) {
			break
		}
	}
}

func isOneOf(model []cnf.Lit, solutions [][]cnf.Lit) bool {
	return slices.ContainsFunc(solutions, func(s []cnf.Lit) bool { return slices.Equal(s, model) })
}

func queens(t *testing.T, n int, placed, blocked []board.Cell) encode.Problem {
	t.Helper()
	p, err := encode.Queens(n, placed, blocked)
	require.NoError(t, err)
	return p
}

// On the empty board: if the back-end counts, A000170 for n <= 10; if not, an answer
// judged by board.Verify.
func knownCounts(t *testing.T, make Make) {
	for n := 1; n <= 10; n++ {
		known, _ := board.KnownSolutions(n)
		o := make(queens(t, n, nil, nil))
		if counter, can := o.(backends.Counter); can {
			count, err := counter.Count(context.Background(), nil)
			require.NoError(t, err)
			assert.Equal(t, new(big.Int).SetUint64(known).String(), count.String(), "n=%d", n)
		}
		finder, can := o.(backends.Finder)
		if !can {
			continue
		}
		answer, err := finder.Solve(context.Background(), nil)
		require.NoError(t, err)
		if known == 0 {
			assert.Equal(t, backends.Unsat, answer.Status, "n=%d", n)
			assert.Empty(t, answer.Core)
			continue
		}
		require.Equal(t, backends.Sat, answer.Status, "n=%d", n)
		var placed []board.Cell
		for _, l := range answer.Model {
			if l.Positive() {
				placed = append(placed, encode.VarCell(n, l.Var()))
			}
		}
		require.NoError(t, board.VerifyCells(n, placed))
	}
}

// One back-end asked about every literal and every pair of literals for n <= 4.
func everyPair(t *testing.T, make Make) {
	for n := 1; n <= 4; n++ {
		s := newSubject(t, queens(t, n, nil, nil), make, "")
		s.check()
		for a := -n * n; a <= n*n; a++ {
			for b := a; b <= n*n; b++ {
				if a != 0 && b != 0 {
					s.check(cnf.Lit(a), cnf.Lit(b))
				}
			}
		}
	}
}

// A family's smallest sizes, with the same literals fixed and assumed, several times, and
// contradicting each other.
func repeated(t *testing.T, make Make, family string) {
	f, err := encode.FamilyNamed(family)
	require.NoError(t, err)
	rng, hint := seeded(t)
	for n := 1; n <= 2; n++ {
		p, err := f.Build(n)
		require.NoError(t, err)
		vars := p.NumVars()
		fixed := [][]cnf.Lit{nil}
		if vars > 0 {
			fixed = append(fixed, []cnf.Lit{1, 1}, []cnf.Lit{-1, -1},
				[]cnf.Lit{cnf.Lit(vars), 1, -1, 1})
		}
		for _, lits := range fixed {
			s := newSubject(t, p.With(lits...), make, hint)
			s.check(lits...)
			for a := -min(vars, 3); a <= min(vars, 3); a++ {
				if a != 0 {
					s.check(cnf.Lit(a), cnf.Lit(a))
					s.check(cnf.Lit(a), cnf.Lit(-a))
					s.check(append(lits, cnf.Lit(a), cnf.Lit(a), cnf.Lit(a))...)
				}
			}
			for range 8 {
				assume := slices.Clone(lits)
				for range rng.IntN(6) {
					if vars > 0 {
						assume = append(assume, cnf.Lit(rng.IntN(vars)+1)*cnf.Lit(1-2*rng.IntN(2)))
					}
				}
				s.check(assume...)
			}
		}
	}
}

// Problems without constraints, where every assignment is a solution; without variables,
// where the empty one is, unless a constraint without literals wants a true one; and with
// such a constraint among others.
func nothing(t *testing.T, make Make) {
	for vars := range 3 {
		for _, constraints := range [][]encode.Constraint{
			nil, {{Bound: encode.AtMostOne}}, {{Bound: encode.AtLeastOne}}, {{Bound: encode.ExactlyOne}},
		} {
			p := encode.Problem{
				Family: "nothing", Names: encode.List(slices.Repeat([]string{""}, vars)), Constraints: constraints,
			}
			s := newSubject(t, p, make, fmt.Sprint(constraints))
			s.check()
			if vars > 0 {
				s.check(1)
				s.check(-1, -1)
				s.check(1, -1)
				s.check(cnf.Lit(vars), 1, cnf.Lit(-vars))
				newSubject(t, p.With(1, 1), make, "").check(1)
				newSubject(t, p.With(1, -1), make, "").check()
			}
		}
	}
}

// seeded returns a source of random numbers, and logs its seed.
func seeded(t *testing.T) (*rand.Rand, string) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0)), fmt.Sprintf("seed=%d", seed)
}

// history asks a back-end about sets of assumptions that grow and shrink.
func (s *subject) history(rng *rand.Rand, steps int) {
	s.Helper()
	var assume []cnf.Lit
	for range steps {
		switch rng.IntN(4) {
		case 0: // any literal
			l := cnf.Var(rng.IntN(s.p.NumVars()) + 1).Pos()
			if rng.IntN(2) == 0 {
				l = l.Not()
			}
			assume = append(assume, l)
		case 1, 2: // a literal that keeps some solution, when there is one
			if left := filter(s.p, s.all, assume).solutions; len(left) > 0 {
				model := left[rng.IntN(len(left))]
				l := model[rng.IntN(len(model))]
				for tries := 0; l < 0 && tries < 8; tries++ { // mostly a queen
					l = model[rng.IntN(len(model))]
				}
				assume = append(assume, l)
			} else {
				assume = assume[:len(assume)/2]
			}
		case 3:
			if len(assume) > 0 {
				i := rng.IntN(len(assume))
				assume = slices.Delete(assume, i, i+1)
			}
		}
		s.check(assume...)
	}
}

// Boards without and with placed and blocked cells, and assumptions that are added and retracted on
// one back-end, to test whatever it keeps between calls.
func histories(t *testing.T, make Make) {
	rng, hint := seeded(t)
	for n := 1; n <= 6; n++ {
		for i := range 16 {
			p, err := encode.Queens(n, nil, nil)
			if i >= 4 {
				p, err = randomBoard(rng, n)
			}
			require.NoError(t, err)
			s := newSubject(t, p, make, hint)
			s.check()
			s.history(rng, 8)
		}
	}
}

// Problems that are not queens: the other families at sizes where brute force lists every solution,
// and what [Random] draws. A back-end that assumed queens would get these wrong.
func others(t *testing.T, make Make) {
	rng, hint := seeded(t)
	try := func(o Truth, err error) {
		require.NoError(t, err)
		if o.Problem.NumVars() > 0 {
			s := &subject{t, o.Problem, o.all, make(o.Problem), fmt.Sprintf("%s %s", hint, o)}
			s.check()
			s.history(rng, 8)
		}
	}
	for _, one := range smallFamilies() {
		for n := 1; n <= one.most; n++ {
			p, err := one.family.Build(n)
			try(Truth{p, BruteForce(p)}, err)
		}
	}
	for range 120 {
		try(Random(rng))
	}
}

// questions returns every question that a back-end can be asked, as a function of the context and the
// assumptions that returns the error.
func questions(backend any) map[string]func(context.Context, []cnf.Lit) error {
	all := map[string]func(context.Context, []cnf.Lit) error{}
	if finder, can := backend.(backends.Finder); can {
		all["solve"] = func(ctx context.Context, l []cnf.Lit) error { _, err := finder.Solve(ctx, l); return err }
	}
	if finder, can := backend.(backends.ValidFinder); can {
		all["valid"] = func(ctx context.Context, l []cnf.Lit) error { _, err := finder.Valid(ctx, l, ""); return err }
	}
	if counter, can := backend.(backends.Counter); can {
		all["count"] = func(ctx context.Context, l []cnf.Lit) error { _, err := counter.Count(ctx, l); return err }
	}
	if counter, can := backend.(backends.VarCounter); can {
		all["count each"] = func(ctx context.Context, l []cnf.Lit) error { _, _, err := counter.CountEach(ctx, l); return err }
	}
	if lister, can := backend.(backends.Enumerator); can {
		all["list"] = func(ctx context.Context, l []cnf.Lit) error {
			for _, err := range lister.Solutions(ctx, l) {
				return err
			}
			return nil
		}
	}
	return all
}

// A variable that the problem does not have is an error, and the back-end stays
// usable.
func badAssumptions(t *testing.T, make Make) {
	s := newSubject(t, queens(t, 4, nil, nil), make, "")
	for name, ask := range questions(s.backend) {
		for _, bad := range []cnf.Lit{0, 17, -17} {
			assert.Error(t, ask(context.Background(), []cnf.Lit{bad}), "%s: assumption %d", name, bad)
		}
	}
	if finder, can := s.backend.(backends.ValidFinder); can {
		_, err := finder.Valid(context.Background(), nil, "no-such-method")
		assert.ErrorContains(t, err, finder.Methods()[0])
	}
	s.check()
}

// A cancelled context is an error, and the back-end stays usable.
func cancelled(t *testing.T, make Make) {
	s := newSubject(t, queens(t, 6, nil, nil), make, "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ask := range questions(s.backend) {
		assert.ErrorIs(t, ask(ctx, nil), context.Canceled, name)
	}
	s.check()
}
