package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"queens/ask"
	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// validFlags are the flags of valid.
type validFlags struct {
	flags
	only, format, proof string
	timeout             time.Duration
}

// settled is what a question about possible values has settled so far.
type settled struct {
	refuted    []cnf.Lit
	number, of int
}

// settle asks what the problem's variables can still be, shows how far it has come, and prints and writes what the flags
// say as it goes. If the time ends, it prints what is settled.
func (f *validFlags) settle(ctx context.Context, c console, p encode.Problem) (found ask.Answer, err error) {
	asking := ctx
	if f.timeout > 0 {
		var cancel context.CancelFunc
		asking, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	r, err := f.resources(ctx, p)
	if err != nil {
		return found, err
	}
	var so settled
	r.Settled = func(refuted cnf.Lit, number, of int) {
		if so.number, so.of = number, of; number%1000 == 0 {
			workOf(ctx).tell(float64(number)/float64(of), "%d of %d values settled", number, of)
		}
		if refuted != 0 {
			so.refuted = append(so.refuted, refuted)
			if f.format == "backbone" {
				workOf(ctx).hide()
			}
			f.line(c, p, refuted.Not())
		}
	}
	if f.proof == "" {
		found, err = f.within(asking, p, r)
	} else {
		found, err = f.prove(asking, c, p, r)
	}
	if f.timeout > 0 && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return found, f.incomplete(ctx, c, p, so)
	}
	if err == nil && f.format == "backbone" {
		workOf(ctx).hide()
		return found, f.last(c, p, found, so)
	}
	return found, err
}

// prove is within, and writes the proof.
func (f *validFlags) prove(ctx context.Context, c console, p encode.Problem, r ask.Resources) (found ask.Answer, err error) {
	name, _ := f.Problem.File()
	switch format, _ := encode.FormatNamed(name); {
	case format.Provable == nil || len(p.Fixed) > 0:
		return found, invalid("flag --proof: expected --cnf, and no decisions; encode writes other problems, and decisions, as --cnf")
	case f.Backend != "" && f.Backend != ask.Near:
		return found, invalid("flag --proof: back-end %s writes no proof; near does", f.Backend)
	case f.proof == "-":
		return found, invalid("flag --proof -: standard output has the answer; expected a file")
	}
	f.Backend = ask.Near
	c.file = f.proof
	err = c.write(ctx, func(w io.Writer) (err error) {
		r.Proof = w
		found, err = f.within(ctx, p, r)
		return err
	})
	return found, err
}

// within asks the question with these resources.
func (f *validFlags) within(ctx context.Context, p encode.Problem, r ask.Resources) (ask.Answer, error) {
	a, err := ask.Once(ctx, p, f.Choice, ask.Question{Want: ask.Valid, Also: ask.CountEach, Assume: p.Fixed}, r)
	return a, answered(ctx, err)
}

// line prints a literal that is true in all solutions.
func (f *validFlags) line(c console, p encode.Problem, l cnf.Lit) {
	if f.format == "backbone" {
		fmt.Fprintf(c.out, "b %d\n", p.InFile(l))
	}
}

// last prints the literals that are true in all solutions and not printed yet, and the end of the list. Without a solution it
// says so, as SAT solvers do.
func (f *validFlags) last(c console, p encode.Problem, found ask.Answer, so settled) error {
	if found.Status != backends.Sat {
		fmt.Fprintln(c.out, "s UNSATISFIABLE")
		return nil
	}
	slices.Sort(so.refuted)
	for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
		for _, l := range []cnf.Lit{v.Pos(), v.Neg()} {
			list := found.Forced
			_, in := slices.BinarySearch(list, v)
			if l < 0 {
				_, in = slices.BinarySearch(found.Valid, v)
				in = !in
			}
			if _, printed := slices.BinarySearch(so.refuted, l.Not()); in && !printed {
				f.line(c, p, l)
			}
		}
	}
	_, err := fmt.Fprintln(c.out, "b 0")
	return err
}

// partReport is the JSON output of valid when its time ended.
type partReport struct {
	about
	Incomplete bool     `json:"incomplete"`
	Forced     []string `json:"forced"` // so far
	Never      []string `json:"never"`
	Settled    int      `json:"settled"` // values of variables, two of each
	Of         int      `json:"of"`      // 0: not known
}

// incomplete prints what was settled when the time ended.
func (f *validFlags) incomplete(ctx context.Context, c console, p encode.Problem, so settled) error {
	r := partReport{about: f.about(p), Incomplete: true, Forced: []string{}, Never: []string{}, Settled: so.number, Of: so.of}
	slices.SortFunc(so.refuted, func(a, b cnf.Lit) int { return cmp.Compare(a.Var(), b.Var()) })
	for _, l := range so.refuted {
		if name := p.VarName(l.Var()); l > 0 {
			r.Never = append(r.Never, name)
		} else {
			r.Forced = append(r.Forced, name)
		}
	}
	if f.format == "backbone" { // it is printed
		workOf(ctx).hide()
	} else if err := c.show(ctx, r, func(w io.Writer) error { return r.print(w, f.only) }); err != nil {
		return err
	}
	how := "nothing settled"
	if so.of > 0 {
		how = fmt.Sprintf("%d of %d values settled", so.number, so.of)
	}
	return exit(runsFailed, fmt.Errorf("incomplete: the time limit of %s ended it with %s", f.timeout, how))
}

// print lists what is settled, or what is in one state; until the end none is known to be open.
func (r partReport) print(w io.Writer, only string) (err error) {
	list := map[string][]string{"forced": r.Forced, "never": r.Never}[only]
	if only == "" {
		_, err = fmt.Fprintf(w, "in all, so far: %s\nin none, so far: %s\n", cmp.Or(strings.Join(r.Forced, " "), "none"),
			cmp.Or(strings.Join(r.Never, " "), "none"))
	}
	for _, name := range list {
		_, err = fmt.Fprintln(w, name)
	}
	return err
}
