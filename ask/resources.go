package ask

import (
	"queens/backends/bdd"
	"queens/internal/system/program"
	"queens/order"
)

// Resources are what answering may use, and who is told about it. None of it changes an answer.
type Resources struct {
	Bytes    int64                // most memory for a diagram; 0 for no limit
	Diagram  *bdd.Compiled        // of the problem, if it is there already
	Order    order.Order          // of the variables, if the choice names none: that of the problem's file
	Programs program.Descriptions // that names may stand for
	Progress func(bdd.Progress)   // told how far the work has come; may be nil
	Trace    bool                 // count the nodes after each step of a construction
}

// searching turns the progress of a search into that of a construction.
func (r Resources) searching() func(done, total int, completions uint64) {
	if r.Progress == nil {
		return nil
	}
	return func(done, total int, completions uint64) {
		r.Progress(bdd.Progress{Step: "part", Done: done, Total: total, Items: completions, Unit: "solutions"})
	}
}
