package robdd

import (
	"fmt"
	"slices"
)

// Node is a node of a Diagram: the ids of its two children, 8 bytes.
type Node struct{ Low, High uint32 }

// maxNodes is the largest node count of a Diagram: ids have 32 bits, and two ids belong to the
// terminals.
const maxNodes = 1<<32 - 3

// Diagram is one function as an immutable reduced ordered diagram with one root.
//
// Ids 0 and 1 are the terminals; nodes are numbered from 2. Nodes are stored level by level, the bottom
// level first, so children come before their parents and every query is one or two passes over an array.
// A node's level follows from its id, so a node consists of just its two children, 8 bytes. The root is
// the last node; if there are no nodes, it is a terminal.
//
// A Diagram never changes after it is made, so goroutines may share it.
type Diagram struct {
	kind   Kind
	root   uint32
	order  []Var
	levels []int32  // level of each variable
	first  []uint32 // by height: nodes at height h are first[h] <= id < first[h+1]
	nodes  []Node   // nodes[id-2]
}

// NewDiagram makes a diagram from its parts. It keeps the slices, so the caller must
// not use them afterwards.
//
// order is the variable order, top level first. Heights count levels from the
// bottom: height h is level len(order)-1-h. first has len(order)+1 entries, the
// ids of height h are first[h] <= id < first[h+1], and first[0] is 2. nodes[i] has
// id i+2. The root is the last node, or a terminal when there are no nodes.
//
// The caller guarantees that children lie on lower levels, that no node is redundant, that no two are
// equal, and that all are reachable; [Load] checks this for a saved diagram.
func NewDiagram(kind Kind, order []Var, first []uint32, nodes []Node, root uint32) (*Diagram, error) {
	levels, err := levelsOf(order)
	return &Diagram{kind: kind, root: root, order: order, levels: levels, first: first, nodes: nodes}, err
}

// Kind returns the diagram's kind: BDD or ZDD.
func (d *Diagram) Kind() Kind { return d.kind }

// Vars returns the number of variables, which is also the number of levels.
func (d *Diagram) Vars() int { return len(d.order) }

// Order returns a copy of the variable order, top level first.
func (d *Diagram) Order() []Var { return slices.Clone(d.order) }

// VarAt returns the variable on a level; level 0 is the top.
func (d *Diagram) VarAt(level int) Var { return d.order[level] }

// LevelOf returns the level of a variable.
func (d *Diagram) LevelOf(v Var) int { return int(d.levels[v-1]) }

// Root returns the root's id.
func (d *Diagram) Root() uint32 { return d.root }

// Node returns the children of the node with id >= 2.
func (d *Diagram) Node(id uint32) Node { return d.nodes[id-2] }

// Len returns the node count: internal nodes, terminals not counted.
func (d *Diagram) Len() int { return len(d.nodes) }

// Bytes returns the memory of the nodes, in bytes.
func (d *Diagram) Bytes() int64 { return int64(len(d.nodes)) * 8 }

// Level returns the ids lo <= id < hi of the nodes on a level.
func (d *Diagram) Level(level int) (lo, hi uint32) {
	h := len(d.order) - 1 - level
	return d.first[h], d.first[h+1]
}

// Widths returns the number of nodes on each level, the top level first.
func (d *Diagram) Widths() []int {
	w := make([]int, len(d.order))
	for level := range w {
		lo, hi := d.Level(level)
		w[level] = int(hi - lo)
	}
	return w
}

// Var is a variable, numbered from 1 as in DIMACS, so a literal is a signed number.
// The meaning of a variable is up to the caller.
type Var int32

// Lit is a literal: +v says that variable v is true, -v that it is false.
type Lit int32

// Var returns the literal's variable.
func (l Lit) Var() Var {
	if l < 0 {
		return Var(-l)
	}
	return Var(l)
}

// MaxVars is the largest number of variables: a level fits in 16 bits, and two 16-bit values remain that
// are not levels.
const MaxVars = 1<<16 - 2

// levelsOf inverts an order: levelsOf(order)[v-1] is the level of variable v. The order must be a
// permutation of 1..len(order); otherwise it returns an error.
func levelsOf(order []Var) ([]int32, error) {
	if len(order) > MaxVars {
		return nil, fmt.Errorf("robdd: order of %d variables: at most %d are supported", len(order), MaxVars)
	}
	levels := make([]int32, len(order))
	for i := range levels {
		levels[i] = -1
	}
	for level, v := range order {
		if v < 1 || int(v) > len(order) {
			return nil, fmt.Errorf("robdd: order of %d variables: level %d: variable %d is not in 1..%d", len(order),
				level, v, len(order))
		}
		if levels[v-1] >= 0 {
			return nil, fmt.Errorf("robdd: order of %d variables: variable %d is on level %d and on level %d",
				len(order), v, levels[v-1], level)
		}
		levels[v-1] = int32(level)
	}
	return levels, nil
}

// Kind is the meaning of an edge that skips a level.
type Kind uint8

const (
	// BDD: the skipped variable may be true or false (reduced: no node has low ==
	// high).
	BDD Kind = iota
	// ZDD: the skipped variable is false (reduced: no node has high == 0).
	ZDD
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{BDD, ZDD} }

// String returns "bdd" or "zdd".
func (k Kind) String() string { return [...]string{"bdd", "zdd"}[k] }

// ParseKind reads "bdd" or "zdd".
func ParseKind(name string) (Kind, error) {
	for _, k := range Kinds() {
		if name == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("diagram %q: expected bdd or zdd", name)
}
