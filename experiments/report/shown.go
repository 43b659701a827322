package report

import (
	"fmt"

	"queens/experiments/record"
)

// shown records what the medians of a table or a plot were taken over, for its notes.
type shown struct {
	least, most int // samples per median; exact results are not counted
	pooled      map[string]bool
	means       bool
}

// add counts a sample whose median is shown.
func (s *shown) add(of sample) {
	if n := len(of.values); n > 0 && !of.exact {
		s.count(n)
		s.means = s.means || of.mean
	}
}

func (s *shown) count(n int) {
	if s.most == 0 || n < s.least {
		s.least = n
	}
	s.most = max(s.most, n)
}

// runs says how many runs a number is taken over.
func (s *shown) runs() string {
	if s.least == s.most {
		return fmt.Sprintf("%d runs", s.most)
	}
	return fmt.Sprintf("%d to %d runs", s.least, s.most)
}

// pool adds the parameters that differ among records shown as one number.
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

// kind says what the numbers are.
func (s *shown) kind() string {
	if s.means {
		return "Means"
	}
	return "Medians"
}

// notes returns what a reader must know: what the numbers are, and what they hide.
func (s *shown) notes(d *data) []string {
	var notes []string
	runs := s.runs()
	switch {
	case s.most == 1:
		notes = append(notes, "Each number is from a single run.")
	case s.most >= enough && s.means:
		notes = append(notes, fmt.Sprintf("Means of %s, with their 95%% bootstrap intervals.", runs))
	case s.most > 1 && s.most < enough:
		notes = append(notes, fmt.Sprintf("%s of %s, without an interval, which needs %d.", s.kind(), runs, enough))
	case s.most > 1:
		notes = append(notes, fmt.Sprintf("Medians of %s, ± the 95%% confidence interval of the median.", runs))
		if s.least < enough {
			notes = append(notes, fmt.Sprintf("A median of fewer than %d samples has no interval.", enough))
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
		notes = append(notes, "The interval includes the effect of these, not only the noise of measuring.")
	}
	return notes
}
