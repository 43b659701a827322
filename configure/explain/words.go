package explain

import (
	"fmt"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
)

// Sentence puts the reason in one sentence, without a full stop.
func (r *Reason) Sentence(p encode.Problem) string {
	name := literalName(p, r.Literal)
	switch {
	case r.Witness != nil:
		return name + " is possible"
	case len(r.Blame) == 0:
		return name + " is in no solution, whatever is assumed"
	case r.Fewer == nil:
		return fmt.Sprintf("%s is ruled out by %s", name, and(literalNames(p, r.Blame)))
	case len(r.Fewer) == 0:
		return fmt.Sprintf("%s is ruled out by %s; it is in no solution, whatever is assumed", name, and(literalNames(p, r.Blame)))
	case len(r.Fewer) == 1:
		return fmt.Sprintf("%s is ruled out by %s (%s alone suffices, by a longer argument)", name,
			and(literalNames(p, r.Blame)), and(literalNames(p, r.Fewer)))
	}
	return fmt.Sprintf("%s is ruled out by %s (%s suffice, by a longer argument)", name, and(literalNames(p, r.Blame)),
		and(literalNames(p, r.Fewer)))
}

// Sentence describes the step in words, without a full stop.
func (s Step) Sentence(p encode.Problem) string {
	what := "a contradiction"
	switch {
	case s.Kind == Case:
		return fmt.Sprintf("suppose %s: %s", literalName(p, s.Literal), Words(p, s.Constraint))
	case s.Kind == Forced:
		what = literalName(p, s.Literal)
	}
	if len(s.Because) > 0 {
		what += ", because of " + and(literalNames(p, s.Because))
	}
	text := fmt.Sprintf("%s: %s", what, Words(p, s.Constraint))
	for _, by := range s.Because {
		var excluded []cnf.Lit
		for _, x := range s.Excluded {
			if x.By == by && x.Constraint != s.Constraint {
				excluded = append(excluded, x.Literal)
			}
		}
		if excluded != nil {
			text += fmt.Sprintf("; %s excludes %s", literalName(p, by), and(literalNames(p, excluded)))
		}
	}
	return text
}

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
	bound := [...]string{"at least one of ", "at most one of ", "exactly one of "}[c.Bound]
	text := bound + strings.Join(literalNames(p, c.Lits), ", ")
	switch {
	case c.Bound == encode.AtMostOne && len(c.Lits) == 2 && len(positive) == 2:
		text = fmt.Sprintf("%s excludes %s", positive[0], positive[1])
	case c.Bound == encode.AtMostOne:
	case len(c.Lits) == 1:
		text = literalName(p, c.Lits[0]) + " holds"
	case len(negative) != 1:
	case c.Bound == encode.ExactlyOne:
		text = fmt.Sprintf("%s has exactly one of %s, and they need it", negative[0], strings.Join(positive, ", "))
	case len(positive) == 1:
		text = fmt.Sprintf("%s needs %s", negative[0], positive[0])
	default:
		text = fmt.Sprintf("%s needs one of %s", negative[0], strings.Join(positive, ", "))
	}
	if c.Name == "" {
		return fmt.Sprintf("%s (constraint %d)", text, constraint+1)
	}
	return fmt.Sprintf("%s (%s)", text, c.Name)
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
