package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/encode"
	"queens/order"
	"queens/robdd"
)

func newOrderCheck() *cobra.Command {
	most := 13
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a table of the smallest diagrams known: build each again, refuse a worse one",
		Long: `Check a table of the smallest diagrams known, such as order/smallest.csv: build the diagram of
each order again, and compare its size with the one that the table states and with the smallest
that the program knows. FILE is CSV with the columns diagram (bdd or zdd), n, nodes (without
terminals), found_by, found_on, how, and order (the names of all cells, top level first). To add a
record, replace its line. Exit code 4: a size is not the one stated, or a smaller diagram is known.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return checkOrders(cmd.Context(), consoleOf(cmd), files[0], most)
		},
	}
	cmd.Flags().IntVar(&most, "most", most, "build only boards up to this size; 16 takes 5 GiB")
	return cmd
}

// checkOrders checks the lines of a table, and builds the diagrams of boards of size up to most.
func checkOrders(ctx context.Context, c console, file string, most int) error {
	content, name, err := readInput(file, mostTable)
	if err != nil {
		return invalid("reading a table: %w", err)
	}
	list, err := order.ReadSmallest(content, name)
	if err != nil {
		return exit(badInput, err)
	}
	refused := 0
	for _, s := range list {
		verdict, right, err := checkSmallest(ctx, s, most)
		if err != nil {
			return err
		}
		if !right {
			refused++
		}
		fmt.Fprintf(c.out, "%s:%d: n = %d, %s of %d nodes: %s\n", name, s.Declared, s.N, s.Diagram, s.Nodes, verdict)
	}
	if refused > 0 {
		return exit(wrongAnswer, fmt.Errorf("%s: %d of %d orders refused", name, refused, len(list)))
	}
	return nil
}

// checkSmallest builds the diagram of a line of a table, if the board is not larger than most, and compares the line
// with what the program knows.
func checkSmallest(ctx context.Context, s order.Smallest, most int) (verdict string, right bool, err error) {
	known := 0
	for _, k := range order.Smallests() {
		if k.Diagram == s.Diagram && k.N == s.N {
			known = k.Nodes
		}
	}
	if s.N <= most {
		working(ctx, "building n = %d", s.N)
		p, err := encode.Queens(s.N, nil, nil)
		if err != nil {
			return "", false, err
		}
		work := workOf(ctx)
		c, err := ask.Compile(ctx, p, ask.Choice{}, ask.Resources{
			Bytes: work.room(), Order: s.Order, Progress: work.compiling,
		})
		if err != nil {
			return "", false, answered(ctx, err)
		}
		kind, err := robdd.ParseKind(s.Diagram)
		if err != nil {
			return "", false, err
		}
		if nodes := c.Nodes(kind); nodes != s.Nodes {
			return fmt.Sprintf("refused, it has %d", nodes), false, nil
		}
	}
	switch {
	case known > 0 && s.Nodes > known:
		return fmt.Sprintf("refused, one of %d is known", known), false, nil
	case s.N > most:
		return fmt.Sprintf("not built (--most %d)", s.N), true, nil
	case s.Nodes < known || known == 0:
		return "right, and smaller than any known", true, nil
	}
	return "right", true, nil
}
