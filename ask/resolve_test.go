package ask

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/encodetest"
)

// Families other than queens: a board without solutions is searched in vain, and the valid cells of few
// solutions are on a small diagram. A contest counts where variables are not cells.
func TestDefaultFollowsTheNumberOfSolutions(t *testing.T) {
	for _, c := range []struct {
		family              string
		n                   int
		valid, solve, count BackendName
	}{
		{"amazons", 9, Diagram, Diagram, Diagram}, {"amazons", 12, Diagram, Search, Diagram}, {"amazons", 36, Search, Search, Diagram},
		{"toroidal", 13, Search, Search, Diagram}, {"toroidal", 14, Diagram, Diagram, Diagram}, {"rooks", 8, Diagram, Search, Diagram}, {"latin", 8, Search, Search, Portfolio},
		{"dominoes", 11, Diagram, Diagram, Portfolio}, {"dominoes", 12, Search, Search, Portfolio}, {"dominoes", 30, Portfolio, Portfolio, Portfolio},
		{"partition", 15, Search, Search, Portfolio}, {"partition", 100, Search, Search, Portfolio},
	} {
		p := encodetest.Family(t, c.family, c.n)
		for want, by := range map[Want]BackendName{Valid: c.valid, Solve: c.solve, Count: c.count} {
			plan, err := Resolve(p, Choice{}, want)
			require.NoError(t, err)
			require.Equal(t, by, plan.Choice.Backend, "%s n = %d", c.family, c.n)
		}
	}
}

// The default counts with the weights of the constraints, not with clauses in their place: the clauses of this one have
// 9,410 variables, and counting them did not end in nine minutes.
func TestDefaultCountsWithWeights(t *testing.T) {
	p := encodetest.Family(t, "partition", 40)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	answer, err := Once(ctx, p, Choice{}, Question{Want: Count}, Resources{Bytes: 64 << 20})
	require.NoError(t, err)
	by, err := Once(ctx, p, Choice{Backend: Diagram}, Question{Want: Count}, Resources{})
	require.NoError(t, err)
	require.Equal(t, by.Count, answer.Count)
}

// A session takes a method that remembers on boards that it suits; a named method and a named kind of diagram stay.
func TestMethodForSessions(t *testing.T) {
	for _, c := range []struct {
		n      int
		choice Choice
		method MethodName
	}{
		{13, Choice{Backend: Diagram}, "annotated"}, {14, Choice{Backend: Diagram}, "openings"},
		{8, Choice{Backend: Diagram, Diagram: "bdd"}, "sweep"}, {8, Choice{Backend: Diagram, Method: "sweep-zdd"}, "sweep-zdd"},
		{20, Choice{Backend: Search}, "openings"}, {21, Choice{Backend: Search}, "remember"}, {61, Choice{Backend: Search}, "supports"},
		{8, Choice{Backend: MDD}, "openings"}, {14, Choice{Backend: MDD}, "annotated"}, {50, Choice{Backend: Portfolio}, "remember"}, {8, Choice{Backend: SAT}, "remember"}, {8, Choice{Backend: Table}, "openings"},
	} {
		p, err := encode.Queens(c.n, nil, nil)
		require.NoError(t, err)
		plan, err := Resolve(p, c.choice, Valid)
		require.NoError(t, err)
		require.Equal(t, c.method, plan.ForSessions(c.choice).Choice.Method, "n = %d, %+v", c.n, c.choice)
	}
}

// Opening a plan costs only the back-end's own work. Resolve checks the choice, outside every measured
// phase.
func BenchmarkOpen(b *testing.B) {
	p, err := encode.Queens(8, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	c := Choice{Backend: "bdd", Method: "sweep-zdd", Order: "row-major", Workers: 1}
	plan, err := Resolve(p, c, Valid)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("resolve", func(b *testing.B) {
		for b.Loop() {
			if _, err := Resolve(p, c, Valid); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := Begin(ctx, plan, Resources{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
