package encode

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"queens/encode/cnf"
)

// rule is a constraint of a feature model: a literal, or an operator and what it joins.
type rule struct {
	operator    string // "" for a literal
	lit         cnf.Lit
	left, right *rule // right alone for !
}

// deepest bounds how deeply rules nest, since reading them is recursive.
const deepest = 10_000

// uvlOperators lists the operators, the loosest first.
var uvlOperators = []string{"<=>", "=>", "|", "&"}

var errNotBoolean = errors.New("supported are constraints of features with !, &, |, =>, <=> and parentheses")

// constraint reads a constraint and adds its clauses.
func (u *uvlReader) constraint(words []string) error {
	r, rest, err := u.rule(words, 0, 0)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return fmt.Errorf("%q in a constraint: %w", rest[0], errNotBoolean)
	}
	for _, lits := range u.clausesOf(r, true) {
		u.add(lits)
	}
	return nil
}

// rule reads what the operators from the given one on join. All of them group from the left.
func (u *uvlReader) rule(words []string, operator, depth int) (*rule, []string, error) {
	if operator == len(uvlOperators) {
		return u.operand(words, depth)
	}
	left, rest, err := u.rule(words, operator+1, depth)
	for err == nil && len(rest) > 0 && rest[0] == uvlOperators[operator] {
		var right *rule
		right, rest, err = u.rule(rest[1:], operator+1, depth)
		left = &rule{operator: uvlOperators[operator], left: left, right: right}
	}
	return left, rest, err
}

// operand reads a feature, a negation or parentheses.
func (u *uvlReader) operand(words []string, depth int) (*rule, []string, error) {
	switch {
	case depth > deepest:
		return nil, nil, fmt.Errorf("a constraint that is nested more than %d deep", deepest)
	case len(words) == 0:
		return nil, nil, errors.New("a constraint that ends too early: expected a feature")
	case words[0] == "!":
		r, rest, err := u.operand(words[1:], depth+1)
		return &rule{operator: "!", right: r}, rest, err
	case words[0] == "(":
		r, rest, err := u.rule(words[1:], 0, depth+1)
		if err == nil && (len(rest) == 0 || rest[0] != ")") {
			return nil, nil, fmt.Errorf("%q in parentheses: %w", strings.Join(rest[:min(1, len(rest))], ""), errNotBoolean)
		}
		return r, rest[min(1, len(rest)):], err
	case words[0][0] == '\'':
		return nil, nil, fmt.Errorf("%s, a string: %w", words[0], errNotBoolean)
	case !isName(words[0]):
		return nil, nil, fmt.Errorf("%q: %w", words[0], errNotBoolean)
	}
	v, known := u.features[strings.Trim(words[0], `"`)]
	if !known {
		return nil, nil, fmt.Errorf("%q is no feature of the model: %w", strings.Trim(words[0], `"`), errNotBoolean)
	}
	return &rule{lit: v.Pos()}, words[1:], nil
}

// mostProduct is the largest number of clauses that a disjunction of conjunctions is multiplied out to. Beyond it an
// auxiliary variable, which implies one of the conjunctions, stands for it.
const mostProduct = 64

// clausesOf returns clauses that say that a rule holds, or that it does not.
func (u *uvlReader) clausesOf(r *rule, holds bool) [][]cnf.Lit {
	switch r.operator {
	case "":
		if holds {
			return [][]cnf.Lit{{r.lit}}
		}
		return [][]cnf.Lit{{r.lit.Not()}}
	case "!":
		return u.clausesOf(r.right, !holds)
	case "<=>":
		a, b := u.equal(r.left), u.equal(r.right)
		if !holds {
			b = b.Not()
		}
		return [][]cnf.Lit{{a.Not(), b}, {a, b.Not()}}
	}
	first, second := u.clausesOf(r.left, holds != (r.operator == "=>")), u.clausesOf(r.right, holds)
	if holds == (r.operator == "&") {
		return append(first, second...)
	}
	if len(first) < len(second) {
		first, second = second, first
	}
	if len(first)*len(second) > mostProduct && len(second) > 1 {
		u.vars++
		x := cnf.Lit(u.vars)
		for _, lits := range first {
			u.add(append([]cnf.Lit{x.Not()}, lits...))
		}
		first = [][]cnf.Lit{{x}}
	}
	product := make([][]cnf.Lit, 0, len(first)*len(second))
	for _, a := range first {
		for _, b := range second {
			product = append(product, slices.Concat(a, b))
		}
	}
	return product
}

// equal returns a literal that is true exactly if a rule holds.
func (u *uvlReader) equal(r *rule) cnf.Lit {
	for r.operator == "!" && r.right.operator == "!" {
		r = r.right.right
	}
	switch {
	case r.operator == "":
		return r.lit
	case r.operator == "!" && r.right.operator == "":
		return r.right.lit.Not()
	}
	if x, known := u.defined[r]; known {
		return x
	}
	u.vars++
	x := cnf.Lit(u.vars)
	u.defined[r] = x
	for _, lits := range u.clausesOf(r, true) {
		u.add(append([]cnf.Lit{x.Not()}, lits...))
	}
	for _, lits := range u.clausesOf(r, false) {
		u.add(append([]cnf.Lit{x}, lits...))
	}
	return x
}

// add adds a clause, as a set of literals, unless it is always true.
func (u *uvlReader) add(lits []cnf.Lit) {
	lits = slices.Clone(lits)
	slices.Sort(lits)
	if lits = slices.Compact(lits); !tautology(lits) {
		u.clauses = append(u.clauses, clause{lits, int32(u.line), int32(u.line)})
	}
}
