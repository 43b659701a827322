package search

import (
	"context"
	"math/bits"
	"sync"

	"golang.org/x/sync/errgroup"

	"queens/board"
)

// Counting completions in parts: the upper part of the tree is expanded breadth first until there
// are many nodes per worker. Workers take these in turn and walk below them, each with its own
// state. The counts do not depend on the number of workers.
//
// Only one is visited of completions that are images of each other: n = 15 1.94 -> 0.41 s.

const (
	partsPerWorker = 64
	handful        = 128 // completions counted together
)

// part is a node with its own state.
type part struct {
	*narrow
	images *board.Part // nil if every completion is visited
}

// found is a completion: the column of each row's queen, and as in [partial] its images.
type found struct {
	cols   [narrowMax]int8
	images []board.Symmetry
}

// part returns the root of the walk as a part.
func (t *narrow) part(images *board.Part) part {
	return part{&narrow{n: t.n, all: t.all, allowed: t.allowed, root: t.root, cols: t.cols, want: every}, images}
}

// parts returns the parts that a walk begins with; none if it is better walked at once.
func (t *narrow) parts() (parts []part) {
	if t.want != upToImages {
		return nil
	}
	images := board.NewImages(t.n, t.problem.Values(t.assume))
	if images.Most() == 1 {
		if t.workers > 1 || t.progress != nil {
			parts = append(parts, t.part(nil))
		}
		return parts
	}
	first := t.free(&t.root, 0)
	if t.root.open&1 == 0 {
		first = 1 << t.cols[0]
	}
	for ; first != 0; first &= first - 1 {
		images := images.Part(bits.TrailingZeros64(first))
		p := t.part(&images)
		p.allowed[0] &= first & -first
		for _, c := range images.Empty {
			p.allowed[c.Row] &^= 1 << c.Col
		}
		parts = append(parts, p)
	}
	return parts
}

// divide returns the nodes at some depth below the given ones, and the leaves above it.
func (t *narrow) divide(parts []part) []part {
	for deeper := true; deeper && len(parts) < partsPerWorker*t.workers; {
		deeper = false
		var next []part
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

// together visits all completions of parts, in any sequence.
func (t *narrow) together(parts []part) error {
	parts = t.divide(parts)
	var mutex sync.Mutex
	done, completions := 0, uint64(0)
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(t.workers)
	for _, p := range parts {
		group.Go(func() error {
			var some []found
			hand := func() {
				mutex.Lock()
				defer mutex.Unlock()
				for k := range some {
					completions += uint64(max(1, len(some[k].images)))
					t.found(partial{held: t.held(&some[k].cols), images: some[k].images})
				}
				some = some[:0]
			}
			p.pause = func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return t.pause()
			}
			p.leaf = func() bool {
				var images []board.Symmetry
				if p.images != nil {
					if images = p.images.Of(p.cols[:p.n]); images == nil {
						return true
					}
				}
				if some = append(some, found{p.cols, images}); len(some) == handful {
					hand()
				}
				return true
			}
			if p.err = p.pause(); p.err == nil {
				p.below(p.root)
			}
			hand()
			mutex.Lock()
			defer mutex.Unlock()
			if p.err != nil {
				return p.err
			}
			if done++; t.progress != nil {
				t.progress(done, len(parts), completions)
			}
			return nil
		})
	}
	err := group.Wait()
	for _, p := range parts {
		t.visited += p.visited
	}
	return err
}
