package ask

import (
	"context"
	"errors"
	"iter"
	"math/big"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/ddnnf"
	"queens/backends/near"
	"queens/backends/portfolio"
	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// counting returns the contest that counts a problem's solutions: a d-DNNF, a diagram, and search unless that would take too
// long. The first turns have as much work as finding the order in which a d-DNNF sets its variables.
func counting(p encode.Problem, r Resources) *portfolio.Contest {
	const minFill = 16 // visits of a literal: see [order.Estimate]
	by := []portfolio.Contestant{compiles(p, r)}
	if compilable(p) == nil {
		by = append(by, draws(p, r))
	}
	by = append(by, visits(p))
	contest := portfolio.NewContest(uint64(minFill*literals(p)), r.Bytes, by...)
	contest.Hopeless = r.Hopeless
	return contest
}

// literals returns the number of a problem's variables and of the literals in its constraints.
func literals(p encode.Problem) int { return p.AllVars() + p.NumLiterals() }

// openPortfolio opens the portfolio with the contest that counts for it.
func openPortfolio(_ context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
	contest := counting(p, r)
	if p.IsQueens() {
		return portfolio.Counting{Bounded: portfolio.New(p), Contest: contest}, nil
	}
	clauses := c.AMO.counting(p) // near and SAT hold no weights; the contestants that count do
	if err := r.suffices(c, p, near.LeastBytes(clauses)); err != nil {
		return nil, err
	}
	made := portfolio.NewFormula(clauses, r.Bytes)
	made.Watch(r.Settled)
	return portfolio.Counting{Bounded: made, Contest: contest}, nil
}

// contestants lists the back-ends that answer for the portfolio, as counting and openPortfolio open them.
func contestants(p encode.Problem, want Want) []BackendName {
	switch {
	case want&(Count|CountEach|Sample) != 0:
		if _, is := visitable(p, fewDescents); !is {
			return []BackendName{DDNNF, Diagram}
		}
		return []BackendName{DDNNF, Diagram, Table, Search}
	case p.IsQueens():
		return []BackendName{Search}
	}
	return []BackendName{Near, SAT}
}

// visitable estimates how many literals search sets to count the solutions. It returns false if that would take more than a minute,
// or if more solutions are published than a list can hold.
func visitable(p encode.Problem, descents int) (literals float64, is bool) {
	if table.Takes(p) != nil {
		return 0, false
	}
	return search.Foresee(p, 1<<28, descents)
}

// fewDescents give a first estimate, which decides when search has its turn; manyDescents check the estimate before that turn.
const fewDescents, manyDescents = 8, 256

// visits is the contestant that visits the solutions.
func visits(p encode.Problem) portfolio.Contestant {
	const perLiteral = 3 // steps of the d-DNNF, in the time in which search sets a literal
	sure := false
	return portfolio.Contestant{
		Name: string(Search), Unit: "steps",
		Foresees: func() (work float64, takesPart bool) {
			literals, is := visitable(p, fewDescents)
			return max(1, perLiteral*literals), is
		},
		Turn: func(ctx context.Context, within portfolio.Allowance) (turn portfolio.Turn, err error) {
			if !sure {
				sure = true
				literals, _ := visitable(p, manyDescents)
				if turn.Foresees = perLiteral * literals; turn.Foresees > float64(within.Work) {
					return turn, nil
				}
			}
			by := search.New(p)
			count, err := by.CountWithin(ctx, nil, max(1, within.Work/perLiteral))
			if turn.Spent = perLiteral * by.Visited(); err != nil {
				return turn, err
			}
			if count == nil { // it takes longer than foreseen
				turn.Foresees = float64(within.Work)
				return turn, nil
			}
			if room := table.Room(p, within.Bytes); count.Cmp(big.NewInt(int64(room))) > 0 {
				return turn, errors.New("a list has no room for the solutions")
			}
			turn.Made = &visited{Oracle: by, problem: p, count: count, bytes: within.Bytes}
			return turn, nil
		},
	}
}

// visited is a search that has counted. Further questions it looks up in a list.
type visited struct {
	*search.Oracle
	problem encode.Problem
	count   *big.Int
	bytes   int64         // for the list, which has room
	list    *table.Oracle // nil until needed
}

func (v *visited) listed(ctx context.Context) (_ *table.Oracle, err error) {
	if v.list == nil {
		v.list, err = table.New(ctx, v.problem, v.Solutions(ctx, nil), v.bytes)
	}
	return v.list, err
}

func (v *visited) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	if len(assume) == 0 {
		return new(big.Int).Set(v.count), ctx.Err()
	}
	list, err := v.listed(ctx)
	if err != nil {
		return nil, err
	}
	return list.Count(ctx, assume)
}

func (v *visited) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	list, err := v.listed(ctx)
	if err != nil {
		return nil, nil, err
	}
	return list.CountEach(ctx, assume)
}

func (v *visited) Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error] {
	list, err := v.listed(ctx)
	if err != nil {
		return func(yield func([]cnf.Lit, error) bool) { yield(nil, err) }
	}
	return list.Samples(ctx, assume, seed)
}

func (v *visited) Stats() backends.Stats {
	stats := v.Oracle.Stats()
	if v.list != nil {
		stats.Bytes += v.list.Stats().Bytes
	}
	return stats
}

// inTurns is a contestant that continues where its last turn ended. work yields a Turn each time its allowance is used up.
func inTurns(
	name BackendName, work func(ctx context.Context, within *portfolio.Allowance) iter.Seq2[portfolio.Turn, error],
) portfolio.Contestant {
	var within portfolio.Allowance
	var next func() (portfolio.Turn, error, bool)
	var stop func()
	return portfolio.Contestant{
		Name: string(name), Unit: "steps",
		Turn: func(ctx context.Context, allowed portfolio.Allowance) (portfolio.Turn, error) {
			within = allowed
			if next == nil {
				next, stop = iter.Pull2(work(ctx, &within))
			}
			turn, err, _ := next()
			return turn, err
		},
		Stop: func() {
			if next != nil {
				stop()
				next = nil
			}
		},
	}
}

// compiles is the contestant that compiles a d-DNNF. Stopped, it keeps what it has compiled.
func compiles(p encode.Problem, r Resources) portfolio.Contestant {
	var by *ddnnf.Compiler
	return inTurns(DDNNF, func(ctx context.Context, within *portfolio.Allowance) iter.Seq2[portfolio.Turn, error] {
		return func(yield func(portfolio.Turn, error) bool) {
			if by == nil {
				var err error
				if by, err = ddnnf.NewCompiler(ctx, p, within.Bytes); err != nil {
					yield(portfolio.Turn{}, err)
					return
				}
			}
			by.SetLimit(within.Bytes)
			before, stopped := by.Steps(), false
			g, err := by.Run(ctx, func(steps uint64, done float64) bool {
				r.compiling(done, by.Graph.Len())
				within.Look(done)
				if steps-before >= within.Work {
					stopped = !yield(portfolio.Turn{Spent: steps - before, Bytes: by.Bytes(), Foresees: float64(steps) * (1 - done) / done}, nil)
					by.SetLimit(within.Bytes)
					before = steps
				}
				return !stopped
			})
			if stopped {
				return
			}
			turn := portfolio.Turn{Spent: by.Steps() - before, Bytes: by.Bytes()}
			if err == nil {
				turn.Made = ddnnf.New(g, within.Bytes)
			}
			yield(turn, err)
		}
	})
}

// draws is the contestant that compiles a diagram, first its order, then its nodes.
func draws(p encode.Problem, r Resources) portfolio.Contestant {
	return inTurns(Diagram, func(ctx context.Context, within *portfolio.Allowance) iter.Seq2[portfolio.Turn, error] {
		return drawing(ctx, p, r, within)
	})
}

// drawing compiles a diagram in turns. Each ends when it has done the work that it may. The search for an order ends
// when it has cost as many visits as the diagram should have nodes.
func drawing(
	ctx context.Context, p encode.Problem, r Resources, within *portfolio.Allowance,
) iter.Seq2[portfolio.Turn, error] {
	const (
		visits  = 4   // of the order's variables, in the time of a step of the d-DNNF
		perStep = 4   // steps of the d-DNNF, in the time of one of the diagram's operations
		most    = 256 // visits of a literal: with more, the estimate fell by less than a quarter on 37 of 40 formulas
	)
	return func(yield func(portfolio.Turn, error) bool) {
		var turn portfolio.Turn
		var done uint64  // in all
		stopped := false // instead of a further turn
		spend := func(all uint64, held int64, rest func() float64) {
			if turn.Spent, done = turn.Spent+all-done, all; turn.Spent >= within.Work && !stopped {
				turn.Bytes, turn.Foresees = held, rest()
				stopped = !yield(turn, nil)
				turn = portfolio.Turn{}
			}
		}
		var name string
		if r.Order == nil {
			var err error
			all := min(order.MostVisits, most*literals(p))
			r.Order, name, err = order.EstimateWithin(ctx, p, all, func(n int, nodes float64) bool {
				spend(uint64(n/visits), 0, func() float64 { return 0 })
				return !stopped && float64(n) < nodes
			})
			if err != nil || stopped {
				yield(turn, err)
				return
			}
		}
		ordered := done
		r.Bytes = within.Bytes
		r.more = func(g bdd.Growth) (int64, error) {
			spend(ordered+perStep*g.Steps, g.Bytes, func() float64 { return max(1, perStep*(g.Want()-float64(g.Steps))) })
			if stopped {
				return 0, errors.New("stopped")
			}
			return within.Bytes, nil
		}
		compiled, err := Compile(ctx, p, Choice{Backend: Diagram}, r)
		if err == nil {
			if name != "" {
				compiled.OrderName = string(Estimate) + ": " + name
			}
			turn.Made = Oracle(compiled)
		}
		yield(turn, err)
	}
}
