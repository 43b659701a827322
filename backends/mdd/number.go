package mdd

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// number is the type of a number of solutions. Machine words are several times as fast as big integers,
// but the solutions of some diagrams do not fit.
type number[T any] interface {
	*T
	add(*T) (fits bool)
	addProduct(a, b *T)
	// below returns a random number from 0 to this one minus 1.
	below(*rand.Rand) T
	// takes returns true if the given number is below this one; otherwise it subtracts this one from it.
	takes(*T) bool
	big() *big.Int
}

type word uint64

func (x *word) add(y *word) (fits bool) {
	sum, carry := bits.Add64(uint64(*x), uint64(*y), 0)
	*x = word(sum)
	return carry == 0
}

func (x *word) addProduct(a, b *word) { *x += *a * *b }

func (x *word) below(rng *rand.Rand) word { return word(rng.Uint64N(uint64(*x))) }

func (x *word) takes(draw *word) bool {
	if *draw < *x {
		return true
	}
	*draw -= *x
	return false
}

func (x *word) big() *big.Int { return new(big.Int).SetUint64(uint64(*x)) }

// large is a big integer. Never change a copy: it shares memory with the original.
type large big.Int

func (x *large) big() *big.Int { return (*big.Int)(x) }

func (x *large) add(y *large) (fits bool) {
	x.big().Add(x.big(), y.big())
	return true
}

func (x *large) addProduct(a, b *large) {
	x.big().Add(x.big(), new(big.Int).Mul(a.big(), b.big()))
}

// below draws random bits until they form a number that is small enough.
func (x *large) below(rng *rand.Rand) large {
	n := x.big().BitLen()
	for words := make([]big.Word, len(x.big().Bits())); ; {
		for i := range words {
			words[i] = big.Word(rng.Uint64())
		}
		words[len(words)-1] >>= len(words)*bits.UintSize - n
		if y := new(big.Int).SetBits(words); y.Cmp(x.big()) < 0 {
			return *(*large)(new(big.Int).Set(y))
		}
	}
}

func (x *large) takes(draw *large) bool {
	if draw.big().Cmp(x.big()) < 0 {
		return true
	}
	draw.big().Sub(draw.big(), x.big())
	return false
}
