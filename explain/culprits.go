package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// culprits looks for few of some things that rule something out together: placed queens,
// assumed literals, constraints. Things are denoted by their indices. Every solution shows that
// at least one of the things it lacks is to blame. These sets of lacking things bound the size
// of any blame from below.
type culprits struct {
	size int // how many things there are
	// ask looks for a solution with the given things. If there is none, holds is nil, and core is a
	// subset of them that has none either. Otherwise holds says which things the solution has.
	ask     func(ctx context.Context, things []int) (core []int, holds func(int) bool, err error)
	lacking [][]int // what each solution found so far lacks, in rising order
}

// test asks, and notes what a solution lacks.
func (c *culprits) test(ctx context.Context, things []int) (core []int, possible bool, err error) {
	core, holds, err := c.ask(ctx, things)
	if err != nil || holds == nil {
		return core, false, err
	}
	c.note(holds)
	return nil, true, nil
}

func (c *culprits) note(holds func(int) bool) {
	var lacking []int
	for i := range c.size {
		if !holds(i) {
			lacking = append(lacking, i)
		}
	}
	c.lacking = append(c.lacking, lacking)
}

// find returns a minimal subset of things that have no solution, and whether it is proved that
// no smaller set has none. It spends the given time on looking for a smaller one.
func (c *culprits) find(ctx context.Context, things []int, within time.Duration) ([]int, bool, error) {
	minimal, err := c.minimize(ctx, things)
	if err != nil {
		return nil, false, err
	}
	return c.smallest(ctx, minimal, within)
}

// minimize removes things for as long as the rest still has no solution: the deletion filter
// (Bakker et al., IJCAI 1993). After each success it continues with the core instead of the set.
func (c *culprits) minimize(ctx context.Context, things []int) ([]int, error) {
	for i := 0; i < len(things); {
		core, possible, err := c.test(ctx, slices.Delete(slices.Clone(things), i, i+1))
		if err != nil {
			return nil, err
		}
		if possible {
			i++ // needed
			continue
		}
		// The core keeps everything known to be needed: without one of those there is a solution.
		things = core
	}
	return things, nil
}

// smallest looks for a set of fewer things than the minimal one at hand, by implicit hitting
// sets (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015): take a smallest set that hits
// every set of lacking things. Either it has no solution, or a solution that contains it yields
// one more set to hit. A set is proved smallest when it is such a hitting set, or when every
// hitting set is at least as large.
func (c *culprits) smallest(ctx context.Context, minimal []int, within time.Duration) ([]int, bool, error) {
	if len(minimal) <= 1 {
		return minimal, true, nil
	}
	if within <= 0 {
		return minimal, false, nil
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		hitting, err := c.hittingSet(limited, len(minimal)-1)
		if err == nil && hitting == nil {
			return minimal, true, nil
		}
		var holds func(int) bool
		if err == nil {
			_, holds, err = c.ask(limited, hitting)
		}
		switch {
		case ctx.Err() != nil:
			return nil, false, fmt.Errorf("looking for the fewest to blame: %w", ctx.Err())
		case errors.Is(err, context.DeadlineExceeded):
			return minimal, false, nil // no time left: still minimal
		case err != nil:
			return nil, false, err
		case holds == nil:
			return hitting, true, nil
		}
		if err := c.noteGrown(limited, hitting, holds); err != nil && ctx.Err() != nil {
			return nil, false, fmt.Errorf("looking for the fewest to blame: %w", ctx.Err())
		}
	}
}

// noteGrown notes a solution that contains the things, after trying to make it contain more:
// the fewer it lacks, the more it says.
func (c *culprits) noteGrown(ctx context.Context, things []int, holds func(int) bool) error {
	held := slices.Clone(things)
	for i := range c.size {
		if slices.Contains(held, i) {
			continue
		}
		if holds(i) {
			held = append(held, i)
			continue
		}
		_, larger, err := c.ask(ctx, append(slices.Clip(held), i))
		if err != nil {
			c.note(holds) // what is known is worth keeping
			return err
		}
		if larger != nil {
			held, holds = append(held, i), larger
		}
	}
	c.note(holds)
	return nil
}

// hittingSet returns a smallest set that hits every lacking set, or nil when every such set has
// more than limit things.
func (c *culprits) hittingSet(ctx context.Context, limit int) ([]int, error) {
	var chosen []int
	visited := 0
	var extend func(room int) (bool, error)
	extend = func(room int) (bool, error) {
		if visited++; visited%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		// Branch on the set not yet hit that has the fewest things.
		var branch []int
		for _, lacking := range c.lacking {
			hit := slices.ContainsFunc(chosen, func(i int) bool {
				_, has := slices.BinarySearch(lacking, i)
				return has
			})
			if !hit && (branch == nil || len(lacking) < len(branch)) {
				branch = lacking
			}
		}
		if branch == nil {
			return true, nil
		}
		if room == 0 {
			return false, nil
		}
		for _, i := range branch {
			chosen = append(chosen, i)
			if found, err := extend(room - 1); found || err != nil {
				return found, err
			}
			chosen = chosen[:len(chosen)-1]
		}
		return false, nil
	}
	for room := 1; room <= limit; room++ {
		found, err := extend(room)
		if err != nil {
			return nil, err
		}
		if found {
			return chosen, nil
		}
	}
	return nil, nil
}
