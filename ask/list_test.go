package ask

import (
	"context"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/param"
	"queens/robdd"
)

// open makes a back-end for a problem, by the choice's other fields.
func open(t *testing.T, e Descriptor, p encode.Problem, c Choice, r Resources) *Opened {
	t.Helper()
	c.Backend = BackendName(e.Name)
	s, err := Start(context.Background(), p, c, 0, r)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// Every back-end in the list passes the checks of everything that it can answer, and can do exactly what
// its entry says.
func TestConformance(t *testing.T) {
	other := encode.Problem{Names: make(encode.List, 2), Constraints: []encode.Constraint{encode.AtLeastOne("", -1, 2)}}
	for _, e := range All() {
		t.Run(e.Name, func(t *testing.T) {
			made := func(p encode.Problem) backends.Backend {
				if e.Accepts(p) != nil {
					return nil // nothing is asked
				}
				s := open(t, e, p, Choice{}, Resources{})
				_, counts := s.Backend.(backends.Counter)
				require.Equal(t, e.Counting != "", counts, "what the entry declares")
				return s.Backend
			}
			if e.Accepts(other) == nil {
				conformance.RunAny(t, e.Methods, made)
				conformance.Ends(t, e.Methods, made)
			} else {
				conformance.Run(t, e.Methods, made)
			}
			assert.NotEmpty(t, e.Title)
			assert.NotEmpty(t, e.Doc)
		})
	}
}

// Uses names fields of a Choice, and a field that a back-end does not use is rejected with an error
// that names it.
func TestUses(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	given := Choice{Order: "snake", Construction: "free-set", Diagram: "zdd", Solver: "gini", AMO: "product", Formula: "whole",
		Workers: 2}
	for _, b := range All() {
		for _, field := range []string{"order", "workers", "construction", "diagram", "solver", "amo", "formula"} {
			c := Choice{Backend: BackendName(b.Name)}
			fields := param.Fields(c)
			i := slices.IndexFunc(fields, func(f param.Field) bool { return f.Name == field })
			require.GreaterOrEqual(t, i, 0, field)
			fields[i].Of(reflect.ValueOf(&c).Elem()).Set(fields[i].Of(reflect.ValueOf(given)))
			a, err := Start(context.Background(), p, c, 0, Resources{})
			if b.Reads(field) {
				require.NoError(t, err, "%s %s", b.Name, field)
				require.NoError(t, a.Close())
				continue
			}
			var wrong *param.Error
			require.ErrorAs(t, err, &wrong)
			assert.Equal(t, field, wrong.Field)
			assert.Contains(t, wrong.Text, "back-end "+b.Name)
		}
	}
}

func TestWrongValues(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		choice      Choice
		want        Want
		field, text string
	}{
		{Choice{Backend: "sat"}, Count, "backend", `"sat": expected one of bdd, search`},
		{Choice{Backend: "bbd"}, 0, "backend", `"bbd": expected one of ` + strings.Join(Names(All()), ", ") + "; did you mean bdd?"},
		{Choice{Order: "row-majr"}, Count, "order", "did you mean row-major?"},
		{Choice{Order: "random:x"}, Count, "order", "force:SEED, random:SEED or file:PATH"},
		{Choice{Order: "file:none"}, Count, "order", "no such file"},
		{Choice{Backend: "bdd", Method: "pack"}, Valid, "method", "back-end bdd has " + strings.Join(describe(Diagram).MethodNames(), ", ") + "; pack is a method of back-end sat"},
		{Choice{Solver: "minisatt"}, Solve, "solver", "did you mean minisat?"},
		{Choice{Workers: -1}, Count, "workers", "-1: expected 1 to 1024"},
		{Choice{Backend: "sat", Sift: "sift"}, Valid, "sift", "back-end sat changes no variable order"},
		{Choice{Backend: "search", Order: "snake"}, Count, "order", "back-end search has no variable order"},
	} {
		_, err := Start(context.Background(), p, c.choice, c.want, Resources{})
		var wrong *param.Error
		require.ErrorAs(t, err, &wrong, "%+v", c.choice)
		assert.Equal(t, c.field, wrong.Field)
		assert.Contains(t, wrong.Text, c.text)
	}
}

// A problem that a back-end does not take is rejected with an error that names a back-end that
// does.
func TestRefusalsNameWhatWorks(t *testing.T) {
	for _, family := range encode.Families() {
		for _, n := range []int{2, min(65, family.MaxN)} {
			if testing.Short() && n > 2 && family.Name == "no-three-in-line" {
				continue // half a second
			}
			p, err := family.Build(n)
			require.NoError(t, err)
			for _, b := range All() {
				reason := b.Accepts(p)
				if reason == nil {
					continue
				}
				_, err = Start(context.Background(), p, Choice{Backend: BackendName(b.Name)}, 0, Resources{})
				assert.ErrorContains(t, err, reason.Error())
				named := false
				for _, other := range All() {
					named = named || other.Name != b.Name && strings.Contains(reason.Error(), other.Name)
				}
				assert.True(t, named, "%v names no other back-end", reason)
			}
		}
	}
}

// Without a name, the back-end that suits the problem answers, unless another field asks for one.
func TestWhoSuits(t *testing.T) {
	for _, family := range encode.Families() {
		p, err := family.Build(4)
		require.NoError(t, err)
		a, err := Start(context.Background(), p, Choice{}, Valid, Resources{})
		require.NoError(t, err)
		found, err := a.Valid(context.Background(), nil, "")
		require.NoError(t, err)
		known := len(conformance.ByRules(p))
		assert.Equal(t, known > 0, found.Satisfiable, family.Name)
		a, err = Start(context.Background(), p, Choice{}, Count, Resources{})
		require.NoError(t, err)
		count, err := a.Ask(context.Background(), Question{Want: Count})
		require.NoError(t, err)
		assert.Equal(t, big.NewInt(int64(known)), count.Count, family.Name)
	}
	for n, want := range map[int]string{8: "bdd", 10: "bdd", 11: "portfolio", 100: "portfolio"} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		plan, err := Resolve(p, Choice{}, Valid)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Descriptor.Name, n)
	}
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	for want, c := range map[string]Choice{"sat": {Solver: "gini"}, "search": {Method: "enumerate"}, "bdd": {Order: "snake"}} {
		plan, err := Resolve(p, c, Valid)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Descriptor.Name)
	}
	rooks, err := encode.FamilyNamed("rooks")
	require.NoError(t, err)
	large, err := rooks.Build(65)
	require.NoError(t, err)
	for n, want := range map[int]string{4: "bdd", 10: "bdd", 11: "search", 65: "search"} {
		p, err := rooks.Build(n)
		require.NoError(t, err)
		plan, err := Resolve(p, Choice{}, Valid)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Descriptor.Name, n)
	}
	_, err = Resolve(large, Choice{}, Count)
	assert.ErrorContains(t, err, "back-end search visits every solution, but must be chosen by name")
}

// A method says which kind of diagram it reads, and a question builds that kind: the ZDD for the default.
func TestKindOfDiagram(t *testing.T) {
	p, err := encode.Queens(5, nil, nil)
	require.NoError(t, err)
	for _, b := range All() {
		for _, m := range b.Methods {
			if !b.Reads("construction") {
				assert.Empty(t, m.Kind, "%s builds no diagram", b.Name)
				continue
			}
			assert.Contains(t, DiagramName("").Values(), m.Kind, "%s %s", b.Name, m.Name)
			plan, err := Resolve(p, Choice{Backend: BackendName(b.Name), Method: MethodName(m.Name)}, Valid)
			require.NoError(t, err)
			assert.Equal(t, m.Kind, string(plan.Choice.Kind()), "%s %s", b.Name, m.Name)
		}
	}
	plan, err := Resolve(p, Choice{Backend: Diagram}, Valid)
	require.NoError(t, err)
	assert.Equal(t, DiagramName("zdd"), plan.Choice.Diagram)
}

// Whatever the method, the nodes that the back-end names and those that an answer's work counts are of the diagram
// that the method reads.
func TestNodesAreOfTheDiagramThatIsRead(t *testing.T) {
	p, err := encode.Queens(6, nil, nil)
	require.NoError(t, err)
	zdd, err := Compile(context.Background(), p, Choice{}, Resources{})
	require.NoError(t, err)
	sizes := map[string]int{"": 0, "bdd": 129, "zdd": zdd.Nodes(robdd.ZDD)}
	mdd, err := CompileMDD(context.Background(), p, Choice{}, Resources{})
	require.NoError(t, err)
	sizes["mdd"] = mdd.Len()
	graph, err := CompileDDNNF(context.Background(), p, Resources{})
	require.NoError(t, err)
	assert.Len(t, map[int]bool{sizes["bdd"]: true, sizes["zdd"]: true, sizes["mdd"]: true, graph.Len(): true}, 4, "the kinds differ in size")
	for _, b := range All() {
		for _, m := range b.Methods {
			s := open(t, b, p, Choice{Method: MethodName(m.Name)}, Resources{})
			before, want := s.Nodes(), sizes[m.Kind]
			if b.Name == string(DDNNF) {
				want = graph.Len()
			}
			a, err := s.Ask(context.Background(), Question{Assume: []cnf.Lit{1}, Want: Valid})
			require.NoError(t, err)
			assert.Equal(t, want, before, "%s %s, before it has answered", b.Name, m.Name)
			assert.Equal(t, want, s.Nodes(), "%s %s", b.Name, m.Name)
			assert.Equal(t, int64(want), a.Work.Of("nodes"), "%s %s: work", b.Name, m.Name)
		}
	}
}

// A kind of diagram without a method gets the best method that reads it; with a method that reads another, it is an
// error.
func TestKindAndMethod(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	plan, err := Resolve(p, Choice{Backend: Diagram, Diagram: "bdd"}, Valid)
	require.NoError(t, err)
	assert.Equal(t, MethodName("sweep"), plan.Choice.Method)
	var wrong *param.Error
	_, err = Resolve(p, Choice{Diagram: "bdd", Method: "annotated"}, Valid)
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "diagram: bdd: method annotated of back-end bdd reads the ZDD", wrong.Error())
}
