package robdd

import (
	"errors"
	"fmt"
	"slices"

	"queens/backends/diagram"
)

// Kind says what an edge that skips a level means.
type Kind = diagram.Kind

// The two kinds.
const (
	BDD = diagram.BDD
	ZDD = diagram.ZDD
)

// Edges is a node of a Diagram: the ids of its children, 8 bytes.
type Edges struct{ Low, High uint32 }

// maxNodes is the most nodes that a Diagram can have: its ids have 32 bits, and two are
// those of the terminals.
const maxNodes = 1<<32 - 3

// Diagram is one function as an immutable reduced ordered diagram with one root.
//
// Ids 0 and 1 are the terminals, nodes are numbered from 2. Nodes are stored level by
// level, the bottom level first, so children come before their parents and every
// query is one or two passes over an array. A node's level follows from its place, so
// a node consists of just its two children, 8 bytes. The root, when there is a node
// at all, is the last one.
//
// A Diagram never changes after it is made, so goroutines may share it.
type Diagram struct {
	kind   Kind
	root   uint32
	order  []Var
	levels []int32  // level of each variable
	first  []uint32 // by height: nodes at height h are first[h] <= id < first[h+1]
	nodes  []Edges  // nodes[id-2]
}

// NewDiagram makes a diagram from its parts. It keeps the slices, so the caller must
// not use them afterwards.
//
// order is the variable order, top level first. Heights count levels from the
// bottom: height h is level len(order)-1-h. first has len(order)+1 entries, the
// ids of height h are first[h] <= id < first[h+1], and first[0] is 2. nodes[i] has
// id i+2. The root is the last node, or a terminal when there are no nodes.
//
// NewDiagram checks the shape in O(levels) and every node's children with one pass:
// ordered, and locally reduced. The caller guarantees that no two nodes are equal and that
// all are reachable; [Diagram.Check] verifies that.
func NewDiagram(kind Kind, order []Var, first []uint32, nodes []Edges, root uint32) (*Diagram, error) {
	d := &Diagram{kind: kind, root: root, order: order, first: first, nodes: nodes}
	var err error
	if d.levels, err = levelsOf(order); err != nil {
		return nil, err
	}
	if err := d.checkShape(); err != nil {
		return nil, fmt.Errorf("robdd: making a diagram: %w", err)
	}
	if err := d.checkNodes(); err != nil {
		return nil, fmt.Errorf("robdd: making a diagram: %w", err)
	}
	return d, nil
}

// Constant returns the diagram of true or false over the variables of order.
func Constant(kind Kind, order []Var, value bool) (*Diagram, error) {
	first := make([]uint32, len(order)+1)
	for i := range first {
		first[i] = 2
	}
	if !value || kind == BDD {
		root := uint32(0)
		if value {
			root = 1
		}
		return NewDiagram(kind, slices.Clone(order), first, nil, root)
	}
	// The ZDD of true has a node with equal children on every level.
	nodes := make([]Edges, len(order))
	for i := range nodes {
		below := uint32(i + 1)
		nodes[i] = Edges{below, below}
		first[i+1] = uint32(i + 3)
	}
	return NewDiagram(kind, slices.Clone(order), first, nodes, uint32(len(nodes)+1))
}

func (d *Diagram) checkShape() error {
	if d.kind != BDD && d.kind != ZDD {
		return fmt.Errorf("unknown kind %d", d.kind)
	}
	if uint64(len(d.nodes)) > maxNodes {
		return fmt.Errorf("%d nodes: ids have 32 bits", len(d.nodes))
	}
	if len(d.first) != len(d.order)+1 {
		return fmt.Errorf("%d level offsets for %d levels: want one more than levels", len(d.first), len(d.order))
	}
	end := uint32(len(d.nodes) + 2)
	if d.first[0] != 2 || d.first[len(d.order)] != end {
		return fmt.Errorf("level offsets run from %d to %d: want 2 to %d", d.first[0], d.first[len(d.order)], end)
	}
	if !slices.IsSorted(d.first) {
		return errors.New("level offsets decrease")
	}
	if len(d.nodes) > 0 && d.root != end-1 {
		return fmt.Errorf("root %d of %d nodes: want the last id %d", d.root, len(d.nodes), end-1)
	}
	if len(d.nodes) == 0 && d.root > 1 {
		return fmt.Errorf("root %d of a diagram without nodes: want 0 or 1", d.root)
	}
	return nil
}

// checkNodes checks that every child lies on a lower level and that no node is redundant.
func (d *Diagram) checkNodes() error {
	for h := range d.order {
		if err := checkLevel(d.kind, d.order, h, d.nodes[:d.first[h+1]-2], d.first[h]); err != nil {
			return err
		}
	}
	return nil
}

// Check verifies every invariant: the shape, children below their parents, no
// redundant node, no two equal nodes, all reachable from the root. It takes O(nodes)
// time, 8 bytes per node of the widest level, and one bit per node.
func (d *Diagram) Check() error {
	if _, err := levelsOf(d.order); err != nil {
		return err
	}
	if err := d.checkShape(); err != nil {
		return fmt.Errorf("robdd: checking a diagram: %w", err)
	}
	s := soundness{kind: d.kind, order: d.order}
	for h := range d.order {
		if err := s.level(h, d.nodes[:d.first[h+1]-2], d.first[h]); err != nil {
			return fmt.Errorf("robdd: checking a diagram: %w", err)
		}
	}
	if err := s.reachable(len(d.nodes)); err != nil {
		return fmt.Errorf("robdd: checking a diagram: %w", err)
	}
	return nil
}

// Kind returns whether it is a BDD or a ZDD.
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
func (d *Diagram) Node(id uint32) Edges { return d.nodes[id-2] }

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

// Equal reports whether two diagrams are the same function in the same order and
// kind. Node numbering within a level does not matter.
func (d *Diagram) Equal(e *Diagram) bool {
	if d.kind != e.kind || !slices.Equal(d.order, e.order) || !slices.Equal(d.first, e.first) ||
		(len(d.nodes) == 0 && d.root != e.root) {
		return false
	}
	twin := make([]uint32, len(d.nodes)+2) // id in e of each node of d, 0 if not yet visited
	twin[1] = 1
	twin[d.root] = e.root
	match := func(a, b uint32) bool {
		if a < 2 || b < 2 {
			return a == b
		}
		if twin[a] == 0 {
			twin[a] = b
		}
		return twin[a] == b
	}
	for i := len(d.nodes) - 1; i >= 0; i-- {
		a, b := d.nodes[i], e.nodes[twin[i+2]-2]
		if !match(a.Low, b.Low) || !match(a.High, b.High) {
			return false
		}
	}
	return true
}
