package amo

import (
	"fmt"
	"slices"

	"queens/encode/cnf"
)

// Weigh adds clauses that say that the weights of the true literals add up to a number from least to most. The weights
// are positive. It uses the encoding that [Encoding.Weighing] returns, once for each bound; where that would be too large,
// Sequential, and where that is, too, binary numbers.
func (e Encoding) Weigh(f *cnf.Formula, lits []cnf.Lit, weights []int, least, most int) {
	total := 0
	for _, w := range weights {
		total += w
	}
	if least > min(most, total) {
		f.Add() // false
		return
	}
	f.Rename(func(name string) string { return name + " of the false" },
		func() { e.limit(f, cnf.Negated(lits), weights, total-max(0, least)) })
	e.limit(f, lits, weights, most)
}

// Weighing returns the encoding that adds up weights in place of e: e itself if it knows weights, otherwise Sequential.
func (e Encoding) Weighing() Encoding {
	if e.weigh == nil {
		return Sequential
	}
	return e
}

// limit says that the weights of the true literals are at most a sum.
func (e Encoding) limit(f *cnf.Formula, lits []cnf.Lit, weights []int, most int) {
	left, total := weighted{}, 0
	for i, l := range lits {
		if weights[i] > most {
			f.Add(l.Not())
			continue
		}
		left, total = append(left, weight{l, weights[i]}), total+weights[i]
	}
	if total <= most {
		return
	}
	slices.SortStableFunc(left, func(a, b weight) int { return b.weight - a.weight })
	if !e.Weighing().weigh(f, left, most) && !sequentialWeights(f, left, most) {
		inBinary(f, left, most)
	}
}

// weighted is a sum of literals with positive weights, the heaviest first.
type weighted []weight

type weight struct {
	lit    cnf.Lit
	weight int
}

// mostWeighed bounds the variables for one sum, and a multiple of it the clauses. A sum too large for Sequential, too, is added
// up in binary: that grows with the number of digits only, but propagates less.
const mostWeighed = 1 << 15

// inBinary adds up weights in binary numbers: literals of the same digit go into full adders, whose carries have the next
// digit, and the digits of the sum are compared with the bound (Warners, A linear-time transformation of linear
// inequalities into conjunctive normal form, Information Processing Letters 68, 1998; with Een and Sorensson's adders,
// Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006, section 5.2). The literals determine its variables. Unit
// propagation does not find all that follows.
func inBinary(f *cnf.Formula, terms weighted, most int) {
	var digits [][]cnf.Lit // by place: literals to add up
	for _, t := range terms {
		for place := range digitsOf(t.weight) {
			for len(digits) <= place {
				digits = append(digits, nil)
			}
			digits[place] = append(digits[place], t.lit)
		}
	}
	var sum []cnf.Lit // by place; 0 for no literal
	for place := 0; place < len(digits); place++ {
		column := digits[place]
		for len(column) > 1 {
			take := min(3, len(column))
			digit, carry := add(f, column[:take], place)
			if place+1 == len(digits) {
				digits = append(digits, nil)
			}
			column, digits[place+1] = append(column[take:len(column):len(column)], digit), append(digits[place+1], carry)
		}
		sum = append(sum, append(column, 0)[0])
	}
	// Where the bound has a 0 and the sum a 1, some higher 1 of the bound must be a 0 of the sum.
	var higher []cnf.Lit
	for place, digit := range slices.Backward(sum) {
		switch {
		case most>>place&1 == 0 && digit != 0:
			f.Add(append([]cnf.Lit{digit.Not()}, higher...)...)
		case most>>place&1 == 1 && digit == 0:
			return // the sum is less, whatever follows
		case most>>place&1 == 1:
			higher = append(higher, digit.Not())
		}
	}
}

// digitsOf yields the places of a number's binary ones.
func digitsOf(n int) func(yield func(place int) bool) {
	return func(yield func(int) bool) {
		for place := 0; n>>place > 0; place++ {
			if n>>place&1 == 1 && !yield(place) {
				return
			}
		}
	}
}

// add returns the digit and the carry of the sum of two or three literals.
func add(f *cnf.Formula, lits []cnf.Lit, place int) (digit, carry cnf.Lit) {
	digit = f.NewNamed(true, func() string { return fmt.Sprintf("digit %d of %v", place, lits) }).Pos()
	carry = f.NewNamed(true, func() string { return fmt.Sprintf("carry %d of %v", place, lits) }).Pos()
	for values := range 1 << len(lits) {
		var clause []cnf.Lit // it is not the case that the literals have these values
		ones := 0
		for i, l := range lits {
			if values>>i&1 == 1 {
				ones++
				l = l.Not()
			}
			clause = append(clause, l)
		}
		for _, output := range []struct {
			is  bool
			lit cnf.Lit
		}{{ones%2 == 1, digit}, {ones > 1, carry}} {
			if !output.is {
				output.lit = output.lit.Not()
			}
			f.Add(append(slices.Clone(clause), output.lit)...)
		}
	}
	return digit, carry
}
