package threshold

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"queens/backends"
	"queens/backends/search"
	"queens/board"
)

const (
	// slack is the number of free cells beyond the fewest seen that a placement may leave and still be decided.
	slack = 30
	// easy is the number of queens that a search for a completion may place before weights are tried, on
	// boards up to MaxSize. Nearly all searches there place fewer and take a hundredth of the time of
	// weights; on larger boards weights are faster.
	easy = 1000
	// hardest is the number of queens that a search may place after weights have failed. Refute skips placements
	// that need more, since there are always others.
	hardest = 200_000
	// LargestRefuted is the largest board that [Refute] accepts.
	LargestRefuted = 100
)

// Refute looks for a placement of k queens without a completion. It anneals random placements towards few
// free cells, and decides those that leave at most slack more than the fewest so far. It returns nil if it
// finds none in tries annealings. The same seed gives the same result.
func Refute(ctx context.Context, n, k int, seed uint64, tries int) ([]board.Cell, error) {
	if n < 1 || n > LargestRefuted || k < 1 || k > n {
		return nil, fmt.Errorf("completing %d queens on a board of %d: expected 1 to n queens, and n up to %d",
			k, n, LargestRefuted)
	}
	a := annealing{
		n: n, random: rand.New(rand.NewPCG(seed, uint64(k))), queens: make([]board.Cell, k),
		at: board.NewPosition(n, nil, nil), ahead: board.NewPosition(n, nil, nil), fewest: n * n, cols: make([]byte, n), decided: map[string]bool{},
	}
	for range tries {
		if found, err := a.once(ctx); found || err != nil {
			return a.queens, err
		}
	}
	return nil, nil
}

type annealing struct {
	n       int
	random  *rand.Rand
	queens  []board.Cell
	at      *board.Position // position of the queens at the last call of free
	ahead   *board.Position // the same after LookAhead
	fewest  int             // fewest free cells of a placement so far
	cols    []byte          // key of these queens in decided
	decided map[string]bool // placements decided before
}

// once anneals one placement, and reports whether it found one without a completion, which is then in queens.
func (a *annealing) once(ctx context.Context) (bool, error) {
	a.at.Reset(nil, nil)
	for i := range a.queens {
		cells := a.at.Cells()
		if len(cells) == 0 {
			return false, ctx.Err() // these queens leave no room for the others
		}
		a.queens[i] = cells[a.random.IntN(len(cells))]
		a.at.Put(a.queens[i])
	}
	free := a.free()
	// Larger boards need more and longer moves, and a higher temperature because each move changes more cells.
	moves, step, heat := max(4000, 7*a.n*a.n), max(1, a.n/20), max(1, float64(a.n)/40)
	for move := range moves {
		if found, err := a.decide(ctx, free); found || err != nil {
			return found, err
		}
		i := a.random.IntN(len(a.queens))
		before := a.queens[i]
		to := board.At(a.n, a.random.IntN(a.n*a.n))
		if a.random.IntN(2) == 0 {
			to = board.Cell{Row: before.Row + a.random.IntN(2*step+1) - step, Col: before.Col + a.random.IntN(2*step+1) - step}
		}
		if !to.On(a.n) {
			continue
		}
		a.queens[i] = to
		temperature := heat * (.3 + 8*(1-float64(move)/float64(moves)))
		if after := a.free(); after >= 0 && a.random.Float64() < math.Exp(float64(free-after)/temperature) {
			free = after
		} else {
			a.queens[i] = before
		}
	}
	return false, ctx.Err()
}

// free counts the free cells, -1 if queens attack each other.
func (a *annealing) free() (free int) {
	a.at.Reset(a.queens, nil)
	if a.at.Dead || len(a.at.Queens) < len(a.queens) {
		return -1
	}
	for _, word := range a.at.Free {
		free += bits.OnesCount64(word)
	}
	return free
}

// decide reports whether it showed that the queens have no completion. It skips placements that leave many
// free cells, and placements that it has decided before.
func (a *annealing) decide(ctx context.Context, free int) (bool, error) {
	a.fewest = min(a.fewest, free)
	if free > a.fewest+slack {
		return false, nil
	}
	a.free() // the last move may have been taken back
	for row, col := range a.at.Cols {
		a.cols[row] = byte(col + 1)
	}
	if a.decided[string(a.cols)] {
		return false, nil
	}
	a.decided[string(a.cols)] = true
	if a.n <= MaxSize {
		if status, err := a.search(ctx, easy); status != backends.Unknown || err != nil {
			return status == backends.Unsat, err
		}
	}
	if Weigh(a.at) != nil {
		return true, nil
	}
	status, err := a.search(ctx, hardest)
	return status == backends.Unsat, err
}

// search looks for a completion of the position at, and places at most limit queens.
func (a *annealing) search(ctx context.Context, limit int64) (backends.Status, error) {
	if a.at.Open() > search.MaxRows {
		return backends.Unknown, ctx.Err()
	}
	a.ahead.CopyFrom(a.at)
	if a.ahead.LookAhead(); a.ahead.Dead {
		return backends.Unsat, nil
	}
	return search.NewRows(a.ahead).Find(ctx, limit)
}
