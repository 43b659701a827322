package sat_test

import (
	"context"
	"fmt"

	"queens/backends/sat"
	"queens/encode"
	"queens/encode/cnf"
)

// What a SAT solver says about a board of six queens: a solution, the cells left after a queen on b1, and which
// of three queens leave no solution.
func ExampleOracle() {
	ctx := context.Background()
	problem, _ := encode.Queens(6, nil, nil)
	oracle := sat.New(problem)
	defer oracle.Close()
	queen := func(cell string) cnf.Lit {
		v, _ := problem.Names.Var(cell)
		return v.Pos()
	}
	found, _ := oracle.Solve(ctx, []cnf.Lit{queen("b1")})
	fmt.Println(found.Status, "with a queen on b1: a solution sets", len(found.Model), "variables")

	valid, _ := oracle.Valid(ctx, []cnf.Lit{queen("b1")}, "pack")
	fmt.Println("with a queen on b1 others can stand on", problem.VarNames(valid.Possible))

	refused, _ := oracle.Solve(ctx, []cnf.Lit{queen("a1"), queen("d2"), queen("a6")})
	fmt.Println(refused.Status, "because of", len(refused.Core), "of three queens")
	// Output:
	// SATISFIABLE with a queen on b1: a solution sets 36 variables
	// with a queen on b1 others can stand on [b1 d2 f3 a4 c5 e6]
	// UNSATISFIABLE because of 2 of three queens
}
