package bdd

import (
	"context"
	"runtime/debug"
	"sync"

	"queens/backends/bdd/robdd"
)

// drawn makes the requested diagram from the ZDD that a construction has made.
func drawn(ctx context.Context, zdd *robdd.Diagram, stats Stats, options Options) (*Compiled, error) {
	stats.NodesCreated = uint64(zdd.Len())
	stats.PeakNodes = stats.NodesCreated
	stats.Growth = append(stats.Growth, Step{"zdd", zdd.Len()})
	drawing := zdd.Conversion(options.Kind, options.workers())
	nodes := int64(drawing.Len())
	if limit := options.Limits.MaxNodes; limit > 0 && nodes > int64(limit) {
		return nil, &robdd.LimitError{What: "nodes", Limit: int64(limit), Want: nodes}
	}
	if options.Kind == robdd.ZDD {
		return &Compiled{Diagram: zdd, Stats: stats, zdd: zdd}, nil
	}
	// Besides the two diagrams, converting takes 10 bytes per node of the ZDD.
	bytes := nodes*8 + int64(zdd.Len())*(8+10)
	if limit := options.Limits.MaxBytes; limit > 0 && bytes > limit {
		return nil, &robdd.LimitError{What: "bytes", Limit: limit, Want: bytes}
	}
	if stats.PeakBytes > returned {
		debug.FreeOSMemory()
	}
	bdd, err := drawing.Draw(ctx)
	if err != nil {
		return nil, err
	}
	stats.NodesCreated += uint64(bdd.Len())
	stats.PeakNodes = stats.NodesCreated
	stats.PeakBytes = max(stats.PeakBytes, uint64(bytes))
	stats.Growth = append(stats.Growth, Step{"robdd", bdd.Len()})
	return &Compiled{Diagram: bdd, Stats: stats, zdd: zdd}, nil
}

// returned is how many bytes a construction must have held for its memory to be returned
// to the system before the diagram is drawn. Otherwise the garbage collector would keep
// both at once, which doubles the peak.
const returned = 32 << 20

// budget accounts for bytes, across several workers.
type budget struct {
	mutex             sync.Mutex
	limit, used, peak int64
	progress          func(Progress) // may be nil
}

func (b *budget) take(bytes int64) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.limit > 0 && b.used+bytes > b.limit {
		return &robdd.LimitError{What: "bytes", Limit: b.limit, Want: b.used + bytes}
	}
	b.used += bytes
	b.peak = max(b.peak, b.used)
	return nil
}

func (b *budget) give(bytes int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used -= bytes
}
