package explain

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/board"
)

// blamer looks for placed queens that rule the cell out. Every solution through
// the cell shows that at least one of the placed queens it lacks is to blame.
// These sets of lacking queens bound the size of any blame from below.
type blamer struct {
	solver   backends.Finder
	question Question
	lacking  []set // the placed queens, by index, that each solution found so far lacks
}

// blame returns a minimal set of placed queens that, with the blocked cells,
// rules the cell out, and whether it is proved that no smaller set does.
func (b *blamer) blame(ctx context.Context, e Explanation) ([]board.Cell, bool, error) {
	_, solution, err := b.ask(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	if solution == nil {
		return nil, true, nil // the cell is in no solution, whatever is placed
	}
	b.note(solution)
	if len(e.AttackedBy) > 0 {
		return e.AttackedBy[:1:1], true, nil
	}
	core := b.question.Placed
	if e.Conflict != nil {
		core = e.Conflict
	}
	if queens := b.placedIn(e.Steps); e.Steps != nil {
		core = queens // the steps use no other queens
	}
	core, err = b.minimize(ctx, core)
	if err != nil {
		return nil, false, err
	}
	return b.smallest(ctx, core)
}

// minimize removes queens from a set that rules the cell out for as long as the
// rest still does: the deletion filter (Bakker et al., IJCAI 1993). After each
// success it continues with the core instead of the set.
func (b *blamer) minimize(ctx context.Context, set []board.Cell) ([]board.Cell, error) {
	for i := 0; i < len(set); {
		without := slices.Delete(slices.Clone(set), i, i+1)
		core, solution, err := b.ask(ctx, without)
		if err != nil {
			return nil, err
		}
		if solution != nil {
			b.note(solution)
			i++ // needed
			continue
		}
		// The core keeps every queen known to be needed: without one of them there
		// is a solution.
		set = b.refine(core)
	}
	return set, nil
}

// refine returns the queens of the set that the ladder uses to rule the cell out,
// or the whole set where the ladder fails. A solver's core may hold queens that it
// merely looked at; the ladder's reasons are short.
func (b *blamer) refine(queens []board.Cell) []board.Cell {
	if _, steps := b.refute(queens); steps != nil {
		used := b.placedIn(steps)
		return slices.DeleteFunc(slices.Clone(queens), func(c board.Cell) bool { return !slices.Contains(used, c) })
	}
	return queens
}

// refute is [refute] with the queens and one on the cell.
func (b *blamer) refute(queens []board.Cell) (Verdict, []Step) {
	q := b.question
	return refute(board.NewPosition(q.N, append(slices.Clone(queens), q.Cell), q.Blocked))
}

// possible reports whether no placed queen stands on the steps' lines or attacks their
// cells: if one did, the steps would be strange to read on the board as it is.
func (b *blamer) possible(steps []Step) bool {
	return !slices.ContainsFunc(steps, func(s Step) bool {
		return slices.ContainsFunc(b.question.Placed, func(q board.Cell) bool {
			return slices.Contains(s.Line.Cells(b.question.N), q) || s.Kind != Emptied && q.Attacks(s.Cell)
		})
	})
}

// placedIn returns the placed queens that the steps use, in the order they were
// placed.
func (b *blamer) placedIn(steps []Step) []board.Cell {
	used := make(map[board.Cell]bool)
	for _, step := range steps {
		for _, c := range step.Because {
			used[c] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(b.question.Placed), func(c board.Cell) bool { return !used[c] })
}

// note records the placed queens that a solution through the cell lacks.
func (b *blamer) note(solution []board.Cell) {
	on := make(map[board.Cell]bool, len(solution))
	for _, c := range solution {
		on[c] = true
	}
	lacking := newSet(len(b.question.Placed))
	for i, c := range b.question.Placed {
		if !on[c] {
			lacking.add(i)
		}
	}
	b.lacking = append(b.lacking, lacking)
}

// smallest looks for a set with fewer queens than the minimal one at hand, by
// implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015):
// take a smallest set that hits every set of lacking queens. Either it rules the
// cell out, or a solution that contains it yields one more set to hit. A blame is
// proved smallest when it is such a hitting set, or when every hitting set is at
// least as large.
func (b *blamer) smallest(ctx context.Context, minimal []board.Cell) ([]board.Cell, bool, error) {
	if len(minimal) <= 1 {
		return minimal, true, nil
	}
	if b.question.Smallest <= 0 {
		return minimal, false, nil
	}
	limited, cancel := context.WithTimeout(ctx, b.question.Smallest)
	defer cancel()
	for {
		hitting, err := b.hittingSet(limited, len(minimal)-1)
		if err == nil && hitting == nil {
			return minimal, true, nil
		}
		var solution []board.Cell
		if err == nil {
			_, solution, err = b.ask(limited, hitting)
		}
		switch {
		case ctx.Err() != nil:
			return nil, false, fmt.Errorf("looking for the fewest queens to blame: %w", ctx.Err())
		case errors.Is(err, context.DeadlineExceeded):
			return minimal, false, nil // no time left: still minimal
		case err != nil:
			return nil, false, err
		case solution == nil:
			return hitting, true, nil
		}
		if err := b.noteGrown(limited, hitting, solution); err != nil && ctx.Err() != nil {
			return nil, false, fmt.Errorf("looking for the fewest queens to blame: %w", ctx.Err())
		}
	}
}

// noteGrown notes a solution that contains the queens, after trying to make it
// contain more of the placed ones: the fewer it lacks, the more it says.
func (b *blamer) noteGrown(ctx context.Context, queens, solution []board.Cell) error {
	held := slices.Clone(queens)
	for _, c := range b.question.Placed {
		if slices.Contains(held, c) {
			continue
		}
		if slices.Contains(solution, c) {
			held = append(held, c)
			continue
		}
		_, larger, err := b.ask(ctx, append(slices.Clip(held), c))
		if err != nil {
			b.note(solution) // what is known is worth keeping
			return err
		}
		if larger != nil {
			held, solution = append(held, c), larger
		}
	}
	b.note(solution)
	return nil
}

// hittingSet returns a smallest set of placed queens that hits every lacking set,
// or nil when every such set has more than limit queens.
func (b *blamer) hittingSet(ctx context.Context, limit int) ([]board.Cell, error) {
	var chosen []int
	visited := 0
	var extend func(room int) (bool, error)
	extend = func(room int) (bool, error) {
		if visited++; visited%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		// Branch on the set not yet hit that has the fewest queens.
		var branch set
		fewest := 0
		for _, s := range b.lacking {
			if !s.hasAny(chosen) {
				if count := s.count(); branch == nil || count < fewest {
					branch, fewest = s, count
				}
			}
		}
		if branch == nil {
			return true, nil
		}
		if room == 0 {
			return false, nil
		}
		for i := range b.question.Placed {
			if branch.has(i) {
				chosen = append(chosen, i)
				if found, err := extend(room - 1); found || err != nil {
					return found, err
				}
				chosen = chosen[:len(chosen)-1]
			}
		}
		return false, nil
	}
	for room := 1; room <= limit; room++ {
		found, err := extend(room)
		if err != nil {
			return nil, err
		}
		if found {
			cells := make([]board.Cell, len(chosen))
			for i, c := range chosen {
				cells[i] = b.question.Placed[c]
			}
			return cells, nil
		}
	}
	return nil, nil
}

// set is a set of small numbers, as a bitmap.
type set []uint64

func newSet(size int) set          { return make(set, (size+63)/64) }
func (s set) add(i int)            { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool       { return s[i/64]>>(i%64)&1 != 0 }
func (s set) hasAny(of []int) bool { return slices.ContainsFunc(of, s.has) }

func (s set) count() int {
	count := 0
	for _, word := range s {
		count += bits.OnesCount64(word)
	}
	return count
}
