//go:build linux

package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

// patience bounds how long a test waits for something that is immediate on a quiet machine.
const patience = time.Minute

// quiet counts the lines of progress, one per record.
type quiet struct {
	done  int
	after func(n int)
}

func (q *quiet) Write(line []byte) (int, error) {
	q.done++
	if q.after != nil {
		q.after(q.done)
	}
	return len(line), nil
}

// open opens a folder for an experiment, as the command does.
func open(t *testing.T, dir string, asked config.Experiment, mode record.OpenMode) (*record.Store, []experiments.Run, error) {
	t.Helper()
	st, err := record.Open(dir, asked, record.Observe(asked.Spec), mode)
	if err == nil {
		t.Cleanup(func() { st.Close() })
	}
	return st, asked.Runs, err
}

func runner(t *testing.T, log *quiet) *Runner {
	t.Helper()
	self, err := Self("run-one")
	require.NoError(t, err)
	return &Runner{Self: self, Progress: NewProgress(log, false, toys[0].Columns())}
}

func TestEveryOutcome(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	// Three experiments at a time, since most runs wait.
	limits := map[string]string{
		"well, hungry, grabbing, panic, error, exit, shot, wrong, disputed, refuted, confirmed, forking, escaping, hiding": "20s",
		"slowly": "2s", "endless": "2s", "twice, twisted": "2s",
	}
	var g errgroup.Group
	var rows []record.Row
	sets := map[string]*record.Store{}
	for how, limit := range limits {
		asked := load(t, "name: x\ntask: toy\naxes: {n: 7, how: ["+how+"]}\nlimits: {wall_clock: "+limit+", memory: 96MiB}\n")
		st, runs, err := open(t, filepath.Join(t.TempDir(), "x"), asked, record.OpenMode{})
		require.NoError(t, err)
		sets[how] = st
		one := runner(t, &quiet{})
		g.Go(func() error { return one.Run(context.Background(), st, runs) })
	}
	require.NoError(t, g.Wait())
	for _, st := range sets {
		rows = append(rows, st.Rows...)
	}
	require.Len(t, rows, 18)

	for _, r := range rows {
		want := map[string][3]string{
			"well":      {"ok", "^$", "yes"},
			"slowly":    {"timeout", "^not finished after 2s$", ""},
			"hungry":    {"memory-limit", "^[0-9]+ bytes resident, limit 96MiB$", ""},
			"grabbing":  {"memory-limit", "^([0-9]+ bytes resident, limit 96MiB|the system refused memory beyond the limit 96MiB)$", ""},
			"panic":     {"error", "^exit status 2: panic: toy broke", ""},
			"error":     {"error", "^toy could not$", ""},
			"exit":      {"error", "^exit status 1: fatal: gone$", ""},
			"shot":      {"killed", "^ended by signal: terminated$", ""},
			"wrong":     {"wrong", "^the answer is 491, but school says 49$", "no"},
			"disputed":  {"wrong", "^the answer is 491, but toy well says 49$", "no"},
			"refuted":   {"wrong", "^query 2: 7 times 7 is not 50$", "no"},
			"confirmed": {"ok", "^$", "yes"},
			"twice":     {"ok", "^$", "yes"},
			"twisted":   {"wrong", `^the answer is 491; 49, but toy halting \(1 of 2\) says 49$`, "no"},
			"forking":   {"ok", "^$", "yes"},
			"escaping":  {"ok", "^$", "yes"},
			"endless":   {"timeout", "^not finished after 2s$", ""},
			"hiding":    {"memory-limit", "^([0-9]+ bytes resident, limit 96MiB|the system ended the run beyond the limit 96MiB)$", ""},
		}[r.Cell("how")]
		assert.Equal(t, want[0], r.Cell("outcome"), r.Cell("how"))
		assert.Regexp(t, want[1], r.Cell("reason"), r.Cell("how"))
		assert.Equal(t, want[2], r.Cell("agree"), r.Cell("how"))
		assert.NotEmpty(t, r.Cell("wall_seconds"), r.Cell("how"))
		if r.Cell("how") == "well" {
			assert.Equal(t, "49", r.Cell("square"))
			assert.Equal(t, "1;2;3;4;5;6;7", r.Cell("trace"))
			assert.Empty(t, r.Cell("never"))
			assert.Empty(t, r.Cell("unfinished"))
			assert.NotEmpty(t, r.Cell("load"))
			cpu, ok := r.Number("build_cpu_seconds")
			assert.True(t, ok && cpu >= 0 && cpu < 1, "%v", cpu)
			assert.Equal(t, "school", r.Cell("checked_by"))
			peak, ok := r.Number("peak_rss_bytes")
			assert.True(t, ok && peak > 1<<20 && peak < 1<<30, "%v", peak)
		}
		if r.Cell("how") == "refuted" || r.Cell("how") == "confirmed" {
			assert.Equal(t, "abacus", r.Cell("checked_by"))
		}
		if r.Cell("how") == "twice" || r.Cell("how") == "twisted" { // a check that a limit ends keeps what it has checked
			assert.Equal(t, "toy halting (1 of 2)", r.Cell("checked_by"))
		}
		if r.Cell("how") == "slowly" {
			wall, _ := r.Number("wall_seconds")
			assert.GreaterOrEqual(t, wall, 2.0)
			assert.Equal(t, "first_query_seconds", r.Cell("unfinished"))
			assert.NotEmpty(t, r.Cell("build_seconds"), "a finished phase has its time")
			assert.Empty(t, r.Cell("first_query_seconds"))
		}
	}
	// Files and processes that a run leaves behind are removed.
	assert.Empty(t, append(globbed(filepath.Join(temporary, "toy*")), globbed(filepath.Join(temporary, "queens-run*"))...))
	assert.Eventually(t, func() bool { return len(processes(t, "sleep\x00100007")) == 0 }, patience, 10*time.Millisecond)
}

// Of output without end, what is kept is bounded, however it is copied.
// A run that ends before the harness looks at its memory is held to its limit, too: every Go process takes more than
// 1 MiB.
func TestPeakOfAQuickRun(t *testing.T) {
	asked := load(t, "name: x\ntask: toy\naxes: {n: 1..8}\nlimits: {memory: 1MiB}\n")
	st, runs, err := open(t, filepath.Join(t.TempDir(), "x"), asked, record.OpenMode{})
	require.NoError(t, err)
	require.NoError(t, runner(t, &quiet{}).Run(t.Context(), st, runs))
	require.Len(t, st.Rows, 8)
	for _, r := range st.Rows {
		assert.Equal(t, "memory-limit", r.Cell("outcome"))
		assert.Regexp(t, "^[0-9]+ bytes resident( at its peak)?, limit 1MiB$", r.Cell("reason"))
		assert.Empty(t, r.Cell("answer"))
		peak, _ := r.Number("peak_rss_bytes")
		assert.Greater(t, peak, float64(1<<20))
	}
}

// What a run says of its own peak decides, whenever it ended.
func TestPeakIsComparedAtTheEnd(t *testing.T) {
	for peak, want := range map[string]record.Outcome{"1048576": record.OK, "1048577": record.MemoryLimit, "": record.OK} {
		p := &process{cmd: exec.Command("true"), limits: config.Limits{Memory: 1 << 20, WallClock: config.Duration(patience)},
			stdout: head{limit: maxReplies}}
		require.NoError(t, p.cmd.Run())
		require.NoError(t, json.NewEncoder(&p.stdout).Encode(reply{Answer: "49",
			Values: map[string]string{"peak_rss_bytes": peak, "wall_seconds": "0.005"}}))
		var e ending
		require.NoError(t, p.decide(t.Context(), &e, nil))
		assert.Equal(t, want, e.outcome, peak)
		assert.Equal(t, want == record.OK, e.reply.Answer == "49", peak)
	}
}

func TestHeadIsBounded(t *testing.T) {
	h := head{limit: 10}
	n, err := io.Copy(&h, struct{ io.Reader }{strings.NewReader(strings.Repeat("0123456", 10_000))})
	require.NoError(t, err)
	assert.EqualValues(t, 70_000, n)
	assert.Equal(t, "0123456012", h.kept.String())
}

// processes lists the pids whose command line holds the text.
func processes(t *testing.T, text string) []string {
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var pids []string
	for _, l := range lines {
		if data, err := os.ReadFile(l); err == nil && strings.Contains(string(data), text) {
			pids = append(pids, filepath.Base(filepath.Dir(l)))
		}
	}
	return pids
}

const twelve = "name: x\ntask: toy\naxes: {n: 1..4}\nrepeats: 3\nseed: 5\n"

func TestInterruptedAndResumed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	asked := load(t, twelve)
	st, runs, err := open(t, dir, asked, record.OpenMode{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	err = runner(t, &quiet{after: func(n int) {
		if n == 5 {
			cancel()
		}
	}}).Run(ctx, st, runs)
	assert.ErrorIs(t, err, context.Canceled)
	require.NoError(t, st.Close())

	before, err := os.ReadFile(filepath.Join(dir, record.RecordsFile))
	require.NoError(t, err)
	_, _, err = open(t, dir, asked, record.OpenMode{})
	assert.Equal(t, record.Conflict{Text: dir + " holds 5 of 12 runs: use --resume to measure the 7 missing ones, " +
		"or --fresh to move these aside and start from scratch"}, err)

	progress := &quiet{}
	st, runs, err = open(t, dir, asked, record.OpenMode{Resume: true})
	require.NoError(t, err)
	require.NoError(t, runner(t, progress).Run(context.Background(), st, runs))
	assert.Equal(t, 7, progress.done, "exactly the missing runs")
	after, err := os.ReadFile(filepath.Join(dir, record.RecordsFile))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(after), string(before)))
	for i, r := range st.Rows {
		assert.Equal(t, fmt.Sprint(i+1), r.Cell("position"), "in the order of the seed")
	}
}

func TestFoldersThatAreNotTouched(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "x")
	asked := load(t, twelve)
	st, runs, err := open(t, dir, asked, record.OpenMode{})
	require.NoError(t, err)

	for _, mode := range []record.OpenMode{{}, {Resume: true}, {Fresh: true}} {
		_, _, err = open(t, dir, asked, mode)
		assert.Equal(t, record.Conflict{Text: filepath.Join(dir, record.RecordsFile) + ": another harness is writing here"}, err)
	}
	held := st
	time.AfterFunc(200*time.Millisecond, func() { held.Close() })

	st, _, err = open(t, dir, asked, record.OpenMode{})
	require.NoError(t, err, "a set without records can be started again, once who writes there has ended")
	require.NoError(t, runner(t, &quiet{}).Run(context.Background(), st, runs))
	st.Close()
	tree := snapshot(t, dir)

	other := load(t, twelve, "axes.n=1..5", "limits.memory=1GiB")
	for _, mode := range []record.OpenMode{{}, {Resume: true}} {
		_, _, err = open(t, dir, other, mode)
		assert.Equal(t, record.Conflict{Text: dir + " holds records of another configuration:\n  axes.n: \"1..4\", now \"1..5\"\n  limits.memory: 2GiB, now 1GiB\nuse --fresh to move them aside, or --out for another folder"}, err)
	}
	wide := asked
	wide.Kind = widened(asked.Kind)
	_, err = record.Open(dir, wide, record.Observe(asked.Spec), record.OpenMode{})
	assert.ErrorContains(t, err, "holds records with other columns: more: (none), now there\n")
	env := record.Observe(asked.Spec)
	env.Code, env.GoVersion = "0123456789abcdef", "go1.99"
	_, err = record.Open(dir, asked, env, record.OpenMode{})
	assert.ErrorContains(t, err, "holds records made by another build of the harness:\n  code: ")
	assert.ErrorContains(t, err, "go_version: ")
	assert.Equal(t, tree, snapshot(t, dir))

	// A different presentation is not a different measurement.
	shown := asked
	shown.Question = "why?"
	st, _, err = open(t, dir, shown, record.OpenMode{})
	require.NoError(t, err)
	st.Close()

	st, _, err = open(t, dir, other, record.OpenMode{Fresh: true})
	require.NoError(t, err)
	assert.Equal(t, tree, snapshot(t, st.Aside))
}

// A grid that changes keeps the records of its runs: as they were, but for their positions. Records that it
// loses are moved aside with the others.
func TestGridsGrow(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "x")
	asked := load(t, twelve)
	st, runs, err := open(t, dir, asked, record.OpenMode{})
	require.NoError(t, err)
	require.NoError(t, runner(t, &quiet{}).Run(context.Background(), st, runs))
	st.Close()
	rows := func(dir string) (list []string) {
		set, err := record.Read(dir, toys)
		require.NoError(t, err)
		for _, r := range set.Rows {
			list = append(list, r.ID()+" "+r.Cell("repeat")+" "+r.Cell("started")+" "+r.Cell("answer"))
		}
		return list
	}
	before, tree := rows(dir), snapshot(t, dir)

	for _, step := range []struct {
		sets           []string
		holds, kept, n int
	}{
		{[]string{"axes.n=1..6", "repeats=3"}, 12, 12, 18},                        // more values
		{[]string{"axes.n=1..6", "repeats=4", "exclude=[{n: 5}]"}, 18, 15, 20},    // more repeats, fewer points
		{[]string{"axes.n=3..6", "repeats=1", "axes.how=[well, exit]"}, 20, 3, 8}, // another axis
	} {
		larger := load(t, twelve, step.sets...)
		_, _, err = open(t, dir, larger, record.OpenMode{})
		assert.ErrorContains(t, err, fmt.Sprintf("use --resume to keep the %d of its %d records whose runs are in this grid, too", step.kept, step.holds))
		assert.Equal(t, tree, snapshot(t, dir), "refused, so untouched")
		progress := &quiet{}
		st, runs, err = open(t, dir, larger, record.OpenMode{Resume: true})
		require.NoError(t, err)
		assert.Equal(t, step.kept, st.Kept)
		assert.Equal(t, step.kept < step.holds, st.Aside != "")
		require.NoError(t, runner(t, progress).Run(context.Background(), st, runs))
		st.Close()
		assert.Equal(t, step.n-step.kept, progress.done, "exactly the missing runs")
		after := rows(dir)
		assert.Len(t, after, step.n)
		for _, row := range after[:step.kept] {
			assert.Contains(t, before, row)
		}
		set, err := record.Read(dir, toys)
		require.NoError(t, err)
		covered, err := set.Coverage()
		require.NoError(t, err, "positions are those of the new grid")
		assert.Equal(t, step.n, covered.Runs)
		assert.Empty(t, covered.Missing)
		if st.Aside != "" {
			assert.Equal(t, tree, snapshot(t, st.Aside))
		}
		before, tree = after, snapshot(t, dir)
	}

	// Nothing is kept under other limits, of a part of a grid, or if no run is the same.
	for _, sets := range [][]string{{"axes.n=3..7", "limits.memory=1GiB"}, {"axes.n=8..9"}, {"axes.n=3..7", "seed=6"}} {
		_, _, err = open(t, dir, load(t, twelve, sets...), record.OpenMode{Resume: true})
		assert.ErrorContains(t, err, "another configuration", sets)
	}
	part := load(t, twelve, "axes.n=3..7")
	env := record.Observe(part.Spec)
	env.Shard = "1/2"
	_, err = record.Open(dir, part, env, record.OpenMode{Resume: true})
	assert.ErrorContains(t, err, "another configuration")
	assert.Equal(t, tree, snapshot(t, dir))
}

// widened returns a kind whose runs have another result.
func widened(kind *experiments.TaskKind) *experiments.TaskKind {
	wide := *kind
	wide.Result = struct {
		Square string `json:"square"`
		Trace  []int  `json:"trace"`
		Never  *int   `json:"never"`
		More   int    `json:"more"`
	}{}
	return &wide
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(data)
	}
	return files
}

// harness returns the command that runs the test binary as a harness.
func harness(t *testing.T, config, dir string, env ...string) *exec.Cmd {
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "run-all", config, dir)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// whole returns the length of data up to and including its last line break.
func whole(data []byte) int { return strings.LastIndexByte(string(data), '\n') + 1 }

// Killing the harness at any moment neither loses nor duplicates a finished row, and the
// missing runs can be measured afterwards.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("minutes under the race detector")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	config := write(t, "x.yaml", "name: x\ntask: toy\naxes: {n: 1..20}\nrepeats: 3\n")
	dir := filepath.Join(t.TempDir(), "x")
	records := filepath.Join(dir, record.RecordsFile)

	kills, torn := 0, 0
	var before []byte
	for attempt := 0; ; attempt++ {
		require.Less(t, attempt, 500, "grids are not completed, or there are never enough kills")
		cmd := harness(t, config, dir)
		var said bytes.Buffer
		cmd.Stderr = &said
		require.NoError(t, cmd.Start())
		moment := time.Duration(random.IntN(120+10*attempt)) * time.Millisecond // a busy machine needs longer
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			require.NoError(t, err, said.String())
			set, err := record.Read(dir, toys)
			require.NoError(t, err)
			assert.Len(t, set.Rows, 60)
			assert.Len(t, set.Done(), 60)
			for _, r := range set.Rows {
				assert.Equal(t, record.OK, r.Outcome())
			}
			if kills >= 24 {
				t.Logf("%d kills, %d of them in the middle of a row", kills, torn)
				return
			}
			// Finished before there were enough kills: start another grid.
			dir, before = filepath.Join(t.TempDir(), "x"), nil
			records = filepath.Join(dir, record.RecordsFile)
			continue
		case <-time.After(moment):
			if err := cmd.Process.Kill(); err != nil {
				require.ErrorIs(t, err, os.ErrProcessDone)
			}
			<-ended
			kills++
		}
		after, err := os.ReadFile(records)
		if errors.Is(err, os.ErrNotExist) {
			require.Empty(t, before)
			continue
		}
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(after), string(before)), "a finished row is lost after kill %d", kills)
		if random.IntN(3) == 0 && whole(after) > 0 {
			// The kernel finishes a write that it has begun, so only a crash of the
			// machine tears a row; simulate one here.
			f, err := os.OpenFile(records, os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = f.WriteString(`1,deadbeef,toy,"4`)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			torn++
		}
		before = after[:whole(after)]
		if len(before) > 0 {
			_, err := record.Read(dir, toys)
			require.NoError(t, err, "doubled or broken rows after kill %d", kills)
		}
	}
}

// childOf waits until the run of a harness with this TMPDIR is in its task, and returns its process. Other
// children, such as git, have ended by then.
func childOf(t *testing.T, temporary string, harness *exec.Cmd) *os.Process {
	t.Helper()
	// A slow toy first makes a temporary folder.
	require.Eventually(t, func() bool {
		found, _ := filepath.Glob(filepath.Join(temporary, "queens-run*", "*", "toy*"))
		return len(found) > 0
	}, patience, 5*time.Millisecond)
	child := 0
	require.Eventually(t, func() bool {
		for _, task := range globbed(fmt.Sprintf("/proc/%d/task/*/children", harness.Process.Pid)) {
			if task != "" {
				child = atoi(t, task)
			}
		}
		return child != 0
	}, patience, 5*time.Millisecond)
	process, err := os.FindProcess(child)
	require.NoError(t, err)
	return process
}

// When a whole job is terminated, the run may die before the harness gets its signal: this
// is not recorded. A run that is terminated alone is recorded.
func TestTerminationOfAJobIsNoRecord(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	config := write(t, "x.yaml", "name: x\ntask: toy\naxes: {n: 3, how: slowly}\n")
	for _, signals := range [][2]os.Signal{
		{syscall.SIGTERM, syscall.SIGTERM}, {syscall.SIGKILL, syscall.SIGTERM},
		{syscall.SIGHUP, syscall.SIGHUP}, {syscall.SIGQUIT, syscall.SIGQUIT}, {syscall.SIGTERM, nil},
	} {
		dir := filepath.Join(t.TempDir(), "x")
		cmd := harness(t, config, dir)
		require.NoError(t, cmd.Start())
		require.NoError(t, childOf(t, os.Getenv("TMPDIR"), cmd).Signal(signals[0]))
		if signals[1] != nil {
			time.Sleep(10 * time.Millisecond)
			require.NoError(t, cmd.Process.Signal(signals[1]))
		}
		err := cmd.Wait()
		set, readErr := record.Read(dir, toys)
		require.NoError(t, readErr)
		if signals[1] != nil {
			assert.Error(t, err)
			assert.Empty(t, set.Rows, "%v", signals)
		} else if assert.NoError(t, err) && assert.Len(t, set.Rows, 1) {
			assert.Equal(t, record.Killed, set.Rows[0].Outcome())
			assert.Equal(t, "ended by signal: terminated", set.Rows[0].Cell("reason"))
		}
		left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
		require.NoError(t, err)
		assert.Empty(t, left, "temporary folders after %v", signals)
	}
}

// The next harness removes what one killed with -9 has left.
func TestNextStartRemovesTemporaryFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	slow := write(t, "x.yaml", "name: x\ntask: toy\naxes: {n: 3, how: slowly}\n")
	cmd := harness(t, slow, filepath.Join(t.TempDir(), "x"))
	require.NoError(t, cmd.Start())
	childOf(t, os.Getenv("TMPDIR"), cmd)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	pattern := filepath.Join(os.Getenv("TMPDIR"), "*")
	left, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, left)
	quick := write(t, "y.yaml", "name: y\ntask: toy\naxes: {n: 3}\n")
	out, err := harness(t, quick, filepath.Join(t.TempDir(), "y")).CombinedOutput()
	require.NoError(t, err, string(out))
	left, err = filepath.Glob(pattern)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A run does not outlive its harness.
func TestRunsEndWithTheHarness(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	config := write(t, "x.yaml", "name: x\ntask: toy\naxes: {n: 3, how: slowly}\n")
	cmd := harness(t, config, filepath.Join(t.TempDir(), "x"))
	require.NoError(t, cmd.Start())
	child := childOf(t, os.Getenv("TMPDIR"), cmd).Pid
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	gone := func() bool { return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) || zombie(child) }
	assert.Eventually(t, gone, patience, 10*time.Millisecond)
}

func globbed(pattern string) []string {
	var texts []string
	files, _ := filepath.Glob(pattern)
	for _, f := range files {
		data, _ := os.ReadFile(f)
		texts = append(texts, strings.TrimSpace(string(data)))
	}
	return texts
}

func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err != nil || strings.Contains(string(data), "State:\tZ")
}

func atoi(t *testing.T, s string) int {
	var n int
	_, err := fmt.Sscan(s, &n)
	require.NoError(t, err)
	return n
}

// limitFiles makes writes fail beyond a size, as on a full disk: the kernel
// writes what fits and refuses the rest.
func limitFiles() {
	var size uint64
	if _, err := fmt.Sscan(os.Getenv("TEST_FILE_SIZE"), &size); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: size})
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	config := write(t, "x.yaml", "name: x\ntask: toy\naxes: {n: 1..40}\nrepeats: 2\n")
	dir := filepath.Join(t.TempDir(), "x")
	rows := 0
	for _, size := range []int{3000, 3100, 3333, 4000} { // env.json needs less
		out, err := harness(t, config, dir, fmt.Sprintf("TEST_FILE_SIZE=%d", size)).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(out), "records.csv: file too large")
		set, err := record.Read(dir, toys)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(set.Rows), rows)
		rows = len(set.Rows)
		data, err := os.ReadFile(filepath.Join(dir, record.RecordsFile))
		require.NoError(t, err)
		assert.Equal(t, len(data), whole(data), "a row that does not fit is removed")
	}
	assert.NotZero(t, rows)
	assert.Less(t, rows, 80)
	out, err := harness(t, config, dir).CombinedOutput()
	require.NoError(t, err, string(out))
	set, err := record.Read(dir, toys)
	require.NoError(t, err)
	assert.Len(t, set.Done(), 80)
	assert.Len(t, set.Rows, 80)
}
