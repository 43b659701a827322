package optimize

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/encode/encodetest"
	"queens/order"
	"queens/robdd"
)

// The rule's ROBDD is smaller than row-major's from n = 7 on. (slow_test.go goes to 14,
// and docs/results/orders.md beyond.)
func TestTwoEndedIsBelowRowMajor(t *testing.T) {
	for n, want := range map[int]int{7: 1088, 8: 2416, 9: 9460, 10: 25627, 11: 94239, 12: 427126} {
		checkTwoEnded(t, n, want)
	}
}

func checkTwoEnded(t *testing.T, n, want int) {
	s := queens(t, n)
	nodes := s.Sizes(named(t, "two-ended", n)).BDD
	assert.Equal(t, want, nodes, "n=%d", n)
	assert.Less(t, nodes, s.Sizes(named(t, "row-major", n)).BDD, "n=%d", n)
}

// The rule is for queens. It makes no difference for rooks and Latin squares, where
// only the number of rows above matters, and hardly any on a torus, which has no edges
// and no middle. It costs amazons a little, and domino tilings the most: there the
// part above should have a short border.
func TestTwoEndedOnOtherFamilies(t *testing.T) {
	type nodes struct{ rowMajor, twoEnded int }
	for _, c := range []struct {
		family string
		n      int
		want   nodes
	}{
		{"rooks", 9, nodes{7683, 7683}}, {"latin", 4, nodes{4663, 4663}},
		{"toroidal", 11, nodes{8105, 8105}}, {"toroidal", 13, nodes{309087, 309331}},
		{"amazons", 11, nodes{4209, 4209}}, {"amazons", 12, nodes{10503, 11102}}, {"amazons", 13, nodes{99478, 100418}},
		{"dominoes", 6, nodes{871, 1189}}, {"dominoes", 8, nodes{5679, 23090}},
	} {
		p := encodetest.Family(t, c.family, c.n)
		size := func(name string) int {
			named, err := order.ByName(name)
			require.NoError(t, err)
			o, err := named.For(context.Background(), p)
			require.NoError(t, err)
			compiled, err := bdd.Compile(context.Background(), p, o, bdd.Options{})
			require.NoError(t, err)
			return compiled.Nodes(robdd.BDD)
		}
		assert.Equal(t, c.want, nodes{size("row-major"), size("two-ended")}, "%s %d", c.family, c.n)
	}
}
