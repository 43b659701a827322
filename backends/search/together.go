package search

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"queens/backends/crew"
	"queens/encode/cnf"
)

// Visiting every completion with several workers: the upper part of the tree is expanded
// breadth first until there are many nodes per worker. Workers take these in turn and
// walk below them, each with its own state. The completions are delivered in the sequence
// of a single worker's walk, so the result does not depend on the number of workers.

const (
	partsPerWorker = 64
	handful        = 128 // solutions sent together
	handfuls       = 16  // batches that may wait for earlier parts
)

// part is a node with the solutions found below it.
type part struct {
	lines
	queens  []cnf.Var
	out     chan []cnf.Var // batches of solutions, concatenated
	visited uint64
	err     error
}

// parts returns the nodes at some depth, and the leaves above it, in the
// sequence of the walk.
func (t *narrow) parts() []*part {
	parts := []*part{{lines: t.root, queens: slices.Clone(t.queens)}}
	for deeper := true; deeper && len(parts) < partsPerWorker*t.workers; {
		deeper = false
		var next []*part
		for _, p := range parts {
			copy(t.queens, p.queens)
			row, choice := t.force(&p.lines)
			if p.open == 0 {
				next = append(next, &part{lines: p.lines, queens: slices.Clone(t.queens)})
			}
			for ; choice != 0; choice &= choice - 1 {
				child := p.lines
				t.place(&child, row, choice&-choice)
				next = append(next, &part{lines: child, queens: slices.Clone(t.queens)})
				deeper = true
			}
		}
		parts = next
	}
	return parts
}

// together visits all completions of the root.
func (t *narrow) together() error {
	parts := t.parts()
	ctx, stop := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	defer func() {
		stop()
		wait.Wait()
		for _, p := range parts {
			t.visited += p.visited
		}
	}()
	for _, p := range parts {
		p.out = make(chan []cnf.Var, handfuls)
	}
	var next atomic.Int64
	for range min(t.workers, len(parts)) {
		wait.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(parts); i = next.Add(1) - 1 {
				t.visit(ctx, parts[i])
			}
		})
	}
	completions := uint64(0)
	for i, p := range parts {
		for some := range p.out {
			for held := range slices.Chunk(some, t.n) {
				completions++
				if !t.found(partial{held: held}) {
					return nil
				}
			}
		}
		if p.err != nil {
			return crew.Raise(p.err)
		}
		if t.progress != nil {
			t.progress(i+1, len(parts), completions)
		}
	}
	return nil
}

// visit walks below a node, in separate memory.
func (t *narrow) visit(ctx context.Context, p *part) {
	defer close(p.out)
	some := make([]cnf.Var, 0, handful*t.n)
	hand := func() bool {
		select {
		case p.out <- some:
			some = make([]cnf.Var, 0, handful*t.n)
			return true
		case <-ctx.Done():
			return false
		}
	}
	w := &narrow{n: t.n, all: t.all, allowed: t.allowed, queens: p.queens, every: true}
	w.pause = func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return t.pause()
	}
	w.found = func(s partial) bool {
		some = append(some, s.held...)
		return len(some) < cap(some) || hand()
	}
	p.err = crew.Try(func() error {
		if w.err = w.pause(); w.err == nil && w.below(p.lines) && len(some) > 0 {
			hand()
		}
		return w.err
	})
	p.visited = w.visited
}
