package backends

import "strings"

// Progress says how far building a diagram or counting has come.
type Progress struct {
	Step  string // what Done counts: "level", "constraint"
	Done  int
	Total int    // 0: unknown
	Items uint64 // so far, in Unit
	Unit  string // of Items: "states", "nodes", "solutions"
}

// Share returns the share of the step's work that is done, from 0 to 1, for estimating the time left, or
// 0 if it is unknown. The levels of a diagram do not show it: half of the work lies in a tenth of them.
func (p Progress) Share() float64 {
	if p.Total == 0 || strings.HasSuffix(p.Step, "level") {
		return 0
	}
	return float64(p.Done) / float64(p.Total)
}
