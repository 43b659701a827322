package ddnnf

import "queens/encode/cnf"

// changes keeps, for the assumptions of the last question, which nodes have solutions and which are reached from the
// root through such nodes. The next question looks at the leaves of the variables whose assumptions differ, and from
// there only at nodes that change. Assumptions that go only add solutions, those that come only remove some, so each
// node changes at most twice.
//
// It takes 17 bytes for each node, and 4 for each edge or literal.
type changes struct {
	*Graph
	assumed []cnf.Lit
	values  values
	next    []int8 // by variable-1: the next question's values

	parents, leaves lists // of nodes; of variables-1: the leaves with the literal, and ^ of those with its negation

	trues    []int32 // of a leaf: literals that are assumed true
	missing  []int32 // of a leaf: literals that are assumed false; of others: children without solutions
	reaching []int32 // parents that are reached
	flags    []flag
	shows    []int32 // by literal's index: reached leaves that let an open literal be true

	stack   []int32
	touched []int32 // leaves
	visited int64
}

// lists holds a list for each of many numbers.
type lists struct {
	begins []int32 // one more than lists
	all    []int32
}

func (l *lists) of(i int32) []int32 { return l.all[l.begins[i]:l.begins[i+1]] }

// listed returns n lists. each calls its argument with a number and an entry of its list, the same way each time.
func listed(n int, each func(add func(of, entry int32))) lists {
	l := lists{begins: make([]int32, n+2)}
	each(func(of, _ int32) { l.begins[of+2]++ })
	for i := range n {
		l.begins[i+2] += l.begins[i+1]
	}
	l.all = make([]int32, l.begins[n+1])
	each(func(of, entry int32) {
		l.all[l.begins[of+1]] = entry
		l.begins[of+1]++
	})
	return l
}

// flag is what holds of a node.
type flag uint8

const (
	solvable flag = 1 << iota // it has solutions
	reached                   // from the root, through nodes with solutions
	allows                    // a leaf lets an open literal be true
	forgoes                   // a leaf lets an open literal be false
	noted                     // a leaf is in touched
)

// needed returns the bytes of a graph, see [Graph], and of the changes that answer from it.
func needed(nodes, words int) int64 { return (5+17)*int64(nodes) + (4+4)*int64(words) }

// newChanges returns the state without assumptions: every node has solutions, and is reached.
func newChanges(g *Graph) *changes {
	c := &changes{
		Graph: g, values: make(values, g.problem.NumVars()), next: make([]int8, g.problem.NumVars()),
		trues: make([]int32, g.Len()), missing: make([]int32, g.Len()), reaching: make([]int32, g.Len()), flags: make([]flag, g.Len()),
		shows: make([]int32, 2*g.problem.NumVars()),
	}
	c.parents = listed(g.Len(), func(add func(of, entry int32)) {
		for i, k := range g.kinds {
			if k != leaf {
				for _, child := range g.of(i) {
					add(child, int32(i))
				}
			}
		}
	})
	c.leaves = listed(len(c.values), func(add func(of, entry int32)) {
		for i, k := range g.kinds {
			if k == leaf {
				_, _, lits := g.leaf(i)
				for _, l := range lits {
					entry := int32(i)
					if l < 0 {
						entry = ^entry
					}
					add(int32(cnf.Lit(l).Var()-1), entry)
				}
			}
		}
	})
	for i := range g.kinds {
		c.flags[i] = solvable | reached
		c.reaching[i] = int32(len(c.parents.of(int32(i))))
		if g.kinds[i] == leaf {
			c.look(int32(i))
		}
	}
	return c
}

// bytes returns the bytes held, without the graph.
func (c *changes) bytes() int64 {
	return 17*int64(c.Len()) + 4*int64(len(c.words))
}

// assume turns to assumptions, which must not contradict each other. It returns whether there is a solution.
func (c *changes) assume(lits []cnf.Lit) bool {
	c.visited = 0
	for _, l := range lits {
		if c.next[l.Var()-1] = 1; !l.Positive() {
			c.next[l.Var()-1] = -1
		}
	}
	for _, l := range c.assumed {
		if v := l.Var(); c.values[v-1] != 0 && c.values[v-1] != c.next[v-1] {
			c.set(v, 0)
		}
	}
	c.settle()
	for _, l := range lits {
		if v := l.Var(); c.values[v-1] == 0 {
			c.set(v, c.next[v-1])
		}
	}
	c.settle()
	for _, l := range lits {
		c.next[l.Var()-1] = 0
	}
	c.assumed = append(c.assumed[:0], lits...)
	return c.flags[c.Len()-1]&solvable != 0
}

// set assumes a value of a variable that is open, or takes its value back (0), and finds which nodes have solutions.
func (c *changes) set(v cnf.Var, value int8) {
	old, by := c.values[v-1], int32(1)
	if c.values[v-1] = value; value == 0 {
		value, by = old, -1
	}
	for _, entry := range c.leaves.of(int32(v - 1)) {
		i, literal := max(entry, ^entry), value == 1
		if entry < 0 { // the leaf has the negative literal
			literal = !literal
		}
		least, most, lits := c.leaf(int(i))
		if literal {
			c.trues[i] += by
		} else {
			c.missing[i] += by
		}
		if c.flags[i]&noted == 0 {
			c.flags[i] |= noted
			c.touched = append(c.touched, i)
		}
		if (int32(len(lits))-c.missing[i] >= least && c.trues[i] <= most) != (c.flags[i]&solvable != 0) {
			c.flip(i)
		}
	}
}

// flip notes that a node now has solutions, or has none any more, and what follows for the nodes above it.
func (c *changes) flip(node int32) {
	before := len(c.stack)
	c.flags[node] ^= solvable
	for c.stack = append(c.stack, node); len(c.stack) > before; {
		i := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		c.visited++
		by := int32(1)
		if c.flags[i]&solvable != 0 {
			by = -1
		}
		c.reach(i)
		for _, parent := range c.parents.of(i) {
			few := int32(1) // children without solutions from which on the parent has none
			if c.kinds[parent] == or {
				few = int32(len(c.Graph.of(int(parent))))
			}
			c.missing[parent] += by
			if (c.missing[parent] < few) != (c.flags[parent]&solvable != 0) {
				c.flags[parent] ^= solvable
				c.stack = append(c.stack, parent)
			}
		}
	}
}

// reach finds whether a node is reached now, and what follows for the nodes below it.
func (c *changes) reach(node int32) {
	before := len(c.stack)
	for c.stack = append(c.stack, node); len(c.stack) > before; {
		i := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		now := c.flags[i]&solvable != 0 && (c.reaching[i] > 0 || int(i) == c.Len()-1)
		if now == (c.flags[i]&reached != 0) {
			continue
		}
		c.visited++
		c.flags[i] ^= reached
		if c.kinds[i] == leaf {
			c.look(i)
			continue
		}
		for _, child := range c.Graph.of(int(i)) {
			if now {
				c.reaching[child]++
			} else {
				c.reaching[child]--
			}
			c.stack = append(c.stack, child)
		}
	}
}

// look finds which values a leaf allows its open literals.
func (c *changes) look(i int32) {
	least, most, lits := c.leaf(int(i))
	var now flag
	if c.flags[i]&reached != 0 {
		if c.trues[i] < most {
			now |= allows
		}
		if int32(len(lits))-c.missing[i] > least {
			now |= forgoes
		}
	}
	changed := (c.flags[i] ^ now) & (allows | forgoes)
	if changed == 0 {
		return
	}
	by := func(f flag) int32 {
		switch {
		case changed&f == 0:
			return 0
		case now&f != 0:
			return 1
		}
		return -1
	}
	whenTrue, whenFalse := by(allows), by(forgoes)
	for _, word := range lits {
		l := cnf.Lit(word)
		c.shows[l.Index()] += whenTrue
		c.shows[l.Not().Index()] += whenFalse
	}
	c.flags[i] ^= changed
}

// settle looks at the leaves that have changed.
func (c *changes) settle() {
	for _, i := range c.touched {
		c.flags[i] &^= noted
		c.look(i)
	}
	c.visited += int64(len(c.touched))
	c.touched = c.touched[:0]
}

// possible reports whether a solution has the literal. There must be a solution.
func (c *changes) possible(l cnf.Lit) bool {
	switch value := c.values[l.Var()-1]; {
	case value == 0:
		return c.shows[l.Index()] > 0
	case l.Positive():
		return value > 0
	default:
		return value < 0
	}
}
