package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/encode"
)

// diagramFlags are the flags that say where a command's diagram comes from: compiled, or
// loaded from a file written by compile -o.
type diagramFlags struct {
	order        orderFlags
	construction string
	sift         bool
	workers      int
	memory       memoryFlag
	file         string
}

func (f *diagramFlags) register(cmd *cobra.Command) {
	f.order.register(cmd)
	f.registerConstruction(cmd)
	cmd.Flags().StringVar(&f.file, "diagram-file", "",
		"load the diagram from this file, written by compile -o, instead of building it")
	for _, other := range []string{"construction", "order", "order-file", "workers"} {
		cmd.MarkFlagsMutuallyExclusive("diagram-file", other)
	}
}

func (f *diagramFlags) registerConstruction(cmd *cobra.Command) {
	f.memory.register(cmd)
	cmd.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(),
		"most processors to use for building the diagram or counting; does not change the result")
	constructions().register(cmd, &f.construction, "construction", "",
		"how the diagram is built (default: the fastest that supports the problem): %s")
}

func constructions() choices {
	return describe(bdd.Constructions(), func(c bdd.Construction) (string, string) { return c.Name, c.Reason })
}

// compile builds the diagram that the flags describe. orderName is the order's name in
// output.
func (f *diagramFlags) compile(
	ctx context.Context,
	p encode.Problem,
	b *problemFlags,
) (c *bdd.Compiled, orderName string, err error) {
	if err := bdd.CheckSize(p); err != nil {
		return nil, "", invalid("%s: %w", p, err)
	}
	o, orderName, err := f.order.order(p, b.cnfOrder)
	if err != nil {
		return nil, "", err
	}
	if err := f.checkWorkers(); err != nil {
		return nil, "", err
	}
	construction := bdd.Default(p)
	if f.construction != "" {
		if construction, err = bdd.ConstructionNamed(f.construction); err == nil {
			err = construction.Check(p)
		}
		if err != nil {
			return nil, "", constructions().wrong("construction", f.construction, err)
		}
	}
	if f.sift {
		if !construction.Dynamic {
			return nil, "", invalid("flag --sift: construction %s does not change its order", construction.Name)
		}
		orderName += ", sifted"
	}
	c, err = bdd.Compile(ctx, p, o, bdd.Options{
		Construction: construction.Name, Sift: f.sift, Workers: f.workers,
		Progress: progressOf(ctx).compiling,
		Limits:   robdd.Config{MaxBytes: f.memory.limit},
	})
	return c, orderName, f.limited(err)
}

func (f *diagramFlags) checkWorkers() error {
	if f.workers < 1 {
		return invalid("flag --workers %d: expected 1 or more", f.workers)
	}
	return nil
}

// limited adds the exit code, and where the limit comes from, to an error about memory.
func (f *diagramFlags) limited(err error) error {
	var limit *robdd.LimitError
	if errors.As(err, &limit) {
		return exit(runsFailed, fmt.Errorf("%w: %s", err, f.memory.origin))
	}
	return err
}

// diagram returns the compiled or loaded diagram.
func (f *diagramFlags) diagram(ctx context.Context, p encode.Problem, b *problemFlags) (*bdd.Compiled, error) {
	if f.file == "" {
		c, _, err := f.compile(ctx, p, b)
		return c, err
	}
	if err := isFile(f.file); err != nil {
		return nil, invalid("flag --diagram-file: %w", err)
	}
	d, meta, err := robdd.Load(ctx, f.file)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, invalid("flag --diagram-file: %w", notDiagram(f.file, err))
	}
	if err := bdd.Describes(meta, p); err != nil {
		return nil, invalid("flag --diagram-file %s: %w", f.file, err)
	}
	return bdd.Loaded(p, meta[bdd.MetaConstruction], d, robdd.Config{MaxBytes: f.memory.limit}), nil
}

// notDiagram returns an error that explains why a file is not a saved diagram.
func notDiagram(file string, err error) error {
	var bad *robdd.FileError
	if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
		return unread
	}
	if !errors.As(err, &bad) {
		return err
	}
	why := fmt.Sprintf("%s, at byte %d", bad.Reason, bad.Offset)
	if bad.Offset == 0 {
		why = "it has no diagram header"
	}
	return fmt.Errorf("%s is not a saved diagram: %s; harness compile -o FILE writes one", file, why)
}
