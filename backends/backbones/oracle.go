package backbones

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"time"

	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/internal/system/program"
)

// Extractor is a backbone extractor outside this program.
type Extractor struct{ program.OnFile }

// Check returns an error if the extractor cannot be started here.
func (e Extractor) Check() error { return e.OnFile.Check("backbone extractor", "cadiback -q {cnf}") }

// Oracle answers questions about possible variables by an extractor, and no others. It keeps nothing between
// questions: each is a process of its own, with the assumptions as clauses of one literal.
type Oracle struct {
	extractor Extractor
	problem   encode.Problem
	last      said
}

var _ backends.Backend = (*Oracle)(nil)

// New returns an Oracle for a problem.
func New(e Extractor, p encode.Problem) *Oracle {
	p.Numbers = nil // a file's numbers may have gaps
	return &Oracle{extractor: e, problem: p}
}

// Reported returns the processor time that the extractor reported for the last question; known is false if it
// reported none.
func (o *Oracle) Reported() (took time.Duration, known bool) { return o.last.took, o.last.told }

// Valid implements [backends.Backend]; there is one method, which has no name. The file has pairwise clauses, so the
// only auxiliary variables are those of the problem itself.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, _ string) (valid backends.Valid, err error) {
	o.last = said{}
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return valid, err
	}
	if err := o.extractor.Check(); err != nil {
		return valid, err
	}
	failed := func(err error) error {
		return fmt.Errorf("finding the backbone of %s with %s: %w", o.problem, o.extractor.Name, err)
	}
	p := o.problem.With(assume...)
	ended, err := o.extractor.Run(ctx, func(w io.Writer) error { return p.WriteDIMACS(w, amo.Pairwise, nil) })
	if err != nil {
		return valid, failed(err)
	}
	vars := o.problem.AllVars()
	if len(o.problem.Counters(amo.Pairwise)) > 0 {
		vars = math.MaxInt32 // clauses that count have auxiliary variables
	}
	if o.last, err = read(string(ended.Stdout), ended.Code, vars); err != nil {
		return valid, failed(err)
	}
	return o.answer(), nil
}

// answer returns what the last backbone says about the variables that are not auxiliary.
func (o *Oracle) answer() (valid backends.Valid) {
	if valid.Satisfiable = !o.last.unsat; o.last.unsat {
		return valid
	}
	value := make([]int8, o.problem.AllVars())
	for _, l := range o.last.backbone {
		if int(l.Var()) > len(value) {
			continue
		}
		if value[l.Var()-1] = 1; !l.Positive() {
			value[l.Var()-1] = -1
		}
	}
	for i, is := range value[:o.problem.NumVars()] {
		if is >= 0 {
			valid.Possible = append(valid.Possible, cnf.Var(i+1))
		}
		if is > 0 {
			valid.Forced = append(valid.Forced, cnf.Var(i+1))
		}
	}
	return valid
}

// errOnly says that an extractor answers one kind of question.
var errOnly = errors.New("a backbone extractor answers only what is possible")

// Solve implements [backends.Backend]: it is an error.
func (o *Oracle) Solve(context.Context, []cnf.Lit) (backends.Answer, error) {
	return backends.Answer{}, errOnly
}

// Solutions implements [backends.Backend]: it is an error.
func (o *Oracle) Solutions(context.Context, []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) { yield(nil, errOnly) }
}

// Stats implements [backends.Backend].
func (o *Oracle) Stats() backends.Stats { return backends.Stats{} }

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }
