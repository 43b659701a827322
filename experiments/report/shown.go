package report

import (
	"fmt"
	"slices"

	"queens/experiments/record"
)

// shown records what the medians of a table or a plot were taken over, for its notes.
type shown struct {
	runs   []int // per median; exact results are not counted
	pooled []string
	means  bool
}

// add counts a sample whose median is shown, and the parameters that differ among its records.
func (s *shown) add(d *data, of sample, records []record.Row) {
	s.pooled = append(s.pooled, varying(records, d.varied)...)
	if n := len(of.values); n > 0 && !of.exact {
		s.runs = append(s.runs, n)
		s.means = s.means || of.mean
	}
}

// extent returns the smallest and the largest number of runs, and both in words.
func (s *shown) extent() (least, most int, text string) {
	if len(s.runs) > 0 {
		least, most = slices.Min(s.runs), slices.Max(s.runs)
	}
	if least == most {
		return least, most, fmt.Sprintf("%d runs", most)
	}
	return least, most, fmt.Sprintf("%d to %d runs", least, most)
}

// notes returns what a reader must know: what the numbers are, and what they hide.
func (s *shown) notes(d *data) []string {
	var notes []string
	least, most, runs := s.extent()
	kind := "Medians"
	if s.means {
		kind = "Means"
	}
	switch {
	case most == 1:
		notes = append(notes, "Each number is from a single run.")
	case most >= enough && s.means:
		notes = append(notes, fmt.Sprintf("Means of %s, with their 95%% bootstrap intervals.", runs))
	case most > 1 && most < enough:
		notes = append(notes, fmt.Sprintf("%s of %s, with the least and the largest: an interval needs %d.", kind, runs, enough))
	case most > 1:
		notes = append(notes, fmt.Sprintf("Medians of %s, ± the 95%% confidence interval of the median.", runs))
		if least < enough {
			notes = append(notes, fmt.Sprintf("One of fewer than %d has the least and the largest instead.", enough))
		}
	}
	pooled := intersect(d.varied, s.pooled)
	for _, p := range pooled {
		notes = append(notes, fmt.Sprintf("Over all values of %s: %s.", p, listed(d.values[p])))
	}
	if len(pooled) > 0 && most >= enough {
		notes = append(notes, "The interval includes the effect of these, not only the noise of measuring.")
	}
	return notes
}
