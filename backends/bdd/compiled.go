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

// Compiled is a problem as a diagram: a ZDD or an ROBDD, whichever its construction makes.
// It is converted to the other kind when somebody asks for that.
type Compiled struct {
	Problem      encode.Problem
	Construction string
	OrderName    string // of the variable order, for people; whoever chose the order sets it

	limit   int64 // of bytes, for converting; 0: none
	workers int   // for converting
	made    *robdd.Diagram

	mutex sync.Mutex
	other *robdd.Diagram // of the other kind; nil until asked for
	stats Stats

	once  sync.Once
	known *knowledge // made when first needed
}

// Stats is the cost of a construction, in units that are the same for every run, and of
// converting a ZDD to the ROBDD.
type Stats struct {
	NodesCreated uint64 // in all, including those that did not last
	PeakNodes    uint64 // that existed at once, garbage included
	PeakBytes    uint64 // of nodes, states, tables and caches, at the peak
	States       uint64 // different sets of free cells met; free-set only
	Siftings     int    // how often the variables were sifted
	Growth       []Step // the nodes held after each step
}

// Step is one step of a construction.
type Step struct {
	Name  string
	Nodes int // of the diagrams that the construction holds after the step
}

// topDown makes a Compiled of the ZDD that a construction has made.
func topDown(zdd *robdd.Diagram, stats Stats) *Compiled {
	stats.NodesCreated = uint64(zdd.Len())
	stats.PeakNodes = stats.NodesCreated
	stats.Growth = append(stats.Growth, Step{"zdd", zdd.Len()})
	return &Compiled{made: zdd, stats: stats}
}

// Stats returns the cost so far.
func (c *Compiled) Stats() Stats {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	stats := c.stats
	stats.Growth = slices.Clone(stats.Growth)
	return stats
}

// As returns the diagram as the given kind, for all users of c. If the construction made the
// other one, the first call converts it. It fails if that would exceed the limit.
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
		return err
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

// returned is how many bytes a construction must have held for its memory to be returned
// to the system before the diagram is converted. Otherwise the garbage collector would keep
// both at once: n = 14 took 151 MiB in place of 115.
const returned = 32 << 20

// Nodes returns the node count of the diagram as the given kind, without making it.
func (c *Compiled) Nodes(kind robdd.Kind) int { return c.made.ConvertedLen(kind) }

// Smaller returns the diagram of the kind that has fewer nodes. It is the one to save, since
// [Loaded] serves for both kinds.
func (c *Compiled) Smaller(ctx context.Context) (*robdd.Diagram, error) {
	kind := robdd.BDD
	if c.Nodes(robdd.ZDD) < c.Nodes(robdd.BDD) {
		kind = robdd.ZDD
	}
	return c.As(ctx, kind)
}

// Bytes returns the memory of the nodes of the diagrams of both kinds, in bytes, without one
// that has not been made.
func (c *Compiled) Bytes() int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	bytes := c.made.Bytes()
	if c.other != nil {
		bytes += c.other.Bytes()
	}
	return bytes
}

// knowledge returns what answers need to know, which all who ask share.
func (c *Compiled) knowledge() *knowledge {
	c.once.Do(func() { c.known = knowledgeOf(c.Problem, c.made) })
	return c.known
}
