package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode"
	"queens/experiments"
)

func run(t *testing.T, task experiments.Task) experiments.Finding {
	t.Helper()
	f, err := task.Run(context.Background(), &experiments.Meter{})
	require.NoError(t, err, "%+v", task)
	return f
}

// judge compares a task's answer with the known one and with those of its references, and
// returns the number of comparisons.
func judge(t *testing.T, task experiments.Task) (checked int) {
	t.Helper()
	if n, ok := task.(experiments.Normaliser); ok && !n.Normalise() {
		return 0
	}
	answer := run(t, task).Answer
	if k, ok := task.(experiments.Known); ok {
		if known, source := k.KnownAnswer(); source != "" {
			assert.Equal(t, known, answer, "%+v", task)
			checked++
		}
	}
	if r, ok := task.(experiments.Referred); ok {
		for _, other := range r.References() {
			assert.Equal(t, run(t, other).Answer, answer, "%+v against %+v", task, other)
			checked++
		}
	}
	return checked
}

// Tasks agree with whatever checks them, on boards with and without solutions.
func TestTasksAgreeWithWhatChecksThem(t *testing.T) {
	compiled, listed, valid, encoded := 0, 0, 0, 0
	for n := 1; n <= 5; n++ {
		for _, c := range Construction("").Values() {
			for _, d := range DiagramKind("").Values() {
				compiled += judge(t, &Compile{Problem: queens, N: n, Order: "diagonal-interleaved", Construction: Construction(c),
					Diagram: DiagramKind(d)})
			}
		}
		for _, b := range Finder("").Values() {
			for _, limit := range []int{0, 3} {
				listed += judge(t,
					&Enumerate{Problem: queens, N: n, Backend: Lister(b), Order: "row-major", AMO: "pairwise", Limit: limit})
			}
			for _, method := range Method("").Values() {
				for _, placement := range Placement("").Values() {
					valid += judge(t, &ValidCells{Problem: queens, N: n, Placed: n / 2, Placement: Placement(placement),
						Seed: uint64(n), Backend: Finder(b),
						Method: Method(method), Order: "row-major", AMO: "pairwise", Queries: 3})
				}
			}
		}
		for _, amo := range AMO("").Values() {
			encoded += judge(t, &Encode{N: n, AMO: AMO(amo), Queries: 4, Seed: uint64(n)})
		}
	}
	others := 0
	for _, f := range Family("").Values() {
		for _, c := range Construction("").Values() {
			others += judge(t, &Compile{Problem: Family(f), N: 4, Order: "snake", Construction: Construction(c), Diagram: "zdd"})
		}
		for _, b := range Lister("").Values() {
			others += judge(t, &Enumerate{Problem: Family(f), N: 4, Backend: Lister(b), Order: "row-major", AMO: "pairwise"})
		}
		for _, b := range Finder("").Values() {
			others += judge(t,
				&ValidCells{Problem: Family(f), N: 4, Placed: 2, Placement: completable, Seed: 1, Backend: Finder(b),
					Method: "default", Order: "row-major", AMO: "pairwise", Queries: 3})
		}
	}
	for _, checked := range []int{others, compiled, listed, valid, encoded} {
		assert.GreaterOrEqual(t, checked, 30)
	}
}

// The node counts of the row-major diagram are known from other programs.
func TestCompileNodes(t *testing.T) {
	for n, nodes := range map[int]int{5: 167, 6: 129, 7: 1099, 8: 2451, 9: 9557} {
		f := run(t, &Compile{Problem: queens, N: n, Order: "row-major", Construction: "free-set", Diagram: "bdd"})
		result := f.Values.(CompileResult)
		assert.Equal(t, nodes, result.Nodes)
		sum := 0
		for _, w := range result.Widths {
			sum += w
		}
		assert.Equal(t, nodes, sum, "the widths add up to all nodes")
		assert.NotEmpty(t, result.Growth)
		assert.LessOrEqual(t, len(result.Growth), maxGrowth)
	}
	f := run(t, &Compile{Problem: queens, N: 6, Order: "row-major", Construction: "pairwise", Diagram: "bdd"})
	growth := f.Values.(CompileResult).Growth
	assert.Len(t, growth, maxGrowth, "pairwise has more steps than a record holds")
	assert.Equal(t, 129, growth[len(growth)-1], "the last step is the diagram")
}

// On n = 4, one queen of a solution leaves only that solution.
func TestValidCellsAnswer(t *testing.T) {
	task := &ValidCells{Problem: queens, N: 4, Placed: 1, Placement: completable, Seed: 1, Backend: "search",
		Method: "default", Order: "row-major", AMO: "pairwise", Queries: 1}
	require.True(t, task.Normalise())
	f := run(t, task)
	data, err := json.Marshal(f.Values)
	require.NoError(t, err)
	var result ValidCellsResult
	require.NoError(t, json.Unmarshal(data, &result))
	rest := map[string]string{"b1": "d2,a3,c4", "c1": "a2,d3,b4", "d2": "b1,a3,c4", "a2": "c1,d3,b4", "a3": "b1,d2,c4",
		"d3": "c1,a2,b4", "c4": "b1,d2,a3", "b4": "c1,a2,d3"}[result.PlacedCells]
	require.NotEmpty(t, rest, result.PlacedCells)
	assert.Equal(t, fmt.Sprintf("valid %s forced %s", rest, rest), f.Answer)
}

func TestPlacements(t *testing.T) {
	ctx := context.Background()
	for n := 4; n <= 30; n += 13 {
		p, err := queens.problem(n)
		require.NoError(t, err)
		seen := map[string]bool{}
		for seed := range uint64(20) {
			for _, way := range Placement("").Values() {
				vars, err := Placement(way).place(ctx, p, n/2, seed)
				require.NoError(t, err)
				again, err := Placement(way).place(ctx, p, n/2, seed)
				require.NoError(t, err)
				assert.Equal(t, vars, again)
				var cells []board.Cell
				for _, v := range vars {
					cells = append(cells, encode.VarCell(n, v))
				}
				require.NoError(t, board.CheckCells(n, cells))
				for i, c := range cells {
					for _, d := range cells[:i] {
						assert.False(t, c.Attacks(d))
					}
					if way == string(prefix) {
						assert.Equal(t, i, c.Row)
					}
				}
				seen[board.FormatCells(cells)] = true
				if way != string(unattacked) {
					require.Len(t, cells, n/2)
				}
			}
		}
		assert.Greater(t, len(seen), 4, "seeds vary the placement")
	}
	three, err := queens.problem(3)
	require.NoError(t, err)
	vars, err := completable.place(ctx, three, 1, 1)
	require.NoError(t, err)
	assert.Empty(t, vars, "a board without solutions has no completable placement")
}

// On boards too large for diagrams and search, another method is the reference.
func TestLargeBoardsAreCheckedToo(t *testing.T) {
	task := &ValidCells{Problem: queens, N: 40, Backend: "portfolio", Method: "staged", Queries: 3}
	require.True(t, task.Normalise())
	references := task.References()
	require.Len(t, references, 1)
	other := references[0].(*ValidCells)
	assert.Equal(t, Finder("sat"), other.Backend)
	assert.NotEqual(t, task.Method, other.Method)
	assert.Equal(t, 3, other.Queries)
}

// Methods belong to back-ends: there is no run with a method that a back-end lacks.
func TestNames(t *testing.T) {
	assert.Contains(t, Order("").Values(), "row-major")
	assert.Contains(t, Construction("").Values(), "free-set")
	methods := strings.Join(Method("").Values(), " ")
	for _, m := range []string{"default", "sweep", "restrict", "per-cell", "reuse"} {
		assert.Contains(t, methods, m)
	}
	assert.False(t, (&ValidCells{Problem: queens, N: 4, Backend: "bdd", Method: "per-cell"}).Normalise())
	assert.False(t, (&ValidCells{Problem: queens, N: 4, Placed: 5, Backend: "bdd", Method: "sweep"}).Normalise())
}
