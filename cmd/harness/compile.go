package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/experiments/tasks"
)

// compileReport is the JSON output of compile: what a run of the task compile finds, and how.
type compileReport struct {
	problemReport
	tasks.CompileResult
	Order        string   `json:"order"`
	Construction string   `json:"construction"`
	Diagram      string   `json:"diagram"`
	Seconds      float64  `json:"seconds"`
	File         string   `json:"file,omitempty"`
	Growth       []growth `json:"growth,omitempty"` // by --trace, in place of the task's
}

type growth struct {
	Step  string `json:"step"`
	Nodes int    `json:"nodes"`
}

func newCompile() *cobra.Command {
	var (
		b     problemFlags
		d     choiceFlags
		file  string
		trace bool
	)
	cmd := &cobra.Command{
		Use:   "compile -n N",
		Short: "Build a diagram and report its size and cost",
		Long:  "Build a diagram and report its size and cost.\n\n" + constructionHelp(),
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			start := time.Now()
			end := working(cmd, "compiling %s", p)
			defer end()
			c, chosen, err := d.compile(cmd.Context(), p, &b)
			if err != nil {
				return err
			}
			drawn, err := chosen.Diagram.Of(cmd.Context(), c)
			if err != nil {
				return d.flagged(err)
			}
			orderName := string(chosen.Order)
			if chosen.Sift {
				orderName += ", sifted"
			}
			seconds := time.Since(start).Seconds()
			solutions, err := bdd.New(c).Count(cmd.Context(), nil)
			if err != nil {
				return err
			}
			if file != "" {
				smaller, err := c.Smaller(cmd.Context())
				if err != nil {
					return d.flagged(err)
				}
				err = writeOutput("-o", file, nil,
					func(w io.Writer) error { return smaller.Write(w, c.Meta(orderName)) })
				if err != nil {
					return err
				}
			}
			end()
			report := compileReport{
				problemReport: b.report(p), CompileResult: tasks.NewCompileResult(c, drawn, solutions),
				Order: orderName, Construction: c.Construction, Diagram: string(chosen.Diagram), Seconds: seconds, File: file,
			}
			if trace {
				for _, step := range c.Stats().Growth {
					report.Growth = append(report.Growth, growth{step.Name, step.Nodes})
				}
			}
			if err := show(cmd, report, report.print); err != nil {
				return err
			}
			return checkKnown(p, report.Solutions)
		},
	}
	b.register(cmd)
	d.Diagram = "bdd"
	d.register(cmd, 0, "order", "construction", "diagram", "sift", "workers")
	cmd.Flags().StringVarP(&file, "output", "o", "", "save the diagram to this file, for --diagram-file and serve "+
		"--diagrams: as a ZDD or an ROBDD, whichever is smaller; either serves for both")
	cmd.Flags().BoolVar(&trace, "trace", false, "also print the number of nodes after each construction step")
	addJSON(cmd)
	return cmd
}

// constructionHelp returns the list of constructions for the help text.
func constructionHelp() string {
	var b strings.Builder
	b.WriteString("Constructions:\n")
	for _, c := range bdd.Constructions() {
		fmt.Fprintf(&b, "  %-15s %s (%s)\n", c.Name, c.Reason, c.Source)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (r *compileReport) print(w io.Writer) error {
	for _, g := range r.Growth {
		fmt.Fprintf(w, "%12d nodes after %s\n", g.Nodes, g.Step)
	}
	fmt.Fprintf(w, "%s, order %s, construction %s\n", r.title(), r.Order, r.Construction)
	fmt.Fprintf(w, "%s of %d nodes (terminals not counted) for %s solutions\n", r.Diagram, r.Nodes, r.Solutions)
	_, err := fmt.Fprintf(w, "%d nodes created, %d at the peak, %s at the peak, %.3g s\n",
		r.NodesCreated, r.PeakNodes, amount(int64(r.PeakBytes)), r.Seconds)
	if r.File != "" && err == nil {
		_, err = fmt.Fprintf(w, "saved to %s\n", r.File)
	}
	return err
}
