package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/board/listing"
	"queens/encode"
	"queens/encode/cnf"
)

// sampleReport is the JSON output of sample.
type sampleReport struct {
	about
	Backend   string     `json:"backend"` // the one that drew; search if all were listed
	Solutions string     `json:"solutions"`
	Seed      uint64     `json:"seed"`
	Samples   [][]string `json:"samples"` // the true variables of each: the queens of a board
}

// sampleFlags are the flags of sample.
type sampleFlags struct {
	flags
	seed   uint64
	number int
	force  bool // list also where that takes hours
}

func newSample() *cobra.Command {
	var o sampleFlags
	cmd := &cobra.Command{
		Use:   "sample -n N",
		Short: "Draw solutions uniformly",
		Long: `Draw solutions uniformly: every solution has the same chance in each draw. The command builds a
diagram, counts the solutions below each node once, and walks down for each sample. For a formula it
takes whichever back-end counts soonest. With --backend, that one draws.

Beyond a board of ` + fmt.Sprint(mostDrawn) + ` the diagram takes more time and much more memory. Unless an option of the diagram is
given, the command then lists all solutions instead, and each replaces a sample with the probability that keeps
all of them equally likely.

The same seed draws the same samples.`,
		Args: cobra.NoArgs,
		RunE: o.on("sampling", o.sample),
	}
	o.register(cmd, ask.Sample|ask.Count, "backend", "order", "construction", "workers")
	o.registerFile(cmd)
	o.registerNNF(cmd)
	cmd.Flags().IntVar(&o.number, "number", 1, "number of solutions to draw, with repetition")
	cmd.Flags().Uint64Var(&o.seed, "seed", 0, "seed of the draws")
	cmd.Flags().BoolVar(&o.force, "force", false, "list also where that takes hours or years")
	addJSON(cmd)
	return cmd
}

// sample draws solutions of the problem.
func (o *sampleFlags) sample(ctx context.Context, c console, p encode.Problem) error {
	if o.number < 0 {
		return invalid("flag --number %d: expected 0 or more", o.number)
	}
	if err := ask.Countable(p, ask.Sample); err != nil {
		return flagged(err)
	}
	draw, asDiagram := o.fromDiagram, o.Choice != (ask.Choice{}) || o.file != ""
	visits := o.Backend == ask.Search
	switch {
	case o.Backend != "", o.nnf != "", !asDiagram && p.Place == nil:
		draw = o.fromBackend
	case !asDiagram && p.IsQueens() && p.N > mostDrawn && p.N <= mostListed:
		draw, visits = fromList, true
	}
	if err := tooMany(p, mostVisited); err != nil && visits && !o.force {
		return err
	}
	by, all, samples, err := draw(ctx, p, o.number, o.seed)
	if err != nil {
		return err
	}
	workOf(ctx).hide()
	report := sampleReport{about: o.about(p), Backend: string(by), Solutions: all, Seed: o.seed, Samples: [][]string{}}
	out, err := writeSolutions(c, p, report, "samples")
	if err != nil {
		return err
	}
	for sample, err := range samples {
		if err == nil {
			err = out.write(sample)
		}
		if err != nil {
			return answered(ctx, err)
		}
		if out.written == o.number {
			break
		}
	}
	if !c.json && report.Solutions == "0" {
		fmt.Fprintln(out.to, "no solutions")
	}
	if err := out.end(report); err != nil {
		return err
	}
	if !c.json {
		fmt.Fprintf(c.err, "harness: %d drawn of %s with seed %d\n", out.written, solutions(report.Solutions), o.seed)
	}
	return nil
}

// mostListed is the largest board that [listing.All] accepts.
const mostListed = 64

// mostDrawn is the largest board of queens for which sampling builds a diagram. Listing the solutions of n = 15
// takes two thirds of the diagram's processor time, and 19 MB in place of 350; at n = 16 the diagram needs 2 GB.
const mostDrawn = 13

// samples are drawn solutions.
type samples = iter.Seq2[[]cnf.Lit, error]

// fromBackend draws solutions from the chosen back-end, from the d-DNNF of --nnf, or from what the contest of back-ends that count
// has made. It says who draws, and the number of all solutions.
func (f *flags) fromBackend(ctx context.Context, p encode.Problem, number int, seed uint64) (
	by ask.BackendName, all string, drawn samples, err error,
) {
	r, err := f.resources(ctx, p)
	if err != nil {
		return "", "", nil, err
	}
	opened, err := ask.Start(ctx, p, f.Choice, ask.Sample|ask.Count, r)
	if err != nil {
		return "", "", nil, answered(ctx, err)
	}
	from, can := opened.Backend.(sampler)
	if !can {
		return fromSolutions(ctx, opened, number, seed)
	}
	if all, drawn, err = draws(ctx, from, p, number, seed); err != nil {
		return "", "", nil, err
	}
	if by = opened.Choice.Backend; by == ask.Portfolio {
		by = ask.BackendName(opened.Backend.(interface{ Winner() string }).Winner())
	}
	return by, all, drawn, nil
}

// fromDiagram is fromBackend for a diagram with the options of the flags.
func (f *flags) fromDiagram(ctx context.Context, p encode.Problem, number int, seed uint64) (
	by ask.BackendName, all string, drawn samples, err error,
) {
	compiled, _, err := compile(ctx, f, p, ask.Compile)
	if err != nil {
		return "", "", nil, err
	}
	all, drawn, err = draws(ctx, ask.Oracle(compiled), p, number, seed)
	return ask.Diagram, all, drawn, err
}

// sampler counts solutions, and draws them.
type sampler interface {
	backends.Counter
	backends.Sampler
}

// draws counts all solutions, and draws the given number of them.
func draws(ctx context.Context, by sampler, p encode.Problem, number int, seed uint64) (all string, drawn samples, err error) {
	count, err := by.Count(ctx, p.Fixed)
	if err != nil {
		return "", nil, answered(ctx, err)
	}
	if drawn = by.Samples(ctx, p.Fixed, seed); number == 0 {
		drawn = func(func([]cnf.Lit, error) bool) {}
	}
	return count.String(), drawn, nil
}

// reservoir draws while solutions are visited: the i-th solution replaces each sample with probability 1/i, independently.
// A sample that was last replaced by solution i stays at least through solution m with probability i/m (Vitter, Random
// sampling with a reservoir, 1985). Drawing the next replacement from that makes most solutions cost nothing.
type reservoir struct {
	random        *rand.Rand
	next          []float64 // by sample: the solution that replaces it
	seen, soonest float64
}

func newReservoir(number int, seed uint64) *reservoir {
	r := &reservoir{random: rand.New(rand.NewPCG(seed, 0)), next: make([]float64, number), soonest: 1}
	for i := range r.next {
		r.next[i] = 1
	}
	return r
}

// visit counts one more solution, and calls replace for each sample that it replaces.
func (r *reservoir) visit(replace func(sample int)) {
	if r.seen++; r.seen < r.soonest {
		return
	}
	r.soonest = math.Inf(1)
	for i := range r.next {
		if r.next[i] == r.seen {
			replace(i)
			r.next[i] = math.Floor(r.seen/(1-r.random.Float64())) + 1
		}
		r.soonest = min(r.soonest, r.next[i])
	}
}

// all returns how many solutions have been visited.
func (r *reservoir) all() string { return strconv.FormatFloat(r.seen, 'f', 0, 64) }

// fromSolutions draws while a back-end lists all solutions.
func fromSolutions(ctx context.Context, opened *ask.Opened, number int, seed uint64) (
	by ask.BackendName, all string, drawn samples, err error,
) {
	r, kept := newReservoir(number, seed), make([][]cnf.Lit, number)
	for model, err := range opened.Solutions(ctx, opened.Problem.Fixed) {
		if err != nil {
			return "", "", nil, answered(ctx, err)
		}
		r.visit(func(sample int) { kept[sample] = slices.Clone(model) })
	}
	return opened.Choice.Backend, r.all(), func(yield func([]cnf.Lit, error) bool) {
		for _, model := range kept {
			if r.seen == 0 || !yield(model, nil) {
				return
			}
		}
	}, nil
}

// fromList draws solutions of a board while it lists them all.
func fromList(ctx context.Context, p encode.Problem, number int, seed uint64) (
	by ask.BackendName, all string, drawn samples, err error,
) {
	r, columns := newReservoir(number, seed), make([]byte, number*p.N) // of queens
	allowed := listing.Allowed(board.NewPosition(p.N, p.Placed(), p.Blocked()))
	err = listing.All(p.N, allowed, ctx.Err, func(cols []int) error {
		r.visit(func(sample int) {
			for row, col := range cols {
				columns[sample*p.N+row] = byte(col)
			}
		})
		return nil
	})
	return ask.Search, r.all(), func(yield func([]cnf.Lit, error) bool) {
		for queens := range slices.Chunk(columns, p.N) {
			var lits []cnf.Lit
			for row, col := range queens {
				lits = append(lits, encode.CellVar(p.N, board.Cell{Row: row, Col: int(col)}).Pos())
			}
			if r.seen == 0 || !yield(lits, nil) {
				return
			}
		}
	}, answered(ctx, err)
}
