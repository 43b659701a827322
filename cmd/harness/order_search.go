package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/ordersearch"
)

// provable is the number of orders evaluated before a proof is attempted.
const provable = 100_000

func newOrderSearch() *cobra.Command {
	var (
		b           boardOrder
		seed        uint64
		lasting     time.Duration
		evaluations int64
	)
	cmd := &cobra.Command{
		Use:   "search -n N",
		Short: "Search for a variable order with a smaller diagram",
		Long: `Search for a variable order with a smaller diagram by parallel tempering from row-major or
another order. The same starting order, --seed and --evaluations give the same result, with
any number of --workers. Up to n = 6 a search ends with a proof that its result is optimal.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if lasting <= 0 || evaluations < 1 {
				return invalid("flags --time and --evaluations: expected more than 0")
			}
			start := time.Now()
			working(cmd, "searching orders for n = %d", b.N)
			s, err := b.open(cmd.Context(), ordersearch.MostListed, ", since all solutions are listed")
			if err != nil {
				return err
			}
			looking := ordersearch.NewSearch(s, ordersearch.Options{Diagram: b.kind, Seed: seed, Workers: b.Workers, Start: b.start})
			keep := func() error {
				best, nodes := looking.Best()
				held, _, err := b.held(cmd, s)
				if err != nil || held > 0 && held <= nodes {
					return err // a better order is kept
				}
				return b.save(cmd, ordersearch.Canonical(b.N, best), nodes, fmt.Sprintf(": seed %d, %d orders from %s",
					seed, looking.Evaluations(), filepath.Base(strings.TrimPrefix(string(b.Order), "file:"))))
			}
			// A file that cannot be written is an error before the search; one that is there stays until
			// the search has ended.
			if _, there, err := b.held(cmd, s); err != nil {
				return err
			} else if !there {
				if err := keep(); err != nil {
					return err
				}
			}
			// The time so far counts too, but there is always an answer.
			ctx, cancel := context.WithDeadline(cmd.Context(), start.Add(lasting))
			defer cancel()
			tell := func() error {
				_, nodes := looking.Best()
				workOf(ctx).tell(float64(time.Since(start))/float64(lasting), "%d nodes, %d orders", nodes, looking.Evaluations())
				return nil
			}
			err = looking.Run(ctx, min(evaluations, provable), tell)
			optimal := false
			switch proving := b.N <= ordersearch.LargestProved; {
			case err == nil && proving:
				err = looking.Prove(ctx, b.N)
				optimal = err == nil
			case err == nil:
				err = looking.Run(ctx, evaluations, tell)
			}
			if err := keep(); err != nil {
				return err
			}
			switch {
			case cmd.Context().Err() != nil:
				return cmd.Context().Err()
			case err != nil && !errors.Is(err, context.DeadlineExceeded):
				return err
			}
			proved := "the smallest found"
			if optimal {
				proved = "the smallest there is, proved"
			}
			best, nodes := looking.Best()
			rowMajor, seconds := s.RowMajor(b.kind), time.Since(start).Seconds()
			return b.show(cmd, ordersearch.Canonical(b.N, best), nodes, map[string]any{
				"optimal": optimal, "evaluations": looking.Evaluations(), "seed": seed,
				"row_major": rowMajor, "seconds": seconds,
			}, fmt.Sprintf("%s; row-major has %d\n%d orders evaluated with seed %d in %.3g s",
				proved, rowMajor, looking.Evaluations(), seed, seconds))
		},
	}
	b.register(cmd, "diagram", "order", "workers")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the random numbers")
	cmd.Flags().DurationVar(&lasting, "time", time.Minute, "stop after this time")
	cmd.Flags().Int64Var(&evaluations, "evaluations", math.MaxInt64, "stop after evaluating this many orders")
	cmd.Flags().Lookup("evaluations").DefValue = "0" // the default is not shown
	addOutput(cmd, "write the best order to this file, also when the search is interrupted, unless the file has one as good")
	return cmd
}
