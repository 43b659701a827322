package amo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
)

// binary stands for sums that are too large for the others.
var binary = Encoding{Name: "binary", weigh: func(f *cnf.Formula, terms weighted, most int) bool {
	inBinary(f, terms, most)
	return true
}}

func randomWeights(rng *rand.Rand, n int) (weights []int, total int) {
	for range n {
		w := 1 + rng.IntN(8)
		weights, total = append(weights, w), total+w
	}
	return weights, total
}

// Every assignment of up to seven literals extends to the auxiliary variables exactly when the weights of the true ones
// add up to a number within the bounds.
func TestWeighOnEveryAssignment(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		n := rng.IntN(8)
		weights, total := randomWeights(rng, n)
		least, most := rng.IntN(total+3)-1, rng.IntN(total+3)
		lits := newVars(n)
		for i := range lits {
			lits[i] *= cnf.Lit(1 - 2*rng.IntN(2))
		}
		for _, e := range append(All(), binary) {
			f := &cnf.Formula{Vars: n}
			e.Weigh(f, lits, weights, least, most)
			for word := range 1 << n {
				sum, given := 0, slices.Clone(lits)
				for i := range lits {
					if word>>i&1 == 1 {
						sum += weights[i]
					} else {
						given[i] = given[i].Not()
					}
				}
				require.Equal(t, least <= sum && sum <= most, cnftest.Count(f, n, given...) > 0,
					"seed %d, %s, weights %v from %d to %d: %b", seed, e.Name, weights, least, most, word)
			}
		}
	}
}

// Once some literals are true, unit propagation makes false each for which there is no room, by the sequential encoding and
// the totalizer.
func TestWeighPropagates(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		n := 2 + rng.IntN(12)
		weights, total := randomWeights(rng, n)
		most := 1 + rng.IntN(total)
		var given []cnf.Lit
		sum := 0
		for _, i := range rng.Perm(n) {
			if rng.IntN(2) == 0 && sum+weights[i] <= most {
				given, sum = append(given, cnf.Lit(i+1)), sum+weights[i]
			}
		}
		for _, e := range []Encoding{Sequential, Totalizer} {
			f := &cnf.Formula{Vars: n}
			e.Weigh(f, newVars(n), weights, 0, most)
			value, consistent := cnftest.Propagate(f, given...)
			require.True(t, consistent)
			for i, w := range weights {
				if !slices.Contains(given, cnf.Lit(i+1)) && sum+w > most {
					require.EqualValues(t, -1, value[i+1], "seed %d, %s, weights %v at most %d, true %v: x%d", seed, e.Name, weights, most,
						given, i+1)
				}
			}
		}
	}
}

// Where the sums are too many for both, numbers in binary stand for them, which grow with the digits only.
func TestWeighInBinary(t *testing.T) {
	weights := make([]int, 40)
	for i := range weights {
		weights[i] = 1<<24 + 1<<i%24 + i*i*7919
	}
	for _, e := range []Encoding{Sequential, Totalizer} {
		f := &cnf.Formula{Vars: len(weights)}
		e.Weigh(f, newVars(len(weights)), weights, 0, 20<<24)
		require.Less(t, f.NumClauses(), 20_000)
	}
}

// The sizes for at most half the sum of weights that are drawn from 1 to 10 and from 1 to 100.
func ExampleEncoding_Weigh() {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{10, 20, 50} {
		for _, heaviest := range []int{10, 100} {
			weights, total := make([]int, n), 0
			for i := range weights {
				weights[i] = 1 + rng.IntN(heaviest)
				total += weights[i]
			}
			for _, e := range []Encoding{Sequential, Totalizer, binary} {
				f := &cnf.Formula{Vars: n}
				e.Weigh(f, newVars(n), weights, 0, total/2)
				fmt.Printf("%d weights to %3d: %-10s %6d clauses %5d variables\n", n, heaviest, e.Name, f.NumClauses(), f.Vars-n)
			}
		}
	}
	// Output:
	// 10 weights to  10: sequential     76 clauses    45 variables
	// 10 weights to  10: totalizer     139 clauses    46 variables
	// 10 weights to  10: binary        147 clauses    20 variables
	// 10 weights to 100: sequential     90 clauses    54 variables
	// 10 weights to 100: totalizer     312 clauses    79 variables
	// 10 weights to 100: binary        273 clauses    34 variables
	// 20 weights to  10: sequential    553 clauses   293 variables
	// 20 weights to  10: totalizer    1214 clauses   184 variables
	// 20 weights to  10: binary        436 clauses    58 variables
	// 20 weights to 100: sequential   1360 clauses   741 variables
	// 20 weights to 100: totalizer    8571 clauses   463 variables
	// 20 weights to 100: binary        861 clauses   112 variables
	// 50 weights to  10: sequential   3774 clauses  1946 variables
	// 50 weights to  10: totalizer    9699 clauses   610 variables
	// 50 weights to  10: binary       1232 clauses   160 variables
	// 50 weights to 100: sequential  37515 clauses 19104 variables
	// 50 weights to 100: totalizer   37515 clauses 19104 variables
	// 50 weights to 100: binary       2629 clauses   332 variables
}
