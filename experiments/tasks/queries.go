package tasks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
)

// Wanted is what a query asks for.
type Wanted string

// The kinds of query.
const (
	wantValid    Wanted = "valid"
	wantSolution Wanted = "solution"
	wantCounts   Wanted = "counts"
	wantSample   Wanted = "sample"
)

// Values lists the kinds.
func (Wanted) Values() []string {
	return []string{string(wantValid), string(wantSolution), string(wantCounts), string(wantSample)}
}

// what returns the question that a back-end is asked.
func (w Wanted) what() ask.Want {
	switch w {
	case wantSolution:
		return ask.Solve
	case wantCounts:
		return ask.CountEach
	case wantSample:
		return ask.Sample
	}
	return ask.Valid
}

// queries adds up what the queries of a run found, in their order.
type queries struct {
	problem encode.Problem
	want    Wanted
	opened  *ask.Opened

	answers     []string
	placed      []cnf.Var // for the first query
	completable int
	judged      string // what judged the solutions that were found; empty if none was
	cost        cost
	clock       *clock

	valid, forced *int // of the first query
	// Over all queries: the cells that were unattacked, those of them that are valid, and the queries in which
	// all are.
	unattacked, stillValid, allValid int
}

// newQueries begins a run. several says that more than one query may follow.
func newQueries(p encode.Problem, want Wanted, s *ask.Opened, several bool) *queries {
	return &queries{problem: p, want: want, opened: s,
		cost: cost{units: s.Descriptor.Cost}, clock: clockOf(s, several)}
}

// add adds the answer to the next query.
func (qs *queries) add(q ask.Question, a ask.Answer) error {
	if len(qs.answers) == 0 {
		qs.placed = chosen(q.Assume)
	}
	if a.Status == backends.Sat {
		qs.completable++
	}
	qs.cost.add(a.Work)
	qs.clock.add(q, a)
	if qs.want.what() == ask.Valid {
		qs.cells(q.Assume, a)
	}
	qs.answers = append(qs.answers, answered(qs.problem, qs.want, q, a))
	return qs.judge(q, a)
}

// answered returns the answer to a query in canonical form.
func answered(p encode.Problem, want Wanted, q ask.Question, a ask.Answer) string {
	switch want {
	case wantCounts:
		return fmt.Sprint(a.Count, a.Each)
	case wantSolution, wantSample:
		return a.Status.String()
	}
	placed := chosen(q.Assume)
	return fmt.Sprintf("valid %s forced %s", names(p, without(a.Valid, placed)), names(p, without(a.Forced, placed)))
}

// cells adds up the cells of a query for valid cells.
func (qs *queries) cells(assume []cnf.Lit, a ask.Answer) {
	p, placed := qs.problem, chosen(assume)
	valid := without(a.Valid, placed)
	if len(qs.answers) == 0 {
		qs.valid, qs.forced = new(len(valid)), new(len(without(a.Forced, placed)))
	}
	if p.IsQueens() {
		unattacked := len(p.Position(assume).Cells())
		qs.unattacked += unattacked
		qs.stillValid += len(valid)
		if len(valid) == unattacked {
			qs.allValid++
		}
	}
}

// judge checks the solution that a query found, if any, against the problem's constraints and, of queens, against the
// rules of the board as well.
func (qs *queries) judge(q ask.Question, a ask.Answer) error {
	if a.Model == nil {
		return nil
	}
	qs.judged = byConstraints
	err := qs.problem.With(q.Assume...).Verify(a.Model)
	if qs.problem.IsQueens() {
		qs.judged = byBoard
		err = cmp.Or(err, board.VerifyCells(qs.problem.N, encode.CellsOf(qs.problem.N, a.Model)))
	}
	if err != nil {
		return &experiments.Contradiction{By: qs.judged, Err: err}
	}
	return nil
}

// result returns the columns that follow from the answers. It asks the back-end again: about the number of
// solutions, and, of an outside solver, all queries.
func (qs *queries) result(ctx context.Context, m *experiments.Meter) (r ValidCellsResult, err error) {
	r = ValidCellsResult{
		PlacedCells: names(qs.problem, qs.placed), Completable: qs.completable, Valid: qs.valid, Forced: qs.forced,
	}
	if r.FirstNet, r.LaterNet, err = qs.clock.means(ctx); err != nil {
		return r, err
	}
	if qs.valid == nil {
		return r, nil
	}
	if qs.problem.IsQueens() {
		r.AllValidShare, r.ValidShare = share(qs.allValid, len(qs.answers)), share(qs.stillValid, qs.unattacked)
	}
	qs.cost.into(&r, m)
	if nodes := qs.cost.first.Of("nodes"); nodes > 0 {
		all, err := qs.opened.Ask(ctx, ask.Question{Want: ask.Count})
		if err != nil {
			return r, err
		}
		r.NodesPerSolution = perSolution(int(nodes), all.Count)
	}
	return r, nil
}

// cost adds up the work of queries.
type cost struct {
	units   []string // the counts whose sum is the cost
	queries int64
	first   backends.Work
	sum     map[string]int64
}

func (c *cost) add(w backends.Work) {
	if c.queries++; c.queries == 1 {
		c.first, c.sum = w, map[string]int64{}
	}
	for _, count := range w.Counts() {
		c.sum[count.Name] += count.N
	}
}

// of returns the cost of one answer.
func (c *cost) of(w backends.Work) (cost int64) {
	for _, unit := range c.units {
		cost += w.Of(unit)
	}
	return cost
}

// into sets a result's columns of work. A column for which the back-end has no count stays empty.
func (c *cost) into(r *ValidCellsResult, m *experiments.Meter) {
	r.Work = workText(c.first)
	mean := func(count string) *float64 {
		if sum, counted := c.sum[count]; counted {
			return share(sum, c.queries)
		}
		return nil
	}
	r.NodesVisited, r.Conflicts = mean("nodes visited"), mean("conflicts")
	if len(c.units) == 0 {
		return
	}
	var work int64
	for _, unit := range c.units {
		work += c.sum[unit]
	}
	first := c.of(c.first)
	r.WorkPerQuery = share(work, c.queries)
	if later := work - first; later > 0 {
		r.WorkUnit = m.Wall(experiments.LaterQueries) * float64(c.queries-1) / float64(later)
	} else if c.queries == 1 && work > 0 {
		r.WorkUnit = m.Wall(experiments.FirstQuery) / float64(work)
	}
}

func workText(work backends.Work) string {
	var words []string
	for _, w := range work.Counts() {
		words = append(words, fmt.Sprintf("%s=%d", w.Name, w.N))
	}
	return strings.Join(words, ";")
}

// share returns part / whole, or nil if whole is 0.
func share[T int | int64](part, whole T) *float64 {
	if whole == 0 {
		return nil
	}
	s := float64(part) / float64(whole)
	return &s
}

// without returns the variables that are not placed.
func without(vars, placed []cnf.Var) (rest []cnf.Var) {
	for _, v := range vars {
		if !slices.Contains(placed, v) {
			rest = append(rest, v)
		}
	}
	return rest
}

// chosen returns the variables of the positive literals.
func chosen(lits []cnf.Lit) (vars []cnf.Var) {
	for _, l := range lits {
		if l.Positive() {
			vars = append(vars, l.Var())
		}
	}
	return vars
}
