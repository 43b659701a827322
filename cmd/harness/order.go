package main

import "github.com/spf13/cobra"

func newOrder() *cobra.Command {
	return group("order", "Show variable orders, search for better ones, check records",
		newOrderList(), newOrderShow(), newOrderSearch(), newOrderCheck())
}
