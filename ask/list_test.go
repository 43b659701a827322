package ask

import (
	"context"
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
	"queens/param"
)

// open makes a back-end for a problem, by the choice's other fields.
func open(t *testing.T, b Backend, p encode.Problem, c Choice, r Resources) *Answerer {
	t.Helper()
	c.Backend = BackendName(b.Name)
	a, err := Open(context.Background(), p, c, 0, r)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	return a
}

// of returns the abilities that an implementation has.
func of(backend any) (a Ability) {
	if _, can := backend.(backends.Finder); can {
		a |= Finds
	}
	if _, can := backend.(backends.ValidFinder); can {
		a |= Valid
	}
	if _, can := backend.(backends.Counter); can {
		a |= Counts
	}
	if _, can := backend.(backends.VarCounter); can {
		a |= CountsEach
	}
	if _, can := backend.(backends.Enumerator); can {
		a |= Lists
	}
	return a
}

// Every back-end in the list passes the checks of everything that it can answer, and can do what
// its entry says, no more and no less.
func TestConformance(t *testing.T) {
	other := encode.Problem{Names: make(encode.List, 2), Constraints: []encode.Constraint{{Lits: []cnf.Lit{-1, 2}}}}
	for _, b := range All() {
		t.Run(b.Name, func(t *testing.T) {
			made := func(p encode.Problem) any {
				if b.Takes(p) != nil {
					return nil // nothing is asked
				}
				a := open(t, b, p, Choice{}, Resources{})
				require.Equal(t, b.Can, of(a.Answers), "what the entry declares")
				if finder, can := a.Answers.(backends.ValidFinder); can {
					require.Equal(t, finder.Methods(), b.Methods(), "what the entry declares")
				}
				return a.Answers
			}
			if b.Takes(other) == nil {
				conformance.RunAny(t, made)
			} else {
				conformance.Run(t, made)
			}
			assert.NotEmpty(t, b.Title)
			assert.NotEmpty(t, b.Doc)
			assert.Equal(t, b.Can&Counts != 0, b.Counting != "")
		})
	}
}

// Uses names fields of a Choice, and a field that a back-end does not use is refused, in words
// that name it.
func TestUses(t *testing.T) {
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	given := Choice{Order: "snake", Construction: "free-set", Diagram: "zdd", Solver: "gini", AMO: "product", Formula: "whole",
		Workers: 2}
	for _, b := range All() {
		for field := range optional {
			c := Choice{Backend: BackendName(b.Name)}
			fields := param.Fields(c)
			i := slices.IndexFunc(fields, func(f param.Field) bool { return f.Name == field })
			require.GreaterOrEqual(t, i, 0, field)
			fields[i].Of(reflect.ValueOf(&c).Elem()).Set(fields[i].Of(reflect.ValueOf(given)))
			a, err := Open(context.Background(), p, c, 0, Resources{})
			if b.uses(field) {
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
		want        Ability
		field, text string
	}{
		{Choice{Backend: "sat"}, Counts, "backend", `"sat": expected one of bdd, search, table`},
		{Choice{Backend: "bbd"}, 0, "backend", `"bbd": expected one of ` + strings.Join(Names(All()), ", ") + "; did you mean bdd?"},
		{Choice{Order: "row-majr"}, Counts, "order", "did you mean row-major?"},
		{Choice{Order: "random:x"}, Counts, "order", "force:SEED, random:SEED or file:PATH"},
		{Choice{Order: "file:none"}, Counts, "order", "no such file"},
		{Choice{Backend: "bdd", Method: "pack"}, Valid, "method", "back-end bdd has sweep-zdd, sweep, restrict; pack is a method of back-end sat"},
		{Choice{Solver: "minisatt"}, Finds, "solver", "did you mean minisat?"},
		{Choice{Workers: -1}, Counts, "workers", "-1: expected 1 or more"},
		{Choice{Backend: "search", Order: "snake"}, Counts, "order", "back-end search has no variable order"},
	} {
		_, err := Open(context.Background(), p, c.choice, c.want, Resources{})
		var wrong *param.Error
		require.ErrorAs(t, err, &wrong, "%+v", c.choice)
		assert.Equal(t, c.field, wrong.Field)
		assert.Contains(t, wrong.Text, c.text)
	}
}

// A problem that a back-end does not take is refused with a reason that names a back-end that
// does.
func TestRefusalsNameWhatWorks(t *testing.T) {
	for _, b := range All() {
		for _, family := range encode.Families() {
			for _, n := range []int{2, 65} {
				p, err := family.Build(n)
				require.NoError(t, err)
				reason := b.Takes(p)
				if reason == nil {
					continue
				}
				_, err = Open(context.Background(), p, Choice{Backend: BackendName(b.Name)}, 0, Resources{})
				assert.Equal(t, reason, err)
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
		a, err := Open(context.Background(), p, Choice{}, Valid, Resources{})
		require.NoError(t, err)
		found, err := a.Answers.(backends.ValidFinder).Valid(context.Background(), nil, "")
		require.NoError(t, err)
		known, published := family.Known(4)
		require.True(t, published, "%s has no published count for n = 4", family.Name)
		assert.Equal(t, known.Sign() > 0, found.Satisfiable, family.Name)
		a, err = Open(context.Background(), p, Choice{}, Counts, Resources{})
		require.NoError(t, err)
		count, err := a.Answers.(backends.Counter).Count(context.Background(), nil)
		require.NoError(t, err)
		assert.Equal(t, known, count, family.Name)
	}
	for n, want := range map[int]string{8: "bdd", 10: "bdd", 11: "portfolio", 100: "portfolio"} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		plan, err := Resolve(p, Choice{}, Valid)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Backend.Name, n)
	}
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	for want, c := range map[string]Choice{"sat": {Solver: "gini"}, "search": {Method: "enumerate"}, "bdd": {Order: "snake"}} {
		plan, err := Resolve(p, c, Valid)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Backend.Name)
	}
	rooks, err := encode.FamilyNamed("rooks")
	require.NoError(t, err)
	large, err := rooks.Build(65)
	require.NoError(t, err)
	_, err = Resolve(large, Choice{}, Counts)
	assert.ErrorContains(t, err, "back-end search visits every solution, but must be chosen by name")
}

// What a diagram is asked for decides its kind: questions go to the ZDD, methods on the ROBDD to
// that.
func TestKindOfDiagram(t *testing.T) {
	p, err := encode.Queens(5, nil, nil)
	require.NoError(t, err)
	for method, want := range map[MethodName]DiagramName{"": "zdd", "sweep-zdd": "zdd", "sweep": "bdd", "restrict": "bdd"} {
		plan, err := Resolve(p, Choice{Backend: "bdd", Method: method}, Valid)
		require.NoError(t, err)
		assert.Equal(t, want, plan.Choice.Diagram, method)
	}
}
