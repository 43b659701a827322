//go:build unix

package solvers

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"queens/backends"
	"queens/encode/cnf"
)

// mostVars is the number of variables of the formulas in this file.
const mostVars = 4

// first returns a model of the clauses under assumptions, by trying all assignments; ok is false if
// there is none.
func first(clauses [][]cnf.Lit, assume []cnf.Lit) (value []bool, ok bool) {
	holds := func(l cnf.Lit) bool { return value[l.Var()-1] == l.Positive() }
	for bits := range 1 << mostVars {
		value = make([]bool, mostVars)
		for v := range value {
			value[v] = bits>>v&1 == 1
		}
		good := !slices.ContainsFunc(assume, func(l cnf.Lit) bool { return !holds(l) })
		for _, c := range clauses {
			good = good && slices.ContainsFunc(c, holds)
		}
		if good {
			return value, true
		}
	}
	return nil, false
}

// TestMain is the solver that TestSessionsAgainstAModel starts: with QUEENS_TEST_SOLVER set, the test
// program speaks the line protocol. The variable has three words: the seconds that it reports for each
// answer (or "untold"), the query at which it ends without an answer, and the query which it answers
// wrongly. Queries are counted from 1; 0 means never.
func TestMain(m *testing.M) {
	words := strings.Fields(os.Getenv("QUEENS_TEST_SOLVER"))
	if len(words) == 0 {
		os.Exit(m.Run())
	}
	dies, _ := strconv.Atoi(words[1])
	lies, _ := strconv.Atoi(words[2])
	fmt.Println("solver model 1")
	var clauses [][]cnf.Lit
	lines := bufio.NewScanner(os.Stdin)
	for asked := 0; lines.Scan(); {
		line := strings.Fields(lines.Text())
		lits, _ := literals(line[1:])
		switch line[0] {
		case "new":
			clauses = nil
		case "add":
			clauses = append(clauses, lits)
		case "solve":
			if asked++; asked == dies {
				return
			}
			if words[0] != "untold" {
				fmt.Println("c seconds " + words[0])
			}
			value, sat := first(clauses, lits)
			switch {
			case asked == lies && sat:
				fmt.Println("unsat 99 0")
			case asked == lies:
				fmt.Println("sat 0")
			case sat:
				fmt.Print("sat")
				for v, is := range value {
					if is {
						fmt.Print(" ", v+1)
					}
				}
				fmt.Println(" 0")
			default:
				fmt.Println(strings.Join(append(append([]string{"unsat"}, line[1:len(line)-1]...), "0"), " "))
			}
		}
	}
}

// A sequence of calls of a client, in any order and with programs that die, lie or do not tell their
// time, never yields a wrong answer: every answer is held against all assignments. This is
// model-based testing as mobical's (Niemetz, Preiner, Biere, Model-Based API Testing for SMT Solvers,
// SMT 2017); rapid shrinks the calls of a failure.
func TestSessionsAgainstAModel(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		took := rapid.SampledFrom([]string{"0.1", "0.1", "0", "2", "untold"}).Draw(t, "seconds")
		dies := rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "dies at")
		lies := rapid.SampledFrom([]int{0, 0, 0, 2}).Draw(t, "lies at")
		t.Logf("QUEENS_TEST_SOLVER=%s %d %d", took, dies, lies)
		solver := Solver{Name: "model", Command: program, words: []string{"/usr/bin/env",
			fmt.Sprintf("QUEENS_TEST_SOLVER=%s %d %d", took, dies, lies), program}}
		client := solver.Open()
		defer client.Close()

		type formula struct {
			asked   *Asked
			clauses [][]cnf.Lit
			closed  bool
		}
		var formulas []*formula
		replaying := false // the client replays answers, so another query is an error
		literal := rapid.Map(rapid.IntRange(1, 2*mostVars), func(i int) cnf.Lit {
			return cnf.Lit((i + 1) / 2 * (1 - i%2*2))
		})
		clause := rapid.SliceOfN(literal, 1, 3)
		one := func(t *rapid.T) *formula {
			if len(formulas) == 0 {
				t.Skip("no formula")
			}
			return rapid.SampledFrom(formulas).Draw(t, "formula")
		}
		solve := func(t *rapid.T, f *formula, assume []cnf.Lit) {
			status, core, err := f.asked.Solve(ctx, assume)
			_, sat := first(f.clauses, assume)
			switch {
			case f.closed:
				require.ErrorContains(t, err, "the formula is closed")
			case err != nil:
				require.True(t, dies > 0 || lies > 0 || replaying, "the program did what it should: %v", err)
				require.Equal(t, backends.Unknown, status)
			case status == backends.Sat:
				require.True(t, sat)
				value := make([]cnf.Lit, 0, mostVars)
				for v := cnf.Var(1); v <= mostVars; v++ {
					value = append(value, v.Lit(f.asked.Value(v)))
				}
				_, model := first(f.clauses, append(value, assume...))
				require.True(t, model, "the model %v is none", value)
			default:
				require.Equal(t, backends.Unsat, status)
				require.False(t, sat)
				require.Subset(t, assume, core)
				_, sat := first(f.clauses, core)
				require.False(t, sat, "the core %v does not suffice", core)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"new": func(t *rapid.T) {
				clauses := rapid.SliceOfN(clause, 0, 6).Draw(t, "clauses")
				f := &cnf.Formula{Vars: mostVars}
				for _, c := range clauses {
					f.Add(c...)
				}
				formulas = append(formulas, &formula{asked: client.New(f), clauses: clauses})
			},
			"add": func(t *rapid.T) {
				f, c := one(t), clause.Draw(t, "clause")
				f.asked.Add(c...)
				f.clauses = append(f.clauses, c)
			},
			"solve": func(t *rapid.T) {
				solve(t, one(t), rapid.SliceOfN(literal, 0, 3).Draw(t, "assume"))
			},
			"close": func(t *rapid.T) {
				f := one(t)
				require.NoError(t, f.asked.Close())
				f.closed = true
			},
			"keep": func(*rapid.T) { client.Keep() },
			"again": func(t *rapid.T) {
				again, err := client.Again(ctx)
				require.True(t, err == nil || dies > 0 || lies > 0, "%v", err)
				replaying = replaying || again || err != nil
			},
			"pipe": func(t *rapid.T) {
				spent, known := client.Pipe()
				require.False(t, known && spent < 0 && took == "0", "%v of its own time was never taken", spent)
			},
		})
	})
}
