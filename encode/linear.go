package encode

import (
	"cmp"
	"slices"

	"queens/encode/cnf"
)

// linear is a weighted sum of literals and a number to compare it with. Once normalized, the weights are
// positive and the literals of distinct variables.
type linear struct {
	terms []term
	bound int64
}

type term struct {
	lit    cnf.Lit
	weight int64
}

// Limits that keep all sums far from overflow, since a line bounds the number of terms.
const (
	farWeight = 1 << 36
	farBound  = farWeight * cnf.LongestLine * 2
)

// normalized merges the terms of each variable, and makes weights positive: a weight -w of x is a weight w of
// not x, less w.
func (s linear) normalized() linear {
	terms := slices.Clone(s.terms)
	for i, t := range terms {
		if t.lit < 0 {
			terms[i] = term{t.lit.Not(), -t.weight}
			s.bound -= t.weight
		}
	}
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(a.lit, b.lit) })
	s.terms = terms[:0]
	for _, t := range terms {
		if last := len(s.terms) - 1; last >= 0 && s.terms[last].lit == t.lit {
			s.terms[last].weight += t.weight
		} else {
			s.terms = append(s.terms, t)
		}
	}
	s.terms = slices.DeleteFunc(s.terms, func(t term) bool { return t.weight == 0 })
	for i, t := range s.terms {
		if t.weight < 0 {
			s.terms[i] = term{t.lit.Not(), -t.weight}
			s.bound -= t.weight
		}
	}
	return s
}

func (s linear) total() (sum int64) {
	for _, t := range s.terms {
		sum += t.weight
	}
	return sum
}

// opposite returns the sum of the negated literals, which is at least its bound when s is at most its own.
func (s linear) opposite() linear {
	not := linear{make([]term, len(s.terms)), s.total() - s.bound}
	for i, t := range s.terms {
		not.terms[i] = term{t.lit.Not(), t.weight}
	}
	return not
}

// forced removes the literals of a normalized sum that must be true for the sum to reach its bound or, if
// exactly, that must be false for the sum not to exceed it. It returns the other terms, the heaviest first, and the
// forced literals as units.
func (s linear) forced(exactly bool) (rest linear, units []cnf.Lit) {
	terms := slices.Clone(s.terms)
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.weight, a.weight) })
	total := s.total()
	for len(terms) > 0 {
		first := terms[0]
		switch {
		case s.bound <= total && total-first.weight < s.bound:
			units = append(units, first.lit)
			s.bound -= first.weight
		case exactly && first.weight > s.bound && s.bound >= 0:
			units = append(units, first.lit.Not())
		default:
			return linear{terms, s.bound}, units
		}
		total, terms = total-first.weight, terms[1:]
	}
	return linear{nil, s.bound}, units
}

// atLeast says that a sum reaches its bound as "at least k of the literals", if that is possible: any k of
// them reach it, and no k-1 do, even with the literals that are left out. The terms must be sorted, the
// heaviest first. Dividing by a common factor and cutting weights at the bound are special cases.
func (s linear) atLeast() (lits []cnf.Lit, k int, possible bool) {
	sums := make([]int64, len(s.terms)+1) // of the first terms
	for i, t := range s.terms {
		sums[i+1] = sums[i] + t.weight
	}
	total := sums[len(s.terms)]
	switch {
	case s.bound <= 0:
		return nil, 0, true
	case s.bound > total:
		return nil, 1, true
	}
	for taken := len(s.terms); taken > 0 && sums[taken] >= s.bound; taken-- {
		// The lightest k of those taken are all but the first without.
		without, _ := slices.BinarySearch(sums[:taken], sums[taken]-s.bound+1)
		k := taken - (without - 1)
		if sums[k-1]+total-sums[taken] < s.bound {
			for _, t := range s.terms[:taken] {
				lits = append(lits, t.lit)
			}
			slices.Sort(lits)
			return lits, k, true
		}
	}
	return nil, 0, false
}

// constraints returns constraints, all with the given name, that say that a sum is at least its bound or, if
// exactly, equal to it. They have weights only if counting literals cannot say it.
func (s linear) constraints(name string, exactly bool) (constraints []Constraint) {
	rest, units := s.normalized().forced(exactly)
	for _, l := range units {
		constraints = append(constraints, AtLeastOne(name, l))
	}
	lits, least, counts := rest.atLeast()
	if !counts {
		return append(constraints, rest.weighing(name, exactly))
	}
	if !exactly {
		return append(constraints, counted(name, lits, least, len(lits))...)
	}
	other, spare, counts := rest.opposite().atLeast()
	other = negated(other)
	switch {
	case !counts:
		return append(constraints, rest.weighing(name, exactly))
	case slices.Equal(lits, other):
		return append(constraints, counted(name, lits, least, len(lits)-spare)...)
	case spare == 0: // no limit
		other = nil
	}
	constraints = append(constraints, counted(name, lits, least, len(lits))...)
	return append(constraints, counted(name, other, 0, len(other)-spare)...)
}

// weighing returns a normalized, sorted sum as one constraint with weights, without their common divisor. Where there is only
// a lower bound, it cuts weights to that bound.
func (s linear) weighing(name string, exactly bool) Constraint {
	common := int64(0)
	for i, t := range s.terms {
		if !exactly {
			t.weight = min(t.weight, s.bound)
			s.terms[i] = t
		}
		common = gcd(common, t.weight)
	}
	if exactly && s.bound%common != 0 {
		return AtLeastOne(name)
	}
	c := Constraint{Name: name, Least: int((s.bound + common - 1) / common)}
	for _, t := range s.terms {
		c.Lits, c.Weights = append(c.Lits, t.lit), append(c.Weights, int(t.weight/common))
	}
	if c.Most = c.Total(); exactly {
		c.Most = c.Least
	}
	return c
}

// gcd returns the greatest common divisor of two numbers that are not negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Weighing returns constraints that say that the weights of the true literals of a sum lie from least to most. Weights may
// have any sign, and variables occur more than once.
func Weighing(name string, least, most int, lits []cnf.Lit, weights []int) (constraints []Constraint) {
	sum := linear{bound: int64(least)}
	for k, l := range lits {
		sum.terms = append(sum.terms, term{l, int64(weights[k])})
	}
	if least == most {
		return sum.constraints(name, true)
	}
	constraints = sum.constraints(name, false)
	for i := range sum.terms {
		sum.terms[i].weight = -sum.terms[i].weight
	}
	sum.bound = -int64(most)
	return append(constraints, sum.constraints(name, false)...)
}

// counted returns constraints that say that from least to most of sorted literals are true: units where all
// or none are, an at-most-one or exactly-one where it is one, and otherwise a count of the true or of the
// false literals, so that few literals are negative.
func counted(name string, lits []cnf.Lit, least, most int) (constraints []Constraint) {
	n := len(lits)
	c := Constraint{Name: name, Least: least, Most: most, Lits: lits}
	not := Constraint{Name: name, Least: n - most, Most: n - least, Lits: negated(lits)}
	negative, _ := slices.BinarySearch(lits, 0)
	switch {
	case least > min(most, n) || most < 0:
		return []Constraint{AtLeastOne(name)}
	case least <= 0 && most >= n:
		return nil
	case least == n || most == 0:
		if most == 0 {
			lits = not.Lits
		}
		for _, l := range lits {
			constraints = append(constraints, AtLeastOne(name, l))
		}
		return constraints
	case c.IsClause():
		return []Constraint{asWritten(name, slices.Clone(lits))}
	case c.Most == 1:
		return []Constraint{c}
	case not.Most == 1, not.IsClause(), 2*negative > n:
		return []Constraint{not}
	}
	return []Constraint{c}
}

// negated returns the negations of sorted literals, sorted.
func negated(lits []cnf.Lit) []cnf.Lit {
	not := cnf.Negated(lits)
	slices.Reverse(not)
	return not
}
