package bench

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dalzilio/rudd"

	"queens/backends/bdd/robdd"
)

// TestRandomFormulasAgainstRudd builds random functions of twenty variables with our
// engine and with rudd, by the same operations, and walks both diagrams side by side:
// reduced diagrams of the same function in the same order are equal.
func TestRandomFormulasAgainstRudd(t *testing.T) {
	const vars = 20
	ctx := context.Background()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	natural := make([]robdd.Var, vars)
	for i := range natural {
		natural[i] = robdd.Var(i + 1)
	}
	ops := []struct {
		ours robdd.Op
		rudd rudd.Operator
	}{
		{robdd.OpAnd, rudd.OPand}, {robdd.OpXor, rudd.OPxor}, {robdd.OpOr, rudd.OPor}, {robdd.OpNand, rudd.OPnand},
		{robdd.OpNor, rudd.OPnor}, {robdd.OpImp, rudd.OPimp}, {robdd.OpBiimp, rudd.OPbiimp}, {robdd.OpDiff, rudd.OPless},
	}
	for range 20 {
		m, err := robdd.NewManager(natural, robdd.Config{})
		noError(t, err)
		b, err := rudd.New(vars, rudd.Nodesize(1<<16), rudd.Cachesize(1<<14))
		noError(t, err)
		type pair struct {
			ours   robdd.Node
			theirs rudd.Node
		}
		var pool []pair
		for v := range vars {
			f, err := m.Literal(robdd.Lit(v + 1))
			noError(t, err)
			pool = append(pool, pair{f, b.Ithvar(v)})
		}
		pick := func() pair { return pool[r.IntN(len(pool))] }
		for range 120 {
			x, y := pick(), pick()
			op := ops[r.IntN(len(ops))]
			f, err := m.Apply(ctx, op.ours, x.ours, y.ours)
			noError(t, err)
			if op.ours == robdd.OpDiff {
				// f and not g is g less than f. rudd's own OPdiff returns g for
				// "false and not g".
				x, y = y, x
			}
			made := pair{f, b.Apply(x.theirs, y.theirs, op.rudd)}
			if b.Errored() {
				t.Fatal(b.Error())
			}
			twin := map[robdd.Node]int{}
			var same func(f robdd.Node, g rudd.Node)
			same = func(f robdd.Node, g rudd.Node) {
				if f <= robdd.True {
					if !b.Equal(g, b.From(f == robdd.True)) {
						t.Fatalf("constant %d: rudd has node %d", f, *g)
					}
					return
				}
				if id, met := twin[f]; met {
					if id != *g {
						t.Fatalf("node %d: rudd has nodes %d and %d", f, id, *g)
					}
					return
				}
				twin[f] = *g
				v, low, high := m.Top(f)
				if int(v)-1 != b.Label(g) {
					t.Fatalf("node %d is of variable %d, rudd's of %d", f, v-1, b.Label(g))
				}
				same(low, b.Low(g))
				same(high, b.High(g))
			}
			same(made.ours, made.theirs)
			if ours, theirs := m.SatCount(made.ours), b.Satcount(made.theirs); ours.Cmp(theirs) != 0 {
				t.Fatalf("%v solutions, rudd has %v", ours, theirs)
			}
			// Functions with many nodes would soon dominate.
			if n := m.NodeCount(made.ours); n > 2 && n < 3000 {
				pool[r.IntN(len(pool))] = made
			}
		}
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
