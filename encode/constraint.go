package encode

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"queens/encode/cnf"
)

// Constraint bounds a sum: the weights of its true literals add up to a number from Least to Most. Without
// weights each literal weighs 1, so it counts. The literals are of distinct variables. Neither number is
// negative. A Most above the sum of all weights says nothing. A Least above that sum or above Most makes the
// constraint false.
//
// Only this package and the back-ends whose description says that they hold weights meet constraints with weights; all
// others get a problem without weights ([Problem.Counting]).
type Constraint struct {
	Name        string // for people: "row 3", "cell b2 has a value"
	Least, Most int
	Lits        []cnf.Lit
	// Weights holds the literals' weights, the heaviest first. Each is at least 1, and their sum at most [MostTotal].
	// It is nil if each weighs 1.
	Weights []int
}

// MostTotal bounds the sum of a constraint's weights.
const MostTotal = 1 << 30

// AtLeastOne returns a clause.
func AtLeastOne(name string, lits ...cnf.Lit) Constraint {
	return Constraint{Name: name, Least: 1, Most: len(lits), Lits: lits}
}

// AtMostOne returns a constraint whose literals exclude each other; that of ExactlyOne needs a true one as well.
func AtMostOne(name string, lits ...cnf.Lit) Constraint {
	return Constraint{Name: name, Most: 1, Lits: lits}
}

func ExactlyOne(name string, lits ...cnf.Lit) Constraint {
	return Constraint{Name: name, Least: 1, Most: 1, Lits: lits}
}

// IsClause reports whether the constraint says only that at least one literal is true.
func (c Constraint) IsClause() bool { return c.Least == 1 && !c.Limits() }

// IsExactlyOne reports whether the constraint says that exactly one literal is true.
func (c Constraint) IsExactlyOne() bool { return c.Least == 1 && c.Most == 1 && c.Weights == nil }

// Limits reports whether the literals cannot all be true.
func (c Constraint) Limits() bool { return c.Most < c.Total() }

// Excludes reports whether a true literal makes all others false, in a constraint without weights.
func (c Constraint) Excludes() bool { return c.Most == 1 && len(c.Lits) > 1 && c.Weights == nil }

// Weight returns the weight of a literal, given by its place.
func (c *Constraint) Weight(place int) int {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[place]
}

// Total returns the sum of all weights.
func (c *Constraint) Total() (sum int) {
	if c.Weights == nil {
		return len(c.Lits)
	}
	for _, w := range c.Weights {
		sum += w
	}
	return sum
}

// Sum returns the sum of the weights of some of the literals.
func (c *Constraint) Sum(of func(cnf.Lit) bool) (sum int) {
	for k, l := range c.Lits {
		if of(l) {
			sum += c.Weight(k)
		}
	}
	return sum
}

// Allows reports whether a sum can still come to lie between the bounds, if the literals not yet decided weigh open. With 0
// open it reports whether the constraint holds.
func (c *Constraint) Allows(sum, open int) bool {
	return sum <= c.Most && sum+open >= c.Least && c.Least <= c.Most
}

// Count says in words how many of the literals are true, or how much they weigh: "exactly one", "at least 2", "2 to 4",
// "weight at least 4".
func (c Constraint) Count() string {
	word := func(number int) string {
		if number == 1 && c.Weights == nil {
			return "one"
		}
		return strconv.Itoa(number)
	}
	what := ""
	if c.Weights != nil {
		what = "weight "
	}
	switch {
	case c.Least > 0 && !c.Limits():
		return what + "at least " + word(c.Least)
	case c.Least == c.Most:
		return what + "exactly " + word(c.Least)
	case c.Least == 0:
		return what + "at most " + word(c.Most)
	}
	return what + word(c.Least) + " to " + word(c.Most)
}

// Listed returns the names of the literals, each with its weight if there are weights: "a, b", "3·a, 2·b".
func (c Constraint) Listed(name func(cnf.Lit) string) string {
	names := make([]string, len(c.Lits))
	for k, l := range c.Lits {
		if names[k] = name(l); c.Weights != nil {
			names[k] = fmt.Sprintf("%d·%s", c.Weights[k], names[k])
		}
	}
	return strings.Join(names, ", ")
}

// appendCount appends the bounds for a fingerprint, each kind with a first byte of its own. Those of
// clauses, at-most-ones and exactly-ones are the oldest, and records hold fingerprints made of them.
func (c Constraint) appendCount(buf []byte) []byte {
	kind := byte(3)
	switch {
	case c.Weights != nil:
		kind = 4
	case c.IsClause():
		return append(buf, 0)
	case c.Least == 0 && c.Most == 1:
		return append(buf, 1)
	case c.IsExactlyOne():
		return append(buf, 2)
	}
	return binary.AppendUvarint(binary.AppendUvarint(append(buf, kind), uint64(c.Least)), uint64(min(c.Most, c.Total())))
}

// appendLit appends l in place of the literal at a place, and that literal's weight if there are weights.
func (c *Constraint) appendLit(buf []byte, place int, l cnf.Lit) []byte {
	buf = binary.AppendVarint(buf, int64(l))
	if c.Weights != nil {
		buf = binary.AppendUvarint(buf, uint64(c.Weights[place]))
	}
	return buf
}
