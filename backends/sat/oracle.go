package sat

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode"
	"queens/encode/cnf"
)

// Oracle answers questions about one problem with a SAT solver. Make it with [New]. The caller may
// change its Options before the first question.
type Oracle struct {
	source
	memory *recall.Memory // of the method remember; nil until needed
}

var _ backends.Bounded = (*Oracle)(nil)

// New returns an Oracle for the problem. It builds no solver until a question needs one.
func New(p encode.Problem) *Oracle {
	cover, _ := encode.NewCover(p)
	return &Oracle{source: source{Options: Options{Formula: Residual, Solver: AllLinked()[0].Name, Make: AllLinked()[0].Make}, problem: p, cover: cover}}
}

// Stats implements [backends.Backend].
func (o *Oracle) Stats() backends.Stats {
	stats := o.source.Stats()
	if o.memory != nil {
		stats.Bytes += o.memory.Bytes()
	}
	return stats
}

// Solve looks for one solution. It checks the model before returning it.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	answer, _, err := o.SolveWithin(ctx, assume, 0)
	return answer, err
}

// SolveWithin implements [backends.Bounded]; 0 means no limit. Only gini gives up: a question to another solver has no
// bound, and counts as inQuery steps.
func (o *Oracle) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (answer backends.Answer, used uint64, err error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Answer{}, 0, err
	}
	if o.memory != nil {
		if answer, known := o.memory.Solve(o.problem, assume); known {
			return answer, 1, ctx.Err()
		}
	}
	s := o.solver()
	answer.Status, answer.Core, used, err = solveWithin(ctx, s, assume, steps)
	if err == nil && answer.Status == backends.Sat {
		answer.Model, err = o.model(s, nil, o.vars())
	}
	if err != nil {
		return backends.Answer{}, used, fmt.Errorf("solving %s with %s under %d assumptions: %w", o.problem, o.Solver, len(assume), err)
	}
	if answer.Model != nil {
		answer.Model = answer.Model[:o.problem.NumVars()]
	}
	return answer, used, nil
}

// Solutions enumerates by blocking clauses: after each solution it adds a
// clause that forbids it.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		q, err := o.Begin(assume)
		if err == nil {
			defer func() { _ = q.Close() }() //nolint:errcheck // all is said
		}
		var block []cnf.Lit
		for more := err == nil; more; {
			var model []cnf.Lit
			if _, model, err = q.Next(ctx, block, 0); err != nil || model == nil {
				break
			}
			// Where exactly-one constraints contain every variable, the true ones alone
			// distinguish one solution from all others.
			block = block[:0]
			model = model[:o.problem.NumVars()]
			for _, l := range model {
				if l.Positive() || o.cover == nil {
					block = append(block, l.Not())
				}
			}
			more = yield(model, nil) && len(block) > 0
		}
		if err != nil {
			yield(nil, fmt.Errorf("enumerating the solutions of %s with %s: %w", o.problem, o.Solver, err))
		}
	}
}

// model reads the solver's model and checks it against the constraints. The variables in fixed are
// true in every solution, and vars[i] is the solver's variable i+1. An error means that the solver or the encoding is
// broken.
func (o *Oracle) model(s Solver, fixed, vars []cnf.Var) ([]cnf.Lit, error) {
	model := cnf.Model(o.problem.AllVars(), fixed...)
	for i, v := range vars {
		if s.Value(cnf.Var(i + 1)) {
			model[v-1] = v.Pos()
		}
	}
	if err := o.problem.Whole().Verify(model); err != nil {
		return nil, fmt.Errorf("its model is not a solution: %w", err)
	}
	return model, nil
}

// ways lists the methods, each with the function that settles all targets of a question. The one that is best
// in general comes first.
var ways = []backends.Way[func(context.Context, *question) error]{
	{Method: backends.Method{
		Name: "pack", Title: "pack", LargestBoard: 60,
		Doc: "assumes a pack: many open targets, no two of which exclude each other; flips each model of a formula (model rotation: " +
			"Belov and Marques-Silva 2011)",
	}, Answer: pack},
	{Method: backends.Method{
		Name: "core", Title: "core", LargestBoard: 60,
		Doc: "works like pack, but after UNSAT the pack loses one target of the solver's core",
	}, Answer: core},
	{Method: backends.Method{
		Name: "core-hundred", Title: "cores, chunks of 100, algorithm 7", LargestBoard: 40,
		Doc: "assumes 100 targets, and drops the core's: algorithm 7 of Janota and others (2015), 5 of arXiv 2603.15833",
	}, Answer: coreChunks(100)},
	{Method: backends.Method{
		Name: "core-ten", Title: "cores, chunks of 10, algorithm 7", LargestBoard: 40,
		Doc: "assumes 10",
	}, Answer: coreChunks(10)},
	{Method: backends.Method{
		Name: "rest", Title: "one of the rest, algorithm 4", LargestBoard: 40,
		Doc: "asks for any target not shown, as pack does at the end: algorithm 4",
	}, Answer: rest},
	{Method: backends.Method{
		Name: "reuse", Title: "reuse, algorithm 3", LargestBoard: 40,
		Doc: "asks only for targets that no model has shown: algorithm 3",
	}, Answer: reuse},
	{Method: backends.Method{
		Name: "per-cell", Title: "a solve for each cell, algorithm 2", LargestBoard: 24,
		Doc: "asks for every target, known or not: algorithm 2",
	}, Answer: perCell},
	{Method: backends.Method{
		Name: Remember, Title: "remember", LargestBoard: 60, Remembers: true,
		Doc: "is pack, but keeps solutions and what is impossible for later questions",
	}, Answer: pack},
}

// Methods lists the methods; the one that is best in general comes first.
func Methods() []backends.Method { return backends.Methods(ways) }

// Valid finds the possible and forced variables by the named method. Its work:
//
//   - solves: queries to the solver; models: queries answered Sat;
//   - conflicts: the solver's conflicts; absent if it does not count them ([Options.Silent]).
//
// They do not count flips of a model.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	way, err := backends.Choose(ways, "sat", method)
	if err != nil {
		return backends.Valid{}, err
	}
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Valid{}, err
	}
	find := o.valid
	if way.Name == Remember {
		find = o.remember
	}
	valid, err := find(ctx, assume, way.Answer)
	if err != nil {
		return backends.Valid{}, fmt.Errorf("finding what is possible in %s with %s by %s: %w", o.problem, o.Solver,
			way.Name, err)
	}
	valid.Method = way.Name
	return valid, nil
}

func (o *Oracle) valid(ctx context.Context, assume []cnf.Lit, find func(context.Context, *question) error) (valid backends.Valid, err error) {
	if err := ctx.Err(); err != nil {
		return backends.Valid{}, err
	}
	q := newQuestion(&o.source, assume, o.Formula)
	defer func() { err = errors.Join(err, q.close()) }()
	if err := q.settle(ctx, find); err != nil {
		return backends.Valid{}, err
	}
	return q.answer(), nil
}

// settle settles all targets by a method.
func (q *question) settle(ctx context.Context, find func(context.Context, *question) error) error {
	if !q.done() {
		if err := find(ctx, q); err != nil {
			return err
		}
	}
	if !q.done() && len(q.targets) == 0 { // only satisfiability is open
		_, _, err := q.ask(ctx)
		return err
	}
	return nil
}
