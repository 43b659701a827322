package config

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"queens/experiments"
)

// shuffled returns the runs in a random order that depends on nothing but the seed. Repeats
// form rounds, each a permutation of the points, so that competitors interleave and a drift of
// the machine affects all of them.
func shuffled(runs []experiments.Run, seed uint64) []experiments.Run {
	out := slices.Clone(runs)
	slices.SortFunc(out, func(a, b experiments.Run) int { return cmp.Or(a.Repeat-b.Repeat, strings.Compare(a.ID, b.ID)) })
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
