package ask

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/backends/conformance"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/amo"
	"queens/order"
	"queens/robdd"
)

// TestDifferential puts random problems to random back-ends with random options, and
// compares everything that each can answer with brute force. A case is one set of
// assumptions.
//
//	TORTURE_CASES=1000000 TORTURE_SEED=1 go test -count 1 -timeout 0 -v -run Differential ./ask
//
// TORTURE_BACKEND=ddnnf puts them to that back-end only.
func TestDifferential(t *testing.T) {
	cases := conformance.Number(t, "TORTURE_CASES", conformance.Cases(3000))
	seed := conformance.Number(t, "TORTURE_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	used := map[string]int{} // number of cases, by option
	const questions, backends = 12, 4
	for asked, problems := uint64(0), 0; asked < cases; problems++ {
		drawn, err := conformance.Random(rng)
		require.NoError(t, err)
		if drawn.Problem.NumVars() == 0 {
			continue
		}
		for range backends {
			b, options, names := drawOptions(rng, drawn.Problem, problems)
			hint := fmt.Sprintf("seed %d, problem %d: %s; %s", seed, problems, drawn, strings.Join(names, " "))
			options.Backend = BackendName(b.Name)
			func() {
				defer keepChosen(t, drawn.Problem, options)
				made, err := Start(context.Background(), drawn.Problem, options, 0, Resources{})
				require.NoError(t, err, hint)
				drawn.Ask(t, made.Backend, b.Methods, rng, questions, hint)
				require.NoError(t, made.Close(), hint)
			}()
			asked += questions
			for _, name := range append(names, "family="+drawn.Problem.Family) {
				used[name] += questions
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		t.Logf("%9d cases: %s", used[name], name)
	}
	if cases >= 100_000 && os.Getenv("TORTURE_BACKEND") == "" {
		assert.Subset(t, slices.Collect(maps.Keys(used)), everyOption())
	}
}

// everyOption returns the names of all options that the cases must cover.
func everyOption() []string {
	names := []string{"solver=gini", "kind=bdd", "kind=zdd"}
	for _, r := range bdd.Reorderings() {
		names = append(names, "sift="+r.Name)
	}
	for _, b := range All() {
		names = append(names, "backend="+b.Name)
	}
	for _, c := range bdd.Constructions() {
		names = append(names, "construction="+c.Name)
	}
	for _, o := range order.All() {
		kind, _, _ := strings.Cut(o.Name, ":")
		names = append(names, "order="+kind)
	}
	for _, e := range amo.All() {
		names = append(names, "amo="+e.Name)
	}
	for _, f := range sat.Formulas() {
		names = append(names, "formula="+string(f))
	}
	for _, f := range encode.Families() {
		names = append(names, "family="+f.Name)
	}
	return append(names, "family=random", "family=cnf", "family=opb")
}

// drawOptions draws a back-end that takes the problem, options for it, and their names.
// SAT solver programs are slow to start: only one problem in 500 uses one.
func drawOptions(rng *rand.Rand, p encode.Problem, problems int) (b Descriptor, c Choice, names []string) {
	only := os.Getenv("TORTURE_BACKEND")
	all := slices.DeleteFunc(All(), func(b Descriptor) bool { return b.Accepts(p) != nil || only != "" && b.Name != only })
	b = all[rng.IntN(len(all))]
	names = append(names, "backend="+b.Name)
	if b.Reads("order") {
		named := order.All()
		name := named[rng.IntN(len(named))].Name
		kind, _, seeded := strings.Cut(name, ":")
		if seeded {
			name = fmt.Sprintf("%s:%d", kind, rng.Int64())
		}
		if _, _, err := OrderName(name).For(context.Background(), p, nil); err == nil {
			c.Order = OrderName(name)
			names = append(names, "order="+kind)
		}
	}
	if b.Reads("workers") {
		c.Workers = 1 + rng.IntN(2)
	}
	if b.Reads("construction") {
		constructions := slices.DeleteFunc(bdd.Constructions(), func(c bdd.Construction) bool { return c.Check(p) != nil })
		one := constructions[rng.IntN(len(constructions))]
		c.Construction = ConstructionName(one.Name)
		names = append(names, "construction="+one.Name)
		if b.Reads("diagram") {
			kinds := robdd.Kinds()
			c.Diagram = DiagramName(kinds[rng.IntN(len(kinds))].String())
			if c.Sift = OrderKept; one.Dynamic {
				reorderings := c.Sift.Values()
				c.Sift = ReorderingName(reorderings[rng.IntN(len(reorderings))])
			}
			names = append(names, "kind="+string(c.Diagram), "sift="+string(c.Sift))
		}
	}
	if b.Reads("solver") {
		encodings, formulas := c.AMO.Values(), c.Formula.Values()
		c.AMO = AMOName(encodings[rng.IntN(len(encodings))])
		c.Formula = FormulaName(formulas[rng.IntN(len(formulas))])
		c.Solver = Gini
		if problems%500 == 0 {
			there := slices.DeleteFunc(c.Solver.Values(), func(name string) bool {
				_, err := SolverName(name).Find(nil)
				return err != nil
			})
			c.Solver = SolverName(there[rng.IntN(len(there))])
		}
		names = append(names, "amo="+string(c.AMO), "formula="+string(c.Formula), "solver="+string(c.Solver))
	}
	return b, c, names
}
