package rotation

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// Model holds a value for each variable of a problem, and what changing them violates. It is a solution after each call of
// Flip that succeeds, if it was one before.
type Model struct {
	// Work counts the literals set so far.
	Work uint64

	constraints []encode.Constraint
	fixed       []int8    // by literal: 0 if it may change
	held        []held    // by constraint
	in          [][]int32 // by literal: the constraints that contain it
	limited     [][]int32 // by literal: those that its truth can violate
	value       []bool    // by variable-1
	broken      []broken  // constraints that may be violated
	flipped     []cnf.Lit // literals made true since Start
	locked      []uint32  // by variable-1: the last flip that has set it, as starts counts
	starts      uint32    // calls of Start
}

// held says how many literals of a constraint are true in the model, and how many must and may be. The sum of those
// that are true names the last one that is left, so that a long constraint need not be gone through for it.
type held struct{ trues, least, most, sum int32 }

func (h held) violated() bool { return h.trues < h.least || h.trues > h.most }

// broken is a constraint that may be violated. If a literal that became true was one too many, by is that literal; else
// by is 0.
type broken struct {
	constraint int32
	by         cnf.Lit
}

// New returns the Model in which all variables are false, which may be no solution. r is a Propagator for the problem;
// fixed, by literal, is not 0 for those whose variables no change may touch, and belongs to the caller.
func New(p encode.Problem, r *encode.Propagator, fixed []int8) *Model {
	m := &Model{constraints: p.Constraints, fixed: fixed, held: make([]held, len(p.Constraints)),
		in: make([][]int32, 2*p.AllVars()), limited: make([][]int32, 2*p.AllVars()), value: make([]bool, p.AllVars()),
		locked: make([]uint32, p.AllVars())}
	limited := make([]int32, 2*p.AllVars())
	for i, c := range p.Constraints {
		h := held{0, int32(c.Least), int32(c.Most), 0}
		for _, l := range c.Lits {
			if l < 0 {
				h.trues++
				h.sum += int32(l)
			}
			if c.Limits() {
				limited[l.Index()]++
			}
		}
		if m.held[i] = h; h.violated() {
			m.broken = append(m.broken, broken{int32(i), 0})
		}
	}
	carve(m.limited, limited)
	for i, c := range p.Constraints {
		for _, l := range c.Lits {
			m.in[l.Index()] = r.Of(l)
			if c.Limits() {
				m.limited[l.Index()] = append(m.limited[l.Index()], int32(i))
			}
		}
	}
	return m
}

// Set makes a literal true in the model.
func (m *Model) Set(l cnf.Lit) {
	v := l.Var() - 1
	if m.value[v] == l.Positive() {
		return
	}
	m.Work++
	m.value[v] = l.Positive()
	m.flipped = append(m.flipped, l)
	for _, i := range m.in[l.Index()] {
		h := &m.held[i]
		h.sum += int32(l)
		if h.trues++; h.trues > h.most {
			m.broken = append(m.broken, broken{i, l})
		}
	}
	for _, i := range m.in[l.Not().Index()] {
		h := &m.held[i]
		h.sum -= int32(l.Not())
		if h.trues--; h.trues < h.least {
			m.broken = append(m.broken, broken{i, 0})
		}
	}
}

// A flip that changes more literals, or touches more constraints, seldom succeeds. The limit of constraints
// keeps a variable that nearly all of them contain, as models of systems have, from being flipped again and again.
const (
	mostFlips   = 64
	mostTouched = 1000
)

// Flip makes a literal true. Then it changes a literal in each constraint that is violated. It sets no
// variable twice and does not propagate, so its cost is proportional to the change. If it fails, it
// restores the model.
func (m *Model) Flip(l cnf.Lit) bool {
	m.Start()
	for touched := 0; len(m.flipped) < mostFlips && touched < mostTouched; {
		m.locked[l.Var()-1] = m.starts
		m.Set(l)
		next, violated := m.Next()
		if !violated {
			return true
		}
		if next == 0 {
			break
		}
		l = next
		touched += len(m.in[l.Index()]) + len(m.in[l.Not().Index()])
	}
	m.Restore()
	return false
}

// Start forgets what the last flip or search did.
func (m *Model) Start() {
	m.flipped = m.flipped[:0]
	m.starts++
}

// Restore undoes what the last flip or search did to the model.
func (m *Model) Restore() {
	for k := len(m.flipped) - 1; k >= 0; k-- {
		m.Set(m.flipped[k].Not())
	}
	m.flipped = m.flipped[:0]
}

// Next returns the literal to make true in a constraint that is violated: of those that help and may
// change, the one that violates the fewest other constraints; 0 if none may change.
func (m *Model) Next() (l cnf.Lit, violated bool) {
	for last := len(m.broken) - 1; last >= 0; last-- {
		b := m.broken[last]
		h := m.held[b.constraint]
		switch {
		case h.trues == 2 && h.most == 1 && b.by != 0 && m.value[b.by.Var()-1] == b.by.Positive(): // it and one more
			both := [2]cnf.Lit{cnf.Lit(h.sum) - b.by, b.by}
			return m.cheapest(both[:], false), true
		case h.violated():
			return m.cheapest(m.constraints[b.constraint].Lits, h.trues < h.least), true
		}
		m.broken = m.broken[:last]
	}
	return 0, false
}

// cheapest returns the literal among lits, or if more is false among their negations, that violates the
// fewest constraints when it becomes true. It leaves out those that are true or may not change; it returns 0 if
// there are no others.
func (m *Model) cheapest(lits []cnf.Lit, more bool) cnf.Lit {
	best, fewest := cnf.Lit(0), 1<<30
	for _, l := range lits {
		if !more {
			l = l.Not()
		}
		if v := l.Var() - 1; m.value[v] == l.Positive() || m.locked[v] == m.starts || m.fixed[l.Index()] != 0 {
			continue
		}
		if breaks := m.breaks(l, fewest); breaks < fewest {
			if best, fewest = l, breaks; breaks == 0 {
				break
			}
		}
	}
	return best
}

// breaks returns the number of constraints that become violated when a literal becomes true, at most limit. For
// a literal whose constraints are not counted, since there are too many, it returns all of them.
func (m *Model) breaks(l cnf.Lit, limit int) (number int) {
	if all := len(m.in[l.Not().Index()]) + len(m.limited[l.Index()]); all > mostTouched {
		return all
	}
	for _, i := range m.in[l.Not().Index()] {
		if h := &m.held[i]; h.trues == h.least {
			if number++; number >= limit {
				return number
			}
		}
	}
	for _, i := range m.limited[l.Index()] {
		if h := &m.held[i]; h.trues == h.most {
			if number++; number >= limit {
				return number
			}
		}
	}
	return number
}

// Keep says that no constraint is violated, after changes by [Model.Set].
func (m *Model) Keep() {
	m.broken = m.broken[:0]
	m.flipped = slices.DeleteFunc(m.flipped, func(l cnf.Lit) bool { return m.value[l.Var()-1] != l.Positive() })
}

// Violated reports whether the values violate a constraint that changes since the last solution concern.
func (m *Model) Violated() bool {
	return slices.ContainsFunc(m.broken, func(b broken) bool { return m.held[b.constraint].violated() })
}

// Flipped returns the literals that the last change made true; the next one overwrites them.
func (m *Model) Flipped() []cnf.Lit { return m.flipped }

// Values returns the values by variable-1. The next change overwrites them.
func (m *Model) Values() []bool { return m.value }

// carve makes empty lists with room for the given numbers of elements, all from one array.
func carve(lists [][]int32, room []int32) {
	total := 0
	for _, n := range room {
		total += int(n)
	}
	array := make([]int32, total)
	for i, n := range room {
		lists[i], array = array[:0:n], array[n:]
	}
}
