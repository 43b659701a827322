package threshold

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"queens/board"
)

// Options says how a proof is made.
type Options struct {
	Anneals int // placements annealed before a proof, see [Refute]
	// Part, from 1 to Parts, selects the part of the proof to make; if both are 0, it is the whole proof. A
	// part goes through every Parts-th class of cells, so the parts take about the same time.
	Part, Parts int
	Workers     int // goroutines; 0 counts as one
	Seed        uint64
	// Progress, unless nil, is called after each class of cells, and for four queens or more after each cell
	// of the second queen. share is the finished share of the work, and so is the proof up to now, which counts
	// the placements of finished classes. Calls do not overlap.
	Progress func(share float64, so Proof)
}

// Proof is the result of going through all placements.
type Proof struct {
	// Witness is the first placement found that has no completion, which ends the proof; nil if every
	// placement has a completion.
	Witness []board.Cell
	// Considered is the number of placements gone through: those with a queen on the first cell of a class and the
	// others on cells of this class or later ones. Every placement has such an image, and some have several.
	Considered int64
	// Placements is the number of images of the considered placements, each counted once.
	Placements int64
	// Solutions is the number of solutions used.
	Solutions int64
	// Decided is the number of placements that a search decided, because no solution found before contained
	// them.
	Decided int64

	incomplete int64 // number of placements without a completion, counted as in Placements
}

// Prove goes through the placements of k queens, and looks for one without a completion. It considers at
// least one of each set of images under the symmetries of the square. It returns an error if n or k is out
// of range, and the context's error.
func Prove(ctx context.Context, n, k int, o Options) (Proof, error) {
	if n < 1 || n > MaxSize || k < 1 || k > n {
		return Proof{}, fmt.Errorf("completing %d queens on a board of %d: expected 1 to n queens, and n up to %d",
			k, n, MaxSize)
	}
	return newProver(newCells(n), k, o).run(ctx)
}

// prover hands out the classes of cells to workers. Workers share the solutions that they find. So with
// several workers the numbers of solutions and of decided placements vary from run to run; the result of the
// proof does not.
type prover struct {
	*cells
	k       int
	options Options
	every   bool // count the placements without a completion instead of stopping at the first

	mutex sync.Mutex
	pool  [][]int8 // solutions: the column of each row's queen
	proof Proof
	total float64 // sum of the weights of this part's classes
	done  float64 // finished share of the work
}

func newProver(g *cells, k int, o Options) *prover {
	o.Workers, o.Parts, o.Part = max(o.Workers, 1), max(o.Parts, 1), max(o.Part, 1)
	return &prover{cells: g, k: k, options: o}
}

func (p *prover) run(ctx context.Context) (Proof, error) {
	if err := p.draw(ctx); err != nil {
		return p.proof, err
	}
	classes := make(chan int)
	for i := p.options.Part - 1; i < len(p.first)-1; i += p.options.Parts {
		p.total += p.weight(p.first[i])
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(classes)
		for i := p.options.Part - 1; i < len(p.first)-1; i += p.options.Parts {
			select {
			case classes <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for number := range p.options.Workers {
		group.Go(func() error {
			var w *worker
			for i := range classes {
				if w == nil {
					w = p.newWorker(number)
				}
				if err := w.class(ctx, i); err != nil {
					return err
				}
				p.report(w, len(p.cell))
			}
			return nil
		})
	}
	err := group.Wait()
	if p.proof.Witness != nil && !p.every {
		err = nil // the workers were stopped since there is nothing left to prove
	}
	p.proof.Solutions = int64(len(p.pool))
	return p.proof, err
}

// weight is roughly proportional to the number of placements of k-1 queens on cells from c on: those with the
// first queen on c, or with the first queen on an earlier cell and the second from c on.
func (p *prover) weight(c int) float64 {
	return math.Pow(float64(len(p.cell)-c), float64(p.k-1))
}

// report adds a worker's counts since its last report to the proof. The placements left in its class are
// those with the second queen on cells from c on.
func (p *prover) report(w *worker, c int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.proof.Considered += w.found.Considered
	p.proof.Placements += w.found.Placements
	p.proof.Decided += w.found.Decided
	p.proof.incomplete += w.found.incomplete
	p.proof.Solutions = int64(len(p.pool))
	w.found = Proof{}
	left := p.weight(c)
	p.done += (w.left - left) / p.total
	w.left = left
	if p.options.Progress != nil {
		p.options.Progress(p.done, p.proof)
	}
}

// refute records a placement without a completion as the witness. Its error stops the workers; it is nil if
// every is set.
func (p *prover) refute(queens []int) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.proof.Witness = nil
	for _, c := range queens {
		p.proof.Witness = append(p.proof.Witness, p.cell[c])
	}
	if p.every {
		return nil
	}
	return errRefuted
}

var errRefuted = fmt.Errorf("a placement has no completion")

// add adds a solution to the pool, and verifies it: the proof rests on solutions alone.
func (p *prover) add(cols []int8) {
	if err := board.Verify(cols); err != nil {
		panic(fmt.Sprintf("threshold: %v is no solution: %v", cols, err))
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.pool = append(p.pool, slices.Clone(cols))
}

// draws is the ratio of the number of solutions drawn to the number that would cover all placements if no
// two solutions had a placement in common. With fewer draws the search must decide more placements one by
// one; the time of a proof hardly changes between 3 and 8.
const draws = 5

// draw fills the pool with solutions through k-1 cells drawn uniformly. Such solutions have more queens near
// the middle than solutions drawn uniformly, and placements near the middle are the hardest to cover.
func (p *prover) draw(ctx context.Context) error {
	// The number of placements to go through, about .3 of all sets of k cells divided by 8 symmetries, over the
	// number of placements in one solution. C(n^2, k) / C(n, k) is about n^k.
	number := draws * .3 * math.Pow(float64(p.n), float64(p.k)) / 8
	f := newFinder(p.n, rand.New(rand.NewPCG(p.options.Seed, 0)))
	for misses := 0; len(p.pool) < int(number) && misses < 100; {
		at, queens := f.Empty(), 0
		for range 8 * p.n { // enough for k-1 queens, except on boards where they may not fit
			if queens < p.k-1 && f.Try(&at, f.random.IntN(p.n), 1<<f.random.IntN(p.n)) {
				queens++
			}
		}
		found, err := f.find(ctx, at)
		if err == nil && len(p.pool)%1024 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if misses++; found {
			p.add(f.Cols[:p.n])
			misses = 0
		}
	}
	return nil
}
