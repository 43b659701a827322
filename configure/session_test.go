package configure

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"queens/ask"
	"queens/backends/conformance"
	"queens/board"
	"queens/configure/explain"
	"queens/encode"
	"queens/encode/cnf"
)

// sessionWith opens a back-end for a problem.
func sessionWith(t require.TestingT, backend string, p encode.Problem) *ask.Opened {
	s, err := ask.Start(context.Background(), p, ask.Choice{Backend: ask.BackendName(backend)}, ask.Valid, ask.Resources{})
	require.NoError(t, err)
	return s
}

// boardWith is sessionWith for a board of size n.
func boardWith(t require.TestingT, backend string, n int) *ask.Opened {
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	return sessionWith(t, backend, p)
}

func cell(t require.TestingT, s string) board.Cell {
	c, err := board.ParseCell(s)
	require.NoError(t, err)
	return c
}

// completions filters all solutions of n by brute force.
func completions(all [][]board.Cell, s State) [][]board.Cell {
	var fit [][]board.Cell
	for _, queens := range all {
		ok := true
		for _, c := range s.Placed {
			ok = ok && slices.Contains(queens, c)
		}
		for _, c := range s.Blocked {
			ok = ok && !slices.Contains(queens, c)
		}
		if ok {
			fit = append(fit, queens)
		}
	}
	return fit
}

// machine is a session with a model of it: its state, the states before and
// after, and every solution of the board.
type machine struct {
	session      *Board
	all          [][]board.Cell
	state        State
	past, future []State
}

// judge says by brute force whether a decision leaves a completion.
func (m *machine) judge(s State) bool { return len(completions(m.all, s)) > 0 }

func (m *machine) act(t *rapid.T, action string, err error, allowed bool, after State) {
	if !allowed {
		var refusal *Refusal
		require.ErrorAs(t, err, &refusal, action)
		require.NotEmpty(t, refusal.Why)
		return
	}
	require.NoError(t, err, action)
	m.past = append(m.past, m.state)
	m.future = nil
	m.state = after
}

func (m *machine) check(t *rapid.T) {
	ctx := context.Background()
	n := m.state.N
	require.True(t, m.state.equal(m.session.State()), "%v %v", m.state, m.session.State())
	require.Equal(t, len(m.past), len(m.session.past))
	require.Equal(t, len(m.future), len(m.session.future))
	fit := completions(m.all, m.state)
	require.True(t, len(fit) > 0 || len(m.all) == 0, "the session reached a placement without a completion")

	through := make([]int, n*n)
	for _, queens := range fit {
		for _, q := range queens {
			through[q.Index(n)]++
		}
	}
	view, err := m.session.View(ctx)
	require.NoError(t, err)
	require.Equal(t, len(fit) > 0, view.Satisfiable)
	var valid, forced []board.Cell
	for i := range n * n {
		c := board.At(n, i)
		want := Invalid
		inAll := len(fit) > 0 && through[i] == len(fit)
		switch {
		case slices.Contains(m.state.Placed, c):
			want = Queen
		case slices.Contains(m.state.Blocked, c):
			want = Blocked
		case inAll && m.state.Mode == Place:
			want = Auto
		case inAll && m.state.Mode == Suggest:
			want = Forced
		case through[i] > 0:
			want = Valid
		case slices.ContainsFunc(view.Queens(), c.Attacks):
			want = Attacked
		}
		require.Equal(t, want, view.Mark(c), "cell %s of %s", c, m.state.Query())
		if want != Queen && through[i] > 0 {
			valid = append(valid, c)
			if inAll {
				forced = append(forced, c)
			}
		}
	}
	require.Equal(t, valid, view.Valid)
	var listed []board.Cell
	for _, f := range view.Forced {
		listed = append(listed, f.Cell)
	}
	require.ElementsMatch(t, forced, listed)
	require.Equal(t, view.Complete, board.VerifyCells(n, view.Queens()) == nil)
	require.Equal(t, m.state.Mode == Place && len(fit) == 1 || len(m.state.Placed) == n, view.Complete)
	checkReasons(t, m.state, view.Forced)

	counts, err := m.session.Count(ctx, boardWith(t, "search", n))
	require.NoError(t, err)
	require.Equal(t, int64(len(fit)), counts.Total.Int64())
	for i, count := range counts.Through {
		require.Equal(t, int64(through[i]), count.Int64())
	}
	var solutions [][]board.Cell
	for queens, err := range m.session.Solutions(ctx, m.session.by) {
		require.NoError(t, err)
		solutions = append(solutions, queens)
	}
	require.ElementsMatch(t, fit, solutions)

	opened, err := Open(ctx, m.session.State(), m.session.by)
	require.NoError(t, err)
	require.True(t, m.state.equal(opened.State()))

	require.Equal(t, len(m.past), len(m.session.past))
}

// checkReasons replays the reasons of the forced cells on the board: a last
// free cell must be the only free cell of its line.
func checkReasons(t require.TestingT, s State, chain []Reason) {
	queens := slices.Clone(s.Placed)
	for _, r := range chain {
		if r.LastFree {
			for _, c := range r.Line.Cells(s.N) {
				taken := slices.Contains(s.Blocked, c) || slices.ContainsFunc(queens, c.Attacks)
				require.Equal(t, c != r.Cell, taken, "%s says that %s is the last free cell", s.Query(), r.Cell)
			}
		}
		queens = append(queens, r.Cell)
	}
}

// checkExplanation verifies an explanation against the solutions and by
// replaying its steps on the board.
func checkExplanation(t require.TestingT, all [][]board.Cell, s State, view *View, e explain.Explanation) {
	cells := func(lits []cnf.Lit) []board.Cell { return encode.CellsOf(s.N, lits) }
	cell, blame, fewest := encode.VarCell(s.N, e.Literal.Var()), cells(e.Blame), cells(e.TakeBack())
	hint := fmt.Sprintf("%s of %s: %+v", cell, s.Query(), e)
	valid := s
	valid.Placed = with(s.Placed, cell)
	if e.Verdict == explain.HasQueen || e.Verdict == explain.IsBlocked {
		return
	}
	possible := len(completions(all, valid)) > 0
	require.Equal(t, possible, e.Verdict == explain.IsValid, hint)
	if possible {
		require.NoError(t, board.VerifyCells(s.N, cells(e.Witness)), hint)
		require.Contains(t, completions(all, valid), cells(e.Witness), hint)
		return
	}
	blamed := State{N: s.N, Placed: with(blame, cell), Blocked: s.Blocked}
	require.Subset(t, s.Placed, blame, hint)
	require.Empty(t, completions(all, blamed), hint)
	if e.Fewer != nil {
		require.Less(t, len(e.Fewer), len(e.Blame), hint)
		blamed.Placed = with(fewest, cell)
		require.Empty(t, completions(all, blamed), hint)
	}
	for _, q := range fewest {
		require.Contains(t, s.Placed, q, hint)
		blamed.Placed = with(without(fewest, q), cell)
		require.NotEmpty(t, completions(all, blamed), "%s is not to blame: %s", q, hint)
	}
	if e.Verdict == explain.ByAttack {
		require.NotEmpty(t, e.ExcludedBy, hint)
		for _, q := range view.Queens() {
			require.Equal(t, q.Attacks(cell), slices.Contains(cells(e.ExcludedBy), q), hint)
		}
		return
	}
	if e.Verdict == explain.BySearch {
		require.Empty(t, e.Steps)
		return
	}
	// Every step's queens are on the board by then, and attack the line's cells
	// as the step says.
	queens := with(s.Placed, cell)
	trunk := len(queens)
	ended := true
	var cases []board.Cell
	for _, step := range e.Steps {
		at, line, because := encode.VarCell(s.N, step.Literal.Var()), step.Line(s.N), cells(step.Because)
		switch step.Kind {
		case "case":
			if len(cases) == 0 {
				trunk = len(queens) // with what was forced before
			} else {
				require.True(t, ended, hint)
			}
			ended = false
			queens = with(queens[:trunk:trunk], at)
			cases = append(cases, at)
			continue
		case "forced":
			ended = false
		case "emptied":
			ended = true
		}
		for _, q := range because {
			require.Contains(t, queens, q, hint)
		}
		for _, c := range line.Cells(s.N) {
			if step.Kind == "forced" && c == at {
				continue
			}
			require.True(t, slices.Contains(s.Blocked, c) || slices.ContainsFunc(because, c.Attacks),
				"%s of %s is still free: %s", c, line.Name(s.N), hint)
		}
		queens = append(queens, at)
	}
	require.True(t, ended, hint)
	if e.Verdict == explain.ByChoice {
		for _, c := range e.Turn().Line(s.N).Cells(s.N) {
			free := !slices.Contains(s.Blocked, c) && !slices.ContainsFunc(queens[:trunk], c.Attacks)
			require.Equal(t, free, slices.Contains(cases, c), hint)
		}
	}
}

func solutions(n int) [][]board.Cell {
	var all [][]board.Cell
	for _, cols := range conformance.Queens(n) {
		all = append(all, board.Queens(cols))
	}
	return all
}

// Random histories against brute force: marks, counts, solutions and
// explanations agree; an action is refused exactly when no completion would be
// left; undo, redo, text and link restore the state.
func TestSessionAgainstBruteForce(t *testing.T) {
	all := map[int][][]board.Cell{}
	for n := 1; n <= 6; n++ {
		all[n] = solutions(n)
	}
	for _, backend := range []string{"search", "sat", "bdd"} {
		t.Run(backend, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				ctx := context.Background()
				n := rapid.IntRange(1, 6).Draw(t, "n")
				oracle := boardWith(t, backend, n)
				m := &machine{
					session: New(n, oracle),
					all:     all[n], state: State{N: n},
				}
				for range rapid.IntRange(1, 8).Draw(t, "actions") {
					c := board.At(n, rapid.IntRange(0, n*n-1).Draw(t, "cell"))
					after := m.state
					placed, blocked := slices.Contains(after.Placed, c), slices.Contains(after.Blocked, c)
					view, err := m.session.View(ctx)
					require.NoError(t, err)
					auto := view.Mark(c) == Auto
					switch action := rapid.SampledFrom([]string{"place", "place", "place", "place", "remove", "block", "unblock",
						"clear", "undo", "redo", "mode", "explain"}).Draw(t, "action"); action {
					case "place":
						after.Placed = with(after.Placed, c)
						m.act(t, action, m.session.Place(ctx, c), !placed && !blocked && !auto && m.judge(after), after)
					case "remove":
						after.Placed = without(after.Placed, c)
						m.act(t, action, m.session.Remove(ctx, c), placed, after)
					case "block":
						after.Blocked = with(after.Blocked, c)
						m.act(t, action, m.session.Block(ctx, c), !placed && !blocked && m.judge(after), after)
					case "unblock":
						after.Blocked = without(after.Blocked, c)
						m.act(t, action, m.session.Unblock(ctx, c), blocked, after)
					case "clear":
						m.session.Clear()
						if len(after.Placed)+len(after.Blocked) > 0 {
							m.act(t, action, nil, true, State{N: n, Mode: after.Mode})
						}
					case "undo":
						require.Equal(t, len(m.past) > 0, m.session.Undo() == nil)
						if len(m.past) > 0 {
							m.future = append(m.future, m.state)
							m.state, m.past = m.past[len(m.past)-1], m.past[:len(m.past)-1]
							m.state.Mode = after.Mode
						}
					case "redo":
						require.Equal(t, len(m.future) > 0, m.session.Redo() == nil)
						if len(m.future) > 0 {
							m.past = append(m.past, m.state)
							m.state, m.future = m.future[len(m.future)-1], m.future[:len(m.future)-1]
							m.state.Mode = after.Mode
						}
					case "mode":
						m.state.Mode = Mode(rapid.IntRange(0, 2).Draw(t, "mode"))
						m.session.SetMode(m.state.Mode)
					case "explain":
						e, err := m.session.Explain(ctx, c)
						require.NoError(t, err)
						checkExplanation(t, m.all, m.state, view, e)
						require.NotEmpty(t, e.OnBoard(n))
					}
				}
				m.check(t)
			})
		})
	}
}

// Every cell is explained on boards of 8 with up to three queens of a solution,
// and the verdicts listed at the end all occur.
func TestExplanationsOfEight(t *testing.T) {
	ctx := context.Background()
	all := solutions(8)
	met := map[explain.Verdict]int{}
	oracle := boardWith(t, "search", 8)
	for _, queens := range all[:12] {
		for k := range 4 {
			s, err := Open(ctx, State{N: 8, Placed: queens[2 : 2+k]}, oracle)
			require.NoError(t, err)
			view, err := s.View(ctx)
			require.NoError(t, err)
			for i := range 64 {
				e, err := s.Explain(ctx, board.At(8, i))
				require.NoError(t, err)
				checkExplanation(t, all, s.State(), view, e)
				met[e.Verdict]++
			}
		}
	}
	for _, v := range []explain.Verdict{explain.HasQueen, explain.IsValid, explain.ByAttack, explain.ByEmptyLine,
		explain.ByChain, explain.ByChoice} {
		assert.Positive(t, met[v], "no cell explained by %s: %v", v, met)
	}
}

// On the empty board of 6 the corner is in no solution, so no queen is to blame.
func TestNobodyToBlame(t *testing.T) {
	s := New(6, boardWith(t, "search", 6))
	e, err := s.Explain(context.Background(), cell(t, "a1"))
	require.NoError(t, err)
	assert.Empty(t, e.Blame)
	assert.Contains(t, e.OnBoard(6), "no placed queen is to blame")
	checkExplanation(t, solutions(6), s.State(), s.view, e)
}

func TestRefusalsSayWhy(t *testing.T) {
	ctx := context.Background()
	s := New(4, boardWith(t, "search", 4))
	require.ErrorContains(t, s.Undo(), "nothing has been done")
	require.ErrorContains(t, s.Redo(), "nothing has been undone")
	placeAll := func(context.Context, board.Cell) error { s.SetMode(Place); return nil }
	for _, test := range []struct {
		do         func(context.Context, board.Cell) error
		cell, want string
	}{
		{s.Place, "a1", "cannot place a1: "},
		{s.Place, "e1", "off the board: for n = 4 cells go from a1 to d4"},
		{s.Remove, "b1", "no queen stands there"},
		{s.Unblock, "b1", "is not blocked"},
		{s.Place, "b1", ""},
		{s.Place, "b1", "a queen stands there"},
		{s.Place, "b2", "b2 is attacked by the queen on b1"},
		{s.Block, "d2", "every completion has a queen there"},
		{placeAll, "a1", ""},
		{s.Place, "d2", "a queen stands there"},
		{s.Remove, "d2", "follows from the others"},
	} {
		err := test.do(ctx, cell(t, test.cell))
		if test.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorAs(t, err, new(*Refusal))
			require.ErrorContains(t, err, test.want)
		}
	}
	view, err := s.View(ctx)
	require.NoError(t, err)
	assert.True(t, view.Complete, "one solution is left, so all of it is placed")
	assert.Equal(t, "b1,d2,a3,c4", board.FormatCells(view.Queens()))
	for _, r := range view.Forced {
		assert.True(t, r.LastFree)
	}
}

func TestOpenRefusesWhatHasNoCompletion(t *testing.T) {
	ctx := context.Background()
	s := State{N: 4, Placed: []board.Cell{cell(t, "b1"), cell(t, "c4")}, Blocked: []board.Cell{cell(t, "a3")}}
	assert.Equal(t, "n=4&q=b1,c4&x=a3", s.Query())
	_, err := Open(ctx, s, boardWith(t, "sat", 4))
	var refusal *Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, "place b1", refusal.Action)
	require.NotNil(t, refusal.Explanation)

	// n = 3 has no solution: the board opens, and every action on it is refused.
	three, err := Open(ctx, State{N: 3}, boardWith(t, "sat", 3))
	require.NoError(t, err)
	require.ErrorAs(t, three.Place(ctx, cell(t, "a1")), &refusal)
	require.ErrorAs(t, three.Block(ctx, cell(t, "a1")), &refusal)

	a1 := cell(t, "a1")
	for want, bad := range map[string]State{
		"board size n = 0":                        {},
		"board size n = 99999999":                 {N: 99999999},
		"placed queens: cell a9 is off the board": {N: 4, Placed: []board.Cell{cell(t, "a9")}},
		"blocked cells: cell a1 is given twice":   {N: 4, Blocked: []board.Cell{a1, a1}},
		"cell a1 is both placed and blocked":      {N: 4, Placed: []board.Cell{a1}, Blocked: []board.Cell{a1}},
	} {
		_, err := Open(ctx, bad, nil)
		assert.ErrorContains(t, err, want)
	}
}

// A cancelled question leaves the session as it was, and usable.
func TestCancelledActionChangesNothing(t *testing.T) {
	s := New(8, boardWith(t, "search", 8))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, s.Place(ctx, cell(t, "a1")), context.Canceled)
	assert.Empty(t, s.State().Placed)
	require.NoError(t, s.Place(context.Background(), cell(t, "a1")))
	assert.Equal(t, "n=8&q=a1", s.State().Query())
}

func (s State) equal(t State) bool {
	return s.N == t.N && s.Mode == t.Mode && slices.Equal(s.Placed, t.Placed) && slices.Equal(s.Blocked, t.Blocked)
}
