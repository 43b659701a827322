package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	"queens/configure/lesson"
	"queens/configure/pool"
	"queens/encode"
)

func service() *Service { return New(pool.New(pool.Limits{}), nil, 5*time.Second) }

// put asks a question given as a Go value and decodes the answer.
func put[Answer any](t *testing.T, s *Service, operation string, request any) Answer {
	t.Helper()
	body, err := json.Marshal(request)
	require.NoError(t, err)
	status, text := s.Do(context.Background(), operation, body)
	require.Equal(t, 200, status, "%s %s: %s", operation, body, text)
	var answer Answer
	require.NoError(t, json.Unmarshal(text, &answer))
	return answer
}

// Random placements for n = 6, completable or not, with different back-ends, against brute
// force.
func TestBoardAgainstBruteForce(t *testing.T) {
	const n = 6
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	s := service()
	all := conformance.Queens(n)
	for range conformance.Cases(100) {
		b := Board{State: configure.State{N: n}, Choice: ask.Choice{Backend: []ask.BackendName{"bdd", "sat", "search"}[rng.IntN(3)]}}
		used := map[board.Cell]bool{}
		for range rng.IntN(4) {
			c := board.At(n, rng.IntN(n*n))
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
		through := map[board.Cell]int{}
		total := 0
		for _, cols := range all {
			queens := board.Queens(cols)
			fits := !slices.ContainsFunc(b.Blocked, func(c board.Cell) bool { return slices.Contains(queens, c) })
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
		answer := put[BoardAnswer](t, s, "board", BoardRequest{Board: b, Counts: true})
		hint := fmt.Sprintf("%+v", b)
		require.Equal(t, total > 0, answer.Satisfiable, hint)
		var valid []string
		for i := range n * n {
			if c := board.At(n, i); through[c] > 0 && !slices.Contains(b.Placed, c) {
				valid = append(valid, c.String())
			}
		}
		require.ElementsMatch(t, valid, answer.Valid, hint)
		require.Len(t, answer.Marks, n*n)
		listed := put[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: b, Limit: 100})
		require.Len(t, listed.Solutions, total, hint)
		require.False(t, listed.More)
		compared := put[lesson.Comparison](t, s, "compare", Ordered{State: b.State})
		require.True(t, compared.Agree, hint)
		if total == 0 {
			require.NotNil(t, answer.Refused, hint)
			require.Nil(t, answer.Counts)
			continue
		}
		counts := put[CountOutcome](t, s, "count", b).Counts
		if answer.Counts != nil { // on a busy machine there may be no time to count
			require.Equal(t, counts.Through, answer.Counts.Through, hint)
		}
		require.Equal(t, fmt.Sprint(total), counts.Total, hint)
		for i, count := range counts.Through {
			require.Equal(t, fmt.Sprint(through[board.At(n, i)]), count, hint)
		}
	}
}

// The empty boards for n = 2 and 3 are ordinary boards without a solution.
func TestBoardsWithoutASolution(t *testing.T) {
	for n := 2; n <= 3; n++ {
		answer := put[BoardAnswer](t, service(), "board", Board{State: configure.State{N: n}})
		assert.False(t, answer.Satisfiable)
		assert.Nil(t, answer.Refused, "nothing was decided, so nothing is refused")
	}
	assert.Equal(t, "Q", put[BoardAnswer](t, service(), "board", Board{State: configure.State{N: 1, Placed: []board.Cell{{}}}}).Marks)
}

func TestPagesOfSolutions(t *testing.T) {
	s := service()
	var all [][]int
	for offset := 0; ; offset += 30 {
		page := put[SolutionsAnswer](t, s, "solutions", SolutionsRequest{Board: Board{State: configure.State{N: 8}}, Offset: offset, Limit: 30})
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

// A request's choice is refused where the command line refuses it, in the same words, and so is what a
// server must not do for its clients: start programs and read files.
func TestChoicesAreRefusedAsOnTheCommandLine(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("password\n"), 0o600))
	s := service()
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	for body, why := range map[string]string{
		`"backend":"sat","order":"snake"`:         "order: back-end sat has no variable order",
		`"backend":"sat","sift":"window"`:         "sift: back-end sat changes no variable order",
		`"sift":"window"`:                         "sift: construction solutions does not change its order",
		`"backend":"search","solver":"gini"`:      "solver: back-end search uses no SAT solver",
		`"backend":"bdd","method":"pack"`:         `method "pack": back-end bdd has sweep-zdd`,
		`"backend":"bddd"`:                        `backend "bddd": expected one of bdd`,
		`"order":"snakes"`:                        "did you mean snake?",
		`"construction":"free-sets"`:              "did you mean free-set?",
		`"workers":-1`:                            "workers: -1: expected 1 to 1024",
		`"workers":2000`:                          "workers: 2000: expected 1 to 1024",
		`"solver":"sh -c id"`:                     "this server starts no programs",
		`"solver":"minisat"`:                      "this server starts no programs",
		`"counter":"ganak {cnf}"`:                 "this server starts no programs",
		fmt.Sprintf(`"order":%q`, "file:"+secret): "this server reads no files",
		fmt.Sprintf(`"backend":"bdd","order":%q`, "file:"+secret+"#0123456789ab"): "this server reads no files",
	} {
		status, answer := s.Do(context.Background(), "board", []byte(`{"n":8,`+body+`}`))
		assert.Equal(t, 422, status, body)
		assert.Contains(t, string(unquoted(t, answer)), why, body)
		assert.NotContains(t, string(answer), "password")
		var c ask.Choice
		require.NoError(t, json.Unmarshal([]byte("{"+body+"}"), &c))
		if _, err := ask.Resolve(p, c, ask.Valid); err != nil {
			assert.Contains(t, unquoted(t, answer), err.Error(), "as on the command line")
		}
	}
	for operation, body := range map[string]string{
		"orders": `{"n":4,"orders":["file:` + secret + `"]}`, "diagram": `{"n":4,"order":"file:` + secret + `"}`,
		"compare": `{"n":4,"order":"file:` + secret + `"}`,
		"build":   `{"n":4,"order":"file:` + secret + `","rules":[]}`, "improve": `{"n":4,"order":"file:` + secret + `"}`,
	} {
		status, answer := s.Do(context.Background(), operation, []byte(body))
		assert.GreaterOrEqual(t, status, 400, operation)
		assert.NotContains(t, string(answer), "password", operation)
	}
}

// unquoted returns the message of an error.
func unquoted(t *testing.T, answer []byte) string {
	t.Helper()
	var told Error
	require.NoError(t, json.Unmarshal(answer, &told))
	return told.Message
}

// Every field of a choice reaches the back-end.
func TestTheChosenMethodAnswers(t *testing.T) {
	s := service()
	state := configure.State{N: 6}
	for _, c := range []ask.Choice{
		{Backend: "search", Method: "enumerate"}, {Method: "sweep"}, {Backend: "sat", Method: "core", AMO: "product"},
		{Solver: "gini"}, {Construction: "row-wise", Sift: "sift"}, {Diagram: "bdd", Method: "restrict"},
		{Diagram: "bdd"},
	} {
		answer := put[BoardAnswer](t, s, "board", Board{state, c})
		p, err := encode.Queens(6, nil, nil)
		require.NoError(t, err)
		plan, err := ask.Resolve(p, c, ask.Valid)
		require.NoError(t, err)
		assert.Equal(t, plan.Descriptor.MethodTitle(string(plan.ForSessions(c).Choice.Method)), answer.Engine.Name, "%+v", c)
		assert.Len(t, answer.Valid, 24, "%+v", c)
	}
}

// The nodes beside an answer are those of the diagram that the method reads, also for a board that is refused.
func TestNodesOfTheEngine(t *testing.T) {
	s := service()
	nodes := func(b ask.Descriptor, method string, placed ...string) (int, BoardAnswer) {
		cells, err := board.ParseCells(6, strings.Join(placed, ","))
		require.NoError(t, err)
		a := put[BoardAnswer](t, s, "board", Board{configure.State{N: 6, Placed: cells},
			ask.Choice{Backend: ask.BackendName(b.Name), Method: ask.MethodName(method)}})
		return a.Engine.Nodes, a
	}
	for _, b := range ask.All() {
		for _, m := range b.Methods {
			known, refused := nodes(b, m.Name, "a1", "b2")
			require.NotNil(t, refused.Refused)
			assert.Equal(t, b.MethodTitle(m.Name), refused.Engine.Name)
			shown, a := nodes(b, m.Name, "b1")
			assert.Equal(t, int(a.Engine.Work["nodes"]), shown, "%s %s", b.Name, m.Name)
			assert.Equal(t, shown, known, "%s %s: a refused board", b.Name, m.Name)
			assert.Equal(t, m.Kind != "" || b.Name == string(ask.DDNNF), shown > 0, "%s %s", b.Name, m.Name)
		}
	}
}

// No click waits for a count: boards come with counts where they cost no search, and the others are
// asked for afterwards.
func TestCountsComeAfterTheAnswer(t *testing.T) {
	s := service()
	for backend, with := range map[ask.BackendName]bool{"bdd": true, "search": false, "sat": false, "portfolio": false} {
		b := Board{configure.State{N: 7}, ask.Choice{Backend: backend}}
		assert.Equal(t, with, put[BoardAnswer](t, s, "board", BoardRequest{Board: b, Counts: true}).Counts != nil, backend)
		assert.Equal(t, "40", put[CountOutcome](t, s, "count", b).Counts.Total, backend)
	}
}

// Mistakes are told in the words of JSON, and a field has one spelling.
func TestMistakesInRequests(t *testing.T) {
	for body, want := range map[string]string{
		`{"n":"x"}`:                   `request: field "n": string: expected a whole number`,
		`{"n":4.5}`:                   `request: field "n": number 4.5: expected a whole number`,
		`{"n":4,"placed":7}`:          `request: field "placed": number: expected a list`,
		`{"n":4,"backend":[]}`:        `request: field "backend": array: expected text`,
		`{"n":4,"counts":"yes"}`:      `request: field "counts": string: expected true or false`,
		`[]`:                          `request: array: expected an object`,
		`{"N":4}`:                     `request: unknown field "N"; did you mean n?`,
		`{"n":4,"Backend":"bdd"}`:     `request: unknown field "Backend"; did you mean backend?`,
		`{"n":4,"n":5}`:               `request: field "n" is given twice`,
		`{"n":4,"nothing":5}`:         `request: unknown field "nothing"`,
		`{"n":-4}`:                    "board size n = -4: expected 1 or more",
		`{"n":4,"placed":["a1","a1"]`: "request: unexpected EOF",
	} {
		status, answer := service().Do(context.Background(), "board", []byte(body))
		assert.Equal(t, 400, status, body)
		assert.Equal(t, want, unquoted(t, answer), body)
	}
	none := put[CountOutcome](t, service(), "count", Board{State: configure.State{N: 4, Placed: []board.Cell{{}}}})
	require.NotNil(t, none.Counts, "no completion is a count, not silence")
	assert.Equal(t, "0", none.Counts.Total)
	assert.Equal(t, slices.Repeat([]string{"0"}, 16), none.Counts.Through)
}

// No request takes a field twice, as YAML does not. Only the outermost object is checked, so no field is one.
func TestRepeatedFieldsAreRefused(t *testing.T) {
	var described struct {
		Paths map[string]struct {
			Post struct {
				RequestBody struct {
					Content map[string]struct {
						Schema struct {
							Properties map[string]struct{ Type string }
						}
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(OpenAPI, &described))
	s, seen := service(), 0
	for _, op := range s.Operations() {
		for field, is := range described.Paths["/api/v1/"+op.Name].Post.RequestBody.Content["application/json"].Schema.Properties {
			assert.NotContains(t, []string{"", "object"}, is.Type, "%s: %s", op.Name, field)
			status, answer := s.Do(context.Background(), op.Name, fmt.Appendf(nil, `{"%s":null,"%[1]s":null}`, field))
			assert.Equal(t, 400, status, "%s: %s", op.Name, field)
			assert.Contains(t, string(answer), "given twice", "%s: %s", op.Name, field)
			seen++
		}
	}
	assert.Greater(t, seen, 50)
}
