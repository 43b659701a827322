package bdd

import "strings"

// Progress says how far a construction or a count has come.
type Progress struct {
	Step  string // what Done counts: "level", "constraint"
	Done  int
	Total int    // 0: not known
	Items uint64 // there are by now
	Unit  string // of Items: "states", "nodes", "solutions"
}

// Share returns how much of the step's work is done, from 0 to 1, to tell what is left of
// it; 0 where that is not known. The levels of a diagram say nothing of the kind: half of
// the work lies in a tenth of them.
func (p Progress) Share() float64 {
	if p.Total == 0 || strings.HasSuffix(p.Step, "level") {
		return 0
	}
	return float64(p.Done) / float64(p.Total)
}

// tell passes on how far it has come, if anyone asked.
func (b *budget) tell(step string, done, total int, items uint64, unit string) {
	if b.progress != nil {
		b.progress(Progress{step, done, total, items, unit})
	}
}
