package localsearch_test

import (
	"context"
	"fmt"
	"log"

	"queens/backends/localsearch"
	"queens/board"
)

// A solution of a board of a thousand with two queens placed and a cell blocked. The same seed gives the same solution.
func Example() {
	placed, err := board.ParseCells(1000, "a1,c2")
	if err != nil {
		log.Fatal(err)
	}
	b := localsearch.Board{N: 1000, Placed: placed, Blocked: []board.Cell{{Row: 2, Col: 4}}}
	found, err := localsearch.Solve(context.Background(), b, localsearch.Options{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	cols := found.Columns()
	fmt.Println("found:", found.Found, "verified:", board.Verify(cols) == nil)
	fmt.Println("first two queens:", board.FormatCells(board.Queens(cols)[:2]))
	// Output:
	// found: true verified: true
	// first two queens: a1,c2
}

// A Walk completes a placement repeatedly, and so shows cells that can still have a queen.
func ExampleWalk() {
	placed := []board.Cell{{Row: 0, Col: 3}, {Row: 1, Col: 6}}
	w := localsearch.NewWalk(board.NewPosition(12, placed, nil), 1)
	wanted := board.Cell{Row: 5, Col: 0}
	if w.Complete(context.Background(), 1000, wanted) {
		cols := w.Solution()
		fmt.Println("verified:", board.Verify(cols) == nil, "holds", wanted, cols[wanted.Row] == int32(wanted.Col))
	}
	// Output:
	// verified: true holds a6 true
}
