package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
)

type params map[string]any

// made makes a task of a kind; parameters that are not given have their defaults.
func made(t *testing.T, kind string, given params) experiments.Task {
	t.Helper()
	texts := map[string]string{}
	for name, value := range given {
		texts[name] = param.Text(value)
	}
	task, err := kindOf(t, kind).Task(texts, nil)
	require.NoError(t, err)
	return task
}

func kindOf(t *testing.T, name string) *experiments.TaskKind {
	t.Helper()
	k, err := Kinds().Named(name)
	require.NoError(t, err)
	return k
}

// exists normalises a task.
func exists(t *testing.T, task experiments.Task) bool {
	t.Helper()
	err := task.Normalise()
	if errors.As(err, new(*param.Unsuited)) {
		return false
	}
	require.NoError(t, err)
	return true
}

func run(t *testing.T, task experiments.Task) experiments.Finding {
	t.Helper()
	f, err := task.Run(context.Background(), &experiments.Meter{})
	require.NoError(t, err, "%+v", task.Value)
	return f
}

// judge compares a task's answer with the known one and with those of its references, and
// returns the number of comparisons.
func judge(t *testing.T, task experiments.Task) (checked int) {
	t.Helper()
	if !exists(t, task) {
		return 0
	}
	answer := run(t, task).Answer
	if known := task.Known(); known.Source != "" {
		assert.Equal(t, known.Answer, answer, "%+v", task.Value)
		checked++
	}
	for _, other := range task.References() {
		assert.Equal(t, run(t, other).Answer, answer, "%+v against %+v", task.Value, other.Value)
		checked++
	}
	return checked
}

// Tasks agree with everything that checks them, on boards with and without solutions.
func TestTasksAgreeWithWhatChecksThem(t *testing.T) {
	compiled, valid := 0, 0
	for _, n := range []int{1, 4, 5} {
		if testing.Short() && n > 4 {
			continue
		}
		for _, c := range ask.ConstructionName("").Values() {
			for _, d := range ask.DiagramName("").Values() {
				compiled += judge(t, made(t, "compile", params{"problem": "queens", "n": n, "order": "diagonal-interleaved", "construction": c,
					"diagram": d}))
			}
		}
		for _, b := range ask.Names(ask.Able(ask.Valid)) {
			for _, method := range ask.MethodName("").Values() {
				for _, placement := range Placement("").Values() {
					valid += judge(t, made(t, "valid-cells", params{"problem": "queens", "n": n, "placed": n / 2, "placement": placement,
						"seed": uint64(n), "backend": b,
						"method": method, "order": "row-major", "amo": "pairwise", "queries": 3}))
				}
			}
		}
		for _, b := range ask.Names(ask.Able(ask.Count)) {
			judge(t, made(t, "count", params{"n": n, "backend": b}))
		}
	}
	others := 0
	for _, f := range ask.ProblemName("").Values() {
		n := 4
		if f == "latin" { // 64 variables take the slowest constructions ten seconds
			n = 3
		}
		for _, c := range ask.ConstructionName("").Values() {
			others += judge(t, made(t, "compile", params{"problem": f, "n": n, "order": "snake", "construction": c, "diagram": "zdd"}))
		}
		for _, b := range ask.Names(ask.Able(ask.Valid)) {
			others += judge(t,
				made(t, "valid-cells", params{"problem": f, "n": n, "placed": n / 2, "placement": "completable", "seed": 1, "backend": b,
					"method": "default", "order": "row-major", "amo": "pairwise", "queries": 3}))
		}
	}
	for _, checked := range []int{others, compiled, valid} {
		assert.GreaterOrEqual(t, checked, 20)
	}
}

// The node counts of the row-major diagram are known from other programs.
func TestCompileNodes(t *testing.T) {
	for n, nodes := range map[int]int{5: 167, 6: 129, 7: 1099, 8: 2451, 9: 9557} {
		f := run(t, made(t, "compile", params{"problem": "queens", "n": n, "order": "row-major", "construction": "free-set", "diagram": "bdd"}))
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
	f := run(t, made(t, "compile", params{"problem": "queens", "n": 6, "order": "row-major", "construction": "pairwise", "diagram": "bdd"}))
	growth := f.Values.(CompileResult).Growth
	assert.Len(t, growth, maxGrowth, "pairwise has more steps than a record holds")
	assert.Equal(t, 129, growth[len(growth)-1], "the last step is the diagram")
}

// On n = 4, one queen of a solution leaves only that solution.
func TestValidCellsAnswer(t *testing.T) {
	task := made(t, "valid-cells", params{"problem": "queens", "n": 4, "placed": 1, "placement": "completable", "seed": 1, "backend": "search",
		"method": "default", "order": "row-major", "amo": "pairwise", "queries": 1})
	require.True(t, exists(t, task))
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

// nodesOf reads the diagram's size from the text of the work.
func nodesOf(work string) (nodes int) {
	fmt.Sscanf(work, "nodes=%d;", &nodes)
	return nodes
}

// Every method of a back-end that works in one unit reports how much it did.
func TestWorkPerQuery(t *testing.T) {
	for _, b := range ask.Able(ask.Valid) {
		for _, method := range b.MethodNames() {
			result := run(t, made(t, "valid-cells", params{"problem": "queens", "n": 8, "placed": 1, "backend": b.Name,
				"method": method, "seed": 1, "queries": 3})).Values.(ValidCellsResult)
			hint, diagram := b.Name+" "+method, b.Name == "bdd" || b.Name == "mdd" || b.Name == "ddnnf"
			known := method == "openings" // before it was asked
			assert.Equal(t, b.Name != "portfolio" && !known, result.WorkPerQuery != nil && *result.WorkPerQuery > 0, hint)
			assert.Equal(t, b.Name == "sat" || b.Name == "near", result.Conflicts != nil, hint)
			assert.Equal(t, diagram, result.NodesVisited != nil, hint)
			if diagram {
				solutions := float64(nodesOf(result.Work)) / *result.NodesPerSolution
				assert.InDelta(t, 92, solutions, 1e-9, hint)
			}
			if diagram && method != "restrict" && method != "session" { // these create nodes
				assert.Equal(t, result.NodesVisited, result.WorkPerQuery, hint)
			}
		}
	}
}

// The time of a unit of work, times the work, is the time of a query: of the first, if there is only one, or of
// the later ones. With nothing placed all queries have the same work.
func TestWorkUnit(t *testing.T) {
	for queries, phase := range map[int]experiments.Phase{1: experiments.FirstQuery, 3: experiments.LaterQueries} {
		var m experiments.Meter
		found, err := made(t, "valid-cells", params{"problem": "queens", "n": 8, "placed": 0, "backend": "bdd",
			"method": "sweep", "queries": queries}).Run(context.Background(), &m)
		require.NoError(t, err)
		result := found.Values.(ValidCellsResult)
		want, err := strconv.ParseFloat(m.Seconds()[phase.Column()], 64)
		require.NoError(t, err)
		assert.InEpsilon(t, want, result.WorkUnit**result.WorkPerQuery, 1e-5)
	}
}

// A query does not depend on the queries before it, in any family.
func TestPlacementsStandAlone(t *testing.T) {
	ctx := context.Background()
	for _, f := range encode.Families() {
		p, err := f.Build(6)
		require.NoError(t, err)
		for _, way := range []Placement{completable, prefix, unattacked, uniform, oneByOne} {
			if way == uniform && f.Name != "queens" {
				continue // stands for all: it draws from one diagram
			}
			session, err := way.placer(ctx, p)
			require.NoError(t, err)
			for i := range 12 {
				got, err := session.query(ctx, 3, 7, i)
				require.NoError(t, err)
				alone, err := way.placer(ctx, p)
				require.NoError(t, err)
				want, err := alone.query(ctx, 3, 7, i)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s, %s, query %d", p, way, i)
			}
		}
	}
}

func TestPlacements(t *testing.T) {
	ctx := context.Background()
	for n := 4; n <= 30; n += 13 {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		seen := map[string]bool{}
		for seed := range uint64(20) {
			for _, way := range Placement("").Values() {
				if way == string(uniform) && n > 8 {
					continue // its diagram is too large
				}
				placer, err := Placement(way).placer(ctx, p)
				require.NoError(t, err)
				vars, err := placer.place(ctx, n/2, seed)
				require.NoError(t, err)
				again, err := placer.place(ctx, n/2, seed)
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
	three, err := encode.Queens(3, nil, nil)
	require.NoError(t, err)
	for _, way := range []Placement{completable, uniform} {
		placer, err := way.placer(ctx, three)
		require.NoError(t, err)
		vars, err := placer.place(ctx, 1, 1)
		require.NoError(t, err)
		assert.Empty(t, vars, "a board without solutions has no completable placement")
	}
}

// Search gives up on this formula, random clauses that one random assignment satisfies, and gini goes on: to the same
// placements each time, all part of solutions.
func TestPlacementsWhereSearchGivesUp(t *testing.T) {
	const vars, clauses = 250, 1050
	random := rand.New(rand.NewPCG(7, 1))
	planted := make([]bool, vars)
	for i := range planted {
		planted[i] = random.IntN(2) == 0
	}
	var text strings.Builder
	fmt.Fprintf(&text, "p cnf %d %d\n", vars, clauses)
	for made := 0; made < clauses; {
		clause, holds := "", false
		for _, v := range random.Perm(vars)[:3] {
			is := random.IntN(2) == 0
			holds = holds || is == planted[v]
			clause += map[bool]string{true: "", false: "-"}[is] + strconv.Itoa(v+1) + " "
		}
		if holds {
			text.WriteString(clause + "0\n")
			made++
		}
	}
	file := filepath.Join(t.TempDir(), "hard.cnf")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	task := made(t, "valid-cells", params{"problem": "cnf:" + file, "placed": 4, "placement": "one-by-one", "seed": 3, "queries": 12}).
		Value.(*ValidCells)
	p, err := task.Build()
	require.NoError(t, err)
	answer, _, err := search.New(p).SolveWithin(t.Context(), nil, mostSteps)
	require.NoError(t, err)
	require.Equal(t, backends.Unknown, answer.Status, "search finds this one")
	list, err := task.placements(t.Context())
	require.NoError(t, err)
	again, err := task.placements(t.Context())
	require.NoError(t, err)
	assert.Equal(t, list, again)
	for i, placed := range list {
		require.Len(t, placed, i%4+1)
		answer, err := sat.New(p).Solve(t.Context(), literals(placed))
		require.NoError(t, err)
		assert.Equal(t, backends.Sat, answer.Status)
	}
	assert.NotEqual(t, list[3], list[7], "another solution follows")
}

// One by one, each query has the queens of the one before and one more, until all are placed.
func TestPlacedOneByOne(t *testing.T) {
	task := made(t, "valid-cells", params{"problem": "queens", "n": 8, "placed": 3, "placement": "one-by-one", "seed": 1, "queries": 7})
	list, err := task.Value.(*ValidCells).placements(t.Context())
	require.NoError(t, err)
	for i, placed := range list {
		require.Len(t, placed, i%3+1)
		if i%3 > 0 {
			assert.Equal(t, list[i-1], placed[:i%3])
		}
	}
	assert.NotEqual(t, list[2], list[5], "of another solution")
}

// For every kind of query, all back-ends that can answer it give the same answers, as do those that check
// them. All record the number of completions that brute force finds.
func TestEveryKindOfQuery(t *testing.T) {
	const n = 6
	for _, want := range Wanted("").Values() {
		for _, placement := range Placement("").Values() {
			able, completions := 0, 0.0
			var first experiments.Finding
			for _, backend := range ask.BackendName("").Values() {
				task := made(t, "valid-cells", params{"problem": "queens", "n": n, "placed": 1, "placement": placement,
					"seed": 3, "backend": backend, "queries": 4, "want": want})
				if !exists(t, task) {
					assert.Contains(t, []Wanted{wantCounts, wantSample}, Wanted(want), backend)
					continue
				}
				small := task.Value.(*ValidCells).small()
				require.NoError(t, small.normalise(), "%s by %s", want, backend)
				f := run(t, task)
				if able++; able == 1 {
					first = f
					placements, err := task.Value.(*ValidCells).placements(t.Context())
					require.NoError(t, err)
					p, err := encode.Queens(n, nil, nil)
					require.NoError(t, err)
					for _, placed := range placements {
						completions += float64(len(conformance.ByRules(p.With(literals(placed)...)))) / 4
					}
				}
				assert.Equal(t, first.Answer, f.Answer, "%s by %s", want, backend)
				assert.InDelta(t, completions, *f.Values.(ValidCellsResult).Completions, 1e-9)
				judge(t, task)
			}
			assert.GreaterOrEqual(t, able, 3, want)
		}
	}
}

// On boards too large for diagrams and search, a solver checks the portfolio, which shares code with search there.
func TestLargeBoardsAreCheckedToo(t *testing.T) {
	task := made(t, "valid-cells", params{"problem": "queens", "n": 40, "backend": "portfolio", "method": "staged", "queries": 3})
	require.True(t, exists(t, task))
	references := task.References()
	require.Len(t, references, 1)
	other := references[0].Value.(*ValidCells)
	assert.Equal(t, "sat pack", other.title())
	assert.Equal(t, 3, other.Queries)
}

// Methods belong to back-ends: there is no run with a method that a back-end lacks.
func TestNames(t *testing.T) {
	assert.Contains(t, ask.OrderName("").Values(), "row-major")
	assert.Contains(t, ask.ConstructionName("").Values(), "free-set")
	methods := strings.Join(ask.MethodName("").Values(), " ")
	for _, m := range []string{"default", "sweep", "restrict", "per-cell", "reuse"} {
		assert.Contains(t, methods, m)
	}
	assert.False(t, exists(t, made(t, "valid-cells", params{"problem": "queens", "n": 4, "backend": "bdd", "method": "per-cell"})))
	assert.False(t, exists(t, made(t, "valid-cells", params{"problem": "queens", "n": 4, "placed": 5, "backend": "bdd", "method": "sweep"})))
}

// A back-end that does not take a board is left out of a grid with that size: the table holds
// the 2,279,184 solutions of n = 15, not the 14,772,512 of n = 16.
func TestBoardsThatABackendDoesNotTake(t *testing.T) {
	for _, n := range []int{15, 16} {
		for _, backend := range []ask.BackendName{"table", "bdd", "sat"} {
			task := ValidCells{Asked: asked(), Queries: 1}
			task.N, task.Backend = n, backend
			err := task.normalise()
			if backend != "table" || n == 15 {
				assert.NoError(t, err, "%s n = %d", backend, n)
			} else {
				assert.ErrorContains(t, err, "listing queens n = 16: more than 4194304 solutions")
			}
		}
	}
}

// The time without the pipe is known only if the outside program reports its own time; for a back-end without
// a program, it is the whole time.
func TestNetOfThePipe(t *testing.T) {
	ctx := context.Background()
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	q := ask.Question{Want: ask.Solve}
	for comment, told := range map[string]bool{"echo c seconds 0.001; ": true, "": false} {
		script := filepath.Join(t.TempDir(), "solver")
		require.NoError(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho solver clock 1\n"+
			"while read word rest; do if [ $word = solve ]; then %secho sat 2 8 9 15 0; fi; done\n", comment), 0o755))
		session, err := ask.Start(ctx, p, ask.Choice{Solver: ask.SolverName(script)}, ask.Solve, ask.Resources{})
		require.NoError(t, err)
		c := clockOf(session, true)
		for range 3 {
			a, err := session.Ask(ctx, q)
			require.NoError(t, err)
			net, known := c.net(a)
			assert.Equal(t, told, known)
			if told {
				assert.Less(t, net, a.Seconds+1e-3)
				assert.GreaterOrEqual(t, net, 1e-3)
			}
			c.questions = append(c.questions, q)
		}
		mean, err := c.again(ctx)
		require.NoError(t, err)
		assert.Equal(t, told, mean > 0)
		require.NoError(t, session.Close())
	}
	session, err := ask.Start(ctx, p, ask.Choice{}, ask.Solve, ask.Resources{})
	require.NoError(t, err)
	a, err := session.Ask(ctx, q)
	require.NoError(t, err)
	net, known := clockOf(session, true).net(a)
	assert.True(t, known)
	assert.Equal(t, a.Seconds, net)
}
