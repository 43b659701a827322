package report

import (
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
