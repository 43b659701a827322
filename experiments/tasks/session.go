package tasks

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
)

// Sessions plays one session of a person against a back-end that is built for it: from the problem as it is, until
// nothing is open or as many decisions stand as are asked for.
type Sessions struct {
	Asked
	// Who plays. On boards: random takes any valid cell; rows the next row; corner what is nearest to a1; blocker
	// blocks half its cells; seeker wants a solution, and takes the cell with the most completions or, if they
	// are not wanted, a cell of the row with the fewest. On formulas: random sets any open option; expert begins with
	// the ten that settle most; file goes through the file.
	Person PersonName `json:"person"`
	// Decisions that stand at the end; 0 for as many as there are.
	Decisions int `json:"decisions" jsonschema:"minimum=0"`
	// Share of the clicks that take the last decision back.
	Undo Undo `json:"undo"`
	// What a click asks for: valid, or counts; valid if left out.
	Want Wanted `json:"want,omitempty"`
	// Seed of the person's choices.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
}

// SessionsResult is what a Sessions run found.
type SessionsResult struct {
	// Version of the SAT solver, and its command if it is an outside program; empty for other
	// back-ends.
	SolverIs string `json:"solver_is"`
	// Number of questions: one about the problem as it is, and one after each click.
	Clicks int `json:"clicks"`
	// Clicks that took a decision back.
	Undone int `json:"undone"`
	// Decisions that stand at the end.
	Decided int `json:"decided"`
	// Number of options, for each later click, that follow from the decisions and that unit propagation leaves open. Propagation
	// knows the first answer and the decisions.
	LeftByPropagation *float64 `json:"left_by_propagation,omitempty"`
	// Share of the later clicks in which it leaves none open.
	ByPropagation *float64 `json:"by_propagation,omitempty"`
	// All work of the first question, as in solves=12.
	Work string `json:"work"`
	// Work of all: nodes visited or created, queens, literals, solver calls or matching solutions; empty for the
	// portfolio.
	SessionWork *int64 `json:"session_work,omitempty"`
	// The largest work of one click.
	SlowestWork *int64 `json:"slowest_click_work,omitempty"`
	// Wall-clock time of all answers, without building.
	Session float64 `json:"session_seconds" role:"measurement"`
	// The same without the pipe to an outside SAT solver, as if it were linked in; empty if it does not report its time.
	SessionNet float64 `json:"session_net_seconds,omitempty" role:"measurement"`
	// The longest time of one answer.
	Slowest float64 `json:"slowest_click_seconds" role:"measurement"`
	// Answers that took more than 16 ms, a frame of a screen.
	Over16ms int `json:"clicks_over_16ms" role:"measurement"`
	// Answers that took more than 100 ms, which a person notices.
	Over100ms int `json:"clicks_over_100ms" role:"measurement"`
}

func sessionsKind() *experiments.TaskKind {
	return experiments.Kind[Sessions]{
		Name: "sessions",
		Doc:  "Plays the clicks of a person against a back-end: which cells, or options, are still possible after each?",
		Parameters: []string{"problem", "n", "person", "decisions", "undo", "want", "seed", "backend", "method", "order", "amo", "solver",
			"formula"},
		AtMost:     map[string]int64{"n": 200},
		Default:    Sessions{Asked: asked(), Person: randomly, Undo: quarter},
		Result:     SessionsResult{},
		Ways:       ways(),
		Normalise:  (*Sessions).normalise,
		Program:    func(t *Sessions) *program.Needed { return t.solver() },
		References: (*Sessions).references,
		Kin:        func(t *Sessions) []string { return t.kin(t.Want.what()) },
		Timed:      (*Sessions).timed,
		Title:      func(t *Sessions) string { return t.name() },
		Small:      Sessions.small,
		Run:        (*Sessions).run,
	}.Erase()
}

// normalise sets fields that the back-end does not use to their defaults, and replaces default with the method it stands
// for.
func (t *Sessions) normalise() error {
	if t.Want == wantValid {
		t.Want = ""
	}
	if t.Want != "" && t.Want != wantCounts {
		return &param.Unsuited{Why: "a session asks for valid or counts"}
	}
	t.ignored()
	b, err := ask.Named(string(t.Backend), ask.Valid)
	if err != nil {
		return nil // the check of the specification reports it
	}
	method, err := t.methodOf(b, t.Want)
	if err != nil {
		return err
	}
	t.Method = method
	return t.suits(func(p encode.Problem) error { return cmp.Or(b.Accepts(p), t.Person.suits(p)) })
}

func (t *Sessions) timed() []string { return t.timedWork("work", "session_work", "slowest_click_work") }

// references returns the same session for what checks it; see [Asked.others].
func (t *Sessions) references() (list []Sessions) {
	for _, c := range t.others(t.Want, 0) {
		other := *t
		if other.Choice = c; other.normalise() == nil {
			list = append(list, other)
		}
	}
	return list
}

// small is a session on a small board.
func (t Sessions) small() Sessions {
	t.Problem, t.N, t.Person, t.Decisions = ask.Queens, smallBoard, randomly, 0
	return t
}

// run plays the session. Decisions are assumptions, so one diagram or solver serves every click.
func (t *Sessions) run(ctx context.Context, m *experiments.Meter) (f experiments.Finding, err error) {
	p, err := experiments.Measured(m, experiments.Encode, func() (encode.Problem, error) { return t.Build() })
	if err != nil {
		return f, err
	}
	if t.proves() {
		return t.certified(ctx, m, p, t.clicks(p), func(q ask.Question, a ask.Answer) string {
			return experiments.Brief(answered(p, t.Want, q, a))
		})
	}
	opened, solverIs, err := start(ctx, m, &t.Asked, p, t.Want.what())
	if err != nil {
		return f, err
	}
	defer opened.Close()
	s := session{problem: p, want: t.Want, clicks: clicks{cost: cost{units: opened.Descriptor.Cost}}, clock: clockOf(opened, true)}
	next := t.clicks(p)
	for q, more := next(ask.Answer{}); more; {
		a, err := put(ctx, m, experiments.Query(len(s.asked)), opened, q)
		if err != nil {
			return f, err
		}
		a = seen(a)
		s.add(q, a)
		q, more = next(a)
	}
	result, err := s.result(ctx)
	result.SolverIs = solverIs
	return experiments.Finding{Answer: strings.Join(s.answers, experiments.Between), Values: result}, err
}

// seen returns an answer with what its counts say about valid and forced cells.
func seen(a ask.Answer) ask.Answer {
	for i, each := range a.Each {
		if each.Sign() > 0 {
			a.Valid = append(a.Valid, cnf.Var(i+1))
			if each.Cmp(a.Count) == 0 {
				a.Forced = append(a.Forced, cnf.Var(i+1))
			}
		}
	}
	return a
}

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

// clicks returns the questions of a session: about the problem as it is, and then about the decisions after each
// click. A click follows from the seed and the last answer, so all back-ends that answer correctly get the same
// clicks, and none is asked before its time is measured. The source of random numbers is PCG with the seed and n.
// If there are decisions, it draws a number below 100: if that is below the share of undo, the last decision is
// taken back. Otherwise the person makes one more.
func (t *Sessions) clicks(p encode.Problem) script {
	random := rand.New(rand.NewPCG(t.Seed, uint64(p.N)))
	decide := t.Person.find().begin(p, random)
	asked := false
	var decided []cnf.Lit
	return func(last ask.Answer) (q ask.Question, more bool) {
		if asked {
			open := stillOpen(p, decided, last)
			switch {
			case len(open) == 0, t.Decisions > 0 && len(decided) >= t.Decisions:
				return q, false
			case len(decided) > 0 && random.IntN(100) < t.Undo.percent():
				decided = decided[:len(decided)-1]
			default:
				decided = append(decided, decide(view{open, last}))
			}
		}
		asked = true
		return ask.Question{Assume: slices.Clone(decided), Want: t.Want.what()}, true
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

// session adds up what the clicks of a person found.
type session struct {
	problem encode.Problem
	want    Wanted
	asked   []ask.Question
	found   []ask.Answer
	answers []string
	clicks  clicks
	clock   *clock
}

// add adds the answer to the next question. A large model has hundreds of answers with thousands of names each, so each
// is shortened.
func (s *session) add(q ask.Question, a ask.Answer) {
	s.clock.add(q, a)
	s.clicks.add(a)
	s.asked, s.found = append(s.asked, q), append(s.found, a)
	s.answers = append(s.answers, experiments.Brief(answered(s.problem, s.want, q, a)))
}

// result returns the columns that follow from the answers. It asks an outside solver all questions again.
func (s *session) result(ctx context.Context) (r SessionsResult, err error) {
	r.Work, r.Clicks, r.Decided = workText(s.clicks.cost.first), len(s.asked), len(s.asked[len(s.asked)-1].Assume)
	for i, q := range s.asked[1:] {
		if len(q.Assume) < len(s.asked[i].Assume) {
			r.Undone++
		}
	}
	s.clicks.into(&r)
	s.propagated(&r)
	first, later, err := s.clock.means(ctx)
	r.SessionNet = first + later*float64(len(s.asked)-1)
	return r, err
}

// propagated sets the columns of what unit propagation alone finds out: a configurator without a solver, which knows
// what holds in every solution.
func (s *session) propagated(r *SessionsResult) {
	if len(s.asked) < 2 {
		return
	}
	settled := func(a ask.Answer) (lits []cnf.Lit) {
		value := make([]int8, s.problem.NumVars())
		for _, v := range a.Valid {
			value[v-1] = 1
		}
		for _, v := range a.Forced {
			value[v-1] = 2
		}
		for i, is := range value {
			switch v := cnf.Var(i + 1); is {
			case 0:
				lits = append(lits, v.Neg())
			case 2:
				lits = append(lits, v.Pos())
			}
		}
		return lits
	}
	propagator := encode.NewPropagator(s.problem.With(settled(s.found[0])...))
	left, exact := 0, 0
	for i, q := range s.asked[1:] {
		propagator.Assume(q.Assume)
		values, before := propagator.Values(), left
		for _, l := range settled(s.found[i+1]) {
			if values[l.Var()-1] == 0 {
				left++
			}
		}
		if left == before {
			exact++
		}
	}
	r.LeftByPropagation, r.ByPropagation = share(left, len(s.asked)-1), share(exact, len(s.asked)-1)
}

// clicks adds up what the clicks of a session cost.
type clicks struct {
	cost             cost
	over16, over100  int
	seconds, slowest float64
	work, most       int64
}

func (c *clicks) add(a ask.Answer) {
	c.cost.add(a.Work)
	work := c.cost.of(a.Work)
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

// Verify implements experiments.Verified: an answer took longer than a limit if the slowest did.
func (t *Sessions) Verify(cell func(column string) string) error {
	slowest, _ := strconv.ParseFloat(cell("slowest_click_seconds"), 64)
	all, _ := strconv.Atoi(cell("clicks"))
	for _, limit := range []struct {
		column  string
		seconds float64
	}{{"clicks_over_16ms", .016}, {"clicks_over_100ms", .1}} {
		over, _ := strconv.Atoi(cell(limit.column))
		if (over > 0) != (slowest > limit.seconds) || over > all {
			return fmt.Errorf("%s is %d beside a slowest click of %v s among %d", limit.column, over, slowest, all)
		}
		all = over
	}
	return nil
}

// into sets a result's columns of what the clicks cost. Those of work stay empty if the back-end does not count its work in
// one unit.
func (c *clicks) into(r *SessionsResult) {
	r.Session, r.Slowest, r.Over16ms, r.Over100ms = c.seconds, c.slowest, c.over16, c.over100
	if len(c.cost.units) > 0 {
		r.SessionWork, r.SlowestWork = &c.work, &c.most
	}
}
