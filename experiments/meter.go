package experiments

import (
	"strconv"
	"time"
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

// Column is the name of the phase's column.
func (p Phase) Column() string {
	return [...]string{"encode_seconds", "build_seconds", "first_query_seconds", "later_query_seconds", "count_seconds"}[p]
}

// Doc says what the column holds.
func (p Phase) Doc() string {
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

// Seconds returns the phases that were entered, by column: sums, but for later
// queries their mean.
func (m *Meter) Seconds() map[string]string {
	out := map[string]string{}
	for _, p := range Phases() {
		if m.entered[p] == 0 {
			continue
		}
		spent := m.spent[p].Seconds()
		if p == LaterQueries {
			spent /= float64(m.entered[p])
		}
		out[p.Column()] = FormatSeconds(spent)
	}
	return out
}

// FormatSeconds writes seconds unrounded.
func FormatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) }
