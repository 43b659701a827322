package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"queens/backends/conformance"
	"queens/experiments/record"
	"queens/experiments/tasks"
	"queens/internal/system"
)

// tortureGrid has runs of a few milliseconds each, with three back-ends.
const tortureGrid = `name: torture
task: count
axes: {n: 4..7, backend: [bdd, search, table]}
repeats: 4
limits: {wall_clock: 10m}
`

const tortureRuns = 4 * 3 * 4

// TestTorture kills the harness, a run's process or both at random moments, on a disk that
// is sometimes full (if this user may mount one), and resumes until the grid is complete.
//
//	TORTURE_KILLS=1000 TORTURE_SEED=1 go test -count 1 -timeout 0 -v -run Torture ./cmd/harness
func TestTorture(t *testing.T) {
	few := uint64(4)
	if conformance.Slow {
		few = 15
	}
	kills := conformance.Number(t, "TORTURE_KILLS", few)
	if testing.Short() {
		t.Skip("kills processes for seconds")
	}
	t.Parallel()
	seed := conformance.Number(t, "TORTURE_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d", seed)
	tort := newTorture(t, seed)
	for uint64(tort.kills()) < kills || tort.going {
		tort.attempt()
	}
	t.Logf("kills: %d of the harness, %d of a run, %d of both; %d starts on a full disk; %d grids resumed to the end",
		tort.harnessKills, tort.childKills, tort.bothKills, tort.fullDisks, tort.grids)
	t.Logf("a foreign hand in the folder: %d times, all rows saved", tort.rescues)
	t.Logf("recorded as killed: %d runs, each killed alone; rows lost, doubled, false or torn, folders and processes left: 0",
		tort.killedRows)
}

// torture is a grid that is being run.
type torture struct {
	*testing.T
	rng              *rand.Rand
	binary, config   string
	temporary        string // of the harness and its runs
	disk             string // a small one that can be filled; empty: none
	out              string
	before           []byte // the rows that must be kept
	going            bool   // a grid is unfinished
	childKillsInGrid int

	harnessKills, childKills, bothKills, fullDisks, grids, killedRows, rescues int
}

func newTorture(t *testing.T, seed uint64) *torture {
	dir := t.TempDir()
	o := &torture{T: t, rng: rand.New(rand.NewPCG(seed, 0)), binary: filepath.Join(dir, "harness"),
		config: filepath.Join(dir, "torture.yaml"), temporary: filepath.Join(dir, "temporary"), disk: filepath.Join(dir, "disk")}
	out, err := exec.Command("go", "build", "-o", o.binary, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.WriteFile(o.config, []byte(tortureGrid), 0o644))
	require.NoError(t, os.Mkdir(o.temporary, 0o755))
	require.NoError(t, os.Mkdir(o.disk, 0o755))
	if err := unix.Mount("tmpfs", o.disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Logf("no full disks: mounting one: %v", err)
		o.disk = ""
	} else {
		t.Cleanup(func() { assert.NoError(t, unix.Unmount(o.disk, unix.MNT_DETACH)) })
	}
	o.out = filepath.Join(dir, "disk", "records")
	return o
}

func (o *torture) kills() int { return o.harnessKills + o.childKills + o.bothKills }

// attempt starts the harness on the missing runs, kills something, and checks what is left.
// A complete grid is removed to make room for the next.
func (o *torture) attempt() {
	o.going = true
	full := o.disk != "" && o.rng.IntN(8) == 0
	if full {
		o.fill()
		o.fullDisks++
	}
	cmd := exec.Command(o.binary, "run", o.config, "--out", o.out, "--resume")
	cmd.Env = append(os.Environ(), "TMPDIR="+o.temporary)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(o, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	meddled := !full && o.rng.IntN(8) == 0 && o.meddle()
	var err error
	signalled := false
	if meddled {
		err = <-ended
	} else if err, signalled = o.harass(cmd.Process, ended); signalled {
		err = <-ended
	}
	code := cmd.ProcessState.ExitCode()
	if full {
		require.NoError(o, os.Remove(filepath.Join(o.disk, "filler")))
	}
	o.noProcesses()
	if saved := rescuedIn.FindStringSubmatch(said.String()); meddled && saved != nil {
		require.NoError(o, os.RemoveAll(o.out))
		require.NoError(o, os.Rename(saved[1], o.out))
		o.rescues++
	} else if meddled {
		if nothingLeft := fmt.Sprintf("all %d runs are there", tortureRuns); err == nil && !strings.Contains(said.String(), nothingLeft) {
			require.Contains(o, said.String(), fmt.Sprintf("[%d/%d] ", tortureRuns, tortureRuns), // it had already ended
				"the harness did not notice")
		}
		require.NotContains(o, said.String(), "while runs went on")
		if o.records() == nil {
			o.before = nil // removed before they had been read
		}
	}
	o.check(said.String())
	if meddled {
		return
	}
	if err == nil || code == runsFailed && len(o.rows()) == tortureRuns {
		o.whole(said.String())
	} else if !signalled {
		require.True(o, full && strings.Contains(said.String(), "no space left on device"),
			"the harness ended with %d and nobody killed it: %s", code, said.String())
	}
}

// rescuedIn is what the harness says when it has saved rows.
var rescuedIn = regexp.MustCompile(`while runs went on: all \d+ rows are in (\S+)`)

// meddle removes the records, or replaces them by a copy, at a random moment after the harness has
// opened them.
func (o *torture) meddle() bool {
	records := filepath.Join(o.out, record.RecordsFile)
	began, err := os.Stat(records)
	if err != nil {
		return false // it may not exist yet
	}
	held := func() bool { // by the harness
		f, err := os.Open(records)
		if err != nil {
			return false
		}
		defer f.Close()
		return system.Lock(f) != nil
	}
	for deadline := time.Now().Add(20 * time.Second); !held(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	time.Sleep(time.Duration(o.rng.IntN(100_000)) * time.Microsecond)
	if o.rng.IntN(2) == 0 {
		_ = os.RemoveAll(o.out) // which leaves the folder if the harness writes a file there meanwhile
		return o.records() == nil
	}
	data, err := os.ReadFile(records)
	require.NoError(o, err)
	require.NoError(o, os.WriteFile(records+".new", data, began.Mode()))
	return os.Rename(records+".new", records) == nil
}

// harass sends signals at random moments until one goes to the harness, or it ends.
func (o *torture) harass(harness *os.Process, ended <-chan error) (err error, signalled bool) {
	signals := []syscall.Signal{unix.SIGKILL, unix.SIGKILL, unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGQUIT}
	for {
		select {
		case err := <-ended:
			return err, false
		case <-time.After(time.Duration(o.rng.IntN(500_000)) * time.Microsecond):
		}
		signal := signals[o.rng.IntN(len(signals))]
		victim := o.rng.IntN(3)
		child := 0
		for tries := 0; victim != 0 && child == 0 && tries < 100; tries++ { // between two runs there is none
			child = o.child(harness.Pid)
		}
		if victim != 0 && child == 0 {
			continue
		}
		switch victim {
		case 0:
			if harness.Signal(signal) == nil {
				o.harnessKills++
			}
			return nil, true
		case 1:
			if syscall.Kill(child, signal) == nil {
				o.childKills++
				o.childKillsInGrid++
			}
		case 2: // terminating a whole job reaches its processes in any order
			first, second := child, harness.Pid
			if o.rng.IntN(2) == 0 {
				first, second = second, first
			}
			one := syscall.Kill(first, signal)
			time.Sleep(time.Duration(o.rng.IntN(10_000)) * time.Microsecond)
			if errors.Join(one, syscall.Kill(second, signal)) == nil {
				o.bothKills++
			} else {
				o.harnessKills++ // the run's process was gone
			}
			return nil, true
		}
	}
}

// child returns the process of the current run; 0 for none.
func (o *torture) child(harness int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", harness))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for pid := range strings.FieldsSeq(string(pids)) {
			if line, _ := os.ReadFile("/proc/" + pid + "/cmdline"); bytes.Contains(line, []byte(runOneName)) {
				child, err := strconv.Atoi(pid)
				require.NoError(o, err)
				return child
			}
		}
	}
	return 0
}

// fill fills the disk except for up to three pages.
func (o *torture) fill() {
	file, err := os.Create(filepath.Join(o.disk, "filler"))
	require.NoError(o, err)
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	require.ErrorIs(o, err, unix.ENOSPC)
	info, err := file.Stat()
	require.NoError(o, err)
	require.NoError(o, file.Truncate(max(0, info.Size()-4096*o.rng.Int64N(4))))
	require.NoError(o, file.Close())
}

// noProcesses waits until all processes of the harness have ended.
func (o *torture) noProcesses() {
	var left []string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		left = nil
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, line := range lines {
			if text, _ := os.ReadFile(line); bytes.HasPrefix(text, []byte(o.binary+"\x00")) {
				left = append(left, filepath.Base(filepath.Dir(line)))
			}
		}
		if left == nil {
			return
		}
	}
	require.Empty(o, left, "processes left")
}

func (o *torture) records() []byte {
	data, err := os.ReadFile(filepath.Join(o.out, record.RecordsFile))
	if err != nil {
		require.ErrorIs(o, err, os.ErrNotExist)
	}
	return data
}

// rows reads the records, which checks types, ids, doubles and the grid.
func (o *torture) rows() []record.Row {
	if !bytes.ContainsRune(o.records(), '\n') {
		return nil // not begun
	}
	set, err := record.Read(o.out, tasks.Kinds())
	require.NoError(o, err)
	return set.Rows
}

// check checks the rows so far: none lost, none torn, none false.
func (o *torture) check(said string) {
	o.Helper()
	data := o.records()
	require.True(o, bytes.HasPrefix(data, o.before), "a row is lost: %s", said)
	require.True(o, len(data) == 0 || data[len(data)-1] == '\n', "a row is torn: %s", said)
	o.before = data
	killed := 0
	for _, r := range o.rows() {
		if r.Outcome() == record.Killed {
			require.Regexp(o, "^ended by signal: (killed|terminated|interrupt|hangup|quit)$", r.Cell("reason"))
			killed++
			continue
		}
		require.Equal(o, record.OK, r.Outcome(), "a false row: %v", r)
		require.Equal(o, "yes", r.Cell("agree"), "a false row: %v", r)
	}
	require.LessOrEqual(o, killed, o.childKillsInGrid, "a run is recorded as killed that was not killed alone: %s",
		said)
}

// whole checks a grid whose runs are all there, and removes it.
func (o *torture) whole(said string) {
	rows := o.rows()
	require.Len(o, rows, tortureRuns, said)
	o.killedRows += record.Tally(rows)[record.Killed]
	var left []string
	for _, dir := range []string{o.temporary, o.out} {
		entries, err := os.ReadDir(dir)
		require.NoError(o, err)
		for _, e := range entries {
			if !slices.Contains([]string{record.RecordsFile, record.EnvFile, record.ConfigFile}, e.Name()) {
				left = append(left, e.Name())
			}
		}
	}
	require.Empty(o, left, "files left")
	require.NoError(o, os.RemoveAll(o.out))
	o.before, o.going, o.childKillsInGrid = nil, false, 0
	o.grids++
}
