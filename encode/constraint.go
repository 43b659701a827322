package encode

import (
	"encoding/binary"
	"strconv"

	"queens/encode/cnf"
)

// Constraint counts: from Least to Most of its literals are true. The literals are of distinct variables.
// Neither number is negative. If Most exceeds the number of literals, it says nothing; if Least exceeds it,
// or Most, the constraint is false.
type Constraint struct {
	Name        string // for people: "row 3", "cell b2 has a value"
	Least, Most int
	Lits        []cnf.Lit
}

// AtLeastOne returns a clause.
func AtLeastOne(name string, lits ...cnf.Lit) Constraint { return Constraint{name, 1, len(lits), lits} }

// AtMostOne returns a constraint whose literals exclude each other, and ExactlyOne one that needs one of
// them as well.
func AtMostOne(name string, lits ...cnf.Lit) Constraint  { return Constraint{name, 0, 1, lits} }
func ExactlyOne(name string, lits ...cnf.Lit) Constraint { return Constraint{name, 1, 1, lits} }

// IsClause reports whether the constraint says that at least one literal is true, and no more.
func (c Constraint) IsClause() bool { return c.Least == 1 && !c.Limits() }

// IsExactlyOne reports whether the constraint says that exactly one literal is true.
func (c Constraint) IsExactlyOne() bool { return c.Least == 1 && c.Most == 1 }

// Limits reports whether the literals cannot all be true.
func (c Constraint) Limits() bool { return c.Most < len(c.Lits) }

// Excludes reports whether a true literal makes all others false.
func (c Constraint) Excludes() bool { return c.Most == 1 && len(c.Lits) > 1 }

// Count says in words how many of the literals are true: "exactly one", "at least 2", "2 to 4".
func (c Constraint) Count() string {
	word := func(number int) string {
		if number == 1 {
			return "one"
		}
		return strconv.Itoa(number)
	}
	switch {
	case c.Least > 0 && !c.Limits():
		return "at least " + word(c.Least)
	case c.Least == c.Most:
		return "exactly " + word(c.Least)
	case c.Least == 0:
		return "at most " + word(c.Most)
	}
	return word(c.Least) + " to " + word(c.Most)
}

// appendCount appends the bounds for a fingerprint, each kind with a first byte of its own. Those of
// clauses, at-most-ones and exactly-ones are the oldest, and records hold fingerprints made of them.
func (c Constraint) appendCount(buf []byte) []byte {
	switch {
	case c.IsClause():
		return append(buf, 0)
	case c.Least == 0 && c.Most == 1:
		return append(buf, 1)
	case c.IsExactlyOne():
		return append(buf, 2)
	}
	return binary.AppendUvarint(binary.AppendUvarint(append(buf, 3), uint64(c.Least)), uint64(min(c.Most, len(c.Lits))))
}
