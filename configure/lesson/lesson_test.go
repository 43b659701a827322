package lesson

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends/conformance"
	"queens/board"
	"queens/configure"
	"queens/configure/pool"
)

func newPool() *pool.Pool { return pool.New(pool.Limits{}) }

// completions lists the solutions that extend a state, by brute force, as
// cells.
func completions(state configure.State) [][]string {
	var list [][]string
	for _, cols := range conformance.Queens(state.N) {
		queens := board.Queens(cols)
		fits := !slices.ContainsFunc(state.Blocked, func(c board.Cell) bool { return slices.Contains(queens, c) })
		for _, c := range state.Placed {
			fits = fits && slices.Contains(queens, c)
		}
		if fits {
			list = append(list, Names(queens))
		}
	}
	return list
}

// The nodes that a placement reaches are those on the paths of its solutions,
// followed one by one.
func TestReachedNodes(t *testing.T) {
	ctx, warm := context.Background(), newPool()
	for _, test := range []struct{ query, order string }{
		{`{"n":5}`, ""}, {`{"n":5,"placed":["a1"]}`, ""}, {`{"n":5,"placed":["c3"],"blocked":["a2"]}`, ""}, {`{"n":4,"placed":["b1"]}`, "hilbert"}, {`{"n":3}`, ""}, {`{"n":6,"blocked":["b1","d2"]}`, ""},
		{`{"n":8,"placed":["a1"]}`, ""}, {`{"n":8,"placed":["d4"],"blocked":["a2"]}`, "spiral-in"}, {`{"n":7,"placed":["a1","b3"]}`, ""},
	} {
		for _, kind := range []string{"bdd", "zdd"} {
			reachedNodes(t, warm, test.query, test.order, kind)
		}
	}
	_, err := Draw(ctx, warm, stateOf(t, `{"n":4}`), "", "qdd")
	assert.ErrorAs(t, err, new(*InputError))
	many, err := Draw(ctx, warm, stateOf(t, `{"n":8}`), "", "bdd")
	require.NoError(t, err)
	assert.Equal(t, &Drawing{N: 8, Order: "row-major", Kind: "bdd", Nodes: []DrawnNode{}, Whole: 2451, Reached: 2451}, many)
}

func reachedNodes(t *testing.T, warm *pool.Pool, query, order, kind string) {
	test := query + " " + order + " " + kind
	state := stateOf(t, query)
	d, err := Draw(context.Background(), warm, state, order, kind)
	require.NoError(t, err)
	byID := map[int]DrawnNode{}
	for _, node := range d.Nodes {
		byID[node.ID] = node
	}
	live, lowLive, highLive := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, queens := range completions(state) {
		id := d.Nodes[0].ID
		for id >= 0 {
			live[id] = true
			node := byID[id]
			if slices.Contains(queens, node.Cell) {
				highLive[id] = true
				id = node.High
			} else {
				lowLive[id] = true
				id = node.Low
			}
		}
		require.Equal(t, -1, id, "a solution ends in false")
	}
	assert.Len(t, live, d.Reached, test)
	if state.N > MaxDrawn {
		assert.Len(t, d.Nodes, d.Reached, test)
		assert.Less(t, d.Reached, d.Whole, test)
	} else {
		assert.Len(t, d.Nodes, d.Whole, test)
	}
	for _, node := range d.Nodes {
		assert.Equal(t, live[node.ID], node.Live, "%v node %d", test, node.ID)
		assert.Equal(t, lowLive[node.ID], node.LowLive, "%v node %d", test, node.ID)
		assert.Equal(t, highLive[node.ID], node.HighLive, "%v node %d", test, node.ID)
	}
}

func TestProfilesMatchKnownSizes(t *testing.T) {
	profiles, err := Profiles(context.Background(), newPool(), stateOf(t, `{"n":6,"placed":["b1"]}`), []string{"row-major", "column-major"})
	require.NoError(t, err)
	require.Len(t, profiles, 2)
	for _, p := range profiles {
		assert.Equal(t, 129, p.Nodes)
		sum := 0
		for level, width := range p.Widths {
			sum += width
			assert.LessOrEqual(t, p.Reached[level], width)
		}
		assert.Equal(t, 129, sum)
	}
}

// Replaying the events of a search yields boards with the conflicts recorded,
// and a solution at the end.
func TestRepairReplays(t *testing.T) {
	ctx, state := context.Background(), stateOf(t, `{"n":10,"placed":["c4"]}`)
	for _, method := range []string{"min-conflicts", "swap", "most-conflicts"} {
		for seed := range uint64(5) {
			o := RepairOptions{Method: method, Init: "permutation", Seed: seed}
			course, err := Repair(ctx, state, o)
			require.NoError(t, err)
			require.NotEmpty(t, course.Events)
			var rows []int32
			for _, e := range course.Events {
				if e.Step == 0 {
					rows = slices.Clone(e.Rows)
				}
				for _, m := range e.Moves {
					require.EqualValues(t, m.From, rows[m.Col])
					rows[m.Col] = int32(m.To)
				}
				require.EqualValues(t, 3, rows[2], "the placed queen stays")
				pairs := 0
				for c := range rows {
					for d := range c {
						if (board.Cell{Row: int(rows[c]), Col: c}).Attacks(board.Cell{Row: int(rows[d]), Col: d}) {
							pairs++
						}
					}
				}
				require.Equal(t, pairs, e.Conflicts, "%s seed %d", method, seed)
			}
			require.Equal(t, course.Found, board.Verify(rows) == nil, "%s seed %d", method, seed)
			again, err := Repair(ctx, state, o)
			require.NoError(t, err)
			require.Equal(t, course, again, "the same seed, the same course")
		}
	}
	for want, test := range map[string]struct {
		n int
		o RepairOptions
	}{
		"method":         {8, RepairOptions{Method: "magic"}},
		"set-up":         {8, RepairOptions{Init: "magic"}},
		"cannot repair":  {8, RepairOptions{Method: "swap"}},
		"board size n =": {61, RepairOptions{}},
	} {
		_, err := Repair(ctx, configure.State{N: test.n}, test.o)
		require.ErrorAs(t, err, new(*InputError))
		assert.ErrorContains(t, err, want)
	}
}

// Every entrant counts the same cells as brute force does: the empty ones.
func TestCompareCountsTheSameCells(t *testing.T) {
	warm := newPool()
	for _, query := range []string{`{"n":6}`, `{"n":6,"placed":["b1"]}`, `{"n":7,"placed":["a1"],"blocked":["d4"]}`,
		`{"n":8,"placed":["a1","b5"]}`} {
		state := stateOf(t, query)
		valid := map[string]bool{}
		for _, queens := range completions(state) {
			for _, q := range queens {
				valid[q] = true
			}
		}
		for _, q := range Names(state.Placed) {
			delete(valid, q)
		}
		c, err := compare(context.Background(), warm, state, "", time.Minute)
		require.NoError(t, err)
		assert.True(t, c.Agree, query)
		require.Len(t, c.Rows, len(entrants(warm.Limits(), state.N)))
		require.GreaterOrEqual(t, len(c.Rows), 8)
		for _, row := range c.Rows {
			require.Empty(t, row.Failed, row.Name)
			assert.Equal(t, len(valid), row.Valid, "%s, %s", query, row.Name)
			assert.Positive(t, row.Sessions, row.Name)
			assert.Equal(t, c.Clicks > 0, row.Next > 0, row.Name)
			by, err := ask.Named(row.Backend, ask.Valid)
			require.NoError(t, err)
			method, has := by.Method(ask.MethodName(row.Method))
			require.True(t, has, row.Name)
			assert.Equal(t, method.Remembers, row.Remembers, row.Name)
		}
	}
}

// After a placement the next clicks are asked, each with one more queen and a completion, and none is the same again:
// the answer to a question that was asked before is looked up by the methods that remember.
func TestCompareAsksTheNextClick(t *testing.T) {
	for query, most := range map[string]int{`{"n":8}`: 8, `{"n":6,"placed":["b1"],"forced":"place"}`: 5, `{"n":12}`: 8,
		`{"n":4,"placed":["b1","d2","a3","c4"]}`: 0, `{"n":3}`: 0, `{"n":8,"placed":["a1","b2"]}`: 0} {
		state := stateOf(t, query)
		states, err := following(context.Background(), newPool(), state, time.Minute)
		require.NoError(t, err)
		require.Equal(t, state.Placed, states[0].Placed)
		assert.Len(t, states, most+1, query)
		for i, next := range states[1:] {
			assert.ElementsMatch(t, states[i].Placed, next.Placed[:len(next.Placed)-1], query)
			assert.ElementsMatch(t, state.Blocked, next.Blocked)
			if next.N < 9 {
				assert.NotEmpty(t, completions(next), query)
			}
		}
	}
}

// An entrant without enough memory reports it, and the others still answer.
func TestCompareWithinMemory(t *testing.T) {
	c, err := compare(context.Background(), pool.New(pool.Limits{CompileBytes: 1000}), stateOf(t, `{"n":8}`), "", time.Minute)
	require.NoError(t, err)
	require.True(t, c.Agree)
	for _, row := range c.Rows {
		if by, err := ask.Named(row.Backend, ask.Valid); assert.NoError(t, err) && by.Builds {
			assert.Equal(t, "out of memory", row.Failed, row.Name)
		} else {
			assert.Equal(t, 64, row.Valid, "%s: %s", row.Name, row.Failed)
		}
	}
}

// The frames of a walk are true: the supposed queens attack neither each other nor a
// placed queen, a forced cell is the last of its line, an emptied line is empty, and
// every ray is an attack.
func TestWalksAreSound(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx, warm := context.Background(), newPool()
	techniques := map[string]int{}
	for range 120 {
		n := 5 + rng.IntN(4)
		lease, err := warm.Lend(ctx, n, ask.Choice{Backend: ask.Diagram})
		require.NoError(t, err)
		s := configure.New(n, lease)
		for range 1 + rng.IntN(4) {
			_ = s.Place(ctx, board.At(n, rng.IntN(n*n))) // refused placements are skipped
		}
		for i := range n * n {
			w, err := Explain(ctx, s, board.At(n, i))
			require.NoError(t, err)
			hint := fmt.Sprintf("%s %s", s.State().Query(), w.Cell)
			techniques[w.Technique]++
			for _, f := range w.Frames {
				checkFrame(t, n, s.State(), w, f, hint)
			}
			if len(w.Frames) > 0 && w.Verdict != "attacked" {
				assert.Equal(t, "emptied", w.Frames[len(w.Frames)-2].Kind, hint)
				assert.Equal(t, "verdict", w.Frames[len(w.Frames)-1].Kind, hint)
				for _, q := range w.Blame {
					assert.Contains(t, w.Frames[len(w.Frames)-1].Text, q, hint)
				}
				assert.NotNil(t, w.Line, hint)
				assert.Contains(t, w.Hint, w.Line.Name)
			}
		}
		warm.Return(lease)
	}
	for _, want := range []string{"attacked", "last cells of a line", "two lines share a cell", "chain of last cells",
		"every choice fails"} {
		assert.Positive(t, techniques[want], "no walk by %s", want)
	}
}

func checkFrame(t *testing.T, n int, state configure.State, w *Walk, f Frame, hint string) {
	cell := func(name string) board.Cell {
		c, err := board.ParseCell(name)
		require.NoError(t, err)
		return c
	}
	for _, r := range f.Rays {
		require.True(t, cell(r.From).Attacks(cell(r.To)), "%s: %+v", hint, r)
		require.True(
			t,
			slices.Contains(f.Supposed, r.From) || slices.Contains(Names(state.Placed), r.From),
			"%s: the attacker %s stands",
			hint,
			r.From,
		)
	}
	if w.Verdict == "attacked" {
		return
	}
	queens := slices.Clone(state.Placed)
	for _, name := range f.Supposed {
		c := cell(name)
		for _, q := range queens {
			require.False(t, q.Attacks(c), "%s: %s and %s", hint, q, c)
		}
		queens = append(queens, c)
	}
	left := 0 // cells of the line that the step's own queen may have, and others
	for _, name := range f.Line {
		c := cell(name)
		before := queens
		if f.Kind == "forced" {
			before = queens[:len(queens)-1]
		}
		if !slices.ContainsFunc(before, c.Attacks) && !slices.Contains(state.Blocked, c) && !slices.Contains(before, c) {
			left++
		}
	}
	switch f.Kind {
	case "emptied":
		require.Zero(t, left, "%s: %+v", hint, f)
	case "forced":
		require.Equal(t, 1, left, "%s: %+v", hint, f)
	case "case":
		require.Contains(t, f.Line, f.Supposed[len(f.Supposed)-1], hint)
		require.Equal(t, 1, strings.Count(f.Number, ".")+1, hint)
	}
}

// stateOf reads a state as the API does.
func stateOf(t *testing.T, text string) (s configure.State) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return s
}
