package report

import (
	"fmt"

	"queens/experiments/record"
)

// shown is what the medians of a table or a plot were taken over, for its notes.
type shown struct {
	least, most int // samples of a median; exact results aside
	pooled      map[string]bool
}

// add counts a sample whose median is shown.
func (s *shown) add(of sample) {
	if n := len(of.values); n > 0 && !of.exact {
		s.count(n)
	}
}

func (s *shown) count(n int) {
	if s.most == 0 || n < s.least {
		s.least = n
	}
	s.most = max(s.most, n)
}

// runs says how many runs a number is of.
func (s *shown) runs() string {
	if s.least == s.most {
		return fmt.Sprintf("%d runs", s.most)
	}
	return fmt.Sprintf("%d to %d runs", s.least, s.most)
}

// pool adds the parameters that differ among records shown as one.
func (s *shown) pool(d *data, records []record.Row) {
	if s.pooled == nil {
		s.pooled = map[string]bool{}
	}
	for _, p := range d.varied {
		for _, r := range records {
			if r[p] != records[0][p] {
				s.pooled[p] = true
			}
		}
	}
}

// notes says what a reader must know: what the numbers are, what is hidden.
func (s *shown) notes(d *data) []string {
	var notes []string
	runs := s.runs()
	switch {
	case s.most == 1:
		notes = append(notes, "Each number is that of a single run.")
	case s.most > 1 && s.most < enough:
		notes = append(notes, fmt.Sprintf("Medians of %s, without an interval, which takes %d.", runs, enough))
	case s.most > 1:
		notes = append(notes, fmt.Sprintf("Medians of %s, ± the 95%% confidence interval of the median.", runs))
		if s.least < enough {
			notes = append(notes, fmt.Sprintf("Where a median has fewer than %d samples it has no interval.", enough))
		}
	}
	pooled := false
	for _, p := range d.varied {
		if s.pooled[p] {
			pooled = true
			notes = append(notes, fmt.Sprintf("Over all values of %s: %s.", p, listed(d.values[p])))
		}
	}
	if pooled && s.most >= enough {
		notes = append(notes, "The interval holds what these do to the number, not only the noise of measuring.")
	}
	return notes
}
