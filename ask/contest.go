package ask

import (
	"context"
	"errors"
	"iter"
	"math"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/ddnnf"
	"queens/backends/near"
	"queens/backends/portfolio"
	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/order"
)

// counting returns the contest that counts a problem's solutions: a list, where few are expected, a d-DNNF and a
// diagram. The first turns have as much work as finding an order has, by which a d-DNNF sets its variables.
func counting(p encode.Problem, r Resources) *portfolio.Contest {
	const minFill = 16 // visits of a literal: see [order.Estimate]
	literals := literals(p)
	by := []portfolio.Contestant{compiles(p, r)}
	if compilable(p) == nil {
		by = append(by, draws(p, r))
	}
	if few, is := fewExpected(p); is {
		by = append([]portfolio.Contestant{lists(p, few)}, by...)
	}
	contest := portfolio.NewContest(uint64(minFill*literals), r.Bytes, by...)
	contest.Hopeless = r.Hopeless
	return contest
}

// literals returns the number of a problem's variables and of the literals in its constraints.
func literals(p encode.Problem) int {
	n := p.AllVars()
	for _, c := range p.Constraints {
		n += len(c.Lits)
	}
	return n
}

// openPortfolio opens the portfolio with the contest that counts for it.
func openPortfolio(_ context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
	contest := counting(p, r)
	if p.IsQueens() {
		return portfolio.Counting{Bounded: portfolio.New(p), Contest: contest}, nil
	}
	clauses := c.AMO.counting(p) // near and SAT hold no weights; who counts does
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
		if _, few := fewExpected(p); !few {
			return []BackendName{DDNNF, Diagram}
		}
		return []BackendName{DDNNF, Diagram, Table, Search}
	case p.IsQueens():
		return []BackendName{Search}
	}
	return []BackendName{Near, SAT}
}

// lists is the contestant that lists the solutions. It expects the given number of them.
func lists(p encode.Problem, solutions float64) portfolio.Contestant {
	var by *search.Oracle
	return portfolio.Contestant{
		Name: string(Table), Unit: "literals", Foresees: 2 * solutions,
		Turn: func(ctx context.Context, within portfolio.Allowance) (turn portfolio.Turn, err error) {
			if by == nil {
				by = search.New(p)
			}
			before := by.Visited()
			count, err := by.CountWithin(ctx, nil, within.Work)
			if turn.Spent = by.Visited() - before; err == nil && count == nil {
				err = errors.New("there are more solutions than expected")
			}
			if err != nil {
				return turn, err
			}
			made, err := table.New(ctx, p, by.Solutions(ctx, nil), within.Bytes)
			if err == nil {
				turn.Made = made
			}
			return turn, err
		},
	}
}

// compiles is the contestant that compiles a d-DNNF. It goes on where its last turn ended.
func compiles(p encode.Problem, r Resources) portfolio.Contestant {
	var by *ddnnf.Compiler
	return portfolio.Contestant{
		Name: string(DDNNF), Unit: "steps",
		Turn: func(ctx context.Context, within portfolio.Allowance) (turn portfolio.Turn, err error) {
			if by == nil {
				if by, err = ddnnf.NewCompiler(ctx, p, within.Bytes); err != nil {
					return turn, err
				}
			}
			by.SetLimit(within.Bytes)
			before := by.Steps()
			g, err := by.Run(ctx, func(steps uint64, done float64) bool {
				r.compiling(done, by.Graph.Len())
				within.Look(done)
				turn.Foresees = float64(steps) * (1 - done) / done
				return steps-before < within.Work
			})
			turn.Spent, turn.Bytes = by.Steps()-before, by.Bytes()
			if err != nil || g == nil {
				return turn, err
			}
			turn.Made = ddnnf.New(g, within.Bytes)
			return turn, nil
		},
	}
}

// draws is the contestant that compiles a diagram, first its order, then its nodes. It waits between its turns.
func draws(p encode.Problem, r Resources) portfolio.Contestant {
	var within portfolio.Allowance
	var next func() (portfolio.Turn, error, bool)
	var stop func()
	return portfolio.Contestant{
		Name: string(Diagram), Unit: "steps",
		Turn: func(ctx context.Context, allowed portfolio.Allowance) (portfolio.Turn, error) {
			within = allowed
			if next == nil {
				next, stop = iter.Pull2(drawing(ctx, p, r, &within))
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

// fewExpected returns how many solutions are expected, and whether a list of them, which search makes, takes part.
func fewExpected(p encode.Problem) (few float64, is bool) {
	few = math.Exp2(expected(p))
	return few, table.Takes(p) == nil && few >= 1
}

// expected returns the logarithm, to base 2, of the number of solutions that a problem would have if its constraints held
// independently of each other. It is below 0 where they are not, as in many feature models.
func expected(p encode.Problem) float64 {
	bits := float64(p.AllVars() - len(p.Fixed))
	for _, c := range p.Constraints {
		if c.Weights != nil {
			continue
		}
		bits += share(len(c.Lits), c.Least, min(c.Most, len(c.Lits)))
	}
	return bits
}

// share returns the logarithm, to base 2, of the share of the assignments to n literals that make from least to most true.
func share(n, least, most int) float64 {
	switch {
	case least > n-most: // counts the false literals instead
		return share(n, n-most, n-least)
	case least <= 0 && 2*most > n:
		return math.Log2(1 - math.Exp2(share(n, 0, n-most-1)))
	}
	sum, of := math.Inf(-1), -float64(n) // with k true
	for k := 0; k <= most; k++ {
		if k >= least {
			sum = max(sum, of) + math.Log2(1+math.Exp2(-math.Abs(sum-of)))
		}
		of += math.Log2(float64(n-k) / float64(k+1))
	}
	return sum
}
