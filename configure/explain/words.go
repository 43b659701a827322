package explain

import (
	"fmt"
	"slices"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
)

// Words describes a constraint: what it says, and its name.
func Words(p encode.Problem, constraint int) string {
	c := p.Constraints[constraint]
	var positive, negative []string
	for _, l := range c.Lits {
		if l > 0 {
			positive = append(positive, p.VarName(l.Var()))
		} else {
			negative = append(negative, p.VarName(l.Var()))
		}
	}
	text := c.Count() + " of " + c.Listed(func(l cnf.Lit) string { return literalName(p, l) })
	switch {
	case c.Least == 0 && c.Excludes() && len(c.Lits) == 2 && len(positive) == 2:
		text = fmt.Sprintf("%s excludes %s", positive[0], positive[1])
	case c.Least == 0 && c.Excludes() && len(c.Lits) == 2 && len(positive) == 1:
		text = fmt.Sprintf("%s needs %s", positive[0], negative[0])
	case !c.IsClause() && !c.IsExactlyOne():
	case len(negative) > 1 && len(positive) == 0 && c.IsClause():
		slices.Reverse(negative) // as they stand in a file: its literals are sorted
		text = "not all of " + strings.Join(negative, ", ")
	case len(c.Lits) == 1:
		text = literalName(p, c.Lits[0]) + " holds"
	case len(negative) != 1:
	case c.IsExactlyOne():
		text = fmt.Sprintf("%s has exactly one of %s, and they need it", negative[0], strings.Join(positive, ", "))
	case len(positive) == 1:
		text = fmt.Sprintf("%s needs %s", negative[0], positive[0])
	default:
		text = fmt.Sprintf("%s needs one of %s", negative[0], strings.Join(positive, ", "))
	}
	return fmt.Sprintf("%s (%s)", text, p.ConstraintName(constraint))
}

// literalNames returns the literals' names for people.
func literalNames(p encode.Problem, lits []cnf.Lit) []string {
	var names []string
	for _, l := range lits {
		names = append(names, literalName(p, l))
	}
	return names
}

func literalName(p encode.Problem, l cnf.Lit) string {
	if l < 0 {
		return "not " + p.VarName(l.Var())
	}
	return p.VarName(l.Var())
}

func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
