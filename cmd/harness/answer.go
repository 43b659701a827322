package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"queens/ask"
	"queens/backends/bdd"
	"queens/configure"
	"queens/encode"
	"queens/robdd"
)

// answered turns the error of a back-end into one about a flag, or about the memory, which says
// where the limit comes from.
func answered(ctx context.Context, err error) error {
	if limit := (*robdd.LimitError)(nil); errors.As(err, &limit) {
		return exit(runsFailed, fmt.Errorf("%w: %s", err, workOf(ctx).origin))
	}
	return flagged(err)
}

// resources returns what a command may use for a problem: the memory, a saved diagram, and the
// order that came with the problem.
func (q *question) resources(ctx context.Context, p encode.Problem) (ask.Resources, error) {
	work := workOf(ctx)
	r := ask.Resources{Bytes: work.limit, FileOrder: q.fileOrder, Progress: work.compiling, Trace: q.trace}
	if q.file == "" {
		return r, nil
	}
	d, meta, err := robdd.Load(ctx, q.file, work.limit)
	if err == nil {
		r.Diagram, err = bdd.Loaded(p, d, meta, work.limit)
	}
	limit := (*robdd.LimitError)(nil)
	switch {
	case errors.As(err, &limit):
		err = answered(ctx, fmt.Errorf("flag --diagram-file: %w", err))
	case err != nil && !errors.Is(err, context.Canceled):
		err = invalid("flag --diagram-file %s: %w", q.file, err)
	}
	return r, err
}

// ask opens the back-end for a problem, has do ask it, and closes it.
func (q *question) ask(
	ctx context.Context, p encode.Problem, want ask.Ability, do func(*ask.Answerer) error,
) (err error) {
	c := q.Choice
	if q.file != "" && c.Backend == "" {
		c.Backend = "bdd"
	}
	plan, err := ask.Resolve(p, c, want)
	if err != nil {
		return exit(badInput, flagged(err))
	}
	if q.file != "" && plan.Backend.Name != "bdd" {
		return invalid("flag --diagram-file: back-end %s builds no diagram", plan.Backend.Name)
	}
	r, err := q.resources(ctx, p)
	if err != nil {
		return err
	}
	made, err := plan.Open(ctx, r)
	if err != nil {
		return answered(ctx, err)
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	return answered(ctx, do(made))
}

// compile builds the diagram, or loads it.
func (q *question) compile(ctx context.Context, p encode.Problem) (*bdd.Compiled, ask.Choice, error) {
	r, err := q.resources(ctx, p)
	if err != nil || r.Diagram != nil {
		return r.Diagram, q.Choice, err
	}
	c, chosen, err := ask.Compile(ctx, p, q.Choice, r)
	return c, chosen, answered(ctx, err)
}

// compileFor is how long a problem's diagram may take to build before a solver answers instead.
const compileFor = 5 * time.Second

// options opens the problem, to be configured, with what the flags decide.
func (q *question) options(ctx context.Context) (*configure.Options, []string, error) {
	p, err := q.problem()
	if err != nil {
		return nil, nil, err
	}
	title, decided := q.about(p).title(), named(p, p.Fixed)
	p.Fixed = nil
	r, c := ask.Resources{Bytes: 1 << 30, FileOrder: q.fileOrder}, q.Choice
	within, best := ctx, c.Backend == ""
	if best {
		c.Backend = "bdd"
		brief, cancel := context.WithTimeout(ctx, compileFor)
		defer cancel()
		within = brief
	}
	made, err := ask.Open(within, p, c, ask.Finds|ask.Valid, r)
	if best && ctx.Err() == nil && (within.Err() != nil || errors.As(err, new(*robdd.LimitError))) {
		made, err = ask.Open(ctx, p, ask.Choice{Backend: "sat"}, ask.Finds|ask.Valid, r)
	}
	if err != nil {
		return nil, nil, exit(badInput, flagged(err))
	}
	options := configure.NewOptions(p, made.Answers.(configure.Oracle))
	options.Title = filepath.Base(title)
	return options, decided, nil
}
