package ask

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode"
)

// Families other than queens: a board without solutions is searched in vain, and the valid cells of few
// solutions are on a small diagram.
func TestDefaultFollowsTheNumberOfSolutions(t *testing.T) {
	for _, c := range []struct {
		family       string
		n            int
		valid, solve BackendName
	}{
		{"amazons", 9, Diagram, Diagram}, {"amazons", 12, Diagram, Search}, {"amazons", 36, Search, Search},
		{"toroidal", 13, Search, Search}, {"toroidal", 14, Diagram, Diagram}, {"rooks", 8, Diagram, Search}, {"latin", 8, Search, Search},
		{"dominoes", 11, Diagram, Diagram}, {"dominoes", 12, Search, Search}, {"dominoes", 30, SAT, SAT},
	} {
		family, err := encode.FamilyNamed(c.family)
		require.NoError(t, err)
		p, err := family.Build(c.n)
		require.NoError(t, err)
		for want, by := range map[Want]BackendName{Valid: c.valid, Solve: c.solve} {
			plan, err := Resolve(p, Choice{}, want)
			require.NoError(t, err)
			require.Equal(t, by, plan.Choice.Backend, "%s n = %d", c.family, c.n)
		}
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
