package bdd_test

import (
	"context"
	"fmt"

	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// The diagram of a board of six queens, and what is left after a queen on b1.
func Example() {
	ctx := context.Background()
	problem, _ := encode.Queens(6, nil, nil)
	var rowMajor order.Order
	for v := cnf.Var(1); int(v) <= problem.NumVars(); v++ {
		rowMajor = append(rowMajor, v)
	}
	compiled, _ := bdd.Compile(ctx, problem, rowMajor, bdd.Options{})
	fmt.Println(compiled.Construction, "made", compiled.Nodes(robdd.ZDD), "nodes; the ROBDD has", compiled.Nodes(robdd.BDD))

	oracle := bdd.New(compiled)
	solutions, _ := oracle.Count(ctx, nil)
	queen, _ := problem.Names.Var("b1")
	valid, _ := oracle.Valid(ctx, []cnf.Lit{queen.Pos()}, "")
	fmt.Println(solutions, "solutions; with a queen on b1 others can stand on", problem.VarNames(valid.Possible))
	// Output:
	// solutions made 24 nodes; the ROBDD has 129
	// 4 solutions; with a queen on b1 others can stand on [b1 d2 f3 a4 c5 e6]
}
