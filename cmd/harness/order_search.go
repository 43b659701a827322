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
any number of --workers. Up to n = 6 it goes on beside a proof of the smallest size, with whose
end it ends. The result is never larger than the best order that comes with the program.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if lasting <= 0 || evaluations < 1 {
				return invalid("flags --time and --evaluations: expected more than 0")
			}
			start := time.Now()
			working(cmd, "searching orders for n = %d", b.N)
			s, err := b.open(cmd.Context())
			if err != nil {
				return err
			}
			named, err := order.ByName("best-" + string(b.Diagram))
			if err != nil {
				return err
			}
			known := optimize.Canonical(b.N, named.Of(b.N))
			looking := optimize.NewSearch(s, optimize.Options{
				Diagram: b.kind, Seed: seed, Workers: b.Workers, Start: b.start, Known: known,
			})
			optimal := false
			// best returns the best order, its diagram's nodes, and where it comes from, for the file's
			// comment.
			best := func() (o order.Order, nodes int, from string) {
				o, nodes = looking.Best()
				o = optimize.Canonical(b.N, o)
				switch {
				case optimal:
					from = "proved"
				case slices.Equal(o, known):
					from = named.Name
				default:
					from = fmt.Sprintf("seed %d, %d orders from %s", seed, looking.Evaluations(),
						filepath.Base(strings.TrimPrefix(string(b.Order), "file:")))
				}
				return o, nodes, from
			}
			keep := func() error {
				o, nodes, from := best()
				held, _, err := b.held(cmd, s)
				if err != nil || held > 0 && held <= nodes {
					return err // keep the better order
				}
				return b.save(cmd, o, nodes, ": "+from)
			}
			// Report a file that cannot be written before the search. An existing file stays until the search
			// has ended.
			if _, there, err := b.held(cmd, s); err != nil {
				return err
			} else if !there {
				if err := keep(); err != nil {
					return err
				}
			}
			// The time so far counts too; even past the deadline there is an answer.
			ctx, cancel := context.WithDeadline(cmd.Context(), start.Add(lasting))
			defer cancel()
			tell := func() error {
				_, nodes := looking.Best()
				workOf(ctx).tell(float64(time.Since(start))/float64(lasting), "%d nodes, %d orders", nodes, looking.Evaluations())
				return nil
			}
			if b.N <= optimize.LargestProved {
				optimal, err = looking.Prove(ctx, b.N, evaluations, tell)
			} else {
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
			o, nodes, from := best()
			which := "the smallest found"
			switch from {
			case "proved":
				which = "the smallest there is, proved"
			case named.Name:
				which = "the smallest known, " + named.Name
			}
			rowMajor, seconds := s.RowMajor(b.kind), time.Since(start).Seconds()
			return b.show(cmd, o, nodes, map[string]any{
				"optimal": optimal, "evaluations": looking.Evaluations(), "seed": seed,
				"row_major_nodes": rowMajor, "seconds": seconds, "order": lesson.Names(o.Cells(b.N)),
			}, fmt.Sprintf("%s; row-major has %d\n%d orders evaluated with seed %d in %s",
				which, rowMajor, looking.Evaluations(), seed, took(seconds)))
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
