package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"queens/ask"
	"queens/backends"
	"queens/backends/sat/solvers"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
)

// withoutDiagram says what to try where a diagram, a d-DNNF or a list is too large.
const withoutDiagram = "try another --order, or fix more (--place, --assume); without a diagram, valid, solve and list answer " +
	"with --backend sat or search, and count with --backend ddnnf or an outside --counter"

// answered turns the error of a back-end into an error about a flag. If memory ran out, or would, the error says
// where the limit comes from. A solver whose model is none has answered wrongly.
func answered(ctx context.Context, err error) error {
	if limit := (*backends.LimitError)(nil); errors.As(err, &limit) {
		return exit(runsFailed, fmt.Errorf("%w: %s\n%s", err, workOf(ctx).roomy(), withoutDiagram))
	}
	if small := (*ask.MemoryError)(nil); errors.As(err, &small) {
		return exit(runsFailed, fmt.Errorf("%w: %s", err, workOf(ctx).roomy()))
	}
	if wrong := solvers.WrongModel(""); errors.As(err, &wrong) {
		return exit(wrongAnswer, err)
	}
	return flagged(err)
}

// resources returns what a command may use for a problem: the memory, a saved diagram, and the order that the
// problem's file gives.
func (f *flags) resources(ctx context.Context, p encode.Problem) (ask.Resources, error) {
	work := workOf(ctx)
	r := ask.Resources{Bytes: work.room(), Order: f.fileOrder, Progress: work.compiling, Hopeless: work.hopeless}
	switch {
	case f.nnf != "":
		return f.readNNF(ctx, p, r)
	case f.file == "":
		return r, nil
	case f.Backend != "" && f.Backend != ask.Diagram:
		return r, invalid("flag --diagram-file: back-end %s builds no diagram", f.Backend)
	}
	var err error
	r.Diagram, err = ask.Load(ctx, f.file, p, work.room())
	if err == nil && r.Diagram.IsForeign() {
		working(ctx, "checking %s", f.file)
		if err = ask.CheckDiagram(ctx, r.Diagram, f.file); err == nil {
			err = f.checkCount(ctx, p, f.file, ask.ROBDD, ask.Oracle(r.Diagram))
		}
	}
	return r, refused(ctx, "--diagram-file "+f.file, err)
}

// refused returns the error of a file with a diagram or a d-DNNF: it is another problem's, needs too much memory, or is none.
func refused(ctx context.Context, flag string, err error) error {
	switch {
	case err == nil, ctx.Err() != nil:
		return err
	case errors.As(err, new(*ask.Mismatch)):
		return exit(wrongAnswer, fmt.Errorf("flag %s: %w", flag, err))
	case errors.As(err, new(*backends.LimitError)):
		return answered(ctx, fmt.Errorf("flag %s: %w", flag, err))
	}
	return invalid("flag %s: %w", flag, err)
}

// mostCompiled is the size limit of a file with a d-DNNF, in bytes.
const mostCompiled = 1 << 30

// readNNF adds the d-DNNF of --nnf.
func (f *flags) readNNF(ctx context.Context, p encode.Problem, r ask.Resources) (ask.Resources, error) {
	if f.Backend != "" && f.Backend != ask.DDNNF {
		return r, invalid("flag --nnf: back-end %s asks no d-DNNF", f.Backend)
	}
	content, name, err := readInput(f.nnf, mostCompiled)
	if err != nil {
		return r, invalid("flag --nnf: %w", err)
	}
	working(ctx, "checking %s", name)
	if r.DDNNF, err = ask.ReadDDNNF(ctx, content, name, p, r); err == nil {
		err = ask.CheckDDNNF(ctx, r.DDNNF, name)
	}
	if err == nil {
		err = f.checkCount(ctx, p, name, ask.Decomposable, ask.OracleDDNNF(r.DDNNF, r))
	}
	return r, refused(ctx, "--nnf", err)
}

// checkCount counts the solutions again, where that takes a second at most: a file that lacks few of them shows in nothing else.
func (f *flags) checkCount(ctx context.Context, p encode.Problem, name string, form ask.DiagramName, by backends.Counter) error {
	if ask.Countable(p, ask.Count) != nil {
		return nil
	}
	theirs, err := by.Count(ctx, p.Fixed)
	if err != nil {
		return err
	}
	again, done, err := secondOpinion(ctx, p, ask.Choice{}, ask.Count, 0)
	if err == nil && done && again.Count.Cmp(theirs) != 0 {
		err = &ask.Mismatch{File: name, Form: form.Title(), Problem: p.String(), Why: fmt.Sprintf("it has %v solutions, the problem %v", theirs, again.Count)}
	}
	return err
}

// ask asks a question about the problem under the assumption of its fixed literals.
func (f *flags) ask(ctx context.Context, p encode.Problem, q ask.Question) (ask.Answer, error) {
	r, err := f.resources(ctx, p)
	if err != nil {
		return ask.Answer{}, err
	}
	q.Assume = p.Fixed
	a, err := ask.Once(ctx, p, f.Choice, q, r)
	return a, answered(ctx, err)
}

// kept says that a problem is not compiled, and who answers on.
func (c console) kept(by pool.Key, err error) {
	fmt.Fprintf(c.err, "harness: note: no compiled form takes over, so back-end %s answers on: %v\n", by.Backend, err)
}

// options returns the problem's options, to be configured with the pool's back-ends, and the literals that
// the flags fix.
func (f *flags) options(ctx context.Context, c console, warm *pool.Pool) (*configure.Options, []string, error) {
	p, err := f.problem(c)
	if err != nil {
		return nil, nil, err
	}
	title, decided := f.about(p).title(), named(p, p.Fixed)
	p.Fixed = nil
	if err := warm.Own(ctx, p, f.Choice, f.fileOrder); err != nil {
		return nil, nil, exit(badInput, flagged(err))
	}
	options := configure.NewOptions(warm)
	options.Title = filepath.Base(title)
	return options, decided, nil
}
