package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/internal/contexttest"
)

// Make builds the back-end under test for a problem; nil if it does not take the problem.
type Make func(p encode.Problem) backends.Backend

// Run runs every check on queens. methods lists the back-end's methods. If the back-end is a
// [backends.Counter], its counts are checked too.
func Run(t *testing.T, methods []backends.Method, build Make) {
	on := under{backends.Names(methods), build}
	t.Run("methods", func(t *testing.T) { described(t, methods) })
	t.Run("known counts", func(t *testing.T) { knownCounts(t, on) })
	t.Run("every assumption pair", func(t *testing.T) { everyPair(t, on) })
	t.Run("smallest boards", func(t *testing.T) { smallest(t, on, queens(t, 1, nil, nil), queens(t, 2, nil, nil)) })
	t.Run("queens at the bottom", func(t *testing.T) { bottom(t, on) })
	t.Run("histories", func(t *testing.T) { histories(t, on) })
	t.Run("bad assumptions", func(t *testing.T) { badAssumptions(t, on) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, on) })
}

// RunAny runs [Run], and the same checks on problems that are not queens: the other
// families, queens without some of their constraints, random constraints, random CNF.
func RunAny(t *testing.T, methods []backends.Method, build Make) {
	Run(t, methods, build)
	on := under{backends.Names(methods), build}
	t.Run("smallest problems", func(t *testing.T) {
		small, err := smallFamilies()
		require.NoError(t, err)
		for _, p := range small {
			if p.N <= 2 {
				smallest(t, on, p)
			}
		}
		smallest(t, on, empties()...)
	})
	t.Run("other problems", func(t *testing.T) { others(t, on) })
	t.Run("auxiliary variables", func(t *testing.T) { encodings(t, on) })
}

// under is the back-end under test: its methods and its constructor.
type under struct {
	methods []string
	make    Make
}

// subject is a back-end, its problem and all solutions of the problem.
type subject struct {
	*testing.T
	Truth
	backend backends.Backend
	methods []string
	hint    string
}

func (u under) subject(t *testing.T, p encode.Problem, hint string) *subject {
	return &subject{t, Of(p), u.make(p), u.methods, hint}
}

// described checks that methods say what they are: documents and flags are made from that.
func described(t *testing.T, methods []backends.Method) {
	require.NotEmpty(t, methods)
	seen := map[string]bool{}
	for _, m := range methods {
		assert.Regexp(t, "^[a-z]+(-[a-z]+)*$", m.Name)
		assert.False(t, seen[m.Name], "two methods are called %s", m.Name)
		assert.Regexp(t, `^[a-z].*[^.]$`, m.Doc, "the Doc of %s is the rest of a sentence", m.Name)
		assert.True(t, m.Title != "" || len(methods) == 1, "%s has no title", m.Name)
		seen[m.Name] = true
	}
}

// ask asks a back-end one kind of question, and returns its answer in words.
type ask func(ctx context.Context, assume []cnf.Lit) (string, error)

// asks returns every question that the back-end can be asked, by the kind of answer and, after a
// colon, the method. The expected answers are those of [truth.words].
func (s *subject) asks() map[string]ask {
	all := map[string]ask{}
	if s.backend == nil {
		return all
	}
	all["solve"] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
		answer, err := s.backend.Solve(ctx, assume)
		switch {
		case err != nil:
			return "", err
		case answer.Status == backends.Sat && !isOneOf(answer.Model, filter(s.Problem, s.all, assume).solutions):
			return fmt.Sprintf("%v is not a solution", answer.Model), nil
		case slices.ContainsFunc(answer.Core, func(l cnf.Lit) bool { return !slices.Contains(assume, l) }):
			return fmt.Sprintf("core %v is not assumed", answer.Core), nil
		case answer.Status == backends.Unsat && len(filter(s.Problem, s.all, answer.Core).solutions) > 0:
			return fmt.Sprintf("core %v is not sufficient", answer.Core), nil
		}
		return answer.Status.String(), nil
	}
	for _, method := range append(s.methods, "") {
		all["valid:"+method] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
			found, err := s.backend.Valid(ctx, assume, method)
			if err == nil && method != "" && found.Method != method {
				err = fmt.Errorf("answered by %s", found.Method)
			}
			return fmt.Sprint(found.Satisfiable, found.Possible, found.Forced), err
		}
	}
	all["list"] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
		for range s.backend.Solutions(ctx, assume) { // stopping early leaves the back-end usable
			break
		}
		var models [][]cnf.Lit
		for model, err := range s.backend.Solutions(ctx, assume) {
			if err != nil {
				return "", err
			}
			models = append(models, slices.Clone(model))
		}
		return inSequence(models), nil
	}
	if counter, can := s.backend.(backends.Counter); can {
		all["count"] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
			count, err := counter.Count(ctx, assume)
			return fmt.Sprint(count), err
		}
		all["each"] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
			total, each, err := counter.CountEach(ctx, assume)
			return fmt.Sprint(total, each), err
		}
	}
	return all
}

// check asks everything that the back-end can answer and compares the answers
// with brute force.
func (s *subject) check(assume ...cnf.Lit) {
	s.Helper()
	want := filter(s.Problem, s.all, assume).words()
	for name, ask := range s.asks() {
		kind, _, _ := strings.Cut(name, ":")
		got, err := ask(context.Background(), assume)
		if err != nil || got != want[kind] {
			require.NoError(s, err, "%s: %s assume=%v %s", name, s, assume, s.hint)
			require.Equal(s, want[kind], got, "%s: %s assume=%v %s", name, s, assume, s.hint)
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

// On the empty board for n <= 10: if the back-end counts, the count is A000170, and Solve returns a model
// that satisfies the constraints if there is one.
func knownCounts(t *testing.T, on under) {
	for n := 1; n <= 10; n++ {
		p := queens(t, n, nil, nil)
		known, _ := board.KnownSolutions(n)
		o := on.make(p)
		if counter, can := o.(backends.Counter); can {
			count, err := counter.Count(context.Background(), nil)
			require.NoError(t, err)
			assert.Equal(t, new(big.Int).SetUint64(known).String(), count.String(), "n=%d", n)
		}
		answer, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, known > 0, answer.Status == backends.Sat, "n=%d", n)
		assert.Empty(t, answer.Core)
		if known > 0 {
			require.NoError(t, p.Verify(answer.Model))
		}
	}
}

// One back-end asked about every literal and every pair of literals for n <= 4.
func everyPair(t *testing.T, on under) {
	for n := 1; n <= 4; n++ {
		s := on.subject(t, queens(t, n, nil, nil), "")
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

// Small problems whose fixed and assumed literals repeat or contradict each other.
func smallest(t *testing.T, on under, problems ...encode.Problem) {
	for _, p := range problems {
		lists := [][]cnf.Lit{nil}
		if last := cnf.Lit(p.NumVars()); last > 0 {
			lists = append(lists, []cnf.Lit{1, 1}, []cnf.Lit{-1, -1}, []cnf.Lit{1, -1}, []cnf.Lit{last},
				[]cnf.Lit{-last, -last, -last}, []cnf.Lit{last, 1, -1, 1}, []cnf.Lit{last, 1, -last})
		}
		for _, fixed := range lists {
			s := on.subject(t, p.With(fixed...), "")
			for _, assume := range lists {
				s.check(assume...)
				s.check(slices.Concat(fixed, assume)...)
			}
		}
	}
}

// empties returns problems of 0 to 2 variables with no constraint, or one without literals. Every
// assignment is a solution, unless the constraint requires a true literal: then there is none.
func empties() (problems []encode.Problem) {
	for vars := range 3 {
		for _, constraints := range [][]encode.Constraint{
			nil, {encode.AtMostOne("")}, {encode.AtLeastOne("")}, {encode.ExactlyOne("")},
		} {
			problems = append(problems, encode.Problem{
				Family: "nothing", Names: encode.List(slices.Repeat([]string{""}, vars)), Constraints: constraints,
			})
		}
	}
	return problems
}

// seeded returns a source of random numbers, and logs its seed.
func seeded(t *testing.T) (*rand.Rand, string) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0)), fmt.Sprintf("seed=%d", seed)
}

// A back-end that fills the rows from the first on, and notices the queens of [atTheBottom] only at their
// rows, visits billions of placements.
func bottom(t *testing.T, on under) {
	truth, err := atTheBottom()
	require.NoError(t, err)
	require.Len(t, truth.all, 61)
	s := &subject{t, truth, on.make(truth.Problem), on.methods, ""}
	if !testing.Short() {
		s.check()
	}
	s.check(s.all[0][0], s.all[0][64])
}

// atTheBottom returns a board of 32 with queens on the rows from 15 to 32, and its solutions.
var atTheBottom = sync.OnceValues(func() (Truth, error) {
	placed, err := board.ParseCells(32, "k15,z16,b17,f18,ad19,q20,n21,l22,x23,v24,g25,d26,a27,ab28,ae29,j30,h31,u32")
	if err != nil {
		return Truth{}, err
	}
	p, err := encode.Queens(32, placed, nil)
	return Truth{p, completions(p, placed)}, err
})

// completions returns the solutions of a board on which these queens are placed, as [ByRules] does.
func completions(p encode.Problem, placed []board.Cell) (solutions [][]cnf.Lit) {
	var below func(row int, queens []board.Cell)
	below = func(row int, queens []board.Cell) {
		switch {
		case row == p.N:
			model := cnf.Model(p.NumVars())
			for _, q := range queens {
				model[q.Index(p.N)] *= -1
			}
			solutions = append(solutions, model)
		case slices.ContainsFunc(queens, func(q board.Cell) bool { return q.Row == row }):
			below(row+1, queens)
		default:
			for col := range p.N {
				c := board.Cell{Row: row, Col: col}
				if !slices.ContainsFunc(queens, c.Attacks) {
					below(row+1, append(queens[:len(queens):len(queens)], c))
				}
			}
		}
	}
	below(0, placed)
	return solutions
}

// history asks a back-end about sets of assumptions that grow and shrink, and cuts some questions in between.
func (s *subject) history(rng *rand.Rand, steps int) {
	s.Helper()
	asks := s.asks()
	names := slices.Sorted(maps.Keys(asks))
	var assume []cnf.Lit
	for range steps {
		switch rng.IntN(4) {
		case 0: // any literal
			assume = append(assume, randomSign(rng, rng.IntN(s.Problem.NumVars()), 2))
		case 1, 2: // a literal that keeps some solution, when there is one
			if left := filter(s.Problem, s.all, assume).solutions; len(left) > 0 {
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
		for cuts := rng.IntN(3); cuts > 0 && len(names) > 0; cuts-- {
			name, about := names[rng.IntN(len(names))], assume
			if rng.IntN(2) == 0 { // about less, and something else
				about = append(slices.Clone(assume[:rng.IntN(len(assume)+1)]), randomSign(rng, rng.IntN(s.Problem.NumVars()), 2))
			}
			s.cut(rng, name, asks[name], about)
		}
		s.check(assume...)
	}
}

// cut asks a question whose context ends at a random moment: it has ended, it ends after some looks at it, its deadline
// has passed but its timer is late, or it ends by the clock. An answer that comes all the same must be right.
func (s *subject) cut(rng *rand.Rand, name string, ask ask, assume []cnf.Lit) {
	s.Helper()
	var ctx context.Context
	cancel := func() {}
	looks := rng.IntN(1 << rng.IntN(8))
	switch rng.IntN(4) {
	case 0:
		ctx, cancel = context.WithDeadline(context.Background(), time.Now().Add(-time.Duration(looks)))
	case 1:
		ctx = contexttest.After(looks)
	case 2:
		ctx = contexttest.Late(looks)
	case 3:
		ctx, cancel = context.WithTimeout(context.Background(), time.Duration(looks)*time.Microsecond)
	}
	defer cancel()
	got, err := ask(ctx, assume)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	kind, _, _ := strings.Cut(name, ":")
	require.NoError(s, err, "%s, cut: %s assume=%v %s", name, s, assume, s.hint)
	want := filter(s.Problem, s.all, assume).words()[kind]
	require.Equal(s, want, got, "%s, cut: %s assume=%v %s", name, s, assume, s.hint)
}

// Boards without and with placed and blocked cells, and assumptions that are added and retracted on
// one back-end, to test the state that it keeps between calls.
func histories(t *testing.T, on under) {
	rng, hint := seeded(t)
	for n := 1; n <= 6; n++ {
		for i := range Cases(16) {
			p, err := encode.Queens(n, nil, nil)
			if i >= 4 {
				p, err = randomBoard(rng, n)
			}
			require.NoError(t, err)
			s := on.subject(t, p, hint)
			s.check()
			s.history(rng, 8)
		}
	}
}

// Problems that are not queens: the other families at sizes where brute force lists every solution,
// and random ones from [Random]. A back-end that assumed queens would get these wrong.
func others(t *testing.T, on under) {
	rng, hint := seeded(t)
	try := func(o Truth, err error) {
		require.NoError(t, err)
		s := &subject{t, o, on.make(o.Problem), on.methods, hint}
		s.check()
		if o.Problem.NumVars() > 0 {
			s.history(rng, 8)
		}
	}
	small, err := smallFamilies()
	require.NoError(t, err)
	for _, p := range small {
		try(Of(p), nil)
	}
	for range Cases(120) {
		try(Random(rng))
	}
}

// Boards written to a file with an at-most-one encoding and read back; and for small boards the clauses
// themselves, with the encoding's variables as auxiliary ones, which must be neither counted nor shown.
func encodings(t *testing.T, on under) {
	rng, hint := seeded(t)
	largest := 6
	if testing.Short() {
		largest = 5
	}
	for n := 4; n <= largest; n++ {
		board := queens(t, n, nil, nil)
		truth := Of(board)
		for _, e := range amo.All() {
			var file bytes.Buffer
			require.NoError(t, board.WriteDIMACS(&file, e, nil))
			p, _, err := encode.ReadCNF(&file, e.Name+".cnf")
			require.NoError(t, err)
			problems := []encode.Problem{p}
			if n < min(6, largest) {
				problems = append(problems, clauses(board, e))
			}
			for _, p := range problems {
				s := &subject{t, Truth{p, truth.all}, on.make(p), on.methods, e.Name + " " + hint}
				s.check()
				s.history(rng, 4)
			}
		}
	}
}

// clauses returns the problem with the clauses of its CNF as constraints.
func clauses(p encode.Problem, e amo.Encoding) encode.Problem {
	f := p.CNF(e)
	names := encode.List(slices.Repeat([]string{""}, p.NumVars()))
	all := encode.Problem{Family: "clauses", Names: names, Auxiliary: f.Vars - p.NumVars()}
	for clause := range f.Clauses() {
		all.Constraints = append(all.Constraints, encode.AtLeastOne("", slices.Clone(clause)...))
	}
	return all
}

// A variable that the problem does not have is an error, and the back-end stays
// usable.
func badAssumptions(t *testing.T, on under) {
	s := on.subject(t, queens(t, 4, nil, nil), "")
	for name, ask := range s.asks() {
		for _, bad := range []cnf.Lit{0, 17, -17} {
			_, err := ask(context.Background(), []cnf.Lit{bad})
			assert.Error(t, err, "%s: assumption %d", name, bad)
		}
	}
	_, err := s.backend.Valid(context.Background(), nil, "no-such-method")
	assert.ErrorContains(t, err, s.methods[0])
	s.check()
}

// A context that has ended, or that ends after a back-end has looked at it a number of times, is an error, and
// the back-end stays usable.
func cancelled(t *testing.T, on under) {
	s := on.subject(t, queens(t, 6, nil, nil), "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ask := range s.asks() {
		_, err := ask(ctx, nil)
		assert.ErrorIs(t, err, context.Canceled, name)
		for looks := 1; looks <= 1000; looks += 1 + looks/2 {
			part := contexttest.After(looks)
			if _, err := ask(part, nil); part.Left() < 0 {
				assert.ErrorIs(t, err, context.Canceled, "%s, ended after %d looks", name, looks)
			} else {
				require.NoError(t, err, name)
				break
			}
		}
	}
	s.check()
}

// patience is how long an operation may take to notice that its context has ended. None takes a thousandth of
// this; one that exceeds it never looks.
const patience = 20 * time.Second

// Ends checks that a back-end ends when its context does: a server's limit of time, and a person's Ctrl-C, rely
// on this. It asks about the tilings of a board of 10, which are 258,584,046,368, too many to visit.
func Ends(t *testing.T, methods []backends.Method, build Make) {
	family, err := encode.FamilyNamed("dominoes")
	require.NoError(t, err)
	p, err := family.Build(10)
	require.NoError(t, err)
	s := &subject{t, Truth{Problem: p}, build(p), backends.Names(methods), ""}
	if s.backend == nil {
		return
	}
	all := s.asks()
	all["solve"] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
		_, err := s.backend.Solve(ctx, assume)
		return "", err
	}
	all["list"] = func(ctx context.Context, assume []cnf.Lit) (string, error) {
		for _, err := range s.backend.Solutions(ctx, assume) {
			if err != nil || ctx.Err() != nil {
				return "", err
			}
		}
		return "", nil
	}
	for name, ask := range all {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		ended := make(chan error, 1)
		go func() { _, err := ask(ctx, nil); ended <- err }()
		select {
		case err := <-ended:
			if err != nil {
				assert.ErrorIs(t, err, context.DeadlineExceeded, name)
			}
		case <-time.After(patience):
			t.Fatalf("%s goes on after its context has ended: it must look at it at times, inside its loops", name)
		}
		cancel()
	}
	answer, err := s.backend.Solve(context.Background(), nil)
	require.NoError(t, err)
	require.NoError(t, p.Verify(answer.Model), "after being interrupted")
}
