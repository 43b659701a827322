package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/record"
)

// Two samples differ if the test says so and the ratio's interval leaves out 1; with
// three runs a side nothing can be said.
func TestAgainst(t *testing.T) {
	of := func(values ...float64) sample {
		s := sample{values: values, raw: values, seed: 1}
		for i := range values {
			s.units = append(s.units, string(rune('a'+i)))
		}
		return s
	}
	for name, c := range map[string]struct {
		a, b sample
		text string
	}{
		"three a side":        {of(1, 1.1, 1.2), of(10, 11, 12), "(×10, few runs)"},
		"four a side":         {of(1, 1.1, 1.2, 1.3), of(10, 11, 12, 13), "(×10)"},
		"two and ten":         {of(1, 1.1), of(10, 11, 12, 13, 14, 15, 16, 17, 18, 19), "(×13.8)"},
		"one and thirty":      {of(1), of(many(30, 10)...), "(×24.5, few runs)"},
		"alike":               {of(1, 2, 3, 4, 5, 6), of(1.1, 1.9, 3.1, 3.9, 5.1, 5.9), "(~)"},
		"six a side, apart":   {of(1, 1.1, 1.2, 1.3, 1.4, 1.5), of(10, 11, 12, 13, 14, 15), "(×10, 10 to 10)"},
		"pairs by a fiftieth": {of(many(30, 100)...), of(times102(many(30, 100))...), "(×1.02)"},
		"equal and constant":  {of(2, 2, 2, 2), of(2, 2, 2, 2), "(~)"},
	} {
		m := c.b.against(c.a)
		require.NotNil(t, m, name)
		if name == "six a side, apart" {
			assert.True(t, m.differs)
			assert.InDelta(t, 10, m.center, 0.2)
			continue
		}
		assert.Equal(t, c.text, m.text(true), name)
	}
}

func times102(values []float64) []float64 {
	for i := range values {
		values[i] *= 1.02
	}
	return values
}

// many returns n values from a number on.
func many(n int, from float64) (values []float64) {
	for i := range n {
		values = append(values, from+float64(i))
	}
	return values
}

// A run that did not come to a value says nothing about its name.
func TestDiffers(t *testing.T) {
	row := func(method, valid string) record.Row {
		columns := experiments.Columns{{Name: "method"}, {Name: "valid"}}
		return record.NewRow(columns, map[string]string{"method": method, "valid": valid})
	}
	ended, three, too, four := row("a", ""), row("b", "3"), row("c", "3"), row("b", "4")
	assert.False(t, differs([]record.Row{ended, three, too}, "method", "valid"))
	assert.False(t, differs([]record.Row{three, four}, "method", "valid"), "of one name")
	assert.True(t, differs([]record.Row{ended, too, four}, "method", "valid"))
}

// P is computed over all choices of the signs: twice the share of those whose sum of ranks lies at least as
// far from the middle, on the same side.
func TestSignedRankOverAllSigns(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		n := 1 + random.IntN(9)
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(random.IntN(6))-3, float64(random.IntN(6))-3
		}
		var differences []float64
		for i := range a {
			if d := a[i] - b[i]; a[i] > 0 && b[i] > 0 {
				differences = append(differences, math.Log(a[i]/b[i]))
			} else {
				differences = append(differences, d)
			}
		}
		rank := func(i int) (r float64) { // the rank of |differences[i]| among the nonzero ones
			for _, d := range differences {
				switch x, y := math.Abs(d), math.Abs(differences[i]); {
				case d == 0:
				case x < y:
					r++
				case x == y:
					r += 0.5
				}
			}
			return r + 0.5
		}
		observed, below, above := 0.0, 0, 0
		for i, d := range differences {
			if d > 0 {
				observed += rank(i)
			}
		}
		for signs := range 1 << n {
			sum := 0.0
			for i, d := range differences {
				if d != 0 && signs>>i&1 != 0 {
					sum += rank(i)
				}
			}
			if sum <= observed {
				below++
			}
			if sum >= observed {
				above++
			}
		}
		want := min(1, 2*float64(min(below, above))/float64(int(1)<<n))
		require.InDelta(t, want, signedRank(a, b), 1e-12, "seed %d: %v %v", seed, a, b)
	}
}

// Beyond a hundred pairs the normal distribution takes over without a jump.
func TestSignedRankOfManyPairs(t *testing.T) {
	const seed = 12
	random := rand.New(rand.NewPCG(seed, 0))
	for _, shift := range []float64{0, 0.1, 0.2} {
		a, b := make([]float64, 101), make([]float64, 101)
		for i := range a {
			a[i], b[i] = random.NormFloat64()+shift-100, random.NormFloat64()-100
		}
		assert.InDelta(t, signedRank(a[:100], b[:100]), signedRank(a, b), 0.1, "seed %d", seed)
	}
}

// Runs whose times vary widely by seed are compared pair by pair. That shows a difference of a tenth, which
// samples without pairs would hide.
func TestPairsAreComparedAsPairs(t *testing.T) {
	var a, b sample
	for i := range 10 {
		cost := math.Pow(2, float64(i))
		a.raw, b.raw = append(a.raw, cost), append(b.raw, cost*1.1)
		a.units, b.units = append(a.units, string(rune('a'+i))), append(b.units, string(rune('a'+i)))
	}
	a.values, b.values = a.raw, b.raw
	m := b.against(a)
	assert.True(t, m.differs)
	assert.InDelta(t, 1.1, m.center, 1e-9)
	for i := range b.units {
		b.units[i] += "'"
	}
	assert.False(t, b.against(a).differs)
}

// Means differ only if the exact test says so, not by the bootstrap's interval alone. Six pairs, one of them
// equal, have P = 2/2^5; six that all differ have P = 2/2^6.
func TestMeansAreTestedExactly(t *testing.T) {
	units := []string{"1", "2", "3", "4", "5", "6"}
	of := func(values ...float64) sample { return sample{raw: values, values: values, units: units, mean: true} }
	base := of(1, 2, 3, 4, 5, 6)
	nearly := of(1, 2.5, 3.5, 4.5, 5.5, 6.5).against(base)
	assert.Greater(t, nearly.lo, 1.0)
	assert.False(t, nearly.differs)
	assert.True(t, of(1.5, 2.5, 3.5, 4.5, 5.5, 6.5).against(base).differs)
}
