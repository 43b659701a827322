package robdd_test

import (
	"context"
	"fmt"
	"os"

	"queens/backends/bdd/robdd"
)

// Two switches and a lamp: the lamp (3) is on when exactly one switch (1, 2) is.
func Example() {
	ctx := context.Background()
	m, _ := robdd.NewManager([]robdd.Var{1, 2, 3}, robdd.Config{MaxNodes: 1000})
	a, _ := m.Literal(1)
	b, _ := m.Literal(2)
	lamp, _ := m.Literal(3)
	one, _ := m.Xor(ctx, a, b)
	circuit, err := m.Biimp(ctx, lamp, one)
	if err != nil {
		fmt.Println(err) // a limit of the Config
		return
	}
	s := robdd.NewSweep(m.Freeze(circuit))
	total, each, _ := s.CountEach(ctx, nil)
	fmt.Println(m.NodeCount(circuit), "nodes,", total, "solutions,", each[2], "with the lamp on")
	// With the lamp on and the first switch off, the second one must be on.
	implied, _, _ := s.Implied(ctx, []robdd.Lit{3, -1}, nil)
	fmt.Println("implied:", implied)
	for lits := range s.Solutions(ctx, []robdd.Lit{3}) {
		fmt.Println(lits)
	}
	// Output:
	// 5 nodes, 4 solutions, 2 with the lamp on
	// implied: [-1 2 3]
	// [1 -2 3]
	// [-1 2 3]
}

func ExampleDiagram_Export() {
	m, _ := robdd.NewManager([]robdd.Var{2, 1}, robdd.Config{})
	a, _ := m.Literal(1)
	b, _ := m.Literal(-2)
	f, _ := m.And(context.Background(), a, b)
	names := robdd.Names{Diagram: "f", Var: func(v robdd.Var) string { return string('a' + rune(v) - 1) }}
	_ = m.Freeze(f).Export(os.Stdout, robdd.DDDMPPlain, names)
	// Output:
	// .ver DDDMP-2.0
	// .mode A
	// .varinfo 4
	// .dd f
	// .nnodes 4
	// .nvars 2
	// .nsuppvars 2
	// .suppvarnames a b
	// .orderedvarnames b a
	// .ids 0 1
	// .permids 1 0
	// .nroots 1
	// .rootids 4
	// .nodes
	// 1 F 0 0
	// 2 T 0 0
	// 3 1 2 1
	// 4 0 1 3
	// .end
}

// The states that a two-bit counter reaches, step by step. Variables 1 and 2 are the bits
// now, 3 and 4 the bits after the step; they alternate in the order, which is best for a
// relation.
func ExampleManager_AndExists() {
	ctx := context.Background()
	m, _ := robdd.NewManager([]robdd.Var{1, 3, 2, 4}, robdd.Config{})
	bit := func(v robdd.Lit) robdd.Node { f, _ := m.Literal(v); return f }
	// Bit 1 flips at each step, bit 2 when bit 1 is set.
	turned, _ := m.Xor(ctx, bit(1), bit(3))
	carried, _ := m.Xor(ctx, bit(2), bit(1))
	next, _ := m.Biimp(ctx, bit(4), carried)
	step, _ := m.And(ctx, turned, next)

	states, _ := m.And(ctx, bit(-1), bit(-2)) // at first both are clear
	for reached := robdd.False; states != reached; {
		reached = states
		image, err := m.AndExists(ctx, reached, step, 1, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		now, _ := m.Rename(ctx, image, map[robdd.Var]robdd.Var{3: 1, 4: 2})
		states, _ = m.Or(ctx, reached, now)
		fmt.Println(m.SatCount(states).Int64()/4, "states") // the bits after the step are free
	}
	// Output:
	// 2 states
	// 3 states
	// 4 states
	// 4 states
}
