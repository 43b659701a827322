package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/configure/lesson"
	"queens/order"
	"queens/order/optimize"
)

// searchFlags are the flags of order search.
type searchFlags struct {
	boardOrder
	seed        uint64
	lasting     time.Duration
	evaluations int64
}

func newOrderSearch() *cobra.Command {
	var o searchFlags
	cmd := &cobra.Command{
		Use:   "search -n N",
		Short: "Search for a variable order with a smaller diagram",
		Long: `Search for a variable order with a smaller diagram by parallel tempering from row-major or
another order. The same starting order, --seed and --evaluations give the same result, with
any number of --workers. Up to n = 6 a proof of the smallest size runs beside it, and ends it.
The result is never larger than the best order that comes with the program.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.search(cmd.Context(), consoleOf(cmd)) },
	}
	o.register(cmd, "diagram", "order", "workers")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the random numbers")
	cmd.Flags().DurationVar(&o.lasting, "time", time.Minute, "stop after this time")
	cmd.Flags().Int64Var(&o.evaluations, "evaluations", math.MaxInt64, "stop after evaluating this many orders")
	cmd.Flags().Lookup("evaluations").DefValue = "0" // the default is not shown
	addOutput(cmd, "write the best order to this file, also when the search is interrupted, unless the file has one as good")
	return cmd
}

// found is the best order of a search so far.
type found struct {
	order.Order
	nodes int
	from  string // for the file's comment: proved, the name of a known order, or the search
	which string // for people
}

// search searches until the time or the evaluations are used up, or a proof ends, and writes the best order.
func (o *searchFlags) search(ctx context.Context, c console) error {
	if o.lasting <= 0 || o.evaluations < 1 {
		return invalid("flags --time and --evaluations: expected more than 0")
	}
	start := time.Now()
	working(ctx, "searching orders for n = %d", o.N)
	sizer, err := o.open(ctx)
	if err != nil {
		return err
	}
	named, err := order.ByName("best-" + string(o.Diagram))
	if err != nil {
		return err
	}
	known := optimize.Canonical(o.N, named.Of(o.N))
	looking := optimize.NewSearch(sizer, optimize.Options{
		Diagram: o.kind, Seed: o.seed, Workers: o.Workers, Start: o.start, Known: known,
	})
	keep := func(optimal bool) (found, error) {
		best := o.best(looking, known, named.Name, optimal)
		return best, o.keep(ctx, c, sizer, best)
	}
	// Report a file that cannot be written before the search. An existing file stays until the search
	// has ended.
	_, there, err := o.held(c.file, sizer)
	if err == nil && !there {
		_, err = keep(false)
	}
	if err != nil {
		return err
	}
	optimal, stopped := o.run(ctx, looking, start)
	best, err := keep(optimal)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case stopped != nil && !errors.Is(stopped, context.DeadlineExceeded):
		return stopped
	}
	rowMajor, seconds := sizer.RowMajor(o.kind), time.Since(start).Seconds()
	return o.show(ctx, c, best.Order, best.nodes, map[string]any{
		"optimal": optimal, "evaluations": looking.Evaluations(), "seed": o.seed,
		"row_major_nodes": rowMajor, "seconds": seconds, "order": lesson.Names(best.Cells(o.N)),
	}, fmt.Sprintf("%s; row-major has %d\n%d orders evaluated with seed %d in %s",
		best.which, rowMajor, looking.Evaluations(), o.seed, took(seconds)))
}

// run searches, and proves the minimum where that is possible. The time since start counts too; even past the
// deadline there is an answer.
func (o *searchFlags) run(ctx context.Context, looking *optimize.Search, start time.Time) (optimal bool, err error) {
	work := workOf(ctx)
	ctx, cancel := context.WithDeadline(ctx, start.Add(o.lasting))
	defer cancel()
	tell := func() error {
		_, nodes := looking.Best()
		work.tell(float64(time.Since(start))/float64(o.lasting), "%d nodes, %d orders", nodes, looking.Evaluations())
		return nil
	}
	if o.N <= optimize.LargestProved {
		return looking.Prove(ctx, o.N, o.evaluations, tell)
	}
	return false, looking.Run(ctx, o.evaluations, tell)
}

// best returns the best order so far. known is the best order that comes with the program, and name its name.
func (o *searchFlags) best(looking *optimize.Search, known order.Order, name string, optimal bool) found {
	best, nodes := looking.Best()
	best = optimize.Canonical(o.N, best)
	switch {
	case optimal:
		return found{best, nodes, "proved", "the smallest there is, proved"}
	case slices.Equal(best, known):
		return found{best, nodes, name, "the smallest known, " + name}
	}
	from := fmt.Sprintf("seed %d, %d orders from %s", o.seed, looking.Evaluations(),
		filepath.Base(strings.TrimPrefix(string(o.Order), "file:")))
	return found{best, nodes, from, "the smallest found"}
}

// keep writes an order to the file of -o, unless the file has one as good.
func (o *searchFlags) keep(ctx context.Context, c console, s *optimize.Sizer, best found) error {
	held, _, err := o.held(c.file, s)
	if err != nil || held > 0 && held <= best.nodes {
		return err
	}
	return o.save(ctx, c, best.Order, best.nodes, ": "+best.from)
}
