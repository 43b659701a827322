package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/report"
	uiterm "queens/ui/term"
)

func newCompare() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Show what changed between two record sets and their environments",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return compareSets(cmd.Context(), consoleOf(cmd), dirs[0], dirs[1])
		},
	}
	addJSON(cmd)
	return cmd
}

// compareSets shows what differs between the record sets in two folders.
func compareSets(ctx context.Context, c console, one, other string) error {
	a, err := readSet(one)
	if err != nil {
		return err
	}
	b, err := readSet(other)
	if err != nil {
		return err
	}
	var text strings.Builder
	found, err := report.WriteComparison(&text, a, b, widthOf(c.out))
	if err != nil {
		return exit(badInput, err)
	}
	err = c.show(ctx, found, func(w io.Writer) error {
		_, err := io.WriteString(w, uiterm.Plain(text.String()))
		return err
	})
	if err == nil && len(found.Results) > 0 {
		err = exit(wrongAnswer, fmt.Errorf("%s and %s have different answers or results", one, other))
	}
	return err
}
