package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
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
	var f flags
	cmd := &cobra.Command{
		Use:   "compile -n N",
		Short: "Build a diagram and report its size and cost",
		Long:  "Build a diagram and report its size and cost.\n\n" + constructionHelp(),
		Args:  cobra.NoArgs,
		RunE:  f.on("compiling", f.reportCompiled),
	}
	f.Diagram = ask.ROBDD
	f.register(cmd, 0, "order", "construction", "diagram", "sift", "workers")
	addOutput(cmd, "save the diagram to this file, for --diagram-file and serve --diagrams: as a ZDD or an ROBDD, "+
		"whichever is smaller; either serves for both")
	addJSON(cmd)
	return cmd
}

// reportCompiled builds the diagram, reports on it, and saves it if -o is given.
func (f *flags) reportCompiled(ctx context.Context, c console, p encode.Problem) error {
	if f.Sift && f.Construction == "" {
		f.Construction = "line-wise" // the fastest that allows sifting between its steps
	}
	if f.Diagram == ask.MultiValued {
		return f.reportMDD(ctx, c, p)
	}
	compiled, took, err := f.compile(ctx, p)
	if err != nil {
		return err
	}
	solutions, err := ask.Oracle(compiled).Count(ctx, nil)
	if err != nil {
		return err
	}
	report := compileReport{
		about: f.about(p), Order: compiled.OrderName, Construction: compiled.Construction, Diagram: string(f.Diagram),
		Seconds: took.Seconds(),
	}
	if f.Sift {
		report.Order += ", sifted"
	}
	report.CompileResult, err = tasks.NewCompileResult(ctx, compiled, f.Diagram, solutions, false)
	if err != nil {
		return err
	}
	if report.File = c.file; report.File != "" {
		smaller, err := compiled.Smaller(ctx)
		if err != nil {
			return answered(ctx, err)
		}
		err = c.write(ctx, func(w io.Writer) error { return smaller.Write(w, compiled.Meta(report.Order)) })
		if err != nil {
			return err
		}
	}
	if err := c.show(ctx, report, report.print); err != nil {
		return err
	}
	return f.checkKnown(p, report.Solutions)
}

// compile builds the diagram and returns it with the construction time.
func (f *flags) compile(ctx context.Context, p encode.Problem) (*ask.Compiled, time.Duration, error) {
	start := time.Now()
	r, err := f.resources(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	if err := f.Check(); err != nil {
		return nil, 0, flagged(err)
	}
	c, err := ask.Compile(ctx, p, f.Choice, r)
	return c, time.Since(start), answered(ctx, err)
}

// reportMDD builds the multi-valued diagram and reports on it.
func (f *flags) reportMDD(ctx context.Context, c console, p encode.Problem) error {
	if c.file != "" {
		return invalid("flag --output: a multi-valued diagram is not saved")
	}
	start := time.Now()
	r, err := f.resources(ctx, p)
	if err != nil {
		return err
	}
	if err := f.Check(); err != nil {
		return flagged(err)
	}
	d, err := ask.CompileMDD(ctx, p, f.Choice, r)
	if err != nil {
		return answered(ctx, err)
	}
	report := compileReport{
		about: f.about(p), Order: d.OrderName, Construction: d.Construction(), Diagram: string(f.Diagram),
		Seconds: time.Since(start).Seconds(),
	}
	solutions, err := ask.OracleMDD(d).Count(ctx, nil)
	if err != nil {
		return answered(ctx, err)
	}
	report.CompileResult = tasks.NewMDDResult(d, solutions)
	if err := c.show(ctx, report, report.print); err != nil {
		return err
	}
	return f.checkKnown(p, report.Solutions)
}

// constructionHelp returns the list of constructions for the help text.
func constructionHelp() string {
	var b strings.Builder
	b.WriteString("Constructions:\n")
	for _, c := range ask.Constructions() {
		fmt.Fprintf(&b, "  %-15s %s (%s)\n", c.Name, c.Reason, c.Source)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (r *compileReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%s, order %s, construction %s\n", r.title(), r.Order, r.Construction)
	edges := ""
	if r.Edges != nil {
		edges = fmt.Sprintf(" and %d edges", *r.Edges)
	}
	fmt.Fprintf(w, "%s of %d nodes (terminals not counted)%s for %s solutions\n",
		ask.DiagramName(r.Diagram).Title(), r.Nodes, edges, r.Solutions)
	_, err := fmt.Fprintf(w, "%d nodes created, %d at the peak, %s at the peak, %s\n",
		r.NodesCreated, r.PeakNodes, amount(r.PeakBytes), took(r.Seconds))
	if r.File != "" {
		_, err = fmt.Fprintf(w, "saved to %s\n", r.File)
	}
	return err
}
