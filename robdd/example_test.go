package robdd_test

import (
	"context"
	"fmt"
	"os"

	"queens/robdd"
)

// Two switches and a lamp: the lamp (3) is on when exactly one switch (1, 2) is.
func Example() {
	ctx := context.Background()
	m, _ := robdd.NewManager([]robdd.Var{1, 2, 3}, robdd.Config{MaxNodes: 1000})
	// From the bottom up: the lamp is on, or off; the second switch decides.
	on, _ := m.Mk(3, robdd.False, robdd.True)
	off, _ := m.Mk(3, robdd.True, robdd.False)
	same, _ := m.Mk(2, off, on)
	other, _ := m.Mk(2, on, off)
	// By operations: each value of the first switch, and what follows from it.
	first, _ := m.Mk(1, robdd.False, robdd.True)
	not, _ := m.Mk(1, robdd.True, robdd.False)
	up, _ := m.And(ctx, first, other)
	down, _ := m.And(ctx, not, same)
	circuit, err := m.Or(ctx, up, down)
	if err != nil {
		fmt.Println(err) // a limit of the Config
		return
	}
	d := m.Freeze(circuit)
	total, each, _ := robdd.NewCounter(d).CountEach(ctx, nil)
	fmt.Println(m.NodeCount(circuit), "nodes,", total, "solutions,", each[2], "with the lamp on")
	// With the lamp on and the first switch off, the second one must be on.
	p := robdd.NewPossible(d)
	satisfiable, _ := p.Ask(ctx, []robdd.Lit{3, -1})
	fmt.Println("satisfiable:", satisfiable, "can be on:", p.CanBe(2), "can be off:", p.CanBe(-2))
	for lits := range d.Solutions(ctx, []robdd.Lit{3}) {
		fmt.Println(lits)
	}
	// Output:
	// 5 nodes, 4 solutions, 2 with the lamp on
	// satisfiable: true can be on: true can be off: false
	// [1 -2 3]
	// [-1 2 3]
}

func ExampleDiagram_Export() {
	m, _ := robdd.NewManager([]robdd.Var{2, 1}, robdd.Config{})
	a, _ := m.Mk(1, robdd.False, robdd.True)
	b, _ := m.Mk(2, robdd.True, robdd.False)
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
