package external

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/csplib"
)

// find skips the test without the solver, and fails it where all of them are
// supposed to be.
func find(t testing.TB, name string) Solver {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return s
}

func TestEverySolverAgainstSearch(t *testing.T) {
	ctx := context.Background()
	for i, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			solver := find(t, name)
			for n := 1; n <= 7; n++ {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(i)))
				p, err := encode.Queens(n, nil, nil)
				require.NoError(t, err)
				amo := amo.All()[(n+i)%len(amo.All())]
				o, exact := New(p, solver, amo), search.New(p)
				for range 3 {
					var assume []cnf.Lit
					for range rng.IntN(3) {
						l := cnf.Lit(1 + rng.IntN(n*n))
						if rng.IntN(3) == 0 {
							l = -l
						}
						assume = append(assume, l)
					}
					want, err := exact.Valid(ctx, assume, "reuse")
					require.NoError(t, err)
					answer, err := o.Solve(ctx, assume)
					require.NoError(t, err)
					require.Equal(t, len(want.Possible) > 0, answer.Status == backends.Sat, "n=%d %v", n, assume)
					require.Equal(t, MethodsOf(name), o.Methods())
					for _, method := range o.Methods() {
						if method == PerCell && n > 4 {
							continue // a process a cell
						}
						got, err := o.Valid(ctx, assume, method)
						require.NoError(t, err)
						require.Equal(t, want.Possible, got.Possible, "n=%d %v %s", n, assume, method)
						require.Equal(t, want.Forced, got.Forced)
					}
				}
			}
		})
	}
}

// script is a solver that is a shell script.
func script(t *testing.T, body string) Solver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "solver")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755))
	return Solver{Name: "script", path: path}
}

func TestNoAnswerIsTakenOnTrust(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for body, want := range map[string]string{
		"echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'; exit 10": "its model does not satisfy the formula",
		"echo 's SATISFIABLE'; exit 10":                     "its model does not satisfy the formula",
		"echo 'v 1 999 0'; exit 10":                         `literal "999" in its model of 16 variables`,
		"echo 'v 1 x 0'; exit 10":                           `literal "x"`,
		"echo out of memory; exit 1":                        "it ended with code 1: out of memory",
		"exit 0":                                            "it ended with code 0: no output",
		"kill -9 $$":                                        "signal: killed",
	} {
		_, err := New(p, script(t, body), amo.Pairwise).Solve(context.Background(), nil)
		assert.ErrorContains(t, err, want, body)
		assert.ErrorContains(t, err, "asking script", body)
	}
	_, err = New(p, Solver{Name: "gone", path: "/nowhere/gone"}, amo.Pairwise).Solve(context.Background(), nil)
	assert.ErrorContains(t, err, "asking gone: ")
}

// The children of a process that is cut short die with it, and soon.
func TestCutShortWithItsChildren(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	pidFile := filepath.Join(t.TempDir(), "pid")
	solver := script(t, fmt.Sprintf("sleep 600 & echo $! > %s.new; mv %s.new %s; wait", pidFile, pidFile, pidFile))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for _, err := os.Stat(pidFile); err != nil; _, err = os.Stat(pidFile) {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	start := time.Now()
	_, err = New(p, solver, amo.Pairwise).Solve(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, time.Since(start), 30*time.Second)
	text, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !running(pid) }, 10*time.Second, 10*time.Millisecond, "the solver's child %d lives on", pid)
}

// TestSolverEndsWithAKilledAsker kills this test run as a child process while it
// waits for a solver, as a run of an experiment is killed at its limit.
func TestSolverEndsWithAKilledAsker(t *testing.T) {
	const switchName = "EXTERNAL_TEST_ASKS"
	if path := os.Getenv(switchName); path != "" {
		p, err := encode.Queens(4, nil, nil)
		require.NoError(t, err)
		_, err = New(p, Solver{Name: "script", path: path}, amo.Pairwise).Solve(context.Background(), nil)
		t.Fatalf("the solver ended: %v", err)
	}
	pidFile := filepath.Join(t.TempDir(), "pid")
	solver := script(t, fmt.Sprintf("echo $$ > %s.new; mv %s.new %s; exec sleep 60", pidFile, pidFile, pidFile))
	asker := exec.Command(os.Args[0], "-test.run=^TestSolverEndsWithAKilledAsker$")
	asker.Env = append(os.Environ(), switchName+"="+solver.path, "TMPDIR="+t.TempDir())
	require.NoError(t, asker.Start())
	var pid int
	started := assert.Eventually(t, func() bool {
		text, err := os.ReadFile(pidFile)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, 20*time.Second, 5*time.Millisecond)
	// As long as the asker lives the solver does, whatever threads come and go.
	if started {
		time.Sleep(100 * time.Millisecond)
		assert.True(t, running(pid))
	}
	require.NoError(t, asker.Process.Kill())
	_ = asker.Wait()
	if !started {
		return
	}
	if !assert.Eventually(t, func() bool { return !running(pid) }, 10*time.Second, 5*time.Millisecond) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// running reports whether a process exists and is no zombie.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

func TestFindNamesThePackage(t *testing.T) {
	_, err := Find("cadicul")
	assert.ErrorContains(t, err, `external solver "cadicul": expected one of cadical, minisat`)
	t.Setenv("PATH", t.TempDir())
	_, err = Find("cryptominisat5")
	assert.ErrorContains(t, err, "external solver cryptominisat5: not found on the PATH; its Debian package is cryptominisat")
}

func TestCertify(t *testing.T) {
	ctx := context.Background()
	solver := find(t, "cadical")
	certified := 0
	for seed := range uint64(12) {
		in, err := csplib.Random(9+int(seed)%4, 3, seed)
		require.NoError(t, err)
		p, err := in.Problem(len(in.Diagonals))
		require.NoError(t, err)
		answer, err := search.New(p).Solve(ctx, nil)
		require.NoError(t, err)
		steps, err := New(p, solver, amo.All()[seed%7]).Certify(ctx, nil)
		if answer.Status == backends.Sat {
			require.ErrorContains(t, err, "there is a solution")
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		require.Positive(t, steps)
		certified++
	}
	require.Greater(t, certified, 3)
	p, err := encode.Queens(6, nil, nil)
	require.NoError(t, err)
	_, err = New(p, solver, amo.Sequential).Certify(ctx, []cnf.Lit{encode.CellVar(6, board.Cell{}).Pos()})
	assert.NoError(t, err, "a corner of 6 is in no solution")
	_, err = New(p, Solver{Name: "minisat"}, amo.Sequential).Certify(ctx, nil)
	assert.ErrorContains(t, err, "minisat writes no proof")
}

func TestCheckProofByHand(t *testing.T) {
	f := &cnf.Formula{}
	for _, c := range [][]cnf.Lit{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} {
		f.Add(c...)
	}
	for proof, want := range map[string]string{
		"1 0\n0\n":             "",
		"0\n":                  "does not follow",
		"-1 0\n0\n":            "",
		"3 0\n0\n":             "line 1: the clause [3] does not follow",
		"1 0\n":                "", // the unit's propagation is not the empty clause
		"":                     "ends after 0 clauses without the empty one",
		"1\n":                  "line 1: expected literals and a closing 0",
		"x 0\n":                `line 1: literal "x"`,
		"d 1 2 0\n1 0\n0\n":    "line 2: the clause [1] does not follow",
		"d 2 1 0\n-1 0\n2 0\n": "line 3",
	} {
		if proof == "1 0\n" {
			want = "ends after 1 clauses without the empty one"
		}
		if strings.HasPrefix(proof, "d 2 1") {
			// Without the first clause the formula is satisfiable by -1, -2.
			want = "line 3: the clause [2] does not follow"
		}
		steps, err := CheckProof(context.Background(), f, strings.NewReader(proof))
		if want == "" {
			assert.NoError(t, err, proof)
			assert.Equal(t, 2, steps)
		} else {
			assert.ErrorContains(t, err, want, proof)
		}
	}
}

// Derived clauses that do not follow are refused: random ones over satisfiable
// formulas never end in the empty clause.
func TestCheckProofRefusesNonsense(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const vars = 6
		hidden := make([]bool, vars)
		for i := range hidden {
			hidden[i] = rng.IntN(2) == 0
		}
		literal := func() cnf.Lit {
			l := cnf.Lit(1 + rng.IntN(vars))
			if rng.IntN(2) == 0 {
				l = -l
			}
			return l
		}
		f := &cnf.Formula{Vars: vars}
		for range 14 {
			c := []cnf.Lit{literal(), literal(), literal()}
			v := rng.IntN(vars) // satisfied by the hidden model
			c[0] = cnf.Lit(v + 1)
			if !hidden[v] {
				c[0] = -c[0]
			}
			f.Add(c...)
		}
		var proof strings.Builder
		for range 30 {
			fmt.Fprintln(&proof, literal(), literal(), 0)
		}
		proof.WriteString("0\n")
		_, err := CheckProof(context.Background(), f, strings.NewReader(proof.String()))
		require.Error(t, err, "seed %d", seed)
	}
}
