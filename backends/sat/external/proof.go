package external

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"queens/encode/cnf"
)

// CheckProof checks a proof that the formula has no model. Each line has one
// clause, whose negation unit propagation must refute (RUP: Goldberg and Novikov,
// DATE 2003), or begins with d and deletes a clause (Heule, Hunt and Wetzler,
// FMCAD 2013). It ends at the first empty clause and returns the number of
// clauses derived. The error names the line of a clause that does not follow.
func CheckProof(ctx context.Context, f *cnf.Formula, proof io.Reader) (steps int, err error) {
	c := newChecker(f)
	lines := bufio.NewScanner(proof)
	lines.Buffer(nil, 1<<26)
	for number := 1; lines.Scan(); number++ {
		if number%256 == 0 && ctx.Err() != nil {
			return steps, ctx.Err()
		}
		words := strings.Fields(lines.Text())
		deletion := len(words) > 0 && words[0] == "d"
		if deletion {
			words = words[1:]
		}
		clause, err := parseClause(words)
		if err == nil {
			err = within(f.Vars, clause)
		}
		if err != nil {
			return steps, fmt.Errorf("proof, line %d: %w", number, err)
		}
		if deletion {
			c.remove(clause)
			continue
		}
		if !c.follows(clause) {
			return steps, fmt.Errorf("proof, line %d: the clause %v does not follow by unit propagation", number,
				clause)
		}
		steps++
		if len(clause) == 0 {
			return steps, nil
		}
		c.add(clause)
	}
	if err := lines.Err(); err != nil {
		return steps, fmt.Errorf("reading the proof: %w", err)
	}
	return steps, fmt.Errorf("the proof ends after %d clauses without the empty one", steps)
}

// within returns an error for a literal of a variable that the formula does not have: unit
// propagation derives none.
func within(vars int, clause []cnf.Lit) error {
	for _, l := range clause {
		if int(l) > vars || int(l) < -vars {
			return fmt.Errorf("literal %d, but there are %d variables", l, vars)
		}
	}
	return nil
}

func parseClause(words []string) ([]cnf.Lit, error) {
	if len(words) == 0 || words[len(words)-1] != "0" {
		return nil, fmt.Errorf("expected literals and a closing 0")
	}
	clause := make([]cnf.Lit, len(words)-1)
	for i := range clause {
		l, err := strconv.ParseInt(words[i], 10, 32)
		if err != nil || l == 0 {
			return nil, fmt.Errorf("literal %q", words[i])
		}
		clause[i] = cnf.Lit(l)
	}
	return clause, nil
}

// checker propagates units over clauses with two watched literals each (Moskewicz
// et al., DAC 2001). Literals that follow from the clauses alone stay assigned.
type checker struct {
	value   []int8    // by variable: 1 true, -1 false
	watches [][]*rule // by index of the literal: the clauses that watch it
	trail   []cnf.Lit
	next    int // index of the first literal on the trail that is not propagated
	byKey   map[string][]*rule
	bottom  bool // the clauses alone are contradictory
}

type rule struct {
	lits    []cnf.Lit // the first two are watched
	deleted bool
}

func newChecker(f *cnf.Formula) *checker {
	c := &checker{byKey: make(map[string][]*rule)}
	for clause := range f.Clauses() {
		c.add(slices.Clone(clause))
	}
	return c
}

func index(l cnf.Lit) int {
	if l > 0 {
		return 2 * int(l)
	}
	return -2*int(l) + 1
}

func (c *checker) grow(l cnf.Lit) {
	for int(l.Var()) >= len(c.value) {
		c.value = append(c.value, 0)
		c.watches = append(c.watches, nil, nil)
	}
}

func (c *checker) of(l cnf.Lit) int8 {
	if l < 0 {
		return -c.value[-l]
	}
	return c.value[l]
}

func (c *checker) set(l cnf.Lit) {
	if l < 0 {
		c.value[-l] = -1
	} else {
		c.value[l] = 1
	}
	c.trail = append(c.trail, l)
}

// add adds a clause, and propagates if it is unit.
func (c *checker) add(lits []cnf.Lit) {
	for _, l := range lits {
		c.grow(l)
	}
	if c.bottom {
		return
	}
	r := &rule{lits: lits}
	k := key(lits)
	c.byKey[k] = append(c.byKey[k], r)
	// Watch literals that are not false, if there are any.
	slices.SortStableFunc(lits, func(a, b cnf.Lit) int { return int(c.of(b)) - int(c.of(a)) })
	if len(lits) >= 2 {
		c.watches[index(lits[0])] = append(c.watches[index(lits[0])], r)
		c.watches[index(lits[1])] = append(c.watches[index(lits[1])], r)
	}
	switch {
	case len(lits) == 0 || c.of(lits[0]) < 0:
		c.bottom = true
	case c.of(lits[0]) == 0 && (len(lits) == 1 || c.of(lits[1]) < 0):
		c.set(lits[0])
		c.bottom = !c.propagate()
	}
}

// remove deletes a clause. It keeps unit clauses and clauses with a true literal,
// as the solvers' own checkers do.
func (c *checker) remove(lits []cnf.Lit) {
	rules := c.byKey[key(lits)]
	if len(rules) == 0 || len(lits) < 2 {
		return
	}
	last := rules[len(rules)-1]
	for _, l := range last.lits {
		if int(l.Var()) < len(c.value) && c.of(l) > 0 {
			return
		}
	}
	last.deleted = true
	c.byKey[key(lits)] = rules[:len(rules)-1]
}

// follows reports whether propagation refutes the clause's negation.
func (c *checker) follows(lits []cnf.Lit) bool {
	if c.bottom {
		return true
	}
	mark := len(c.trail)
	refuted := false
	for _, l := range lits {
		c.grow(l)
		if v := c.of(l); v > 0 {
			refuted = true
			break
		} else if v == 0 {
			c.set(l.Not())
		}
	}
	refuted = refuted || !c.propagate()
	for _, l := range c.trail[mark:] {
		c.value[l.Var()] = 0
	}
	c.trail, c.next = c.trail[:mark], mark
	return refuted
}

// propagate returns false if a clause is falsified.
func (c *checker) propagate() bool {
	for c.next < len(c.trail) {
		falsified := c.trail[c.next].Not()
		c.next++
		watching := c.watches[index(falsified)]
		kept := watching[:0]
		for i, r := range watching {
			if r.deleted {
				continue
			}
			if r.lits[0] == falsified {
				r.lits[0], r.lits[1] = r.lits[1], falsified
			}
			if c.of(r.lits[0]) > 0 || c.rewatch(r) {
				if r.lits[1] == falsified {
					kept = append(kept, r)
				}
				continue
			}
			kept = append(kept, r)
			if c.of(r.lits[0]) < 0 {
				c.watches[index(falsified)] = append(kept, watching[i+1:]...)
				return false
			}
			c.set(r.lits[0])
		}
		c.watches[index(falsified)] = kept
	}
	return true
}

// rewatch moves the second watch to a literal that is not false, if there is one.
func (c *checker) rewatch(r *rule) bool {
	for i, l := range r.lits[2:] {
		if c.of(l) >= 0 {
			r.lits[1], r.lits[i+2] = l, r.lits[1]
			c.watches[index(l)] = append(c.watches[index(l)], r)
			return true
		}
	}
	return false
}

// key returns a key that is the same for clauses with the same literals in any
// order.
func key(lits []cnf.Lit) string {
	sorted := slices.Clone(lits)
	slices.Sort(sorted)
	var b []byte
	for _, l := range sorted {
		b = strconv.AppendInt(append(b, ' '), int64(l), 36)
	}
	return string(b)
}
