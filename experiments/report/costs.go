package report

import (
	"math"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// costs are the costs of the runs of one method.
type costs struct {
	stats.Costs
	rows []record.Row
	lost bool // whether some run lacks the time of a phase
}

// sessionColumn has the time of all clicks of a session, without building.
const sessionColumn = "session_seconds"

// asking is what is asked again and again once a method is built: questions, or whole sessions of them.
type asking struct {
	one, name string
	again     string  // a further one
	column    string  // of its time; empty if that is a phase's
	random    string  // what differs from one to the next
	axis      string  // label of the axis of their number
	most      float64 // largest number on a map
	beyond    string  // what is assumed of those that were not measured
}

// askingOf returns what the plot counts.
func askingOf(asked config.Plot) asking {
	if asked.Y == sessionColumn {
		return asking{"session", "sessions", "session", sessionColumn, "clicks", "sessions", 1e4,
			"each further session taking as long as these, on average"}
	}
	return asking{"question", "questions", "later query", "", "placements", "questions asked", 1e6,
		"each question beyond those that were asked taking as long as the later ones"}
}

// timeOf returns the kind of time that the plot asks for: what names a phase's column, and the kind in words.
func timeOf(asked config.Plot) (column func(experiments.Phase) string, name string) {
	if strings.HasSuffix(asked.Y, "_cpu_seconds") {
		return experiments.Phase.CPUColumn, "processor"
	}
	return experiments.Phase.Column, "wall-clock"
}

// costs returns what the records' runs cost: until the first question, or session, is answered, and for each
// further one.
func (d *data) costs(records []record.Row, asked config.Plot) costs {
	c := costs{rows: records}
	column, _ := timeOf(asked)
	first, later := column(experiments.FirstQuery), column(experiments.LaterQueries)
	switch rest, given := strings.CutPrefix(asked.Y, "later_"); {
	case asked.Y == sessionColumn:
		first, later = sessionColumn, sessionColumn
	case given:
		first, later = "first_"+rest, asked.Y
	}
	for _, r := range records {
		encode, _ := r.Number(column(experiments.Encode)) // not every task has this phase
		build, okB := r.Number(column(experiments.Build))
		cold, okC := r.Number(first)
		warm, okW := r.Number(later)
		if r.Outcome() != record.OK || !okB || !okC || !okW {
			c.lost = true
			continue
		}
		c.Units = append(c.Units, d.sharedName(r))
		c.Runs = append(c.Runs, stats.Cost{First: encode + build + cold, Later: warm})
	}
	return c
}

// pays returns the number of questions, or sessions, after which the builder has paid off against the others; nil,
// for not known, if runs are lost.
func (d *data) pays(builder costs, others []costs) *stats.Estimate {
	lost := builder.lost
	var all []stats.Costs
	for _, o := range others {
		lost, all = lost || o.lost, append(all, o.Costs)
	}
	if lost {
		return nil
	}
	return stats.Pays(d.set.Spec.Seed, builder.Costs, all)
}

// mostKnown returns the largest number of queries that records say something about. It is +Inf if they do not say
// how many were asked, and for sessions, since each session is as likely as another.
func (a asking) mostKnown(records []record.Row) float64 {
	most := math.Inf(1)
	if a.column == sessionColumn {
		return most
	}
	for _, r := range records {
		if asked, ok := r.Number("queries"); ok {
			most = min(most, trusted*asked)
		}
	}
	return most
}

// trusted limits a number of queries, as a multiple of the number asked: beyond that, the cost of a query is
// not known.
const trusted = 10
