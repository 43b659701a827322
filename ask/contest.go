package ask

import (
	"context"
	"errors"
	"math"

	"queens/backends"
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
	literals := p.AllVars()
	for _, c := range p.Constraints {
		literals += len(c.Lits)
	}
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

// openPortfolio opens the portfolio with the contest that counts for it.
func openPortfolio(_ context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
	contest := counting(p, r)
	if p.IsQueens() {
		return portfolio.Counting{Bounded: portfolio.New(p), Contest: contest}, nil
	}
	if err := r.suffices(c, p, near.LeastBytes(p)); err != nil {
		return nil, err
	}
	made := portfolio.NewFormula(p, r.Bytes)
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
			before := by.Steps()
			g, err := by.Run(ctx, func(steps uint64, done float64) bool {
				r.compiling(done, by.Graph.Len())
				within.Look(done)
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

// draws is the contestant that compiles a diagram. A turn spends half of its work on an order, half on nodes. It starts
// again each time, but judges after a tenth of the nodes how many it would need.
func draws(p encode.Problem, r Resources) portfolio.Contestant {
	spent := uint64(0) // visits for the order
	return portfolio.Contestant{
		Name: string(Diagram), Unit: "visits and nodes created",
		Turn: func(ctx context.Context, within portfolio.Allowance) (turn portfolio.Turn, err error) {
			half := within.Work / 2
			turn.Spent = within.Work
			if visits := min(half, order.MostVisits); r.Order == nil && spent < visits {
				var from string
				if r.order.made, from, err = order.EstimateWithin(ctx, p, int(visits)); err != nil {
					return turn, err
				}
				r.order.name, spent = Estimate+": "+OrderName(from), visits
			}
			if r.more, r.Bytes = half, within.Bytes; within.Work == math.MaxInt64 {
				r.more = 0
			}
			compiled, err := Compile(ctx, p, Choice{Backend: Diagram}, r)
			var limit *backends.LimitError
			switch {
			case errors.As(err, &limit) && limit.What == "nodes created":
				return turn, nil
			case err != nil:
				return turn, err
			}
			turn.Made = Oracle(compiled)
			return turn, nil
		},
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
