package experiments

import (
	"strconv"
	"time"
)

// Phase is a part of a run that is timed separately.
type Phase string

const (
	Encode       Phase = "encode"      // constraints, clauses, orders: before any engine sees them
	Build        Phase = "build"       // the engine's one-time work: a diagram, a loaded solver
	FirstQuery   Phase = "first_query" // the first question asked
	LaterQueries Phase = "later_query" // the mean of all further questions
	Count        Phase = "count"       // counting or listing solutions
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
func (p Phase) Column() string { return string(p) + "_seconds" }

// CPUColumn returns the name of the column of the phase's processor time.
func (p Phase) CPUColumn() string { return string(p) + "_cpu_seconds" }

// Meter times a run's phases. A phase may be entered more than once: its times add up.
type Meter struct {
	// Processor returns the processor time spent so far; nil if the system does not report it.
	Processor func() time.Duration
	// Stopped returns how long the process has been stopped so far, as by Ctrl-Z; a phase's time excludes
	// it. Nil means never.
	Stopped func() time.Duration
	// Entered is called when the phase changes, with the times of the phases so far, so that these survive a
	// run that a limit ends.
	Entered func(p Phase, seconds map[string]string)
	// Answered is called with the answer to each question of a run that checks others, so that what it has checked survives
	// such a limit; nil if nobody waits for it.
	Answered func(answer string)

	phases map[Phase]spent
	last   Phase
}

// spent is the time that a phase has taken so far.
type spent struct {
	wall, cpu time.Duration
	entered   int
	told      bool // wall is the time that an outside program reported; there is no processor time
}

// Time runs f as part of a phase.
func (m *Meter) Time(p Phase, f func() error) error {
	if m.Entered != nil && m.last != p {
		m.Entered(p, m.Seconds())
	}
	m.last = p
	before, stopped := m.Spent(), m.stopped()
	start := time.Now()
	err := f()
	wall, cpu := time.Since(start)-(m.stopped()-stopped), m.Spent()-before
	if m.phases == nil {
		m.phases = map[Phase]spent{}
	}
	s := m.phases[p]
	m.phases[p] = spent{s.wall + wall, s.cpu + cpu, s.entered + 1, s.told}
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

// Spent returns the processor time spent so far, 0 if it is not known.
func (m *Meter) Spent() time.Duration {
	if m.Processor == nil {
		return 0
	}
	return m.Processor()
}

func (m *Meter) stopped() time.Duration {
	if m.Stopped == nil {
		return 0
	}
	return m.Stopped()
}

// Told replaces the measured time of a phase with the time that an outside program reports.
// Such a phase has no processor time.
func (m *Meter) Told(p Phase, wall time.Duration) { m.phases[p] = spent{wall: wall, told: true} }

// Seconds returns the times of the phases that were entered, by column: for the later queries the mean, for
// the others the sum.
func (m *Meter) Seconds() map[string]string {
	out := map[string]string{}
	for p, s := range m.phases {
		out[p.Column()] = FormatSeconds(m.Wall(p))
		if m.Processor != nil && !s.told {
			out[p.CPUColumn()] = FormatSeconds(s.cpu.Seconds() / s.times(p))
		}
	}
	return out
}

// Wall returns the wall-clock seconds of a phase: for the later queries the mean, for the others the sum.
func (m *Meter) Wall(p Phase) float64 { return m.phases[p].wall.Seconds() / m.phases[p].times(p) }

// times returns the number by which the time that was spent in phase p is divided.
func (s spent) times(p Phase) float64 {
	if p == LaterQueries {
		return float64(s.entered)
	}
	return 1
}

// FormatSeconds formats seconds unrounded.
func FormatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) }
