package bdd

import (
	"cmp"
	"fmt"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// plan is the top-down construction's view of a problem, with the position of each variable in a state.
// Variables are denoted by their levels. Everything in it comes from the constraints, whatever their
// subject.
type plan struct {
	levels   int
	exactly  [][]int // the exactly-one constraints: the levels of their variables, ascending
	excludes [][]int // the exactly-one and at-most-one constraints of two or more variables
	placed   []int   // the variables that are fixed to true
	blocked  []int   // the variables that are fixed to false

	// A state is a row of lanes, all of one width. Each exactly-one constraint has its own lane. The
	// constraints are divided into families of disjoint ones, and a variable of several families lies in
	// a lane of each.
	width  int
	blocks int     // of four words
	lanes  [][]int // by lane: the level at each position
	owned  int     // the number of lanes of constraints; the lanes after them hold loose variables
	// If two families cross like rows and columns, crossed[level] is the position of a variable in its
	// lane. All variables of a constraint of the second family have the same position, so that family
	// needs no lanes. Otherwise crossed is nil.
	crossed []int
	across  int // the number of constraints of the crossing family
}

const (
	maxWidth  = 64 // a lane lies in one word
	maxBlocks = 16 // the largest bitset
	// guards is the number of positions in a lane of loose variables that hold no variable and are
	// always set. With two guards such a lane is never empty and no variable is ever alone in it, so it
	// never forces anything.
	guards = 2
)

// newPlan lays out a problem. If the construction cannot build it, the error says why.
func newPlan(p encode.Problem, o order.Order) (*plan, error) {
	pl := &plan{levels: len(o)}
	if err := pl.read(p, o.Levels()); err != nil {
		return nil, err
	}
	if len(pl.exactly) > 64*4*maxBlocks { // too many for any width
		return nil, fmt.Errorf("%d exactly-one constraints: at most %d are supported", len(pl.exactly), 64*4*maxBlocks)
	}
	loose := slices.Repeat([]bool{true}, pl.levels)
	for _, c := range pl.exactly {
		for _, level := range c {
			loose[level] = false
		}
	}
	for _, level := range pl.placed {
		if loose[level] { // a unit is a constraint like any other
			loose[level] = false
			pl.exactly = append(pl.exactly, []int{level})
		}
	}
	families := pl.families()
	if !slices.Contains(loose, true) && len(families) == 2 && pl.cross(families[0], families[1]) {
		families = families[:1]
	}
	for _, family := range families {
		for _, c := range family {
			pl.width = max(pl.width, len(c))
			pl.lanes = append(pl.lanes, c)
		}
	}
	pl.width = max(pl.width, pl.across, 1)
	pl.owned = len(pl.lanes)
	return pl, pl.fit(loose)
}

// read sorts the constraints by kind.
func (pl *plan) read(p encode.Problem, levels []int) error {
	units := slices.Clone(p.Fixed)
	for _, c := range p.Constraints {
		switch {
		case c.Least > min(c.Most, c.Total()): // false, as is exactly one of none
			c = encode.ExactlyOne(c.Name)
		case c.Least == c.Total():
			units = append(units, c.Lits...)
			continue
		case c.Most == 0:
			units = append(units, cnf.Negated(c.Lits)...)
			continue
		case c.Least == 0 && !c.Limits():
			continue
		case !c.Excludes():
			return fmt.Errorf("constraint %q asks for %s of its literals: "+
				"only exactly-one and at-most-one constraints are supported", c.Name, c.Count())
		}
		vars := make([]int, len(c.Lits))
		for i, l := range c.Lits {
			if !l.Positive() {
				return fmt.Errorf("constraint %q has a negative literal: only positive literals are supported", c.Name)
			}
			vars[i] = levels[l.Var()-1]
		}
		slices.Sort(vars)
		if c.Least > 0 {
			pl.exactly = append(pl.exactly, vars)
		}
		pl.excludes = append(pl.excludes, vars)
	}
	for _, l := range units {
		if l.Positive() {
			pl.placed = append(pl.placed, levels[l.Var()-1])
		} else {
			pl.blocked = append(pl.blocked, levels[l.Var()-1])
		}
	}
	return nil
}

// families divides the exactly-one constraints into families of disjoint ones: each constraint goes to
// the first family that it fits. The family with the most variables comes first; among equals, the one
// whose constraints lie closest together in the order. Within a family, constraints are sorted by their
// first levels.
func (pl *plan) families() [][][]int {
	type family struct {
		constraints [][]int
		in          []bool // by level
		vars, span  int
	}
	var families []*family
	for _, c := range pl.exactly {
		fits := func(f *family) bool {
			return !slices.ContainsFunc(c, func(level int) bool { return f.in[level] })
		}
		i := slices.IndexFunc(families, fits)
		if i < 0 {
			i = len(families)
			families = append(families, &family{in: make([]bool, pl.levels)})
		}
		f := families[i]
		f.constraints = append(f.constraints, c)
		for _, level := range c {
			f.in[level] = true
		}
		if f.vars += len(c); len(c) > 0 {
			f.span += c[len(c)-1] - c[0]
		}
	}
	slices.SortStableFunc(families, func(a, b *family) int {
		return cmp.Or(b.vars-a.vars, a.span-b.span)
	})
	sorted := make([][][]int, len(families))
	for i, f := range families {
		slices.SortFunc(f.constraints, slices.Compare)
		sorted[i] = f.constraints
	}
	return sorted
}

// cross sets pl.crossed and returns true if the columns cross the lanes as columns cross the rows of a
// board: over the same variables, at most one variable of each column in a lane, and so few columns that
// states become no larger than with lanes for both.
//
// It saves a quarter of free-set's time: n = 13 0.28 -> 0.20 s row-major, 0.72 -> 0.53 s
// diagonal-interleaved.
func (pl *plan) cross(lanes, columns [][]int) bool {
	longest := 0
	for _, c := range slices.Concat(lanes, columns) {
		longest = max(longest, len(c))
	}
	if len(columns) > maxWidth || len(lanes)*len(columns) > (len(lanes)+len(columns))*longest {
		return false
	}
	crossed := slices.Repeat([]int{-1}, pl.levels)
	for column, c := range columns {
		for _, level := range c {
			crossed[level] = column
		}
	}
	for _, c := range lanes {
		taken := uint64(0)
		for _, level := range c {
			if crossed[level] < 0 || taken>>crossed[level]&1 != 0 {
				return false
			}
			taken |= 1 << crossed[level]
		}
	}
	pl.crossed, pl.across = crossed, len(columns)
	return true
}

// fit adds the lanes of loose variables and chooses the width.
func (pl *plan) fit(loose []bool) error {
	var rest []int
	for level, is := range loose {
		if is {
			rest = append(rest, level)
		}
	}
	if len(rest) > 0 {
		pl.width = max(pl.width, guards+min(len(rest), 6))
	}
	for ; ; pl.width++ {
		if pl.width > maxWidth {
			return fmt.Errorf("a constraint has %d variables: at most %d are supported", pl.width, maxWidth)
		}
		perLane := max(1, pl.width-guards)
		lanes := pl.owned + (len(rest)+perLane-1)/perLane
		pl.blocks = blocks(lanes, 64/pl.width)
		if pl.blocks == 0 {
			return fmt.Errorf("sets of %d lanes of %d bits are too large: at most %d words are supported",
				lanes, pl.width, 4*maxBlocks)
		}
		if pl.width >= 7 || min(lanes, 4*pl.blocks) < 1<<pl.width { // see layout.needs
			pl.lanes = slices.AppendSeq(pl.lanes, slices.Chunk(rest, perLane))
			return nil
		}
	}
}

// blocks returns the number of blocks of four words in the smallest bitset that holds
// the lanes, or 0 if there is none.
func blocks(lanes, perWord int) int {
	for _, blocks := range []int{1, 2, 4, maxBlocks} {
		if lanes <= 4*blocks*perWord {
			return blocks
		}
	}
	return 0
}

// position returns the position of the i-th variable of a lane within that lane.
func (pl *plan) position(level, i int) int {
	if pl.crossed != nil {
		return pl.crossed[level]
	}
	return i
}
