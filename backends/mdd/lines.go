package mdd

import (
	"cmp"
	"fmt"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// maxValues is the largest number of values of a diagram's variable: a node has one bit for each.
const maxValues = 64

// Takes returns an error unless the problem's variables can be divided into exactly-one constraints.
//
// A variable outside such a constraint could be a line of its own, with the values true and false.
// Such problems are refused: the diagram would be a ZDD again, only with larger nodes.
func Takes(p encode.Problem) error {
	_, err := linesOf(p, nil)
	return err
}

// linesOf divides the problem's variables into lines. Each line is the variables of one exactly-one
// constraint, so a solution has exactly one true variable in every line. If there are several ways, it
// takes the one whose lines lie closest together in the order. Lines and their variables are sorted by
// the order; nil is the natural order.
func linesOf(p encode.Problem, o order.Order) ([][]cnf.Var, error) {
	levels := make([]int, p.NumVars())
	for i := range levels {
		levels[i] = i
	}
	if o != nil {
		levels = o.Levels()
	}
	var partitions []partition
	for _, c := range p.Constraints {
		line, is := lineOf(p, c)
		if !is {
			continue
		}
		slices.SortFunc(line, func(a, b cnf.Var) int { return levels[a-1] - levels[b-1] })
		i := slices.IndexFunc(partitions, func(s partition) bool { return s.fits(line) })
		if i < 0 {
			i = len(partitions)
			partitions = append(partitions, partition{in: make([]bool, p.NumVars())})
		}
		partitions[i].add(line, levels[line[len(line)-1]-1]-levels[line[0]-1])
	}
	partitions = slices.DeleteFunc(partitions, func(s partition) bool { return slices.Contains(s.in, false) })
	if len(partitions) == 0 && p.NumVars() > 0 {
		return nil, fmt.Errorf("%s: a multi-valued diagram needs exactly-one constraints of at most %d variables "+
			"that divide all variables among them; back-end bdd takes every problem", p, maxValues)
	}
	if len(partitions) == 0 {
		return nil, nil
	}
	lines := slices.MinFunc(partitions, func(a, b partition) int { return a.span - b.span }).lines
	slices.SortFunc(lines, func(a, b []cnf.Var) int { return cmp.Compare(levels[a[0]-1], levels[b[0]-1]) })
	return lines, nil
}

// lineOf returns the variables of a constraint, and whether it can be a line.
func lineOf(p encode.Problem, c encode.Constraint) (line []cnf.Var, is bool) {
	if !c.IsExactlyOne() || len(c.Lits) == 0 || len(c.Lits) > maxValues {
		return nil, false
	}
	for _, l := range c.Lits {
		if !l.Positive() || int(l) > p.NumVars() || slices.Contains(line, l.Var()) {
			return nil, false
		}
		line = append(line, l.Var())
	}
	return line, true
}

// partition is a set of lines without a common variable. It is complete once it contains all variables.
type partition struct {
	lines [][]cnf.Var
	in    []bool // by variable-1
	span  int    // the sum of the distances between each line's first and last level
}

func (s *partition) fits(line []cnf.Var) bool {
	return !slices.ContainsFunc(line, func(v cnf.Var) bool { return s.in[v-1] })
}

func (s *partition) add(line []cnf.Var, span int) {
	s.lines = append(s.lines, line)
	s.span += span
	for _, v := range line {
		s.in[v-1] = true
	}
}
