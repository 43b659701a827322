package explain

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/localsearch"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

func empty(t testing.TB, n int) encode.Problem {
	t.Helper()
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	return p
}

// inTurn returns a portfolio.
func inTurn(t testing.TB, n int) *portfolio.Oracle {
	t.Helper()
	return portfolio.New(empty(t, n))
}

// solvers returns the solvers under test; every explanation is checked,
// whichever was asked.
func solvers(t testing.TB, n int) map[string]backends.Backend {
	return map[string]backends.Backend{
		"portfolio": inTurn(t, n),
		"gini":      sat.New(empty(t, n)),
		"search":    search.New(empty(t, n)),
	}
}

// random takes queens of a random solution and, for every third seed, blocks
// some other cells.
func random(t testing.TB, n, queens int, seed uint64) (placed, blocked []board.Cell) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	w := localsearch.NewWalk(board.NewPosition(n, nil, nil), seed)
	require.True(t, w.Complete(context.Background(), 1000+20*n))
	cols := w.Solution()
	for _, row := range rng.Perm(n)[:queens] {
		placed = append(placed, board.Cell{Row: row, Col: int(cols[row])})
	}
	if seed%3 == 1 {
		for range n / 2 {
			if b := board.At(n, rng.IntN(n*n)); !slices.Contains(blocked, b) && !slices.Contains(placed, b) {
				blocked = append(blocked, b)
			}
		}
	}
	return placed, blocked
}

// cellQuestion is a question about a cell of a board of queens.
type cellQuestion struct {
	N               int
	Placed, Blocked []board.Cell
	Cell            board.Cell
	Smallest        int64
}

// cellAnswer is an explanation in terms of cells and lines.
type cellAnswer struct {
	Explanation
	Cell                                        board.Cell
	Conflict, AttackedBy, Blame, Fewer, Witness []board.Cell
	Steps                                       []cellStep
}

type cellStep struct {
	Kind    StepKind
	Line    board.Line
	Cell    board.Cell
	Attacks []cellAttack
	Because []board.Cell
}

type cellAttack struct{ Cell, By board.Cell }

// of asks an explainer.
func (q cellQuestion) of(ctx context.Context, x *Explainer) (cellAnswer, error) {
	e, err := x.Explain(ctx, Question{
		Literal: encode.CellVar(q.N, q.Cell).Pos(), Given: encode.Literals(q.N, q.Placed, true),
		Always: encode.Literals(q.N, q.Blocked, false), Smallest: q.Smallest,
	})
	cells := func(lits []cnf.Lit) (cells []board.Cell) {
		if lits != nil {
			cells = []board.Cell{}
		}
		return append(cells, encode.CellsOf(q.N, lits)...)
	}
	a := cellAnswer{
		Explanation: e, Cell: q.Cell, Conflict: cells(e.Conflict), AttackedBy: cells(e.ExcludedBy), Blame: cells(e.Blame),
		Fewer: cells(e.Fewer), Witness: cells(e.Witness),
	}
	for _, s := range e.Steps {
		step := cellStep{Kind: s.Kind, Line: board.Lines(q.N)[s.Constraint], Because: cells(s.Because)}
		if s.Literal != 0 {
			step.Cell = encode.VarCell(q.N, s.Literal.Var())
		}
		for _, x := range s.Excluded {
			step.Attacks = append(step.Attacks, cellAttack{encode.VarCell(q.N, x.Literal.Var()), encode.VarCell(q.N, x.By.Var())})
		}
		a.Steps = append(a.Steps, step)
	}
	return a, err
}

// check judges an explanation by exact search, with no code of this package.
func check(t *testing.T, judge backends.Backend, q cellQuestion, e cellAnswer, hint string) {
	t.Helper()
	possible := func(queens []board.Cell) bool {
		assume := append(encode.Literals(q.N, append(slices.Clone(queens), q.Cell), true),
			encode.Literals(q.N, q.Blocked, false)...)
		answer, err := judge.Solve(context.Background(), assume)
		require.NoError(t, err)
		return answer.Status == backends.Sat
	}
	require.Equal(t, q.Cell, e.Cell)
	switch e.Verdict {
	case HasQueen:
		require.Contains(t, q.Placed, q.Cell, hint)
		return
	case IsBlocked:
		require.Contains(t, q.Blocked, q.Cell, hint)
		return
	case IsValid:
		require.NoError(t, board.VerifyCells(q.N, e.Witness), hint)
		require.Subset(t, e.Witness, append(slices.Clone(q.Placed), q.Cell), hint)
		for _, b := range q.Blocked {
			require.NotContains(t, e.Witness, b, hint)
		}
		return
	}
	require.False(t, possible(q.Placed), "%s is valid: %s", q.Cell, hint)
	require.Nil(t, e.Witness)

	// The blame rules the cell out. Either no proper subset does, or Fewer is such a set.
	require.Subset(t, q.Placed, e.Blame, hint)
	require.False(t, possible(e.Blame), "blame %v does not rule %s out: %s", e.Blame, q.Cell, hint)
	least := leastBlame(e)
	require.Subset(t, q.Placed, least, hint)
	require.False(t, possible(least), "%v do not rule %s out: %s", least, q.Cell, hint)
	require.True(t, e.Fewer == nil || len(e.Fewer) < len(e.Blame), hint)
	for i := range least {
		require.True(t, possible(slices.Delete(slices.Clone(least), i, i+1)), "%s is not to blame for %s: %s", least[i],
			q.Cell, hint)
	}

	// A conflict between the placed queens comes before any other reason.
	together := board.CheckCells(q.N, q.Placed) == nil && !slices.ContainsFunc(q.Placed,
		func(c board.Cell) bool { return slices.Contains(q.Blocked, c) })
	for _, a := range q.Placed {
		together = together && !slices.ContainsFunc(q.Placed, a.Attacks)
	}
	require.Equal(t, together, e.Verdict != ByConflict, hint)
	require.Equal(t, together, len(e.Conflict) == 0, hint)
	require.Subset(t, q.Placed, e.Conflict, hint)
	switch len(e.Conflict) {
	case 1:
		require.Contains(t, q.Blocked, e.Conflict[0], hint)
	case 2:
		require.True(t, e.Conflict[0].Attacks(e.Conflict[1]), hint)
	}

	for _, queen := range q.Placed {
		require.Equal(t, queen.Attacks(q.Cell), slices.Contains(e.AttackedBy, queen), hint)
	}
	if e.Verdict == ByAttack || e.Verdict == ByConflict {
		require.True(t, e.Verdict == ByConflict || len(e.AttackedBy) > 0, hint)
		require.Empty(t, e.Steps, hint)
		return
	}
	require.Empty(t, e.AttackedBy)
	require.Equal(t, e.Verdict == BySearch, len(e.Steps) == 0, hint)
	require.Equal(t, plainRung(q.N, append(slices.Clone(q.Placed), q.Cell), q.Blocked), e.Verdict, hint)

	// The steps use the blamed queens and no other placed ones.
	var used []board.Cell
	for _, step := range e.Steps {
		for _, c := range step.Because {
			if slices.Contains(q.Placed, c) && !slices.Contains(used, c) {
				used = append(used, c)
			}
		}
	}
	if len(e.Steps) > 0 {
		require.ElementsMatch(t, e.Blame, used, hint)
	}

	// Without any one of them, or by the fewer that suffice, no line that has no placed queen is left without a free
	// cell.
	var lacking [][]board.Cell
	for i := range e.Blame {
		lacking = append(lacking, slices.Delete(slices.Clone(e.Blame), i, i+1))
	}
	if e.Fewer != nil {
		lacking = append(lacking, e.Fewer)
	}
	for _, rest := range lacking {
		if rest = append(slices.Clone(rest), q.Cell); e.Verdict != ByEmptyLine {
			break
		}
		for _, line := range board.Lines(q.N)[:2*q.N] {
			cells := line.Cells(q.N)
			require.True(t, slices.ContainsFunc(cells, func(c board.Cell) bool {
				return slices.Contains(append(q.Placed, q.Cell), c) ||
					!slices.Contains(q.Blocked, c) && !slices.ContainsFunc(rest, c.Attacks)
			}), "%v suffice to empty %s: %s", rest, line.Name(q.N), hint)
		}
	}

	// The conclusion names the blamed queens, and no others.
	sentence := strings.FieldsFunc(e.Conclusion(q.N), func(r rune) bool { return strings.ContainsRune(" ,;()", r) })
	for _, c := range q.Placed {
		require.Equal(t, slices.Contains(append(slices.Clone(e.Blame), e.Fewer...), c), slices.Contains(sentence, c.String()),
			"%s: %s", e.Conclusion(q.N), hint)
	}
	follow(t, q, e, hint)
}

// leastBlame returns the smallest set of queens that the explanation blames.
func leastBlame(e cellAnswer) []board.Cell {
	if e.Fewer != nil {
		return e.Fewer
	}
	return e.Blame
}

// plainRung returns the cheapest rung that refutes queens which do not attack each other, by forced moves with
// Cell.Attacks alone.
func plainRung(n int, queens, blocked []board.Cell) Verdict {
	free := func(queens []board.Cell) (lines [][]board.Cell) { // of each row and column without a queen
		for _, line := range board.Lines(n)[:2*n] {
			cells := line.Cells(n)
			if slices.ContainsFunc(cells, func(c board.Cell) bool { return slices.Contains(queens, c) }) {
				continue
			}
			lines = append(lines, slices.DeleteFunc(cells, func(c board.Cell) bool {
				return slices.Contains(blocked, c) || slices.ContainsFunc(queens, c.Attacks)
			}))
		}
		return lines
	}
	isEmpty := func(cells []board.Cell) bool { return len(cells) == 0 }
	forced := func(queens []board.Cell) (all []board.Cell, dead bool) {
		for {
			lines := free(queens)
			one := slices.IndexFunc(lines, func(cells []board.Cell) bool { return len(cells) == 1 })
			if slices.ContainsFunc(lines, isEmpty) || one < 0 {
				return queens, slices.ContainsFunc(lines, isEmpty)
			}
			queens = append(slices.Clone(queens), lines[one][0])
		}
	}
	if slices.ContainsFunc(free(queens), isEmpty) {
		return ByEmptyLine
	}
	all, dead := forced(queens)
	if dead {
		return ByChain
	}
	for _, cells := range free(all) {
		fails := func(c board.Cell) bool { _, dead := forced(append(slices.Clone(all), c)); return dead }
		if len(cells) <= maxChoices && !slices.ContainsFunc(cells, func(c board.Cell) bool { return !fails(c) }) {
			return ByChoice
		}
	}
	return BySearch
}

// follow replays the steps with Cell.Attacks alone. Each attack is real, by a queen
// that is on the board by then; each cell of the step's line is attacked or
// blocked, except those that the step leaves free; each case is refuted before the
// next begins; and no case is missing.
func follow(t *testing.T, q cellQuestion, e cellAnswer, hint string) {
	t.Helper()
	start := append(slices.Clone(q.Placed), q.Cell)
	standing := slices.Clone(start)
	var cases []board.Cell
	var line board.Line // of the cases
	kinds := map[StepKind]int{}
	for i, step := range e.Steps {
		hint := fmt.Sprintf("%s, step %d %v", hint, i, step)
		kinds[step.Kind]++
		if step.Kind == Case {
			if len(cases) == 0 {
				start, line = slices.Clone(standing), step.Line
			} else {
				require.Equal(t, Emptied, e.Steps[i-1].Kind, hint)
			}
			require.Equal(t, line, step.Line, hint)
			require.NotContains(t, cases, step.Cell, hint)
			cases = append(cases, step.Cell)
			standing = slices.Clone(start)
		}
		attacked := map[board.Cell]bool{}
		for _, a := range step.Attacks {
			require.True(t, a.By.Attacks(a.Cell), hint)
			require.Contains(t, standing, a.By, hint)
			require.Contains(t, step.Because, a.By, hint)
			attacked[a.Cell] = true
		}
		open := 0
		for _, c := range step.Line.Cells(q.N) {
			if !attacked[c] && !slices.Contains(q.Blocked, c) {
				open++
			}
		}
		switch step.Kind {
		case Emptied:
			require.Zero(t, open, hint)
			require.True(t, i+1 == len(e.Steps) || e.Steps[i+1].Kind == Case, hint)
		case Forced:
			require.Equal(t, 1, open, hint)
			require.False(t, attacked[step.Cell] || slices.Contains(q.Blocked, step.Cell), hint)
		case Case:
			require.False(t, attacked[step.Cell], hint)
			count := 0
			for _, other := range e.Steps {
				if other.Kind == Case {
					count++
				}
			}
			require.Equal(t, open, count, hint)
		}
		if step.Kind != Emptied {
			require.Contains(t, step.Line.Cells(q.N), step.Cell, hint)
			standing = append(standing, step.Cell)
		}
	}
	switch e.Verdict {
	case ByEmptyLine:
		require.Equal(t, map[StepKind]int{Emptied: 1}, kinds, hint)
	case ByChain:
		require.Zero(t, kinds[Case], hint)
		require.Equal(t, 1, kinds[Emptied], hint)
		require.Positive(t, kinds[Forced], hint)
	case ByChoice:
		require.Greater(t, kinds[Case], 1, hint)
		require.Equal(t, kinds[Case], kinds[Emptied], hint)
	}
}

// Every cell of small boards is explained correctly, whichever solver is asked;
// each rung of the ladder occurs, and each verdict is the cheapest that applies.
func TestEveryCellOfSmallBoards(t *testing.T) {
	met := map[Verdict]int{}
	for _, n := range []int{4, 5, 6, 7, 8, 9} {
		explainers, judge := map[string]*Explainer{}, search.New(empty(t, n))
		for name, solver := range solvers(t, n) {
			explainers[name] = New(empty(t, n), solver)
		}
		for seed := range uint64(15) {
			placed, blocked := random(t, n, int(seed)%4, seed)
			for i := range n * n {
				name := []string{"portfolio", "gini", "search"}[(int(seed)+i)%3]
				q := cellQuestion{N: n, Placed: placed, Blocked: blocked, Cell: board.At(n, i), Smallest: 100_000_000}
				hint := fmt.Sprintf("n=%d seed=%d cell=%s solver=%s", n, seed, q.Cell, name)
				e, err := q.of(context.Background(), explainers[name])
				require.NoError(t, err, hint)
				check(t, judge, q, e, hint)
				met[e.Verdict]++
				if e.Verdict != HasQueen && e.Verdict != IsBlocked && e.Verdict != IsValid {
					require.True(t, e.Smallest, hint)
					require.Len(t, leastBlame(e), fewest(t, judge, q), hint)
				}
			}
		}
	}
	for _, v := range []Verdict{HasQueen, IsBlocked, IsValid, ByAttack, ByEmptyLine, ByChain, ByChoice, BySearch} {
		assert.Positive(t, met[v], "no cell explained by %s: %v", v, met)
	}
}

// Placed queens that attack each other, or stand on a blocked cell, are the reason
// given for every cell, however many there are.
func TestQueensThatHaveNoPlaceTogether(t *testing.T) {
	met := map[int]int{}
	for _, n := range []int{5, 6, 8} {
		solvers, judge := solvers(t, n), search.New(empty(t, n))
		for seed := range uint64(8) {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			var placed []board.Cell
			for _, i := range rng.Perm(n * n)[:2+int(seed)%3] {
				placed = append(placed, board.At(n, i))
			}
			blocked := []board.Cell{board.At(n, rng.IntN(n*n)), placed[0]}[seed%2 : seed%2+1]
			for i := range n * n {
				name := []string{"portfolio", "gini", "search"}[(int(seed)+i)%3]
				q := cellQuestion{N: n, Placed: placed, Blocked: blocked, Cell: board.At(n, i), Smallest: 100_000_000}
				hint := fmt.Sprintf("n=%d seed=%d cell=%s solver=%s", n, seed, q.Cell, name)
				e, err := q.of(context.Background(), New(empty(t, n), solvers[name]))
				require.NoError(t, err, hint)
				check(t, judge, q, e, hint)
				met[len(e.Conflict)]++
			}
		}
	}
	require.Positive(t, met[1])
	require.Positive(t, met[2])
}

// fewest tries all sets of placed queens, small ones first.
func fewest(t *testing.T, judge backends.Backend, q cellQuestion) int {
	t.Helper()
	best := len(q.Placed)
	for word := range 1 << len(q.Placed) {
		var queens []board.Cell
		for i, c := range q.Placed {
			if word>>i&1 == 1 {
				queens = append(queens, c)
			}
		}
		if len(queens) >= best {
			continue
		}
		assume := append(encode.Literals(q.N, append(queens, q.Cell), true), encode.Literals(q.N, q.Blocked, false)...)
		answer, err := judge.Solve(context.Background(), assume)
		require.NoError(t, err)
		if answer.Status == backends.Unsat {
			best = len(queens)
		}
	}
	return best
}

// On wider boards the portfolio (local search and backtracking) explains, and
// gini on the whole board judges.
func TestInvalidCellsOfWideBoards(t *testing.T) {
	met := map[Verdict]int{}
	for _, in := range []struct{ n, queens int }{{14, 6}, {20, 10}, {30, 16}} {
		if testing.Short() && in.n == 30 {
			continue
		}
		o := inTurn(t, in.n)
		judge := sat.New(empty(t, in.n))
		for seed := range uint64(4) {
			placed, blocked := random(t, in.n, in.queens, seed)
			p, err := encode.Queens(in.n, placed, blocked)
			require.NoError(t, err)
			possible, err := o.Valid(context.Background(), p.Fixed, "")
			require.NoError(t, err)
			asked := 0
			for _, c := range p.Position(nil).Cells() {
				if slices.Contains(possible.Possible, encode.CellVar(in.n, c)) || asked == 12 {
					continue
				}
				asked++
				q := cellQuestion{N: in.n, Placed: placed, Blocked: blocked, Cell: c, Smallest: 100_000}
				e, err := q.of(context.Background(), New(empty(t, q.N), o))
				require.NoError(t, err)
				check(t, judge, q, e, fmt.Sprintf("n=%d seed=%d cell=%s", in.n, seed, c))
				met[e.Verdict]++
			}
		}
	}
	assert.Positive(t, met[ByChain]+met[ByEmptyLine], met)
}

// Placements without any completion are explained too.
func TestHopelessPlacements(t *testing.T) {
	judge := search.New(empty(t, 6))
	o := inTurn(t, 6)
	for _, placed := range [][]board.Cell{{{Row: 0, Col: 0}}, {{Row: 0, Col: 0}, {Row: 0, Col: 1}},
		{{Row: 0, Col: 0}, {Row: 3, Col: 3}, {Row: 1, Col: 5}}} {
		for i := range 36 {
			q := cellQuestion{N: 6, Placed: placed, Cell: board.At(6, i), Smallest: 100_000_000}
			e, err := q.of(context.Background(), New(empty(t, q.N), o))
			require.NoError(t, err)
			require.NotEqual(t, IsValid, e.Verdict)
			check(t, judge, q, e, fmt.Sprint(placed, q.Cell))
		}
	}
	for n := 2; n <= 3; n++ {
		e, err := New(empty(t, n), sat.New(empty(t, n))).Explain(context.Background(), Question{Literal: 1})
		require.NoError(t, err)
		assert.Empty(t, e.Blame, "no placed queen is to blame")
		assert.Contains(t, e.OnBoard(n), "no placed queen is to blame")
	}
}

// No argument derives two queens that attack each other, though it would be valid: after g2, a3 and d8
// both f5 and b1 are the last free cells of their columns.
func TestDerivedQueensDoNotAttack(t *testing.T) {
	cells := func(names ...string) (cells []board.Cell) {
		for _, name := range names {
			c, err := board.ParseCell(name)
			require.NoError(t, err)
			cells = append(cells, c)
		}
		return cells
	}
	queens := cells("g2", "h6", "a3", "d8")
	q := cellQuestion{N: 8, Placed: queens[:3], Cell: queens[3]}
	e, err := q.of(context.Background(), New(empty(t, 8), inTurn(t, 8)))
	require.NoError(t, err)
	require.Equal(t, ByChain, e.Verdict)
	follow(t, q, e, "")
	standing := slices.Clone(queens)
	for _, step := range e.Steps {
		if step.Kind == Forced {
			require.False(t, slices.ContainsFunc(standing, step.Cell.Attacks), "%v attacks one of %v", step.Cell, standing)
			standing = append(standing, step.Cell)
		}
	}
}

// Without time to look for the smallest blame, the blame is still minimal, and
// is called smallest only if it is.
func TestNoTimeForTheSmallest(t *testing.T) {
	judge := search.New(empty(t, 10))
	o := inTurn(t, 10)
	unproved := 0
	for seed := range uint64(12) {
		placed, _ := random(t, 10, 4, seed)
		for i := range 100 {
			q := cellQuestion{N: 10, Placed: placed, Cell: board.At(10, i)}
			e, err := q.of(context.Background(), New(empty(t, q.N), o))
			require.NoError(t, err)
			check(t, judge, q, e, fmt.Sprintf("seed=%d %s", seed, q.Cell))
			if e.Smallest {
				require.LessOrEqual(t, len(leastBlame(e)), 1)
			} else if len(leastBlame(e)) > 1 {
				unproved++
			}
		}
	}
	assert.Positive(t, unproved)
}

func TestSolversThatDoNotAnswer(t *testing.T) {
	o := sat.New(empty(t, 4))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := New(empty(t, 4), o).Explain(ctx, Question{Literal: 2})
	assert.ErrorIs(t, err, context.Canceled)
	_, err = New(empty(t, 4), solverFunc{solve: func(context.Context, []cnf.Lit) (backends.Answer, error) {
		return backends.Answer{}, nil
	}}).Explain(context.Background(), Question{Literal: 1})
	assert.ErrorContains(t, err, "cannot tell")
}

func ExampleExplainer() {
	p, _ := encode.Queens(6, nil, nil)
	placed, _ := board.ParseCells(6, "b1")
	cell, _ := board.ParseCell("f2")
	e, _ := New(p, sat.New(p)).Explain(context.Background(), Question{
		Literal: encode.CellVar(6, cell).Pos(), Given: encode.Literals(6, placed, true),
	})
	fmt.Println(e.OnBoard(6))
	for _, step := range e.Steps {
		fmt.Println(step.OnBoard(6))
	}
	// Output:
	// after a queen on f2, only a3, c3 are left in row 3, and each of them fails; to blame: b1
	// suppose the queen of row 3 stands on a3
	// c4 is the last free cell of row 4 (a3 attacks a4, b4; f2 attacks d4, f4; b1 attacks e4)
	// row 6 is left without a free cell (a3 attacks a6, d6; b1 attacks b6; c4 attacks c6, e6; f2 attacks f6)
	// suppose the queen of row 3 stands on c3
	// e6 is the last free cell of column e (b1 attacks e1, e4; f2 attacks e2, e3; c3 attacks e5)
	// row 5 is left without a free cell (c3 attacks a5, c5, e5; b1 attacks b5, f5; e6 attacks d5)
}

func BenchmarkExplain(b *testing.B) {
	for _, in := range []struct{ n, queens int }{{8, 3}, {20, 10}, {50, 30}} {
		var questions []cellQuestion
		for seed := range uint64(24) {
			placed, _ := random(b, in.n, in.queens, 3*seed)
			p, err := encode.Queens(in.n, placed, nil)
			require.NoError(b, err)
			possible, err := inTurn(b, in.n).Valid(context.Background(), p.Fixed, "")
			require.NoError(b, err)
			for _, c := range p.Position(nil).Cells() {
				if !slices.Contains(possible.Possible, encode.CellVar(in.n, c)) {
					questions = append(questions, cellQuestion{N: in.n, Placed: placed, Cell: c})
				}
			}
		}
		for _, smallest := range []int64{0, 2_000_000} {
			b.Run(fmt.Sprintf("n=%d/placed=%d/smallest=%v", in.n, in.queens, smallest > 0), func(b *testing.B) {
				times := make([]time.Duration, len(questions))
				proved := 0
				for b.Loop() {
					proved = 0
					for i, q := range questions {
						q.Smallest = smallest
						start := time.Now()
						e, err := q.of(context.Background(), New(empty(b, in.n), inTurn(b, in.n)))
						times[i] = time.Since(start)
						require.NoError(b, err)
						if e.Smallest {
							proved++
						}
					}
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds()), "median-us")
				b.ReportMetric(float64(times[len(times)*9/10].Microseconds()), "p90-us")
				b.ReportMetric(float64(len(questions)), "cells")
				b.ReportMetric(float64(proved)/float64(len(questions)), "proved")
			})
		}
	}
}

// solverFunc is a back-end that solves by a function, and is asked nothing else.
type solverFunc struct {
	backends.Backend
	solve func(ctx context.Context, assume []cnf.Lit) (backends.Answer, error)
}

// Solve calls the function.
func (f solverFunc) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	return f.solve(ctx, assume)
}
