package robdd

import (
	"context"
	"fmt"
	"slices"
)

// Func is a function in a Manager: an edge, see store.go. Equal functions are equal Funcs. A Func is
// valid until a [Manager.Collect] whose roots do not reach it, or a change of the order ([Manager.Sift], [Manager.Window]).
type Func uint64

// The two constant functions.
const (
	False Func = 0
	True  Func = 1
)

// Config limits what a Manager may use. Zero values mean the defaults.
type Config struct {
	MaxNodes int   // live nodes at any moment; 0: only the 32-bit ids limit them
	MaxBytes int64 // of node store, unique tables and operation cache, see doc.go; 0: no limit
}

// LimitError reports that an operation was abandoned because it would have exceeded a limit. The Manager and every Func in
// it stay usable.
type LimitError struct {
	What  string // "nodes" or "bytes"
	Limit int64
	Want  int64 // what the next step would have needed
}

// Error says which limit was reached.
func (e *LimitError) Error() string {
	return fmt.Sprintf("limit of %d %s reached (%d wanted)", e.Limit, e.What, e.Want)
}

// Stats counts what a Manager has done; counting is always on.
type Stats struct {
	Steps     uint64 // recursive steps of all operations
	Created   uint64 // nodes made, whether or not they are still live
	Live      uint64 // nodes in the store now, garbage included
	PeakLive  uint64
	Bytes     uint64 // current bytes of store, unique tables and cache, and of memory that they have outgrown
	PeakBytes uint64
}

// Manager holds functions over one variable order and combines them. Only one goroutine at a time may
// use it.
type Manager struct {
	store
	order  []Var
	levels []int32
	cache  cache
	config Config
	stats  Stats

	ctx context.Context // of the running operation
	err error           // why the running operation fails

	garbage  int64 // see discard
	expanded bool  // there are no runs: see expand
}

// NewManager returns a Manager over the given order, top level first. The order must be a permutation of
// 1..len(order).
func NewManager(order []Var, config Config) (*Manager, error) {
	levels, err := levelsOf(order)
	if err != nil {
		return nil, err
	}
	m := &Manager{order: slices.Clone(order), levels: levels, config: config}
	if !m.reserve(chunkBytes + entryBytes<<firstCacheBits) {
		return nil, fmt.Errorf("robdd: making a manager: %w", m.err)
	}
	m.store.init(len(order))
	m.setCache(firstCacheBits)
	return m, nil
}

// LevelOf returns the present level of a variable.
func (m *Manager) LevelOf(v Var) int { return int(m.levels[v-1]) }

// SetMaxBytes changes the limit of memory; see [Config].
func (m *Manager) SetMaxBytes(bytes int64) { m.config.MaxBytes = bytes }

// Stats returns the counters.
func (m *Manager) Stats() Stats {
	s := m.stats
	s.Live = uint64(m.live)
	s.Bytes = uint64(m.memory + m.garbage)
	return s
}

// Mk returns the function "if v then high else low". Both children must depend only on variables below v
// in the order. That makes Mk the cheapest way to build a function from the bottom up.
func (m *Manager) Mk(v Var, low, high Func) (Func, error) {
	if v < 1 || int(v) > len(m.order) {
		return False, fmt.Errorf("robdd: making a node: variable %d is not in 1..%d", v, len(m.order))
	}
	level, lowLevel, highLevel := uint32(m.levels[v-1]), m.levelOf(low), m.levelOf(high)
	if lowLevel <= level || highLevel <= level {
		return False, fmt.Errorf("robdd: making a node: variable %d is on level %d, its children on levels %d and %d: "+
			"want children below",
			v, level, lowLevel, highLevel)
	}
	m.begin(context.Background())
	return m.end(m.mk(level, low, high))
}

// failed is what the steps of a failing operation return; it is not a node.
const (
	failedID = ^uint32(0)
	failed   = ^Func(0)
)

func (m *Manager) begin(ctx context.Context) {
	m.ctx, m.err = ctx, nil
}

// end converts an operation's result to the result and error for the caller.
func (m *Manager) end(r Func) (Func, error) {
	m.ctx = nil
	if r == failed {
		err := m.err
		m.err = nil
		return False, err
	}
	return r, nil
}

// step is called once in each recursion; it checks the context from time to time.
func (m *Manager) step() bool {
	if m.stats.Steps++; m.stats.Steps&0x3fff == 0 {
		m.err = m.ctx.Err()
	}
	return m.err == nil
}
