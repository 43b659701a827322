package sat

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Oracle answers questions about one problem with a SAT solver. Make it with [New].
type Oracle struct {
	AMO     amo.Encoding // chosen by size if it is none
	Formula Formula      // [Residual] from New
	Solver  string       // name of the solver, gini from New
	Make    Make         // [Gini] from New

	problem encode.Problem
	cover   *encode.Cover // nil if the possible variables do not determine the forced ones

	whole    Solver             // for the whole problem; built by the first question that needs it
	reduce   *encode.Propagator // made by the first residual question
	rotation *rotation          // keeps a model of a formula; made by the first question that rotates it
}

var _ backends.Backend = (*Oracle)(nil)

// Formula names the clauses used for a question about what is possible.
type Formula string

const (
	// Residual makes a formula for each question, of what unit propagation over the
	// constraints leaves of the problem.
	Residual Formula = "residual"
	// Whole asks one solver for the whole problem, with the question's literals as
	// assumptions, so all questions benefit from what the solver learns.
	Whole Formula = "whole"
)

// Formulas lists the formulas; the one that is faster in general comes first.
func Formulas() []Formula { return []Formula{Residual, Whole} }

// New returns an Oracle for the problem, whose exported fields may be changed before the first
// question. It builds no solver until a question needs one.
func New(p encode.Problem) *Oracle {
	cover, _ := encode.NewCover(p)
	return &Oracle{Formula: Residual, Solver: "gini", Make: Gini, problem: p, cover: cover}
}

// encoding returns the at-most-one encoding for that many pairs.
func (o *Oracle) encoding(pairs int) amo.Encoding {
	if o.AMO.Name == "" {
		return amo.Default(pairs)
	}
	return o.AMO
}

// Bytes for each variable of queens n = 30 to 80: of the constraints that residual formulas are made
// from, and of gini's whole problem, 1.5 to 4 KiB.
const (
	reduceBytes = 128
	wholeBytes  = 3 << 10
)

// Stats implements [backends.Backend].
func (o *Oracle) Stats() backends.Stats {
	each := int64(reduceBytes)
	if o.whole != nil {
		each += wholeBytes
	}
	return backends.Stats{Bytes: each * int64(o.problem.NumVars())}
}

// Close implements [backends.Backend]: it closes the solver of the whole problem.
func (o *Oracle) Close() error {
	if o.whole == nil {
		return nil
	}
	return o.whole.Close()
}

// solver returns the solver of the whole problem.
func (o *Oracle) solver() Solver {
	if o.whole == nil {
		o.whole = o.Make(o.problem.CNF(o.encoding(o.problem.Pairs())))
	}
	return o.whole
}

// vars returns the problem's variables, the auxiliary ones last.
func (o *Oracle) vars() []cnf.Var {
	vars := make([]cnf.Var, o.problem.AllVars())
	for i := range vars {
		vars[i] = cnf.Var(i + 1)
	}
	return vars
}

// propagator returns the Propagator for the problem's constraints.
func (o *Oracle) propagator() *encode.Propagator {
	if o.reduce == nil {
		o.reduce = encode.NewPropagator(o.problem)
	}
	return o.reduce
}

// Solve looks for one solution. It checks the model before returning it.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Answer{}, err
	}
	answer, err := o.solve(ctx, assume)
	if err != nil {
		return backends.Answer{}, fmt.Errorf("solving %s with %s under %d assumptions: %w", o.problem, o.Solver,
			len(assume), err)
	}
	return answer, nil
}

func (o *Oracle) solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	s := o.solver()
	status, core, err := s.Solve(ctx, assume)
	if err != nil {
		return backends.Answer{}, err
	}
	answer := backends.Answer{Status: status, Core: core}
	if status == backends.Sat {
		answer.Model, err = o.model(s, nil, o.vars())
	}
	return answer, err
}

// Solutions enumerates by blocking clauses: after each solution it adds a
// clause that forbids it.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		var block []cnf.Lit
		more := true
		_, err := o.Through(ctx, assume, func() ([]cnf.Lit, bool) { return block, more }, func(model []cnf.Lit) {
			// Where exactly-one constraints contain every variable, the true ones alone
			// distinguish one solution from all others.
			block = block[:0]
			for _, l := range model {
				if l.Positive() || o.cover == nil {
					block = append(block, l.Not())
				}
			}
			more = yield(model, nil) && len(block) > 0
		})
		if err != nil {
			yield(nil, fmt.Errorf("enumerating the solutions of %s with %s: %w", o.problem, o.Solver, err))
		}
	}
}

// Through shows one solution under assumptions after another, on a solver of its own. Each has one
// of the literals wanted then, of which none stands for any solution. It ends when there is no such
// solution or no more are wanted. Its work is that of [Oracle.Valid].
func (o *Oracle) Through(
	ctx context.Context, assume []cnf.Lit, wanted func() (some []cnf.Lit, more bool), show func(model []cnf.Lit),
) (work backends.Work, err error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return nil, err
	}
	q := o.question(assume, Residual)
	defer func() { err = errors.Join(err, q.close()) }()
	if !q.refuted {
		q.start() // now, since other questions may come before the next solution
	}
	number := map[cnf.Lit]cnf.Lit{} // a literal of the problem is this one of the solver
	for i, v := range q.vars {
		number[v.Pos()], number[v.Neg()] = cnf.Lit(i+1), -cnf.Lit(i+1)
	}
	for {
		some, more := wanted()
		if !more || q.refuted {
			return q.work(), nil
		}
		var clause []cnf.Lit
		for _, l := range some {
			if number[l] != 0 { // the others are false
				clause = append(clause, number[l])
			}
		}
		if len(clause) > 0 {
			q.solver.Add(clause...)
		} else if len(some) > 0 {
			return q.work(), nil
		}
		status, _, err := q.ask(ctx)
		if err != nil || status == backends.Unsat {
			return q.work(), err
		}
		model, err := o.model(q.solver, q.fixed, q.vars)
		if err != nil {
			return nil, err
		}
		show(model)
	}
}

// model reads the solver's model, given the variables that are true in every solution and those
// that are the solver's, and checks it against the constraints. An error means that the solver or
// the encoding is broken. What is returned leaves auxiliary variables out.
func (o *Oracle) model(s Solver, fixed, vars []cnf.Var) ([]cnf.Lit, error) {
	model := make([]cnf.Lit, o.problem.AllVars())
	for i := range model {
		model[i] = cnf.Var(i + 1).Neg()
	}
	for _, v := range fixed {
		model[v-1] = v.Pos()
	}
	for i, v := range vars {
		if s.Value(cnf.Var(i + 1)) {
			model[v-1] = v.Pos()
		}
	}
	if err := o.problem.Whole().Verify(model); err != nil {
		return nil, fmt.Errorf("its model is not a solution: %w", err)
	}
	return model[:o.problem.NumVars()], nil
}

// Methods lists the methods; the one that is best in general comes first.
func Methods() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// Valid finds the possible and forced variables by the named method. Its work:
//
//   - solves: queries to the solver; models: queries answered Sat;
//   - conflicts: the solver's conflicts, 0 if it does not report them.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	method, err := backends.Method(Methods(), "sat", method)
	if err != nil {
		return backends.Valid{}, err
	}
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Valid{}, err
	}
	i := slices.IndexFunc(methods, func(m validMethod) bool { return m.name == method })
	valid, err := o.valid(ctx, assume, methods[i])
	if err != nil {
		return backends.Valid{}, fmt.Errorf("finding what is possible in %s with %s by %s: %w", o.problem, o.Solver,
			method, err)
	}
	valid.Method = method
	return valid, nil
}

func (o *Oracle) valid(ctx context.Context, assume []cnf.Lit, m validMethod) (valid backends.Valid, err error) {
	if err := ctx.Err(); err != nil {
		return backends.Valid{}, err
	}
	q := o.question(assume, o.Formula)
	defer func() { err = errors.Join(err, q.close()) }()
	if !q.done() {
		if err := m.find(ctx, q); err != nil {
			return backends.Valid{}, err
		}
	}
	if !q.done() && len(q.targets) == 0 { // only satisfiability is left to ask
		if _, _, err := q.ask(ctx); err != nil {
			return backends.Valid{}, err
		}
	}
	return q.answer(), nil
}
