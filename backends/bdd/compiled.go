package bdd

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"queens/encode"
	"queens/robdd"
)

// Compiled is a problem as a diagram: a ZDD or an ROBDD, depending on the construction. It is converted
// to the other kind on demand.
type Compiled struct {
	Problem      encode.Problem
	Construction string
	OrderName    string // the name of the variable order, for display; the caller who chose the order sets it

	limit   int64 // in bytes, for converting; 0: no limit
	workers int   // for converting
	made    *robdd.Diagram

	mutex sync.Mutex
	other *robdd.Diagram // of the other kind; nil until needed
	stats Stats

	once  sync.Once
	known *knowledge // made when first needed
}

// Stats is the cost of a construction, in units that are the same for every run, and of converting its
// ZDD to the ROBDD.
type Stats struct {
	NodesCreated uint64 // all nodes, including those that were dropped later
	PeakNodes    uint64 // the most nodes that existed at once, garbage included
	PeakBytes    uint64 // the most bytes of nodes, states, tables and caches at once
	States       uint64 // different sets of free cells; free-set only
	Siftings     int    // the number of times that the order was changed
	Growth       []Step // the nodes held after each step
}

// Step is one step of a construction.
type Step struct {
	Name  string
	Nodes int // of the diagrams that the construction holds after the step
}

// topDown makes a Compiled from the ZDD that a construction has made.
func topDown(zdd *robdd.Diagram, stats Stats) *Compiled {
	stats.NodesCreated = uint64(zdd.Len())
	stats.PeakNodes = stats.NodesCreated
	return &Compiled{made: zdd, stats: stats}
}

// finish counts the result's nodes. If growth is set, it makes the result the last step of the growth, unless
// the construction has recorded that step.
func (c *Compiled) finish(growth bool) {
	nodes := c.made.Len()
	c.stats.NodesCreated = max(c.stats.NodesCreated, uint64(nodes))
	c.stats.PeakNodes = max(c.stats.PeakNodes, uint64(nodes))
	if last := len(c.stats.Growth) - 1; growth && (last < 0 || c.stats.Growth[last].Nodes != nodes) {
		c.stats.Growth = append(c.stats.Growth, Step{[...]string{"robdd", "zdd"}[c.made.Kind()], nodes})
	}
}

// Stats returns the cost so far.
func (c *Compiled) Stats() Stats {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	stats := c.stats
	stats.Growth = slices.Clone(stats.Growth)
	return stats
}

// As returns the diagram in the given kind. If the construction made the other kind, the first call
// converts it, for all users of c. It fails if that would exceed the limit.
func (c *Compiled) As(ctx context.Context, kind robdd.Kind) (*robdd.Diagram, error) {
	if kind == c.made.Kind() {
		return c.made, nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.other == nil {
		if err := c.convert(ctx, kind); err != nil {
			return nil, fmt.Errorf("making the %s of %s: %w", [...]string{"ROBDD", "ZDD"}[kind], c.Problem, err)
		}
	}
	return c.other, nil
}

// convert makes the diagram of the kind that was not made.
func (c *Compiled) convert(ctx context.Context, kind robdd.Kind) error {
	if c.stats.PeakBytes > returned {
		debug.FreeOSMemory()
	}
	other, bytes, err := c.made.ConvertWithin(ctx, kind, c.limit, max(1, c.workers))
	if err != nil {
		return Limited(err)
	}
	c.other = other
	if kind == robdd.BDD {
		c.stats.NodesCreated += uint64(other.Len())
		c.stats.PeakNodes = c.stats.NodesCreated
		c.stats.PeakBytes = max(c.stats.PeakBytes, uint64(bytes))
		c.stats.Growth = append(c.stats.Growth, Step{"robdd", other.Len()})
	}
	return nil
}

// returned is the number of bytes that a construction must have held for its memory to be returned to
// the system before the diagram is converted. Otherwise the garbage collector would keep both at once: n
// = 14 took 151 MiB instead of 115.
const returned = 32 << 20

// Nodes returns the node count of the diagram in the given kind, without making it.
func (c *Compiled) Nodes(kind robdd.Kind) int {
	c.mutex.Lock()
	other := c.other
	c.mutex.Unlock()
	if other != nil && other.Kind() == kind {
		return other.Len()
	}
	return c.made.ConvertedLen(kind)
}

// Smaller returns the diagram in the kind that has fewer nodes. Save that one, since [Loaded] accepts
// either kind.
func (c *Compiled) Smaller(ctx context.Context) (*robdd.Diagram, error) {
	kind := robdd.BDD
	if c.Nodes(robdd.ZDD) < c.Nodes(robdd.BDD) {
		kind = robdd.ZDD
	}
	return c.As(ctx, kind)
}

// Bytes returns the memory, in bytes, of the nodes of both kinds of diagram. A kind that has not been
// made counts as 0.
func (c *Compiled) Bytes() int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	bytes := c.made.Bytes()
	if c.other != nil {
		bytes += c.other.Bytes()
	}
	return bytes
}

// knowledge returns the knowledge that all Oracles of c share.
func (c *Compiled) knowledge() *knowledge {
	c.once.Do(func() { c.known = knowledgeOf(c.Problem, c.made) })
	return c.known
}
