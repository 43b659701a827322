package report

import (
	"fmt"
	"math"
	"slices"

	"queens/experiments/stats"
)

// comparisons says what a reader must know about all comparisons of a report's tables: that some are significant by
// chance, and what "no difference" leaves open.
func (d *data) comparisons(tables []table) []string {
	tests, differ := 0, 0
	type open struct {
		ratio *stats.Ratio
		a, b  stats.Sample
		width float64
	}
	var alike []open
	for _, t := range tables {
		n, m := t.tested()
		tests, differ = tests+n, differ+m
		for _, row := range t.Rows {
			for _, c := range row[min(t.names, len(row)):] {
				if !c.times.Tested() || c.times.Differs || !spreads(c.times) || c.of == nil || row[t.names].of == nil {
					continue
				}
				alike = append(alike, open{c.times, d.take(c.of, c.measure).Sample, d.take(row[t.names].of, c.measure).Sample,
					math.Log(c.times.Hi / c.times.Lo)})
			}
		}
	}
	notes := byChance(tests, differ)
	slices.SortStableFunc(alike, func(a, b open) int { return int(math.Copysign(1, a.width-b.width)) })
	if len(alike) == 0 {
		return notes
	}
	middle := alike[len(alike)/2]
	if ratio := middle.a.Detectable(middle.b); !math.IsNaN(ratio) {
		notes = append(notes, fmt.Sprintf("No significant difference (~) does not mean none: with %d runs as noisy as those of the "+
			"middle one of %d such comparisons, a true ratio of %s is found in four of five experiments.", len(middle.a.Raw), len(alike), times(ratio)))
	}
	return notes
}
