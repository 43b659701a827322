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
	if options.Kind == robdd.ZDD {
		if err := few(zdd.Len(), options.Limits); err != nil {
			return nil, err
		}
		return &Compiled{Diagram: zdd, Stats: stats, zdd: zdd}, nil
	}
	if stats.PeakBytes > returned {
		debug.FreeOSMemory()
	}
	bdd, bytes, err := drawROBDD(ctx, zdd, options.Limits, options.workers())
	if err != nil {
		return nil, err
	}
	stats.NodesCreated += uint64(bdd.Len())
	stats.PeakNodes = stats.NodesCreated
	stats.PeakBytes = max(stats.PeakBytes, uint64(bytes))
	stats.Growth = append(stats.Growth, Step{"robdd", bdd.Len()})
	return &Compiled{Diagram: bdd, Stats: stats, zdd: zdd}, nil
}

// drawROBDD draws the ROBDD of a ZDD, within limits, and returns the bytes it took.
func drawROBDD(
	ctx context.Context, zdd *robdd.Diagram, limits robdd.Config, workers int,
) (bdd *robdd.Diagram, bytes int64, err error) {
	drawing := zdd.Conversion(robdd.BDD, workers)
	if err := few(drawing.Len(), limits); err != nil {
		return nil, 0, err
	}
	// Besides the two diagrams, converting takes 6 bytes per node of the ZDD.
	bytes = int64(drawing.Len())*8 + int64(zdd.Len())*(8+6)
	if limit := limits.MaxBytes; limit > 0 && bytes > limit {
		return nil, 0, &robdd.LimitError{What: "bytes", Limit: limit, Want: bytes}
	}
	bdd, err = drawing.Draw(ctx)
	return bdd, bytes, err
}

// few returns an error if a diagram has too many nodes.
func few(nodes int, limits robdd.Config) error {
	if limit := limits.MaxNodes; limit > 0 && nodes > limit {
		return &robdd.LimitError{What: "nodes", Limit: int64(limit), Want: int64(nodes)}
	}
	return nil
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
