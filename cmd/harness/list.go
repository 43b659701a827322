package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
)

// listReport is the JSON output of list.
type listReport struct {
	about
	Backend   string     `json:"backend"`
	Solver    string     `json:"solver,omitempty"`  // outside this process
	Solutions [][]string `json:"solutions"`         // the true variables of each: the queens of a board
	All       bool       `json:"all"`               // there are no others
	Checked   *bool      `json:"checked,omitempty"` // whether a back-end of ours agrees with the outside solver that there are no others
	Seconds   float64    `json:"seconds"`
}

// mostSearched is the largest board for which search is the default back-end of list. On larger boards search
// may not find even one solution; a SAT solver does.
const mostSearched = 24

// listFlags are the flags of list.
type listFlags struct {
	flags
	number int  // the most solutions to list; 0 for all
	upTo   bool // one solution of those that differ by a symmetry
}

func newList() *cobra.Command {
	var o listFlags
	cmd := &cobra.Command{
		Use:   "list -n N",
		Short: "List the solutions, one a line",
		Long: `List the solutions, one a line: the cells with queens, or the variables that are true. Without
--number, list all of them. They come in the back-end's order, which is the same every time.
If an outside --solver says that there are no others, another back-end counts them, in at most five times the solver's
time or a second; the exit code is 4 if it finds more.

Back-ends:
` + backendHelp(ask.Able(ask.Solve), false),
		Args: cobra.NoArgs,
		RunE: o.on("listing", o.list),
	}
	o.register(cmd, ask.Solve, ask.Fields(ask.Solve)...)
	o.registerFile(cmd)
	o.registerNNF(cmd)
	cmd.Flags().IntVar(&o.number, "number", 0, "most solutions to list; 0 for all")
	addSymmetry(cmd, &o.upTo)
	addJSON(cmd)
	return cmd
}

// list writes the problem's solutions as the back-end finds them.
func (o *listFlags) list(ctx context.Context, c console, p encode.Problem) error {
	if o.number < 0 {
		return invalid("flag --number %d: expected 0, for all, or more", o.number)
	}
	start := time.Now()
	shown := func([]cnf.Lit) bool { return true }
	if o.upTo {
		classes, err := encode.NewClasses(p)
		if err != nil {
			return invalid("flag --up-to-symmetry: %w", err)
		}
		shown = classes.First
	}
	by, err := o.lister(ctx, p)
	if err != nil {
		return err
	}
	defer by.Close()
	report := listReport{about: o.about(p), Backend: by.Descriptor.Name, Solutions: [][]string{}, All: true}
	if outside(by.Choice) {
		report.Solver = string(by.Choice.Solver)
	}
	out, err := writeSolutions(c, p, report, "solutions")
	if err != nil {
		return err
	}
	found := 0
	for solution, err := range by.Solutions(ctx, p.Fixed) {
		if err != nil {
			_ = out.to.Flush() // keeps what an interrupted command has found
			return answered(ctx, err)
		}
		if found++; !shown(solution) {
			continue
		}
		if out.written == o.number && o.number > 0 {
			report.All = false
			break
		}
		if out.written == 0 {
			workOf(ctx).hide()
		}
		if err := out.write(solution); err != nil {
			return err
		}
	}
	workOf(ctx).hide()
	report.Seconds = time.Since(start).Seconds()
	var wrong error
	if report.All {
		report.Checked, wrong = o.checkListed(ctx, p, by.Choice, found, report.Seconds)
		workOf(ctx).hide()
	}
	err = errors.Join(out.end(report), wrong)
	if err == nil && report.Checked != nil && !*report.Checked {
		fmt.Fprintln(c.err, "harness: note: not checked: whether there are no others")
	}
	if err == nil && out.written == 0 {
		var why *literalReport
		why, err = contradiction(ctx, p, patience(report.Seconds))
		fmt.Fprintf(c.err, "harness: no solution%s\n", explainUnsat(p))
		if why != nil {
			_ = why.print(c.err) // a note
		}
	}
	if err == nil && report.All && !o.upTo {
		err = o.checkKnown(p, fmt.Sprint(out.written))
	}
	return err
}

// addSymmetry adds the flag by which solutions that differ by a symmetry are one.
func addSymmetry(cmd *cobra.Command, upTo *bool) {
	cmd.Flags().BoolVar(upTo, "up-to-symmetry", false, "solutions that differ by rotations and reflections are one")
}

// lister opens the back-end that lists the problem's solutions: search on small boards, unless another is
// asked for.
func (f *flags) lister(ctx context.Context, p encode.Problem) (*ask.Opened, error) {
	c := f.Choice
	if c == (ask.Choice{}) && f.nnf == "" && p.Place != nil && p.N <= mostSearched {
		c.Backend = ask.Search
	}
	r, err := f.resources(ctx, p)
	if err != nil {
		return nil, err
	}
	by, err := ask.Start(ctx, p, c, ask.Solve, r)
	return by, answered(ctx, err)
}
