package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"queens/encode"
	"queens/order"
)

func newOrderList() *cobra.Command {
	n := 4
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the named variable orders, with a picture of each",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return listOrders(consoleOf(cmd), n) },
	}
	cmd.Flags().IntVarP(&n, "size", "n", n, "board size of the pictures")
	return cmd
}

// listOrders draws the named orders on a board of size n.
func listOrders(c console, n int) error {
	if n < 1 || n > encode.MaxN {
		return invalid("flag -n %d: expected a board size from 1 to %d", n, encode.MaxN)
	}
	for _, o := range order.All() {
		fmt.Fprintf(c.out, "%s: %s\n%s\n", o.Name, o.Reason, fitWidth(c.out, o.Of(n).Draw(n)))
	}
	_, err := fmt.Fprintln(c.out, "force and random accept any seed after the colon.")
	return err
}
