package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/order/search"
)

// searchFlags are the flags of order search.
type searchFlags struct {
	sizing
	seed        uint64
	ensembles   int
	largest     bool
	start       orderFlags
	time        time.Duration
	evaluations int64
	resume      string
}

func newOrderSearch() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search -n N",
		Short: "Search for a variable order with a smaller diagram",
		Long: `Search for a variable order with a smaller diagram, or a larger one with --largest, by
parallel tempering from row-major or another order. The same starting order, --seed,
--ensembles and --evaluations give the same result, with any number of --workers. Up to
n = 6 a search for the smallest diagram ends with a proof that its result is optimal.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.register(cmd, fmt.Sprintf(", 1 to %d", mostListed), " whose size is compared")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random numbers")
	cmd.Flags().IntVar(&f.ensembles, "ensembles", 2, "independent searches, each of eight orders at once")
	f.registerWorkers(cmd, "number of threads; does not change the order found")
	cmd.Flags().BoolVar(&f.largest, "largest", false, "search for the largest diagram instead of the smallest")
	f.start.register(cmd)
	cmd.Flags().DurationVar(&f.time, "time", time.Minute, "stop after this time")
	cmd.Flags().Int64Var(&f.evaluations, "evaluations", 0,
		"stop after evaluating this many orders (default: stop only by time)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "save the search to this file, and continue from it if it exists")
	f.registerOutput(cmd, "the best order so far")
	return cmd
}

// provable is the number of orders evaluated before a proof is attempted.
const provable = 100_000

func (f *searchFlags) run(cmd *cobra.Command) error {
	d, err := f.check(1, mostListed, ", since all solutions are listed")
	switch {
	case err != nil:
		return err
	case f.ensembles < 1 || f.ensembles > 256:
		return invalid("flag --ensembles %d: expected 1 to 256", f.ensembles)
	case f.time <= 0:
		return invalid("flag --time %v: expected more than 0", f.time)
	case f.evaluations < 0:
		return invalid("flag --evaluations %d: expected 1 or more", f.evaluations)
	}
	if err := writable(f.resume); err != nil {
		return exit(badInput, err)
	}
	limit := cmp.Or(f.evaluations, math.MaxInt64)
	start := time.Now()
	end := working(cmd, "searching orders for n = %d", f.n)
	defer end()
	s, err := orderSizer(cmd.Context(), f.n)
	if err != nil {
		return err
	}
	looking, err := f.begin(cmd, s, d)
	if err != nil {
		return err
	}
	rowMajor := rowMajor(s, f.n, d)
	// The time so far counts too, but there is always an answer.
	ctx, cancel := context.WithDeadline(cmd.Context(), start.Add(f.time))
	defer cancel()
	keeper := &keeper{
		flags: f, search: looking, log: cmd.ErrOrStderr(), began: start, progress: progressOf(cmd.Context()),
	}
	err = looking.Run(ctx, min(limit, provable), keeper.look)
	optimal := false
	if err == nil {
		optimal, err = looking.Prove(ctx, search.Symmetries(f.n))
	}
	if err == nil && !optimal {
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
		"ensembles": f.ensembles, "row_major": rowMajor, "seconds": seconds,
	}, fmt.Sprintf("%s; row-major has %d\n%d orders evaluated with seed %d in %.3g s",
		proved, rowMajor, looking.Evaluations(), f.seed, seconds))
}

// writable returns an error if a file cannot be written, before hours are spent on its
// content. It does not change the file.
func writable(file string) error {
	if file == "" {
		return nil
	}
	target, straight, err := outputTarget(file)
	if err != nil || straight {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(target), ".harness-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// notJSON explains why a saved search is not valid JSON.
func notJSON(err error) string {
	var (
		syntax   *json.SyntaxError
		mistyped *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("invalid JSON at byte %d", syntax.Offset)
	case errors.As(err, &mistyped):
		return fmt.Sprintf("at byte %d, %q cannot be a %s", mistyped.Offset, mistyped.Field, mistyped.Value)
	}
	return err.Error()
}

// begin starts the search, or resumes it from the file.
func (f *searchFlags) begin(cmd *cobra.Command, s *search.Sizer, d diagram.Kind) (*search.Search, error) {
	data, err := os.ReadFile(f.resume)
	if f.resume == "" || errors.Is(err, fs.ErrNotExist) {
		start, _, err := f.start.ofBoard(f.n)
		if err != nil {
			return nil, err
		}
		return search.NewSearch(cmd.Context(), s, search.Options{
			Diagram: d, Largest: f.largest, Seed: f.seed, Ensembles: f.ensembles, Workers: f.workers, Start: start,
		})
	}
	if err != nil {
		return nil, invalid("flag --resume: %w", err)
	}
	var state search.State
	if err := json.Unmarshal(data, &state); err != nil {
		return nil, invalid("flag --resume: %s is not a saved search: %s", f.resume, notJSON(err))
	}
	looking, err := search.ResumeSearch(cmd.Context(), s, state, f.workers)
	if err != nil {
		return nil, invalid("flag --resume: %s: %w", f.resume, err)
	}
	// The file's settings are kept; a flag that contradicts them is a mistake.
	given := func(flag, value, saved string) error {
		if cmd.Flags().Changed(flag) && value != saved {
			return invalid("flag --%s %s: the search in %s has %s", flag, value, f.resume, saved)
		}
		return nil
	}
	if err := errors.Join(
		given("diagram", f.diagram, state.Diagram),
		given("largest", fmt.Sprint(f.largest), fmt.Sprint(state.Largest)),
		given("seed", fmt.Sprint(f.seed), fmt.Sprint(state.Seed)),
		given("ensembles", fmt.Sprint(f.ensembles), fmt.Sprint(len(state.Ensembles))),
	); err != nil {
		return nil, err
	}
	f.diagram, f.largest, f.seed, f.ensembles = state.Diagram, state.Largest, state.Seed, len(state.Ensembles)
	fmt.Fprintf(cmd.ErrOrStderr(), "harness: resuming from %s after %d orders\n", f.resume, looking.Evaluations())
	return looking, nil
}

// keeper reports a search's progress and keeps its files up to date.
type keeper struct {
	flags    *searchFlags
	search   *search.Search
	log      io.Writer
	progress *progress
	began    time.Time
	looked   time.Time
	saved    time.Time
	nodes    int // as last reported
	written  int // as last written to the order file
}

// look is called after each step.
func (k *keeper) look() error {
	now := time.Now()
	if k.looked.IsZero() {
		k.looked, k.saved = now, now
	}
	_, nodes := k.search.Best()
	k.progress.tell(float64(now.Sub(k.began))/float64(k.flags.time), "%d nodes, %s orders", nodes,
		thousands(uint64(k.search.Evaluations())))
	if now.Sub(k.looked) < time.Second {
		return nil
	}
	k.looked = now
	if nodes != k.nodes && !isTerminal(k.log) {
		fmt.Fprintf(k.log, "harness: %d nodes after %d orders\n", nodes, k.search.Evaluations())
		k.nodes = nodes
	}
	if now.Sub(k.saved) < 10*time.Second {
		return nil
	}
	k.saved = now
	return k.save()
}

// save writes the files that the flags ask for.
func (k *keeper) save() error {
	if best, nodes := k.search.Best(); nodes != k.written {
		k.written = nodes
		how := fmt.Sprintf(": seed %d, %d ensembles, %d orders from %s",
			k.flags.seed, k.flags.ensembles, k.search.Evaluations(), k.flags.start.from())
		if _, err := k.flags.keep(best, nodes, how); err != nil {
			return err
		}
	}
	if k.flags.resume == "" {
		return nil
	}
	data, err := json.Marshal(k.search.State())
	if err != nil {
		return err
	}
	return writeOutput("--resume", k.flags.resume, nil, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// whatIsKept returns the best size found by an interrupted search, and how to continue it.
func (k *keeper) whatIsKept() string {
	_, nodes := k.search.Best()
	found := fmt.Sprintf("best %d nodes after %d orders", nodes, k.search.Evaluations())
	if k.flags.resume == "" {
		return found + "; a search started with --resume FILE can be continued"
	}
	return fmt.Sprintf("%s; the same command continues it from %s", found, k.flags.resume)
}
