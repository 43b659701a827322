package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/oracletest"
	"queens/board"
	"queens/configure/engines"
)

func service() *Service { return New(engines.New(engines.Limits{}), Limits{}) }

// ask puts a question given as a Go value and reads the answer.
func ask[Answer any](t *testing.T, s *Service, operation string, request any) Answer {
	t.Helper()
	body, err := json.Marshal(request)
	require.NoError(t, err)
	status, text := s.Do(context.Background(), operation, body)
	require.Equal(t, 200, status, "%s %s: %s", operation, body, text)
	var answer Answer
	require.NoError(t, json.Unmarshal(text, &answer))
	return answer
}

// Random placements of 6, completable or not, over all back-ends, against brute
// force.
func TestBoardAgainstBruteForce(t *testing.T) {
	const n = 6
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	s := service()
	all := oracletest.Queens(n)
	for range 300 {
		b := Board{N: n, Backend: engines.Names()[rng.IntN(3)]}
		used := map[string]bool{}
		for range rng.IntN(4) {
			c := board.At(n, rng.IntN(n*n)).String()
			if used[c] {
				continue
			}
			used[c] = true
			if rng.IntN(3) == 0 {
				b.Blocked = append(b.Blocked, c)
			} else {
				b.Placed = append(b.Placed, c)
			}
		}
		through := map[string]int{}
		total := 0
		for _, cols := range all {
			queens := names(board.Queens(cols))
			fits := !slices.ContainsFunc(b.Blocked, func(c string) bool { return slices.Contains(queens, c) })
			for _, c := range b.Placed {
				fits = fits && slices.Contains(queens, c)
			}
			if fits {
				total++
				for _, q := range queens {
					through[q]++
				}
			}
		}
		answer := ask[BoardAnswer](t, s, "board", BoardRequest{Board: b, Counts: true})
		hint := fmt.Sprintf("%+v", b)
		require.Equal(t, total > 0, answer.Satisfiable, hint)
		var valid []string
		for i := range n * n {
			if c := board.At(n, i).String(); through[c] > 0 && !slices.Contains(b.Placed, c) {
				valid = append(valid, c)
			}
		}
		require.ElementsMatch(t, valid, answer.Valid, hint)
		require.Len(t, answer.Marks, n*n)
		listed := ask[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: b, Limit: 100})
		require.Len(t, listed.Solutions, total, hint)
		require.False(t, listed.More)
		compared := ask[CompareAnswer](t, s, "compare", b)
		require.True(t, compared.Agree, hint)
		for _, row := range compared.Rows {
			require.Empty(t, row.Failed, hint)
		}
		if total == 0 {
			require.NotNil(t, answer.Refused, hint)
			require.Nil(t, answer.Counts)
			continue
		}
		counts := ask[CountOutcome](t, s, "count", b).Counts
		if answer.Counts != nil { // a busy machine may leave no time for them
			require.Equal(t, counts.Through, answer.Counts.Through, hint)
		}
		require.Equal(t, fmt.Sprint(total), counts.Total, hint)
		for i, count := range counts.Through {
			require.Equal(t, fmt.Sprint(through[board.At(n, i).String()]), count, hint)
		}
	}
}

// The empty boards of 2 and 3 are ordinary ones without a solution.
func TestBoardsWithoutASolution(t *testing.T) {
	for n := 2; n <= 3; n++ {
		answer := ask[BoardAnswer](t, service(), "board", Board{N: n})
		assert.False(t, answer.Satisfiable)
		assert.Nil(t, answer.Refused, "nothing was decided, so nothing is refused")
	}
	assert.Equal(t, "Q", ask[BoardAnswer](t, service(), "board", Board{N: 1, Placed: []string{"a1"}}).Marks)
}

func TestPagesOfSolutions(t *testing.T) {
	s := service()
	var all [][]int
	for offset := 0; ; offset += 30 {
		page := ask[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: Board{N: 8}, Offset: offset, Limit: 30})
		all = append(all, page.Solutions...)
		if !page.More {
			break
		}
	}
	require.Len(t, all, 92)
	seen := map[string]bool{}
	for _, cols := range all {
		require.NoError(t, board.Verify(cols))
		seen[fmt.Sprint(cols)] = true
	}
	assert.Len(t, seen, 92)
}

// The nodes that a placement reaches are those on its solutions' paths, followed
// one by one.
func TestReachedNodes(t *testing.T) {
	s := service()
	for _, b := range []Board{{N: 5}, {N: 5, Placed: []string{"a1"}}, {N: 5, Placed: []string{"c3"}, Blocked: []string{"a2"}}, {N: 4, Placed: []string{"b1"}, Order: "hilbert"}, {N: 3}} {
		d := ask[DiagramAnswer](t, s, "diagram", b)
		byID := map[int]DiagramNode{}
		for _, node := range d.Nodes {
			byID[node.ID] = node
		}
		live, lowLive, highLive := map[int]bool{}, map[int]bool{}, map[int]bool{}
		for _, cols := range ask[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: b, Limit: 100}).Solutions {
			queens := names(board.Queens(cols))
			if len(d.Nodes) == 0 {
				break
			}
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
		for _, node := range d.Nodes {
			assert.Equal(t, live[node.ID], node.Live, "%+v node %d", b, node.ID)
			assert.Equal(t, lowLive[node.ID], node.LowLive, "%+v node %d", b, node.ID)
			assert.Equal(t, highLive[node.ID], node.HighLive, "%+v node %d", b, node.ID)
		}
	}
}

func TestOrdersMatchKnownSizes(t *testing.T) {
	answer := ask[OrdersAnswer](t, service(), "orders", OrdersRequest{Board: Board{N: 6, Placed: []string{"b1"}}, Orders: []string{"row-major", "column-major"}})
	for _, o := range answer.Orders {
		assert.Equal(t, 129, o.Nodes)
		sum := 0
		for level, width := range o.Widths {
			sum += width
			assert.LessOrEqual(t, o.Reached[level], width)
		}
		assert.Equal(t, 129, sum)
		require.NotEmpty(t, o.Growth)
		assert.Equal(t, 129, o.Growth[len(o.Growth)-1], "the construction ends with the diagram")
		assert.Greater(t, slices.Max(o.Growth), 129, "and held more on the way")
	}
}

// Replaying the events of a search gives boards with the conflicts they say, and
// a solution at the end.
func TestRepairReplays(t *testing.T) {
	s := service()
	for _, method := range []string{"min-conflicts", "swap", "most-conflicts"} {
		for seed := range uint64(5) {
			r := RepairRequest{Board: Board{N: 10, Placed: []string{"c4"}}, Method: method, Init: "permutation", Seed: seed}
			answer := ask[RepairAnswer](t, s, "repair", r)
			require.NotEmpty(t, answer.Events)
			var rows []int32
			for _, e := range answer.Events {
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
			require.Equal(t, answer.Found, board.Verify(rows) == nil, "%s seed %d", method, seed)
			require.Equal(t, answer, ask[RepairAnswer](t, s, "repair", r), "the same seed, the same course")
		}
	}
	for want, r := range map[string]RepairRequest{
		"method":         {Board: Board{N: 8}, Method: "magic"},
		"init":           {Board: Board{N: 8}, Init: "magic"},
		"cannot mend":    {Board: Board{N: 8}, Method: "swap"},
		"board size n =": {Board: Board{N: 61}},
	} {
		body, err := json.Marshal(r)
		require.NoError(t, err)
		status, text := s.Do(context.Background(), "repair", body)
		assert.Equal(t, 400, status)
		assert.Contains(t, string(text), want)
	}
}

// A contestant without enough memory says so, and the others answer.
func TestCompareWithinMemory(t *testing.T) {
	s := New(engines.New(engines.Limits{CompileBytes: 1000}), Limits{})
	compared := ask[CompareAnswer](t, s, "compare", Board{N: 8})
	require.True(t, compared.Agree)
	for _, row := range compared.Rows {
		if row.Backend == "bdd" {
			assert.Equal(t, "out of memory", row.Failed, row.Name)
		} else {
			assert.Equal(t, 64, row.Valid, row.Name)
		}
	}
}
