package search

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"queens/backends/crew"
	"queens/board"
	"queens/encode/cnf"
)

// Visiting every completion in parts: the upper part of the tree is expanded breadth first
// until there are many nodes per worker. Workers take these in turn and walk below them,
// each with its own state. The completions are delivered in the sequence of a single
// worker's walk, so the result does not depend on the number of workers.
//
// Where they are counted their sequence is of no interest, and of those that are images of
// each other only one is visited.

const (
	partsPerWorker = 64
	handful        = 128 // solutions sent together
	handfuls       = 16  // batches that may wait for earlier parts
)

// part is a node, with the completions found below it.
type part struct {
	*narrow                // with its own state
	images  *board.Part    // nil if every completion is visited
	out     chan []cnf.Var // batches of completions, concatenated
}

// part returns the root of the walk as a part.
func (t *narrow) part(images *board.Part) *part {
	own := &narrow{n: t.n, all: t.all, allowed: t.allowed, root: t.root, queens: slices.Clone(t.queens), want: every}
	return &part{narrow: own, images: images}
}

// divide returns the nodes at some depth below the given ones, and the leaves above it, in
// the sequence of the walk.
func (t *narrow) divide(parts []*part) []*part {
	for deeper := true; deeper && len(parts) < partsPerWorker*t.workers; {
		deeper = false
		var next []*part
		for _, p := range parts {
			row, choice := p.force(&p.root)
			if p.root.open == 0 {
				next = append(next, p)
				continue
			}
			t.visited += p.visited
			for ; choice != 0; choice &= choice - 1 {
				child := p.part(p.images)
				child.place(&child.root, row, choice&-choice)
				next = append(next, child)
				deeper = true
			}
		}
		parts = next
	}
	return parts
}

// together visits all completions of the root.
func (t *narrow) together() error {
	parts := t.divide([]*part{t.part(nil)})
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
	p.pause = func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return t.pause()
	}
	p.found = func(s partial) bool {
		some = append(some, s.held...)
		return len(some) < cap(some) || hand()
	}
	p.err = crew.Try(func() error {
		if p.err = p.pause(); p.err == nil && p.below(p.root) && len(some) > 0 {
			hand()
		}
		return p.err
	})
}

// byImages visits the completions of the root, one of each set of images, and calls found
// with it from one goroutine at a time.
func (t *narrow) byImages(division board.Images) error {
	first := t.free(&t.root, 0)
	if t.root.open&1 == 0 {
		first = 1 << ((t.queens[0] - 1) % cnf.Var(t.n))
	}
	var parts []*part
	for ; first != 0; first &= first - 1 {
		images := division.Part(bits.TrailingZeros64(first))
		p := t.part(&images)
		p.allowed[0] &= first & -first
		for _, c := range images.Empty {
			p.allowed[c.Row] &^= 1 << c.Col
		}
		parts = append(parts, p)
	}
	parts = t.divide(parts)
	var mutex sync.Mutex
	done, completions, ended := 0, uint64(0), false
	return crew.Each(t.workers, len(parts), func(i int) error {
		p := parts[i]
		cols := make([]int, t.n)
		p.pause = t.pause
		p.found = func(s partial) bool {
			for row, v := range s.held {
				cols[row] = int(v-1) % t.n
			}
			if s.images = p.images.Of(cols); s.images == nil {
				return true
			}
			mutex.Lock()
			defer mutex.Unlock()
			completions += uint64(len(s.images))
			ended = ended || !t.found(s)
			return !ended
		}
		if p.err = p.pause(); p.err == nil {
			p.below(p.root)
		}
		mutex.Lock()
		defer mutex.Unlock()
		t.visited += p.visited
		if done++; t.progress != nil && p.err == nil {
			t.progress(done, len(parts), completions)
		}
		return p.err
	})
}
