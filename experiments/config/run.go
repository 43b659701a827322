package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"queens/experiments"
	"queens/param"
)

// Run is one repeat of one point of a grid.
type Run struct {
	ID     string          `json:"id"`
	Task   string          `json:"task"`
	Params json.RawMessage `json:"params"` // every parameter, in the task's own order
	Repeat int             `json:"repeat"` // counted from 0
	// Position is the run's place in the whole grid's random order, from 1.
	Position int `json:"position"`
}

// newRun names a run by the hash of its parameters, so equal runs have the same name on every
// machine, in every experiment.
func newRun(kind string, t experiments.Task, repeat int) (Run, error) {
	params, err := t.Params()
	if err != nil {
		return Run{}, err
	}
	return Run{ID: RunID(kind, params, repeat), Task: kind, Params: params, Repeat: repeat}, nil
}

// RunID returns the name of a run; params is JSON in the task's own order.
func RunID(task string, params json.RawMessage, repeat int) string {
	return param.Digest(fmt.Appendf(nil, "run 1\n%s\n%s\n%d\n", task, params, repeat))
}

// Point identifies the run's parameters, without the repeat.
func (r Run) Point() string { return string(r.Params) }

// shuffled returns the runs in a random order that depends on nothing but the seed. Repeats
// form rounds, each a permutation of the points, so that competitors interleave and a drift of
// the machine affects all of them.
func shuffled(runs []Run, seed uint64) []Run {
	out := slices.Clone(runs)
	slices.SortFunc(out, func(a, b Run) int { return cmp.Or(a.Repeat-b.Repeat, strings.Compare(a.ID, b.ID)) })
	random := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	for start := 0; start < len(out); {
		end := start
		for end < len(out) && out[end].Repeat == out[start].Repeat {
			end++
		}
		round := out[start:end]
		random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		start = end
	}
	for i := range out {
		out[i].Position = i + 1
	}
	return out
}
