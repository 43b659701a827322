package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
)

// Samples of a list are drawn from all solutions with the same probability, each independently: with 92
// solutions, the chi-square statistic of 9,200 samples has a mean of 91 and a deviation of 13.5.
func TestListedSamplesAreUniform(t *testing.T) {
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	for seed := range uint64(3) {
		drawn, repeats, last := map[string]float64{}, 0, ""
		_, all, samples, err := fromList(t.Context(), p, 9200, seed)
		require.NoError(t, err)
		assert.Equal(t, "92", all)
		for sample := range samples {
			text := fmt.Sprint(sample)
			if drawn[text]++; text == last {
				repeats++
			}
			last = text
		}
		assert.Len(t, drawn, 92)
		statistic := 0.0
		for _, times := range drawn {
			statistic += (times - 100) * (times - 100) / 100
		}
		assert.InDelta(t, 91, statistic, 68, "seed %d", seed)
		assert.InDelta(t, 100, repeats, 50, "seed %d: samples beside each other are independent", seed)
	}
}
