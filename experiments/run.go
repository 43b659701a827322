package experiments

import (
	"encoding/json"
	"fmt"

	"queens/internal/param"
)

// Run is one repeat of one point of a grid.
type Run struct {
	ID     string // see RunID
	Task   Task
	Repeat int // counted from 0
	// Position is the run's place in the whole grid's random order, from 1.
	Position int
}

// RunID returns a run's name: a hash of its parameters, JSON in the task's own order, and its repeat, so
// that equal runs have the same name on every machine, in every experiment.
func RunID(task string, parameters json.RawMessage, repeat int) string {
	return param.Digest(fmt.Appendf(nil, "run 1\n%s\n%s\n%d\n", task, parameters, repeat))
}
