package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/encode"
	"queens/experiments/tasks"
)

// compileReport is the JSON output of compile: what a run of the task compile finds, and how.
type compileReport struct {
	about
	tasks.CompileResult
	Order        string  `json:"order"`
	Construction string  `json:"construction"`
	Diagram      string  `json:"diagram"`
	Seconds      float64 `json:"seconds"`
	File         string  `json:"file,omitempty"`
}

func newCompile() *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "compile -n N",
		Short: "Build a diagram and report its size and cost",
		Long:  "Build a diagram and report its size and cost.\n\n" + constructionHelp(),
		Args:  cobra.NoArgs,
		RunE: q.on("compiling", func(cmd *cobra.Command, p encode.Problem) error {
			start := time.Now()
			c, chosen, err := q.compile(cmd.Context(), p)
			if err != nil {
				return err
			}
			drawn, err := chosen.Diagram.Of(cmd.Context(), c)
			if err != nil {
				return answered(cmd.Context(), err)
			}
			report := compileReport{
				about: q.about(p), Order: string(chosen.Order), Construction: c.Construction,
				Diagram: string(chosen.Diagram), Seconds: time.Since(start).Seconds(),
			}
			if chosen.Sift {
				report.Order += ", sifted"
			}
			solutions, err := bdd.New(c).Count(cmd.Context(), nil)
			if err != nil {
				return err
			}
			report.CompileResult = tasks.NewCompileResult(c, drawn, solutions, q.trace)
			if report.File, _ = cmd.Flags().GetString("output"); report.File != "" {
				smaller, err := c.Smaller(cmd.Context())
				if err != nil {
					return answered(cmd.Context(), err)
				}
				err = write(cmd, func(w io.Writer) error { return smaller.Write(w, c.Meta(report.Order)) })
				if err != nil {
					return err
				}
			}
			err = show(cmd, report, func(w io.Writer) error {
				if q.trace {
					for _, step := range c.Stats().Growth {
						fmt.Fprintf(w, "%12d nodes after %s\n", step.Nodes, step.Name)
					}
				}
				return report.print(w)
			})
			if err != nil {
				return err
			}
			return q.checkKnown(p, report.Solutions)
		}),
	}
	q.Diagram = "bdd"
	q.register(cmd, 0, "order", "construction", "diagram", "sift", "workers")
	addOutput(cmd, "save the diagram to this file, for --diagram-file and serve --diagrams: as a ZDD or an ROBDD, "+
		"whichever is smaller; either serves for both")
	cmd.Flags().BoolVar(&q.trace, "trace", false, "also count the nodes after each construction step, and with --json "+
		"those of the chain-reduced BDD")
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
	fmt.Fprintf(w, "%s, order %s, construction %s\n", r.title(), r.Order, r.Construction)
	fmt.Fprintf(w, "%s of %d nodes (terminals not counted) for %s solutions\n", r.Diagram, r.Nodes, r.Solutions)
	_, err := fmt.Fprintf(w, "%d nodes created, %d at the peak, %s at the peak, %.3g s\n",
		r.NodesCreated, r.PeakNodes, amount(r.PeakBytes), r.Seconds)
	if r.File != "" {
		_, err = fmt.Fprintf(w, "saved to %s\n", r.File)
	}
	return err
}
