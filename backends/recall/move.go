package recall

import (
	"cmp"
	"fmt"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// A Mover is a Memory of a formula that moves its solutions along with the decisions. After a decision that is false
// in most kept solutions, few of them are witnesses; but most are a few changes away from a solution that
// satisfies it, since a clause that says what needs what reaches only a small part of the formula.
//
// [Mover.Move] makes the literals true that follow from the decisions. While a constraint is violated, it sets one
// of its literals as in a goal, one solution that satisfies the decisions. Such a change need never be
// taken back, so every solution arrives at one that satisfies them, the goal itself at the latest. This is path
// relinking (Glover, Laguna and Marti, Control and Cybernetics 29, 2000), in 64 solutions at a time: one operation on
// words where one solution takes one on bits.
type Mover struct {
	*Memory
	constraints []encode.Constraint
	in          [][]int32 // by literal's index: the constraints that the literal may violate when it becomes true

	// Of the present move.
	goal   []bool // by variable-1
	block  *block
	some   uint64  // the solutions of the block that move
	queue  []int32 // constraints that may be violated
	queued []bool  // by constraint
	looked int     // literals
}

// NewMover returns a Mover without solutions for a problem without weights. The solutions that it keeps have auxiliary variables,
// too.
func NewMover(p encode.Problem) *Mover {
	m := &Mover{Memory: New(p.AllVars()), constraints: p.Constraints, in: make([][]int32, 2*p.AllVars()),
		goal: make([]bool, p.AllVars()), queued: make([]bool, len(p.Constraints))}
	for i, c := range p.Constraints {
		for _, l := range c.Lits {
			if c.Least > 0 {
				m.in[l.Not().Index()] = append(m.in[l.Not().Index()], int32(i))
			}
			if c.Limits() {
				m.in[l.Index()] = append(m.in[l.Index()], int32(i))
			}
		}
	}
	return m
}

// Bytes returns the bytes held.
func (m *Mover) Bytes() int64 {
	bytes := m.Memory.Bytes() + int64(cap(m.goal)+cap(m.queued)+4*cap(m.queue)+24*cap(m.in))
	for _, in := range m.in {
		bytes += int64(4 * cap(in))
	}
	return bytes
}

// mostMoved bounds the literals that a move looks at, to some 40 ms. A decision that reaches far changes hundreds of
// variables in each solution, and what is lost can then be found again for less.
const mostMoved = 1 << 22

// Move moves kept solutions to the question. The goal is a kept solution that satisfies the question; there must be one.
// follow holds the question's assumptions and other literals that are true in every such solution. Only blocks
// move that were the last to show one of the lost literals, first those that were for the most. An error means that
// something was kept that is no solution; the memory must not be used afterwards.
func (m *Mover) Move(follow, lost []cnf.Lit) error {
	m.witnesses.latest(m.goal)
	shown := make([]int, len(m.witnesses.blocks)) // by block: lost literals
	for _, l := range lost {
		shown[m.witnesses.last[l.Index()]]++
	}
	var blocks []int
	for i := range m.witnesses.blocks {
		if b := &m.witnesses.blocks[i]; shown[i] > 0 && b.with != b.all() {
			blocks = append(blocks, i)
		}
	}
	slices.SortStableFunc(blocks, func(i, j int) int { return cmp.Compare(shown[j], shown[i]) })
	m.looked = 0
	for _, i := range blocks {
		if m.looked > mostMoved {
			break
		}
		if err := m.inBlock(&m.witnesses.blocks[i], follow); err != nil {
			return err
		}
	}
	return nil
}

// inBlock moves the solutions of a block.
func (m *Mover) inBlock(b *block, follow []cnf.Lit) error {
	m.block, m.some, m.queue = b, b.all()&^b.with, m.queue[:0]
	for _, l := range follow {
		if wrong := m.some &^ b.of(l); wrong != 0 {
			m.set(l, wrong)
		}
	}
	for k := 0; k < len(m.queue); k++ {
		i := m.queue[k]
		m.queued[i] = false
		if !m.repair(&m.constraints[i]) {
			return fmt.Errorf("a solution that was kept violates constraint %d", i+1)
		}
	}
	b.with, b.used = b.all(), m.witnesses.clock
	return nil
}

// set makes a literal true in some solutions, and has the constraints checked that this may violate.
func (m *Mover) set(l cnf.Lit, some uint64) {
	if l > 0 {
		m.block.words[l-1] |= some
	} else {
		m.block.words[-l-1] &^= some
	}
	for _, i := range m.in[l.Index()] {
		if !m.queued[i] {
			m.queued[i] = true
			m.queue = append(m.queue, i)
		}
	}
}

// repair sets literals of a constraint as in the goal, in the solutions that violate it. It returns false if the goal
// violates it, too.
func (m *Mover) repair(c *encode.Constraint) bool {
	few, many := m.violating(c)
	for _, l := range c.Lits {
		if few|many == 0 {
			break
		}
		if m.goal[l.Var()-1] == l.Positive() {
			if wrong := few &^ m.block.of(l); wrong != 0 {
				m.set(l, wrong)
				few, many = m.violating(c)
			}
		} else if wrong := many & m.block.of(l); wrong != 0 {
			m.set(l.Not(), wrong)
			few, many = m.violating(c)
		}
	}
	return few|many == 0
}

// violating returns the moving solutions in which too few and too many of a constraint's literals are true.
func (m *Mover) violating(c *encode.Constraint) (few, many uint64) {
	b := m.block
	m.looked += len(c.Lits)
	if c.Least == 1 && c.Most >= len(c.Lits) { // a clause
		few = m.some
		for _, l := range c.Lits {
			if few &^= b.of(l); few == 0 {
				break
			}
		}
		return few, 0
	}
	// counts[k] has the solutions in which more than k of the literals so far are true.
	var memory [8]uint64
	var counts []uint64
	if size := max(c.Least, c.Most+1); size > len(memory) {
		counts = make([]uint64, size)
	} else {
		counts = memory[:size]
	}
	for _, l := range c.Lits {
		with := b.of(l)
		for k := len(counts) - 1; k > 0; k-- {
			counts[k] |= counts[k-1] & with
		}
		counts[0] |= with
	}
	if c.Least > 0 {
		few = m.some &^ counts[c.Least-1]
	}
	if c.Limits() {
		many = m.some & counts[c.Most]
	}
	return few, many
}
