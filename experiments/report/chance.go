package report

import (
	"fmt"
	"math"
	"slices"

	"queens/experiments/stats"
)

// marked is the number of significant differences above which a table or a report says how many of them chance makes.
const marked = 20

// tested counts the comparisons of a table that were tested, and those that differ.
func (t table) tested() (tests, differ int) {
	for _, c := range slices.Concat(t.Rows...) {
		if c.times == nil || c.times.Exact || c.times.Few {
			continue
		}
		tests++
		if c.times.Differs {
			differ++
		}
	}
	return tests, differ
}

// byChance says, of many significant differences, that chance makes some.
func byChance(tests, differ int) []string {
	if differ <= marked {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d comparisons are significant at 0.05; of comparisons where nothing differs, one in twenty "+
		"is, by chance.", differ, tests)}
}

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
				if c.times == nil || c.times.Exact || c.times.Differs || c.times.Few || !spreads(c.times) || c.of == nil || row[t.names].of == nil {
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
