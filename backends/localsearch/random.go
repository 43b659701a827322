package localsearch

import (
	"math/bits"
	"math/rand/v2"
)

// streamSolve is the PCG stream that a search draws from.
const streamSolve = 1

// random draws numbers. It uses PCG directly, not rand.Source, so a draw in a hot
// loop is a few inlined multiplications.
type random struct{ pcg rand.PCG }

// below returns a number in [0, k), k > 0. The multiplication favours some numbers by
// less than k / 2^64.
func (r *random) below(k int) int {
	hi, _ := bits.Mul64(r.pcg.Uint64(), uint64(k))
	return int(hi)
}

// least keeps one of the items with the lowest count it sees, drawn uniformly: the
// k-th of equal ones replaces the one kept with probability 1/k.
type least struct {
	*random
	which, count int // the item kept, and its count
	seen         int // number of items with this count
}

func (l *least) see(which, count int) {
	if l.seen == 0 || count < l.count {
		l.which, l.count, l.seen = which, count, 1
	} else if count == l.count {
		if l.seen++; l.below(l.seen) == 0 {
			l.which = which
		}
	}
}

// bitset is a set of small numbers, 64 per word.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (x bitset) has(i int) bool { return x[i>>6]>>(i&63)&1 != 0 }
func (x bitset) add(i int)      { x[i>>6] |= 1 << (i & 63) }
func (x bitset) remove(i int)   { x[i>>6] &^= 1 << (i & 63) }
