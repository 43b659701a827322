package order

import (
	"context"
	"fmt"
	"math/rand/v2"

	"queens/encode"
)

// random draws every permutation with equal probability. It is the baseline for orders that were
// designed.
func random(seed uint64) Named {
	return Named{
		Name:   fmt.Sprintf("random:%d", seed),
		Reason: "drawn at random from a seed: the cost of not choosing an order",
		variables: func(_ context.Context, p encode.Problem) (Order, error) {
			o := ByNumber(p)
			// Go's compatibility promise fixes PCG and Shuffle, so a seed gives
			// the same order on every machine.
			rng := rand.New(rand.NewPCG(seed, uint64(p.N)))
			rng.Shuffle(len(o), func(i, j int) { o[i], o[j] = o[j], o[i] })
			return o, nil
		},
	}
}
