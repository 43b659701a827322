package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/board"
	"queens/encode"
)

// countReport is the JSON output of count.
type countReport struct {
	about
	Solutions string  `json:"solutions"`
	Backend   string  `json:"backend"`
	Method    string  `json:"method"`
	Seconds   float64 `json:"seconds"`
	Checked   *bool   `json:"checked,omitempty"` // whether a back-end of ours agrees with the outside counter
	// For classes, which Solutions then counts: the number of symmetries, and of all solutions.
	Symmetries int    `json:"symmetries,omitempty"`
	All        string `json:"all_solutions,omitempty"`
}

// countFlags are the flags of count.
type countFlags struct {
	flags
	format string
	force  bool // count also where that takes hours
	upTo   bool // count classes of solutions that differ by a symmetry
}

func newCount() *cobra.Command {
	o := countFlags{format: "text"}
	cmd := &cobra.Command{
		Use:   "count -n N",
		Short: "Count the solutions",
		Long: `Count the solutions. Without --backend, ddnnf, bdd and search take turns to count those of a file, with
equal work that doubles; the answer says who was first. An outside --counter gets a DIMACS file, and prints the count as
counters do (c s exact arb int N, s mc N, s N, or # solutions).

Back-ends:
` + backendHelp(ask.Able(ask.Count), false),
		Args: cobra.NoArgs,
		RunE: o.on("counting", o.count),
	}
	o.register(cmd, ask.Count, ask.Fields(ask.Count)...)
	o.registerFile(cmd)
	o.registerNNF(cmd)
	nameFlag(cmd, &o.format, "format", "output format; mc is that of the Model Counting Competition", []string{"text", "mc"})
	addSymmetry(cmd, &o.upTo)
	for _, other := range []string{"counter", "format", "method"} {
		if cmd.Flags().Lookup(other) != nil {
			cmd.MarkFlagsMutuallyExclusive("up-to-symmetry", other)
		}
	}
	cmd.Flags().BoolVar(&o.force, "force", false, "count also where that takes hours or years")
	addJSON(cmd)
	cmd.MarkFlagsMutuallyExclusive("format", "json")
	cmd.MarkFlagsMutuallyExclusive("counter", "backend")
	for _, other := range []string{"order", "construction", "workers", "diagram-file", "nnf"} {
		cmd.MarkFlagsMutuallyExclusive("counter", other)
	}
	return cmd
}

// countClasses counts the classes of solutions, by listing all solutions.
func (f *flags) countClasses(ctx context.Context, c console, p encode.Problem) error {
	start := time.Now()
	classes, err := encode.NewClasses(p)
	if err != nil {
		return invalid("flag --up-to-symmetry: %w", err)
	}
	by, err := f.lister(ctx, p)
	if err != nil {
		return err
	}
	defer by.Close()
	count, all := 0, 0
	for solution, err := range by.Solutions(ctx, p.Fixed) {
		if err != nil {
			return answered(ctx, err)
		}
		if all++; classes.First(solution) {
			count++
		}
	}
	report := countReport{
		about: f.about(p), Solutions: strconv.Itoa(count), Backend: by.Descriptor.Name, Method: "listing",
		Seconds: time.Since(start).Seconds(), Symmetries: classes.Symmetries(), All: strconv.Itoa(all),
	}
	err = c.show(ctx, report, func(w io.Writer) error {
		of := fmt.Sprintf(" up to %d symmetries, of %s", report.Symmetries, report.All)
		if report.Symmetries == 1 {
			of = ", since no symmetry keeps the cells that are fixed"
		}
		_, err := fmt.Fprintf(w, "%s%s; %s by %s in %s\n", solutions(report.Solutions), of, report.Backend, report.Method,
			took(report.Seconds))
		return err
	})
	if err != nil {
		return err
	}
	return f.checkKnown(p, report.All)
}

// count counts the problem's solutions.
func (o *countFlags) count(ctx context.Context, c console, p encode.Problem) error {
	if plan, err := ask.Resolve(p, o.Choice, ask.Count); err == nil && plan.Choice.Backend == ask.Search && o.file == "" && o.nnf == "" && !o.force {
		if err := tooMany(p, map[bool]int{false: mostVisited, true: mostClassed}[o.upTo]); err != nil {
			return err
		}
	}
	if o.upTo {
		return o.countClasses(ctx, c, p)
	}
	found, err := o.ask(ctx, p, ask.Question{Want: ask.Count})
	if err != nil {
		return err
	}
	report := countReport{o.about(p), found.Count.String(), string(found.By.Backend), found.How, found.Seconds, nil, 0, ""}
	if o.Counter != "" {
		report.Backend = "outside"
		if report.Checked, err = o.checkCounter(ctx, p, found); err != nil {
			return err
		}
	}
	err = c.show(ctx, report, func(w io.Writer) error {
		if o.format == "mc" {
			return printMC(w, p, found)
		}
		_, err := fmt.Fprintf(w, "%s; %s%s by %s in %s\n",
			solutions(report.Solutions), report.Backend, opinion(report.Checked, ""), report.Method, took(report.Seconds))
		return err
	})
	if err != nil {
		return err
	}
	return o.checkKnown(p, report.Solutions)
}

// mostVisited is the largest empty board whose solutions are visited unasked: those of 19 take a quarter of an
// hour, those of 20 two hours, and each further size about ten times as long as the one before.
const mostVisited = 19

// mostClassed is the same for solutions that are compared with their images: those of 17 take some minutes.
const mostClassed = 17

// tooMany returns an error if visiting all solutions of an empty board beyond a size takes hours, or years.
func tooMany(p encode.Problem, most int) error {
	if !p.IsQueens() || len(p.Fixed) > 0 || p.N <= most {
		return nil
	}
	has := "more solutions than are known"
	if count, known := board.KnownSolutions(p.N); known {
		has = fmt.Sprintf("%d solutions (OEIS A000170)", count)
	}
	return invalid("%s has %s; visiting them takes hours, or years, which --force does", p, has)
}
