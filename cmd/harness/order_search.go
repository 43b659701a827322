package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/order/search"
)

// searchFlags are the flags of order search.
type searchFlags struct {
	boardOrder
	seed        uint64
	largest     bool
	time        time.Duration
	evaluations int64
}

func newOrderSearch() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search -n N",
		Short: "Search for a variable order with a smaller diagram",
		Long: `Search for a variable order with a smaller diagram, or a larger one with --largest, by
parallel tempering from row-major or another order. The same starting order, --seed
and --evaluations give the same result, with any number of --workers. Up to n = 6 a
search for the smallest diagram ends with a proof that its result is optimal.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.register(cmd, "diagram", "order", "workers")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random numbers")
	cmd.Flags().BoolVar(&f.largest, "largest", false, "search for the largest diagram instead of the smallest")
	cmd.Flags().DurationVar(&f.time, "time", time.Minute, "stop after this time")
	cmd.Flags().Int64Var(&f.evaluations, "evaluations", 0,
		"stop after evaluating this many orders (default: stop only by time)")
	f.registerOutput(cmd, "the best order so far")
	return cmd
}

// provable is the number of orders evaluated before a proof is attempted.
const provable = 100_000

func (f *searchFlags) run(cmd *cobra.Command) error {
	switch {
	case f.time <= 0:
		return invalid("flag --time %v: expected more than 0", f.time)
	case f.evaluations < 0:
		return invalid("flag --evaluations %d: expected 1 or more", f.evaluations)
	}
	limit := cmp.Or(f.evaluations, math.MaxInt64)
	start := time.Now()
	end := working(cmd, "searching orders for n = %d", f.n)
	defer end()
	s, err := f.open(cmd.Context(), search.MostListed, ", since all solutions are listed")
	if err != nil {
		return err
	}
	looking := search.NewSearch(s, search.Options{
		Diagram: f.kind, Largest: f.largest, Seed: f.seed, Workers: f.Workers, Start: f.start,
	})
	rowMajor := s.RowMajor(f.kind)
	// The time so far counts too, but there is always an answer.
	ctx, cancel := context.WithDeadline(cmd.Context(), start.Add(f.time))
	defer cancel()
	keeper := &keeper{flags: f, search: looking, began: start, saved: start, progress: progressOf(cmd.Context())}
	err = looking.Run(ctx, min(limit, provable), keeper.look)
	optimal := false
	switch proving := !f.largest && f.n <= search.LargestProved; {
	case err == nil && proving:
		err = looking.Prove(ctx, f.n)
		optimal = err == nil
	case err == nil:
		err = looking.Run(ctx, limit, keeper.look)
	}
	if saved := keeper.save(); saved != nil {
		return saved
	}
	if cmd.Context().Err() != nil {
		return exit(interrupted, fmt.Errorf("interrupted: %s", keeper.whatIsKept()))
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	end()
	proved := "the smallest found"
	switch {
	case f.largest:
		proved = "the largest found"
	case optimal:
		proved = "the smallest there is, proved"
	}
	best, nodes := looking.Best()
	seconds := time.Since(start).Seconds()
	return f.show(cmd, search.Canonical(f.n, best), nodes, map[string]any{
		"optimal": optimal, "largest": f.largest, "evaluations": looking.Evaluations(), "seed": f.seed,
		"row_major": rowMajor, "seconds": seconds,
	}, fmt.Sprintf("%s; row-major has %d\n%d orders evaluated with seed %d in %.3g s",
		proved, rowMajor, looking.Evaluations(), f.seed, seconds))
}

// keeper reports a search's progress and keeps its file up to date.
type keeper struct {
	flags    *searchFlags
	search   *search.Search
	progress *progress
	began    time.Time
	saved    time.Time
	written  int // nodes of the order in the file
}

// look is called after each step.
func (k *keeper) look() error {
	_, nodes := k.search.Best()
	k.progress.tell(float64(time.Since(k.began))/float64(k.flags.time), "%d nodes, %s orders", nodes,
		thousands(uint64(k.search.Evaluations())))
	if time.Since(k.saved) < 10*time.Second {
		return nil
	}
	k.saved = time.Now()
	return k.save()
}

// save writes the best order to the file of -o.
func (k *keeper) save() error {
	best, nodes := k.search.Best()
	if nodes == k.written {
		return nil
	}
	k.written = nodes
	_, err := k.flags.keep(best, nodes, fmt.Sprintf(": seed %d, %d orders from %s",
		k.flags.seed, k.search.Evaluations(), filepath.Base(strings.TrimPrefix(string(k.flags.Order), "file:"))))
	return err
}

// whatIsKept returns the best size found by an interrupted search, and how to search on from it.
func (k *keeper) whatIsKept() string {
	_, nodes := k.search.Best()
	found := fmt.Sprintf("best %d nodes after %d orders", nodes, k.search.Evaluations())
	if k.flags.output == "" {
		return found + "; a search with -o FILE keeps its order"
	}
	return fmt.Sprintf("%s; --order file:%s searches on from it", found, k.flags.output)
}
