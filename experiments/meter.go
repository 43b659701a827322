package experiments

import (
	"strconv"
	"time"
)

// Phase is a part of a run that is timed separately.
type Phase int

const (
	Encode       Phase = iota // constraints, clauses, orders: before any engine sees them
	Build                     // the engine's one-time work: a diagram, a loaded solver
	FirstQuery                // the first question asked
	LaterQueries              // the mean of all further questions
	Count                     // counting or listing solutions
)

// Phases lists the phases in order.
func Phases() []Phase { return []Phase{Encode, Build, FirstQuery, LaterQueries, Count} }

// Query returns the phase of a run's i-th query, counted from 0.
func Query(i int) Phase {
	if i == 0 {
		return FirstQuery
	}
	return LaterQueries
}

// Column returns the name of the column of the phase's wall-clock time.
func (p Phase) Column() string { return p.name() + "_seconds" }

// CPUColumn returns the name of the column of the phase's processor time.
func (p Phase) CPUColumn() string { return p.name() + "_cpu_seconds" }

func (p Phase) name() string {
	return [...]string{"encode", "build", "first_query", "later_query", "count"}[p]
}

// Doc says what the phase's column holds.
func (p Phase) Doc() string {
	return [...]string{
		"Wall-clock time to set up the problem: constraints, clauses, orders.",
		"Wall-clock time of the engine's one-time work: building a diagram, loading a solver.",
		"Wall-clock time of the first query.",
		"Mean wall-clock time of the later queries.",
		"Wall-clock time to count or list the solutions.",
	}[p]
}

// Meter times a run's phases. A phase may be entered more than once: its times add up.
type Meter struct {
	// Processor returns the processor time spent so far; nil if the system does not report it.
	Processor func() time.Duration
	// Entered is called whenever the phase changes, with the times of the phases so far, so
	// that a run that a limit ends leaves them behind.
	Entered func(p Phase, seconds map[string]string)

	wall, cpu [5]time.Duration
	entered   [5]int
	told      [5]bool
	last      Phase
	begun     bool
}

// Time runs f as part of a phase.
func (m *Meter) Time(p Phase, f func() error) error {
	if m.Entered != nil && (!m.begun || m.last != p) {
		m.Entered(p, m.Seconds())
	}
	m.last, m.begun = p, true
	before := m.processor()
	start := time.Now()
	err := f()
	m.wall[p] += time.Since(start)
	m.cpu[p] += m.processor() - before
	m.entered[p]++
	return err
}

// Measured runs f as part of a phase and returns its result.
func Measured[T any](m *Meter, p Phase, f func() (T, error)) (made T, err error) {
	err = m.Time(p, func() error {
		made, err = f()
		return err
	})
	return made, err
}

func (m *Meter) processor() time.Duration {
	if m.Processor == nil {
		return 0
	}
	return m.Processor()
}

// Told replaces the measured time of a phase with the time that an outside program reports.
// Such a phase has no processor time.
func (m *Meter) Told(p Phase, spent time.Duration) { m.wall[p], m.told[p] = spent, true }

// Seconds returns the times of the phases that were entered, by column: the sum, but the mean
// for the later queries.
func (m *Meter) Seconds() map[string]string {
	out := map[string]string{}
	for _, p := range Phases() {
		if m.entered[p] == 0 {
			continue
		}
		times := 1.0
		if p == LaterQueries {
			times = float64(m.entered[p])
		}
		out[p.Column()] = FormatSeconds(m.wall[p].Seconds() / times)
		if m.Processor != nil && !m.told[p] {
			out[p.CPUColumn()] = FormatSeconds(m.cpu[p].Seconds() / times)
		}
	}
	return out
}

// FormatSeconds formats seconds unrounded.
func FormatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) }
