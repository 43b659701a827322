package order

import (
	"fmt"
	"math/rand/v2"

	"queens/encode"
)

// random draws every permutation with equal chance: what is left of an order's
// merit when nothing was chosen.
func random(seed uint64) Named {
	return Named{
		Name:   fmt.Sprintf("random:%d", seed),
		Reason: "drawn evenly with a seed: what choosing no order costs",
		variables: func(p encode.Problem) Order {
			o := byNumber(p)
			// PCG and Shuffle are fixed by Go's compatibility promise: a seed
			// gives the same order on every machine.
			rng := rand.New(rand.NewPCG(seed, uint64(p.N)))
			rng.Shuffle(len(o), func(i, j int) { o[i], o[j] = o[j], o[i] })
			return o
		},
	}
}
