package bdd

import (
	"strings"
	"sync"

	"queens/backends/bdd/robdd"
)

// budget accounts for bytes, across several workers.
type budget struct {
	mutex             sync.Mutex
	limit, used, peak int64
	progress          func(Progress) // may be nil
}

func (b *budget) take(bytes int64) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.limit > 0 && b.used+bytes > b.limit {
		return &robdd.LimitError{What: "bytes", Limit: b.limit, Want: b.used + bytes}
	}
	b.used += bytes
	b.peak = max(b.peak, b.used)
	return nil
}

func (b *budget) give(bytes int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used -= bytes
}

// Progress says how far a construction or a count has come.
type Progress struct {
	Step  string // what Done counts: "level", "constraint"
	Done  int
	Total int    // 0: not known
	Items uint64 // how many there are by now
	Unit  string // of Items: "states", "nodes", "solutions"
}

// Share returns the share of the step's work that is done, from 0 to 1, for estimating
// the time left, or 0 if it is not known. The levels of a diagram do not show it: half of
// the work lies in a tenth of them.
func (p Progress) Share() float64 {
	if p.Total == 0 || strings.HasSuffix(p.Step, "level") {
		return 0
	}
	return float64(p.Done) / float64(p.Total)
}

// tell reports the progress, if anyone asked for it.
func (b *budget) tell(step string, done, total int, items uint64, unit string) {
	if b.progress != nil {
		b.progress(Progress{step, done, total, items, unit})
	}
}
