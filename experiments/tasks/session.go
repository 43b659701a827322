package tasks

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/param"
)

// Undo is the share of a session's clicks that take the last decision back, as in 25%.
type Undo string

// quarter is the default share.
const quarter Undo = "25%"

var _ param.Patterned = Undo("")

// Values lists the default share.
func (Undo) Values() []string { return []string{string(quarter)} }

// Pattern accepts percentages up to 40: with half of the clicks a session would not end.
func (Undo) Pattern() (expression, title string) {
	return "^(40|[1-3]?[0-9])%$", "a percentage up to 40%"
}

// percent returns the share in percent.
func (u Undo) percent() int {
	p, _ := strconv.Atoi(strings.TrimSuffix(string(u), "%"))
	return p
}

// clicks returns the questions of a session: about the empty board, and then about the decisions after each
// click. A click follows from the seed and the last answer, so all back-ends that answer correctly get the same
// clicks, and none is asked before its time is measured. The source of random numbers is PCG with the seed and n.
// If there are decisions, it draws a number below 100: if that is below the share of undo, the last decision is
// taken back. Otherwise it draws one of the open cells or, where variables are no cells, one of the open
// variables and then 0 for true or 1 for false.
func (t *ValidCells) clicks(p encode.Problem) script {
	random := rand.New(rand.NewPCG(t.Seed, uint64(p.N)))
	asked := false
	var decided []cnf.Lit
	return func(last ask.Answer) (q ask.Question, more bool) {
		if asked {
			open := stillOpen(p, decided, last)
			switch {
			case len(open) == 0, t.Placed > 0 && len(decided) >= t.Placed:
				return q, false
			case len(decided) > 0 && random.IntN(100) < t.Undo.percent():
				decided = decided[:len(decided)-1]
			default:
				l := open[random.IntN(len(open))].Pos()
				if p.Place == nil && random.IntN(2) == 1 {
					l = l.Not()
				}
				decided = append(decided, l)
			}
		}
		asked = true
		return ask.Question{Assume: slices.Clone(decided), Want: ask.Valid}, true
	}
}

// stillOpen returns the variables that can be decided next, in rising order: valid cells without a queen or,
// where variables are no cells, those that can take both values.
func stillOpen(p encode.Problem, decided []cnf.Lit, a ask.Answer) (open []cnf.Var) {
	closed := make([]bool, p.NumVars())
	for _, v := range chosen(decided) {
		closed[v-1] = true
	}
	if p.Place == nil {
		for _, v := range a.Forced {
			closed[v-1] = true
		}
	}
	for _, v := range a.Valid {
		if !closed[v-1] {
			open = append(open, v)
		}
	}
	return open
}

// clicks adds up what the clicks of a session cost.
type clicks struct {
	count, over16, over100 int
	seconds, slowest       float64
	work, most             int64
}

func (c *clicks) add(a ask.Answer, work int64) {
	c.count++
	c.seconds += a.Seconds
	c.slowest = max(c.slowest, a.Seconds)
	c.work += work
	c.most = max(c.most, work)
	if a.Seconds > .016 {
		c.over16++
	}
	if a.Seconds > .1 {
		c.over100++
	}
}

// into sets a result's columns of a session. hasUnit says that the back-end counts its work in one unit.
func (c *clicks) into(r *ValidCellsResult, hasUnit bool) {
	r.Clicks, r.Session, r.Slowest, r.Over16ms, r.Over100ms = &c.count, c.seconds, c.slowest, &c.over16, &c.over100
	if hasUnit {
		r.SessionWork, r.SlowestWork = &c.work, &c.most
	}
}
