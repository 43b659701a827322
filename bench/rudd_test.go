package bench

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dalzilio/rudd"

	"queens/robdd"
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
		ours func(*robdd.Manager, context.Context, robdd.Func, robdd.Func) (robdd.Func, error)
		rudd rudd.Operator
	}{
		{(*robdd.Manager).And, rudd.OPand}, {(*robdd.Manager).Or, rudd.OPor},
	}
	for range 20 {
		m, err := robdd.NewManager(natural, robdd.Config{})
		noError(t, err)
		b, err := rudd.New(vars, rudd.Nodesize(1<<16), rudd.Cachesize(1<<14))
		noError(t, err)
		type pair struct {
			ours   robdd.Func
			theirs rudd.Node
		}
		var pool []pair
		for v := range vars {
			f, err := m.Mk(robdd.Var(v+1), robdd.False, robdd.True)
			noError(t, err)
			g, err := m.Mk(robdd.Var(v+1), robdd.True, robdd.False)
			noError(t, err)
			pool = append(pool, pair{f, b.Ithvar(v)}, pair{g, b.NIthvar(v)})
		}
		pick := func() pair { return pool[r.IntN(len(pool))] }
		for range 120 {
			x, y := pick(), pick()
			op := ops[r.IntN(len(ops))]
			f, err := op.ours(m, ctx, x.ours, y.ours)
			noError(t, err)
			made := pair{f, b.Apply(x.theirs, y.theirs, op.rudd)}
			if b.Errored() {
				t.Fatal(b.Error())
			}
			d := m.Freeze(f)
			label := map[uint32]int{} // of each node: the number of its variable, from 0
			for level := range vars {
				for id, end := d.Level(level); id < end; id++ {
					label[id] = int(d.VarAt(level)) - 1
				}
			}
			twin := map[uint32]int{}
			var same func(f uint32, g rudd.Node)
			same = func(f uint32, g rudd.Node) {
				if f <= 1 {
					if !b.Equal(g, b.From(f == 1)) {
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
				if label[f] != b.Label(g) {
					t.Fatalf("node %d is of variable %d, rudd's of %d", f, label[f], b.Label(g))
				}
				same(d.Node(f).Low, b.Low(g))
				same(d.Node(f).High, b.High(g))
			}
			same(d.Root(), made.theirs)
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

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
