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
	one, _ := m.Apply(ctx, robdd.OpXor, a, b)
	circuit, err := m.Apply(ctx, robdd.OpBiimp, lamp, one)
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
