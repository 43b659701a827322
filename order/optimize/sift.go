package optimize

import (
	"context"
	"math/rand/v2"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Sift improves an order by sifting and returns the result and its number of nodes. Each variable in
// turn moves to the place where the diagram is smallest, until a pass over all variables gains nothing
// (Rudell, Dynamic variable ordering for ordered binary decision diagrams, ICCAD 1993, but with all
// places tried and no growth bound). The seed determines the sequence of the variables, and the choice
// among equally good places.
func Sift(ctx context.Context, s *Sizer, d robdd.Kind, start order.Order, seed uint64) (order.Order, int, error) {
	a := newAnnealer(s, d, false)
	rng := rand.New(rand.NewPCG(seed, 0))
	st := a.measure(start)
	a.heat(0)
	for {
		before := st.cost
		for _, x := range shuffle(rng, len(start)) {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			a.move(rng, st, x)
		}
		if st.cost == before {
			return st.order, st.cost, nil
		}
	}
}

// shuffle returns a random sequence of the variables.
func shuffle(rng *rand.Rand, vars int) []cnf.Var {
	turn := make([]cnf.Var, vars)
	for i := range turn {
		turn[i] = cnf.Var(i + 1)
	}
	rng.Shuffle(vars, func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
	return turn
}
