//go:build unix

package solvers

import (
	"context"
	"crypto/sha256"
	"errors"
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
	"queens/backends/conformance"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
)

// find skips the test if the solver is missing, and fails it where all solvers
// must be installed.
func find(t testing.TB, name string) Solver {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		if os.Getenv("NO_SKIP") == "1" && !strings.Contains(err.Error(), "no Debian package") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return s
}

// oracle returns an oracle that asks a solver by the methods of package sat.
func oracle(t testing.TB, s Solver, p encode.Problem, formula sat.Formula) *sat.Oracle {
	client := s.Open()
	t.Cleanup(func() { client.Close() })
	o := sat.New(p)
	o.Formula, o.Solver = formula, s.Name
	o.Make = func(f *cnf.Formula) sat.Solver { return client.New(f) }
	t.Cleanup(func() { o.Close() })
	return o
}

// Every solver, by every method and on both formulas, agrees with exact search.
func TestEverySolverAgainstSearch(t *testing.T) {
	ctx := context.Background()
	for i, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			solver := find(t, name)
			largest := 7
			if !solver.Warm() {
				largest = 5 // one process per query
			}
			if testing.Short() {
				largest -= 2
			}
			for n := 1; n <= largest; n++ {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(i)))
				p, err := encode.Queens(n, nil, nil)
				require.NoError(t, err)
				exact := search.New(p)
				formula := sat.Formulas()[n%2]
				o := oracle(t, solver, p, formula)
				o.AMO = amo.All()[(n+i)%len(amo.All())]
				for range 3 {
					var assume []cnf.Lit
					for range rng.IntN(3) {
						l := cnf.Lit(1 + rng.IntN(n*n))
						if rng.IntN(3) == 0 {
							l = -l
						}
						assume = append(assume, l)
					}
					want, err := exact.Valid(ctx, assume, "")
					require.NoError(t, err)
					for _, method := range backends.Names(sat.Methods()) {
						got, err := o.Valid(ctx, assume, method)
						require.NoError(t, err, "n=%d %v %s", n, assume, method)
						require.Equal(t, want.Possible, got.Possible, "n=%d %v %s", n, assume, method)
					}
					answer, err := o.Solve(ctx, assume)
					require.NoError(t, err)
					require.Equal(t, want.Satisfiable, answer.Status == backends.Sat)
					for _, l := range answer.Core {
						require.Contains(t, assume, l)
					}
				}
			}
		})
	}
}

// Every solver, on both formulas, knows what exact search does about problems without constraints,
// without variables, of one and two cells, with an empty constraint, and with literals that are
// repeated, contradict each other, or are fixed and assumed at once.
func TestEverySolverOnTheSmallest(t *testing.T) {
	ctx := context.Background()
	var problems []encode.Problem
	for n := 1; n <= 2; n++ {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		problems = append(problems, p, p.With(1, 1), p.With(1, -1))
	}
	for vars := range 3 {
		p := encode.Problem{Family: "nothing", Names: make(encode.List, vars)}
		empty := p
		empty.Constraints = []encode.Constraint{encode.ExactlyOne("")}
		problems = append(problems, p, empty)
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			solver := find(t, name)
			for i, p := range problems {
				exact, o := search.New(p), oracle(t, solver, p, sat.Formulas()[i%2])
				for _, assume := range [][]cnf.Lit{nil, {1, 1}, {-1, 1, -1}} {
					if p.NumVars() == 0 && assume != nil {
						continue
					}
					want, err := exact.Valid(ctx, assume, "")
					require.NoError(t, err)
					got, err := o.Valid(ctx, assume, "")
					require.NoError(t, err, "%s %v %v", p, p.Fixed, assume)
					require.Equal(t, want.Satisfiable, got.Satisfiable, "%s %v %v", p, p.Fixed, assume)
					require.ElementsMatch(t, want.Possible, got.Possible, "%s %v %v", p, p.Fixed, assume)
					require.ElementsMatch(t, want.Forced, got.Forced, "%s %v %v", p, p.Fixed, assume)
					answer, err := o.Solve(ctx, assume)
					require.NoError(t, err)
					require.Equal(t, want.Satisfiable, answer.Status == backends.Sat, "%s %v %v", p, p.Fixed, assume)
				}
			}
		})
	}
}

// toy is the example of docs/do/solver.md.
func toy(t testing.TB) Solver {
	t.Helper()
	path, err := filepath.Abs("testdata/toy.sh")
	require.NoError(t, err)
	s, err := Find(path)
	require.NoError(t, err)
	require.True(t, s.Warm())
	return s
}

// The example answers as exact search does, by every method.
func TestToyAgainstSearch(t *testing.T) {
	ctx := context.Background()
	s := toy(t)
	largest := 4
	if testing.Short() {
		largest = 3
	}
	for n := 1; n <= largest; n++ {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		o := oracle(t, s, p, sat.Formulas()[n%2])
		for _, assume := range [][]cnf.Lit{nil, {1}, {-1, cnf.Lit(n)}} {
			want, err := search.New(p).Valid(ctx, assume, "")
			require.NoError(t, err)
			for _, method := range backends.Names(sat.Methods()) {
				got, err := o.Valid(ctx, assume, method)
				require.NoError(t, err, "n=%d %v %s", n, assume, method)
				require.Equal(t, want.Possible, got.Possible, "n=%d %v %s", n, assume, method)
			}
		}
	}
}

// One process serves a client, formula after formula.
func TestStartedOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), "starts")
	s := script(t, fmt.Sprintf("echo x >> %s; exec %s", log, toy(t).Command))
	s.Command = s.words[0]
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	o := oracle(t, s, p, sat.Residual)
	for _, method := range backends.Names(sat.Methods()) {
		found, err := o.Valid(context.Background(), nil, method)
		require.NoError(t, err)
		assert.Len(t, found.Possible, 8)
	}
	starts, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(starts))
}

// script returns a solver that is a shell script and reads DIMACS.
func script(t *testing.T, body string) Solver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755))
	return Solver{Name: "script", Command: path + " {cnf}", words: []string{path}}
}

// Every mistake of a program that speaks the protocol soon ends in a specific error,
// with the program's last line of standard error.
func TestNoLineIsTakenOnTrust(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	greet := "echo solver script 1; read a; while read word rest; do if [ $word = solve ]; then "
	for body, want := range map[string]string{
		"exit 3": "it ended: exit status 3",
		"echo cannot open >&2; echo a licence >&2; exit 1": "it ended: exit status 1: a licence",
		"echo hello":                                    "it began with \"hello\"",
		greet + "echo sat 1 2 0; fi; done":              "its model does not satisfy the formula",
		greet + "echo sat 99 0; fi; done":               "its model has literal 99, but there are 16 variables",
		greet + "echo sat 1; fi; done":                  "it answered \"sat 1\"",
		greet + "echo maybe 0; fi; done":                "it answered \"maybe 0\"",
		greet + "echo unsat 5 0; fi; done":              "its core has 5, which is not an assumption",
		greet + "echo broken >&2; kill -9 $$; fi; done": "signal: killed: broken",
		greet + "exit 0; fi; done":                      "it ended without an answer",
		greet + "exec cat /dev/zero; fi; done":          "it printed more than 64 MiB",
	} {
		s := script(t, body)
		s.Command = s.words[0]
		_, err := oracle(t, s, p, sat.Residual).Solve(context.Background(), nil)
		assert.ErrorContains(t, err, want, body)
		assert.ErrorContains(t, err, "asking script", body)
	}
}

// The version is what the program reports or the user states; it is never made up.
func TestVersion(t *testing.T) {
	hang := script(t, "exec sleep 600")
	for _, c := range []struct {
		solver Solver
		is     string
		err    string
	}{
		{solver: script(t, "echo $# $1"), is: "1 --version"}, // without the placeholder of the file
		{solver: script(t, "echo 4.0.1; echo more"), is: "4.0.1"},
		{solver: script(t, "echo unknown flag >&2; exit 3"), err: "--version ends with code 3: unknown flag"},
		{solver: script(t, "echo usage: solve FILE"), err: `--version prints "usage: solve FILE"`},
		{solver: script(t, "kill -9 $$"), err: "signal: killed"},
		{solver: warmScript(t, "echo solver mine 2.1; cat"), is: "mine 2.1"},
		{solver: warmScript(t, "echo solver mine; cat"), err: `it greets with "mine", without one`},
		{solver: warmScript(t, "echo no licence >&2; exit 1"), err: "exit status 1: no licence"},
		{solver: Solver{Name: "said", Command: hang.Command, words: hang.words, Version: "said 7"}, is: "said 7"},
	} {
		client := c.solver.Open()
		is, err := client.Version(context.Background())
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			assert.ErrorContains(t, err, "script")
		} else {
			assert.NoError(t, err)
		}
		assert.Equal(t, c.is, is)
		require.NoError(t, client.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := hang.Open().Version(ctx)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// A known program is asked for its version in the one way that it allows, whatever options
// its command has; one that cannot tell is identified by its content.
func TestVersionOfKnownPrograms(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("QUEENS_BRIDGES", dir)
	for name, body := range map[string]string{
		"cadical": `[ $# = 1 ] && [ $1 = --version ] && echo 1.5.3 && exit; echo only as single option >&2; exit 1`,
		"minisat": "echo unknown flag >&2; exit 1",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body), 0o755))
	}
	version := func(text string) string {
		s, err := Find(text)
		require.NoError(t, err)
		if s.Warm() {
			t.Skipf("a bridge to %s is installed", text)
		}
		is, err := s.Open().Version(context.Background())
		require.NoError(t, err)
		return is
	}
	assert.Equal(t, "1.5.3", version("cadical"))
	assert.Equal(t, "1.5.3", version("cadical -q --unsat {cnf}"))
	content, err := os.ReadFile(filepath.Join(dir, "minisat"))
	require.NoError(t, err)
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	assert.Equal(t, "minisat of SHA-256 "+sum[:12], version("minisat"))
}

// A program that does not greet ends the question within seconds, with the last line of standard
// error.
func TestSilenceIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for body, want := range map[string]string{
		"echo no interpreter >&2; exec sleep 600": "it has not greeted within 5s: expected a line \"solver NAME VERSION\": no interpreter",
	} {
		t.Run("", func(t *testing.T) {
			if testing.Short() {
				t.Skip("waits for five seconds")
			}
			t.Parallel()
			start := time.Now()
			_, err := oracle(t, warmScript(t, body), p, sat.Residual).Solve(context.Background(), nil)
			assert.ErrorContains(t, err, want)
			assert.Less(t, time.Since(start), time.Minute)
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		_, err := oracle(t, warmScript(t, "exec sleep 600"), p, sat.Residual).Solve(ctx, nil)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// What asking costs besides the solver's own work is known where the program tells its
// time with every answer.
func TestPipe(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	sat := "echo sat 2 8 9 15 0"
	for body, told := range map[string]bool{
		"echo c seconds 0.25; " + sat: true,
		sat:                           false,
		"echo c seconds -1; " + sat:   false,
		"[ $asked ] || echo c seconds 0.1; asked=yes; " + sat: false,
	} {
		s := warmScript(t, "echo solver clock 1; while read word rest; do if [ $word = solve ]; then "+body+"; fi; done")
		client := s.Open()
		f := p.CNF(amo.Pairwise)
		start := time.Now()
		asked := client.New(f)
		for range 2 {
			status, _, err := asked.Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, backends.Sat, status)
		}
		require.NoError(t, asked.Close())
		pipe, known := client.Pipe()
		assert.Equal(t, told, known, body)
		if told { // the time is its word: here, more than has passed
			assert.LessOrEqual(t, pipe, time.Since(start)-500*time.Millisecond)
		}
		require.NoError(t, client.Close())
	}
}

// Asked again, a program is sent the same lines in one batch, and its new times replace the old ones.
// Another answer is an error, and so is another query afterwards.
func TestAgain(t *testing.T) {
	ctx := context.Background()
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for _, c := range []struct{ answer, wrong string }{
		{answer: "echo c seconds 0.$asked; echo sat 2 8 9 15 0"},
		{answer: "echo sat 2 8 9 15 0"}, // does not tell its time
		{answer: "echo c seconds 2; echo sat 2 8 9 15 0"},
		{"echo c seconds 0; [ $asked != 4 ] && echo sat 2 8 9 15 0 || echo unsat 0", `answered "unsat 0"; before, "sat 2 8 9 15 0"`},
	} {
		sent := filepath.Join(t.TempDir(), "sent")
		s := warmScript(t, "echo solver clock 1; asked=0; while read line; do echo $line >>"+sent+
			"; case $line in solve*) asked=$((asked + 1)); "+c.answer+";; esac; done")
		client := s.Open()
		defer client.Close()
		client.Keep()
		ask := func(assume ...cnf.Lit) error {
			asked := client.New(p.CNF(amo.Pairwise))
			_, _, err := asked.Solve(ctx, assume)
			return errors.Join(err, asked.Close())
		}
		require.NoError(t, ask(2))
		require.NoError(t, ask())
		first := client.own
		again, err := client.Again(ctx)
		if c.wrong != "" {
			require.ErrorContains(t, err, c.wrong)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, first == 300*time.Millisecond, again)
		if !again {
			continue
		}
		lines, err := os.ReadFile(sent)
		require.NoError(t, err)
		half := len(lines) / 2
		require.Equal(t, string(lines[:half]), string(lines[half:]))
		require.NoError(t, ask(2))
		require.Equal(t, 300*time.Millisecond, client.own-first, "as told in the batch")
		require.ErrorContains(t, ask(1), "the query is another one")
		lines, err = os.ReadFile(sent)
		require.NoError(t, err)
		require.Len(t, lines, 2*half, "nothing else was sent")
		require.NoError(t, ask(2))
	}
}

// warmScript returns a solver that is a shell script and speaks the line protocol.
func warmScript(t *testing.T, body string) Solver {
	s := script(t, body)
	s.Command = s.words[0]
	return s
}

// A program that hangs and never reads is killed when its time is up, and the
// back-end then starts another.
func TestHangIsCutShort(t *testing.T) {
	p, err := encode.Queens(60, nil, nil)
	require.NoError(t, err)
	s := script(t, "echo solver script 1; exec sleep 600")
	s.Command = s.words[0]
	o := oracle(t, s, p, sat.Residual)
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_, err = o.Solve(ctx, nil)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}

func TestNoAnswerIsTakenOnTrust(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for body, want := range map[string]string{
		"echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'; exit 10": "its model does not satisfy the formula",
		"echo 's SATISFIABLE'; exit 10":                     "but printed no v line; does the command need {result}?",
		"echo 'v 1 999 0'; exit 10":                         "its model has literal 999, but there are 16 variables",
		"echo 'v 1 x 0'; exit 10":                           `literal "x"`,
		"echo out of memory; exit 1":                        "it ended with code 1: out of memory",
		"exit 0":                                            "it ended with code 0",
		"kill -9 $$":                                        "signal: killed",
		"exec cat /dev/zero":                                "it printed more than 64 MiB",
	} {
		_, err := oracle(t, script(t, body), p, sat.Residual).Solve(context.Background(), nil)
		assert.ErrorContains(t, err, want, body)
		assert.ErrorContains(t, err, "asking script", body)
	}
	_, err = oracle(t, Solver{Name: "gone", Command: "gone {cnf}", words: []string{"/nowhere/gone"}},
		p, sat.Residual).Solve(context.Background(), nil)
	assert.ErrorContains(t, err, "asking gone: ")
}

// The children of a process that is cut short soon die with it.
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
	_, err = oracle(t, solver, p, sat.Residual).Solve(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, time.Since(start), 30*time.Second)
	text, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !running(pid) }, time.Minute, 10*time.Millisecond,
		"the solver's child %d is still running", pid)
}

// TestSolverEndsWithAKilledAsker runs this test as a child process and kills it
// while it waits for a solver, as a run of an experiment is killed at its limit.
func TestSolverEndsWithAKilledAsker(t *testing.T) {
	const switchName = "EXTERNAL_TEST_ASKS"
	if path := os.Getenv(switchName); path != "" {
		p, err := encode.Queens(4, nil, nil)
		require.NoError(t, err)
		_, err = oracle(t, Solver{Name: "script", Command: "{cnf}", words: []string{path}}, p, sat.Residual).Solve(context.Background(),
			nil)
		t.Fatalf("the solver ended: %v", err)
	}
	pidFile := filepath.Join(t.TempDir(), "pid")
	solver := script(t, fmt.Sprintf("echo $$ > %s.new; mv %s.new %s; exec sleep 60", pidFile, pidFile, pidFile))
	asker := exec.Command(os.Args[0], "-test.run=^TestSolverEndsWithAKilledAsker$")
	asker.Env = append(os.Environ(), switchName+"="+solver.words[0], "TMPDIR="+t.TempDir())
	require.NoError(t, asker.Start())
	var pid int
	started := assert.Eventually(t, func() bool {
		text, err := os.ReadFile(pidFile)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	// The solver lives as long as the asker does, whatever threads come and go.
	if started {
		time.Sleep(100 * time.Millisecond)
		assert.True(t, running(pid))
	}
	require.NoError(t, asker.Process.Kill())
	_ = asker.Wait()
	if !started {
		return
	}
	if !assert.Eventually(t, func() bool { return !running(pid) }, time.Minute, 5*time.Millisecond) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// running reports whether a process exists and is not a zombie.
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
	assert.ErrorContains(t, err, `SAT solver "cadicul": expected gini, minisat, cadical`)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("QUEENS_BRIDGES", t.TempDir())
	_, err = Find("cryptominisat")
	assert.ErrorContains(t, err, "SAT solver cryptominisat: cryptominisat5 is not on the PATH; its Debian package is cryptominisat, and make bridges")
	_, err = Find("kissat")
	assert.ErrorContains(t, err, "there is no Debian package for it")
	_, err = Find("./no-such -q {cnf}")
	assert.ErrorContains(t, err, "./no-such")
}

// Each bridge in bench/bridges answers everything that package sat can ask.
func TestBridgesConform(t *testing.T) {
	conformance.Long(t) // builds programs and asks them thousands of questions
	folder := t.TempDir()
	out, err := exec.Command("../../../bench/bridges/build.sh", folder).CombinedOutput()
	require.NoError(t, err, string(out))
	t.Setenv("QUEENS_BRIDGES", folder)
	for _, k := range list() {
		if !k.bridge {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			path := filepath.Join(folder, bridgePrefix+k.name)
			if _, err := os.Stat(path); err != nil {
				skip := t.Skipf
				if os.Getenv("NO_SKIP") == "1" {
					skip = t.Fatalf
				}
				skip("no bridge to the library of %s (Debian: g++, minisat, libcadical-dev, libcryptominisat5-dev, picosat): %s",
					k.name, out)
			}
			s, err := Find(k.name)
			require.NoError(t, err)
			require.Equal(t, []string{path}, s.words)
			require.Equal(t, bridgePrefix+k.name, s.Command)
			client := s.Open()
			defer client.Close()
			version, err := client.Version(context.Background())
			require.NoError(t, err)
			require.Contains(t, version, k.name)
			pipe, known := client.Pipe()
			require.True(t, known)
			require.Zero(t, pipe)
			one := sat.Methods()[:1] // a bridge sees clauses and assumptions, not who asks
			run := conformance.Run
			if conformance.Slow {
				run = conformance.RunAny
			}
			run(t, one, func(p encode.Problem) backends.Backend { return oracle(t, s, p.Counting(amo.Sequential), sat.Whole) })

			kept := s.Open()
			defer kept.Close()
			kept.Keep()
			board, err := encode.Queens(8, nil, nil)
			require.NoError(t, err)
			o := sat.New(board)
			o.Make = func(f *cnf.Formula) sat.Solver { return kept.New(f) }
			before, err := o.Valid(context.Background(), []cnf.Lit{1}, "pack")
			require.NoError(t, err)
			again, err := kept.Again(context.Background())
			require.NoError(t, err)
			require.True(t, again)
			after, err := o.Valid(context.Background(), []cnf.Lit{1}, "pack")
			require.NoError(t, err)
			require.Equal(t, before, after)

			f := cnftest.Pigeons(6)
			asked := client.New(f)
			start := time.Now()
			status, _, err := asked.Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, backends.Unsat, status)
			took := client.own
			require.Positive(t, took, "the solver's own time")
			require.LessOrEqual(t, took, time.Since(start))
			_, known = client.Pipe()
			require.True(t, known)
			require.NoError(t, asked.Close())
		})
	}
}
