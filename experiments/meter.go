package experiments

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Phase is a part of a run that is timed apart.
type Phase int

const (
	Encode       Phase = iota // constraints, clauses, orders: before any engine sees them
	Build                     // the engine's one-time work: a diagram, a loaded solver
	FirstQuery                // the first question asked
	LaterQueries              // the mean of all further questions
	Count                     // counting or listing solutions
)

// Phases lists the phases in their order.
func Phases() []Phase { return []Phase{Encode, Build, FirstQuery, LaterQueries, Count} }

func (p Phase) column() string {
	return [...]string{"encode_seconds", "build_seconds", "first_query_seconds", "later_query_seconds", "count_seconds"}[p]
}

func (p Phase) doc() string {
	return [...]string{
		"Wall-clock time to state the problem: constraints, clauses, orders.",
		"Wall-clock time of the engine's one-time work: its diagram, its loaded solver.",
		"Wall-clock time of the first query.",
		"Mean wall-clock time of the further queries.",
		"Wall-clock time to count or list solutions.",
	}[p]
}

// Meter times a run's phases. Phases may be entered again: times add up.
type Meter struct {
	spent   [5]time.Duration
	entered [5]int
}

// Time runs f as part of a phase.
func (m *Meter) Time(p Phase, f func() error) error {
	start := time.Now()
	err := f()
	m.spent[p] += time.Since(start)
	m.entered[p]++
	return err
}

// seconds returns the phases that were entered, by column: sums, but for later
// queries their mean.
func (m *Meter) seconds() map[string]string {
	out := map[string]string{}
	for _, p := range Phases() {
		if m.entered[p] == 0 {
			continue
		}
		spent := m.spent[p].Seconds()
		if p == LaterQueries {
			spent /= float64(m.entered[p])
		}
		out[p.column()] = formatSeconds(spent)
	}
	return out
}

// formatSeconds writes seconds unrounded.
func formatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) }

// usage is processor time, children included.
type usage struct{ user, system time.Duration }

func processorTime() usage {
	var u usage
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var r unix.Rusage
		if unix.Getrusage(who, &r) == nil {
			u.user += time.Duration(r.Utime.Nano())
			u.system += time.Duration(r.Stime.Nano())
		}
	}
	return u
}

// memoryOf reads a process' resident memory, now and at its highest, in bytes.
// The kernel's own high-water mark of the process itself: ru_maxrss of a child
// starts at its parent's size and would be wrong.
func memoryOf(pid string) (now, peak uint64, err error) {
	f, err := os.Open("/proc/" + pid + "/status")
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		name, value, _ := strings.Cut(scan.Text(), ":")
		if name != "VmHWM" && name != "VmRSS" {
			continue
		}
		kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("reading %s of process %s: %w", name, pid, err)
		}
		if name == "VmRSS" {
			now = kib << 10
		} else {
			peak = kib << 10
		}
	}
	return now, peak, scan.Err()
}
