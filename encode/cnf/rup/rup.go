package rup

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"queens/encode/cnf"
)

// Checker holds a formula and the clauses that have been shown to follow from it.
type Checker struct {
	Added, Removed int  // clauses of the proof so far
	Refuted        bool // the formula has no solution

	clauses [][]cnf.Lit        // the first two literals are watched; nil if removed
	watches [][]int32          // by literal's index: the clauses that watch it
	value   []int8             // by literal's index: 1 true, -1 false, 0 open
	trail   []cnf.Lit          // the literals that are true
	done    int                // literals of the trail that are propagated
	found   map[uint64][]int32 // by hash: the clauses of two literals or more; nil until the proof removes a clause
}

// New returns a checker for the clauses of a file, which it copies.
func New(f *cnf.File) *Checker {
	c := &Checker{watches: make([][]int32, 2*f.Vars), value: make([]int8, 2*f.Vars)}
	for i := range f.Len() {
		c.add(slices.Clone(f.At(i)))
	}
	return c
}

// Replay reads a proof and adds its clauses, each of which must follow by unit propagation from the formula and the
// clauses before. Errors name the place as file:line.
func (c *Checker) Replay(proof io.Reader, file string) error {
	lines := bufio.NewScanner(proof)
	lines.Buffer(make([]byte, 1<<16), cnf.LongestLine)
	line := 0
	for lines.Scan() {
		line++
		words := bytes.Fields(lines.Bytes())
		if len(words) == 0 || words[0][0] == 'c' {
			continue
		}
		remove := string(words[0]) == "d"
		if remove {
			words = words[1:]
		}
		clause, err := c.parse(words)
		switch {
		case err != nil:
		case remove:
			c.remove(clause)
		case !c.Follows(clause...):
			err = unproved(clause)
		default:
			c.add(clause)
			c.Added++
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
	if err := cnf.TooLong(lines.Err()); err != nil {
		return fmt.Errorf("%s:%d: %w", file, line+1, err)
	}
	return nil
}

// unproved is the error for a clause that the checker does not accept.
type unproved []cnf.Lit

func (u unproved) Error() string {
	return fmt.Sprintf("clause %v does not follow by unit propagation from the formula and the lines before", []cnf.Lit(u))
}

// IsUnproved reports whether an error of Replay says that a clause does not follow, not that a line cannot be read.
func IsUnproved(err error) bool { return errors.As(err, new(unproved)) }

// parse reads a clause that ends with 0.
func (c *Checker) parse(words [][]byte) (clause []cnf.Lit, err error) {
	for i, word := range words {
		number, err := strconv.ParseInt(string(word), 10, 32)
		switch l := cnf.Lit(number); {
		case err != nil:
			return nil, fmt.Errorf("%q: expected a literal (a proof in binary form is not read)", word)
		case l == 0 && i == len(words)-1:
			return clause, nil
		case l == 0:
			return nil, errors.New("0 before the end of the line")
		case 2*int(l.Var()) > len(c.value):
			return nil, fmt.Errorf("variable %d: the formula has %d", l.Var(), len(c.value)/2)
		default:
			clause = append(clause, l)
		}
	}
	return nil, errors.New("a clause without 0 at its end")
}

// Follows reports whether unit propagation refutes the clause's negation. A clause without literals follows if the formula
// is refuted.
func (c *Checker) Follows(clause ...cnf.Lit) bool {
	before := len(c.trail)
	follows := c.Refuted
	for _, l := range clause {
		follows = follows || !c.set(l.Not())
	}
	follows = follows || !c.propagate()
	for _, l := range c.trail[before:] {
		c.value[l.Index()], c.value[l.Not().Index()] = 0, 0
	}
	c.trail, c.done = c.trail[:before], before
	return follows
}

// set makes a literal true; it returns false if the literal is false.
func (c *Checker) set(l cnf.Lit) bool {
	if c.value[l.Index()] == 0 {
		c.value[l.Index()], c.value[l.Not().Index()] = 1, -1
		c.trail = append(c.trail, l)
	}
	return c.value[l.Index()] > 0
}

// propagate sets what follows; it returns false if a clause is violated.
func (c *Checker) propagate() bool {
	for ; c.done < len(c.trail); c.done++ {
		isFalse := c.trail[c.done].Not()
		list := c.watches[isFalse.Index()]
		kept := list[:0]
		for k, i := range list {
			clause := c.clauses[i]
			if clause == nil {
				continue
			}
			if clause[0] == isFalse {
				clause[0], clause[1] = clause[1], clause[0]
			}
			if c.value[clause[0].Index()] <= 0 {
				if at := slices.IndexFunc(clause[2:], func(l cnf.Lit) bool { return c.value[l.Index()] >= 0 }); at >= 0 {
					clause[1], clause[2+at] = clause[2+at], clause[1]
					c.watches[clause[1].Index()] = append(c.watches[clause[1].Index()], i)
					continue
				}
			}
			kept = append(kept, i)
			if !c.set(clause[0]) {
				c.watches[isFalse.Index()] = append(kept, list[k+1:]...)
				return false
			}
		}
		c.watches[isFalse.Index()] = kept
	}
	return true
}

// add adds a clause, which it takes over, and what follows from it alone.
func (c *Checker) add(clause []cnf.Lit) {
	slices.Sort(clause)
	clause = slices.Compact(clause)
	// Literals that are not false come first, so that they are watched.
	slices.SortStableFunc(clause, func(a, b cnf.Lit) int { return int(min(c.value[b.Index()], 0)) - int(min(c.value[a.Index()], 0)) })
	if len(clause) > 1 {
		i := int32(len(c.clauses))
		c.clauses = append(c.clauses, clause)
		for _, l := range clause[:2] {
			c.watches[l.Index()] = append(c.watches[l.Index()], i)
		}
		if c.found != nil {
			c.found[hash(clause)] = append(c.found[hash(clause)], i)
		}
	}
	switch {
	case len(clause) == 0:
		c.Refuted = true
	case len(clause) == 1 || c.value[clause[1].Index()] < 0:
		c.Refuted = !c.set(clause[0]) || !c.propagate() || c.Refuted
	}
}

// remove removes a clause, if it is there. What has followed from it stays: it follows from the formula.
func (c *Checker) remove(clause []cnf.Lit) {
	if c.found == nil {
		c.found = map[uint64][]int32{}
		for i, clause := range c.clauses {
			c.found[hash(clause)] = append(c.found[hash(clause)], int32(i))
		}
	}
	slices.Sort(clause)
	clause = slices.Compact(clause)
	for k, i := range c.found[hash(clause)] {
		if same := slices.Sorted(slices.Values(c.clauses[i])); slices.Equal(same, clause) {
			c.clauses[i] = nil
			c.found[hash(clause)] = slices.Delete(c.found[hash(clause)], k, k+1)
			c.Removed++
			return
		}
	}
}

// hash does not depend on the order of the literals.
func hash(clause []cnf.Lit) (sum uint64) {
	for _, l := range clause {
		x := uint64(uint32(l)) * 0x9e3779b97f4a7c15
		sum += x ^ x>>29
	}
	return sum
}

// Holds returns the literals that hold in every solution by unit propagation, in the order in which they followed.
func (c *Checker) Holds() []cnf.Lit { return c.trail }
