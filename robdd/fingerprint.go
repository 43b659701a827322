package robdd

import (
	"context"
	"math/bits"
)

// Fingerprint returns a 61-bit hash of the function. It does not depend on the diagram's kind or
// variable order: equal functions have equal fingerprints.
func (d *Diagram) Fingerprint(ctx context.Context) (uint64, error) {
	_, root, err := d.fingerprints(ctx)
	return root, err
}

// Fingerprints returns, by id, the fingerprint of each node's function. d must be a BDD.
func (d *Diagram) Fingerprints(ctx context.Context) ([]uint64, error) {
	values, _, err := d.fingerprints(ctx)
	return values, err
}

// fingerprints evaluates each function's polynomial at a fixed random point, modulo a prime (Blum,
// Chandra and Wegman, "Equivalence of free Boolean graphs can be decided probabilistically in polynomial
// time", Information Processing Letters 10, 1980): a variable v is true with weight w(v) and false with
// weight 1-w(v). A solution's weight is the product over all variables, and a function's value is the
// sum over its solutions. Two different functions of n variables have the same value with probability at
// most n / 2^61 (Schwartz 1980, Zippel 1979). In a ZDD a node's value covers only the variables from its
// own level down.
func (d *Diagram) fingerprints(ctx context.Context) (value []uint64, root uint64, err error) {
	value = make([]uint64, len(d.nodes)+2) // by id: from its own level on
	value[1] = 1
	// falses[h] is the product of the false weights of the variables below height h, and inverse[h] is
	// its inverse: on the levels that an edge of a ZDD skips, the variables are false.
	falses, inverse := make([]uint64, len(d.order)+1), make([]uint64, len(d.order)+1)
	falses[0], inverse[0] = 1, 1
	skipped := func(e uint32, top, h int) uint64 {
		if d.kind == BDD || e == 0 {
			return value[e]
		}
		return times(value[e], times(falses[h], inverse[top]))
	}
	for h := range d.order {
		if err := d.ended(ctx); err != nil {
			return nil, 0, err
		}
		v := d.order[len(d.order)-1-h]
		high := weight(v)
		low := prime + 1 - high
		falses[h+1], inverse[h+1] = times(falses[h], low), times(inverse[h], power(low, prime-2))
		for id := d.first[h]; id < d.first[h+1]; id++ {
			e := d.nodes[id-2]
			value[id] = plus(times(low, skipped(e.Low, d.topOf(h, e.Low), h)), times(high, skipped(e.High, d.topOf(h, e.High), h)))
		}
	}
	levels := len(d.order)
	return value, skipped(d.root, d.topOf(levels, d.root), levels), nil
}

// prime is 2^61 - 1.
const prime = 1<<61 - 1

func plus(a, b uint64) uint64 {
	if a += b; a >= prime {
		a -= prime
	}
	return a
}

func times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return plus(low&prime, (high<<3|low>>61)%prime)
}

func power(a, n uint64) uint64 {
	result := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = times(result, a)
		}
		a = times(a, a)
	}
	return result
}

// weight returns the weight of a variable, from 2 to prime-1: its number, mixed by splitmix64.
func weight(v Var) uint64 {
	x := uint64(v) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)%(prime-2) + 2
}
