package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/board"
	"queens/board/listing"
	"queens/configure/lesson"
	"queens/encode"
)

// sampleReport is the JSON output of sample.
type sampleReport struct {
	about
	Backend   string     `json:"backend"` // bdd, or search where that is sooner done
	Solutions string     `json:"solutions"`
	Seed      uint64     `json:"seed"`
	Samples   [][]string `json:"samples"` // the true variables of each: the queens of a board
}

func newSample() *cobra.Command {
	var (
		f      flags
		seed   uint64
		number int
		force  bool
	)
	cmd := &cobra.Command{
		Use:   "sample -n N",
		Short: "Draw solutions uniformly",
		Long: `Draw solutions, each from all of them with the same probability. The diagram is built, the solutions
below each of its nodes are counted once, and each sample is a walk down. Boards of queens beyond ` + fmt.Sprint(mostDrawn) + `, whose
diagrams take long, are listed instead, unless an option of the diagram is given: each solution takes the place
of a sample with the probability that keeps all equally likely. The same seed draws the same samples.`,
		Args: cobra.NoArgs,
		RunE: f.on("sampling", func(cmd *cobra.Command, p encode.Problem) error {
			if number < 0 {
				return invalid("flag --number %d: expected 0 or more", number)
			}
			draw := f.fromDiagram
			if f.Choice == (ask.Choice{}) && f.file == "" && p.IsQueens() && p.N > mostDrawn && p.N <= mostListed {
				draw = fromList
				if err := tooMany(p, mostVisited); err != nil && !force {
					return err
				}
			}
			report := sampleReport{about: f.about(p), Seed: seed, Samples: [][]string{}}
			if err := draw(cmd.Context(), p, number, &report); err != nil {
				return answered(cmd.Context(), err)
			}
			return show(cmd, report, func(w io.Writer) error {
				if report.Solutions == "0" {
					fmt.Fprintln(w, "no solutions")
				}
				for _, names := range report.Samples {
					if _, err := fmt.Fprintln(w, strings.Join(names, " ")); err != nil {
						return err
					}
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "harness: %d drawn of %s with seed %d\n", len(report.Samples),
					solutions(report.Solutions), seed)
				return nil
			})
		}),
	}
	f.register(cmd, 0, "order", "construction", "workers")
	f.registerFile(cmd)
	cmd.Flags().IntVar(&number, "number", 1, "number of solutions to draw; one may come again")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the draws")
	cmd.Flags().BoolVar(&force, "force", false, "list also where that takes hours or years")
	addJSON(cmd)
	return cmd
}

// mostListed is the largest board that [listing.All] accepts.
const mostListed = 64

// mostDrawn is the largest board of queens for which sampling builds a diagram. On a larger board that takes
// minutes and gigabytes, whereas listing its solutions takes seconds.
const mostDrawn = 13

// fromDiagram draws solutions by walks down the diagram.
func (f *flags) fromDiagram(ctx context.Context, p encode.Problem, number int, report *sampleReport) error {
	compiled, _, err := f.compile(ctx, p)
	if err != nil {
		return err
	}
	oracle := ask.Oracle(compiled)
	all, err := oracle.Count(ctx, p.Fixed)
	if err != nil {
		return err
	}
	report.Backend, report.Solutions = string(ask.Diagram), all.String()
	if number == 0 {
		return nil
	}
	for sample, err := range oracle.Samples(ctx, p.Fixed, report.Seed) {
		if err != nil {
			return err
		}
		if report.Samples = append(report.Samples, trueNames(p, sample)); len(report.Samples) == number {
			break
		}
	}
	return nil
}

// fromList draws solutions while it lists them all: the i-th solution replaces each sample with probability
// 1/i, independently. A sample that was last replaced by solution i stays at least through solution m with
// probability i/m (Vitter, Random sampling with a reservoir, 1985). Drawing the next replacement from that
// makes most solutions cost nothing.
func fromList(ctx context.Context, p encode.Problem, number int, report *sampleReport) error {
	random := rand.New(rand.NewPCG(report.Seed, 0))
	drawn, next := make([][]int, number), make([]float64, number) // next: solution that replaces it
	seen, soonest := float64(0), float64(1)
	for i := range next {
		next[i] = 1
	}
	allowed := listing.Allowed(board.NewPosition(p.N, p.Placed(), p.Blocked()))
	err := listing.All(p.N, allowed, ctx.Err, func(cols []int) error {
		if seen++; seen < soonest {
			return nil
		}
		soonest = math.Inf(1)
		for i := range next {
			if next[i] == seen {
				drawn[i] = append(drawn[i][:0], cols...)
				next[i] = math.Floor(seen/(1-random.Float64())) + 1
			}
			soonest = min(soonest, next[i])
		}
		return nil
	})
	report.Backend, report.Solutions = string(ask.Search), strconv.FormatFloat(seen, 'f', 0, 64)
	for _, cols := range drawn {
		if cols != nil {
			report.Samples = append(report.Samples, lesson.Names(board.Queens(cols)))
		}
	}
	return err
}
