package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/experiments"
)

// diagramFlags are the flags that say where a command's diagram comes from: it
// is compiled, or loaded from a file that compile -o wrote.
type diagramFlags struct {
	order        orderFlags
	construction string
	sift         bool
	memory       experiments.Bytes
	file         string
}

func (f *diagramFlags) register(cmd *cobra.Command) {
	f.order.register(cmd)
	f.registerConstruction(cmd)
	cmd.Flags().StringVar(&f.file, "diagram-file", "", "take the diagram from this file instead, which compile -o wrote")
	for _, other := range []string{"construction", "order", "order-file", "memory"} {
		cmd.MarkFlagsMutuallyExclusive("diagram-file", other)
	}
}

func (f *diagramFlags) registerConstruction(cmd *cobra.Command) {
	var names []string
	for _, c := range bdd.Constructions() {
		names = append(names, c.Name)
	}
	cmd.Flags().TextVar(&f.memory, "memory", experiments.Bytes(8<<30), "most memory that building the diagram may use, as in 512MiB or 4GiB")
	cmd.Flags().StringVar(&f.construction, "construction", names[0], "how the diagram is built: "+strings.Join(names, ", "))
}

// unused says that a flag of the diagram was given to a command that, as it was
// asked, builds none: a limit or an order that is silently ignored is a false one.
func (f *diagramFlags) unused(cmd *cobra.Command, why string) error {
	for _, flag := range []string{"order", "order-file", "construction", "diagram-file", "memory"} {
		if cmd.Flags().Changed(flag) {
			return exit(badInput, fmt.Errorf("flag --%s: %s", flag, why))
		}
	}
	return nil
}

// compile builds the diagram that the flags describe; orderName is what to call
// its order in output.
func (f *diagramFlags) compile(ctx context.Context, p encode.Problem, kind robdd.Kind) (c *bdd.Compiled, orderName string, err error) {
	if p.N > bdd.MaxN {
		return nil, "", exit(badInput, fmt.Errorf("flag -n %d: diagrams are built for sizes up to %d", p.N, bdd.MaxN))
	}
	o, orderName, err := f.order.order(p.N)
	if err != nil {
		return nil, "", err
	}
	construction, err := bdd.ConstructionNamed(f.construction)
	if err != nil {
		return nil, "", exit(badInput, fmt.Errorf("flag --construction: %w", err))
	}
	if f.sift {
		if !construction.Dynamic {
			return nil, "", exit(badInput, fmt.Errorf("flag --sift: construction %s keeps its order", f.construction))
		}
		orderName += ", sifted"
	}
	c, err = bdd.Compile(ctx, p, o, bdd.Options{
		Construction: f.construction, Kind: kind, Sift: f.sift,
		Limits: robdd.Config{MaxBytes: int64(f.memory)},
	})
	return c, orderName, f.limited(err)
}

// limited gives an error about the limit its exit code.
func (f *diagramFlags) limited(err error) error {
	var limit *robdd.LimitError
	if errors.As(err, &limit) {
		return exit(runsFailed, fmt.Errorf("%w; --memory is %s", err, f.memory))
	}
	return err
}

// diagram compiles or loads the diagram.
func (f *diagramFlags) diagram(ctx context.Context, p encode.Problem) (*bdd.Compiled, error) {
	if f.file == "" {
		c, _, err := f.compile(ctx, p, robdd.BDD)
		return c, err
	}
	d, meta, err := robdd.Load(ctx, f.file)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, exit(badInput, fmt.Errorf("flag --diagram-file: %w", err))
	}
	if err := describes(meta, p); err != nil {
		return nil, exit(badInput, fmt.Errorf("flag --diagram-file %s: %w", f.file, err))
	}
	return &bdd.Compiled{Problem: p, Construction: meta[metaConstruction], Diagram: d}, nil
}

// The keys of a saved diagram's metadata.
const (
	metaProblem      = "problem"
	metaSize         = "n"
	metaPlaced       = "placed"
	metaBlocked      = "blocked"
	metaOrder        = "order"
	metaConstruction = "construction"
)

// metaOf describes a compiled problem.
func metaOf(c *bdd.Compiled, orderName string) robdd.Meta {
	return robdd.Meta{
		metaProblem:      "queens",
		metaSize:         strconv.Itoa(c.Problem.N),
		metaPlaced:       board.FormatCells(c.Problem.Placed()),
		metaBlocked:      board.FormatCells(c.Problem.Blocked()),
		metaOrder:        orderName,
		metaConstruction: c.Construction,
	}
}

// describes reports what keeps a saved diagram from being that of the board. Its
// own placed queens and blocked cells are part of it, so they must be given; more
// may be given besides.
func describes(meta robdd.Meta, p encode.Problem) error {
	if meta[metaProblem] != "queens" {
		return errors.New("the file holds a diagram, but not of a queens problem")
	}
	if meta[metaSize] != strconv.Itoa(p.N) {
		return fmt.Errorf("the file holds a board of size %s, not %d", meta[metaSize], p.N)
	}
	for _, list := range []struct {
		key, flag string
		given     []board.Cell
	}{{metaPlaced, "--place", p.Placed()}, {metaBlocked, "--block", p.Blocked()}} {
		saved, err := board.ParseCells(p.N, meta[list.key])
		if err != nil {
			return err
		}
		given := map[board.Cell]bool{}
		for _, c := range list.given {
			given[c] = true
		}
		for _, c := range saved {
			if !given[c] {
				return fmt.Errorf("the file's diagram was compiled with %s %s: give the same cells, or more", list.flag, meta[list.key])
			}
		}
	}
	return nil
}
