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
		Short: "Build a diagram or a d-DNNF and report its size and cost",
		Long: "Build a decision diagram or a d-DNNF, and report its size and cost. A d-DNNF has no variable order.\n\n" +
			constructionHelp(),
		Args: cobra.NoArgs,
		RunE: f.on("compiling", f.reportCompiled),
	}
	f.Diagram = ask.ROBDD
	f.register(cmd, 0, "order", "construction", "diagram", "sift", "workers")
	addOutput(cmd, "save the diagram to this file, for --diagram-file and serve --diagrams: as a ZDD or an ROBDD, "+
		"whichever is smaller; either serves for both. A d-DNNF is saved as c2d writes it, for --nnf")
	addJSON(cmd)
	return cmd
}

// reportCompiled builds the diagram, reports on it, and saves it if -o is given.
func (f *flags) reportCompiled(ctx context.Context, c console, p encode.Problem) error {
	c.noteWeights(p)
	if f.Sift.Changes() && f.Construction == "" {
		f.Construction = "line-wise" // the fastest between whose steps the order may change
	}
	report := compileReport{about: f.about(p), Diagram: string(f.Diagram), File: c.file}
	if c.file == "-" {
		report.File = "standard output"
	}
	fill := f.compileDiagram
	switch f.Diagram {
	case ask.MultiValued:
		fill = f.compileMDD
	case ask.Decomposable:
		fill = f.compileDDNNF
	}
	if err := fill(ctx, c, p, &report); err != nil {
		return err
	}
	if err := c.show(ctx, report, report.print); err != nil {
		return err
	}
	return f.checkKnown(p, report.Solutions)
}

// compileDiagram fills the report on an ROBDD or a ZDD, and saves the diagram.
func (f *flags) compileDiagram(ctx context.Context, c console, p encode.Problem, r *compileReport) error {
	compiled, took, err := compile(ctx, f, p, ask.Compile)
	if err != nil {
		return err
	}
	solutions, err := ask.Oracle(compiled).Count(ctx, nil)
	if err != nil {
		return err
	}
	r.Order, r.Construction, r.Seconds = compiled.OrderName, compiled.Construction, took.Seconds()
	if f.Sift.Changes() {
		r.Order += ", then " + string(f.Sift)
	}
	r.CompileResult, err = tasks.NewCompileResult(ctx, compiled, f.Diagram, solutions, false)
	if err != nil || c.file == "" {
		return err
	}
	smaller, err := compiled.Smaller(ctx)
	if err != nil {
		return answered(ctx, err)
	}
	return c.write(ctx, func(w io.Writer) error { return smaller.Write(w, compiled.Meta(r.Order)) })
}

// compileMDD fills the report on a multi-valued diagram.
func (f *flags) compileMDD(ctx context.Context, c console, p encode.Problem, r *compileReport) error {
	if c.file != "" {
		return invalid("flag --output: a multi-valued diagram is not saved")
	}
	d, took, err := compile(ctx, f, p, ask.CompileMDD)
	if err != nil {
		return err
	}
	solutions, err := ask.OracleMDD(d).Count(ctx, nil)
	if err != nil {
		return answered(ctx, err)
	}
	r.Order, r.Construction, r.Seconds = d.OrderName, d.Construction(), took.Seconds()
	r.CompileResult = tasks.NewMDDResult(d, solutions)
	return nil
}

// compileDDNNF fills the report on a d-DNNF, and saves it.
func (f *flags) compileDDNNF(ctx context.Context, c console, p encode.Problem, r *compileReport) error {
	g, took, err := f.ddnnf(ctx, p)
	if err != nil {
		return err
	}
	solutions, err := ask.OracleDDNNF(g, ask.Resources{Bytes: workOf(ctx).room()}).Count(ctx, nil)
	if err != nil {
		return answered(ctx, err)
	}
	r.Seconds, r.CompileResult = took.Seconds(), tasks.NewDDNNFResult(g, solutions)
	if c.file == "" {
		return nil
	}
	return c.write(ctx, g.Write)
}

// ddnnf compiles the d-DNNF, and returns it with the time that takes.
func (f *flags) ddnnf(ctx context.Context, p encode.Problem) (*ask.CompiledDDNNF, time.Duration, error) {
	choice := f.Choice
	choice.Backend, choice.Diagram = ask.DDNNF, ""
	if _, err := ask.Resolve(p, choice, ask.Count); err != nil {
		return nil, 0, flagged(err)
	}
	return compile(ctx, f, p, func(ctx context.Context, p encode.Problem, _ ask.Choice, r ask.Resources) (*ask.CompiledDDNNF, error) {
		return ask.CompileDDNNF(ctx, p, r)
	})
}

// compile builds a diagram, by the way that is given, and returns it with the construction time.
func compile[D any](
	ctx context.Context, f *flags, p encode.Problem,
	by func(context.Context, encode.Problem, ask.Choice, ask.Resources) (D, error),
) (diagram D, took time.Duration, err error) {
	start := time.Now()
	r, err := f.resources(ctx, p)
	if err == nil {
		err = flagged(f.Check())
	}
	if err != nil {
		return diagram, 0, err
	}
	diagram, err = by(ctx, p, f.Choice, r)
	return diagram, time.Since(start), answered(ctx, err)
}

// constructionHelp returns the list of constructions for the help text.
func constructionHelp() string {
	var b strings.Builder
	b.WriteString("Constructions:\n")
	for _, c := range ask.Constructions() {
		fmt.Fprintf(&b, "  %-16s %s (%s)\n", c.Name, c.Reason, c.Source)
	}
	b.WriteString("\nReorderings, for --sift:\n")
	for _, r := range ask.Reorderings() {
		fmt.Fprintf(&b, "  %-16s %s\n", r.Name, r.Reason)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (r *compileReport) print(w io.Writer) error {
	if fmt.Fprint(w, r.title()); r.Construction != "" {
		fmt.Fprintf(w, ", order %s, construction %s", r.Order, r.Construction)
	}
	fmt.Fprintln(w)
	edges := ""
	if r.Edges != nil {
		edges = fmt.Sprintf(" and %d edges", *r.Edges)
	}
	nodes := " (terminals not counted)"
	if r.Bytes != nil {
		nodes = ""
	}
	fmt.Fprintf(w, "%s of %d nodes%s%s for %s solutions\n", ask.DiagramName(r.Diagram).Title(), r.Nodes, nodes, edges, r.Solutions)
	if r.Bytes != nil {
		fmt.Fprintf(w, "%s, ", amount(uint64(*r.Bytes)))
	} else {
		fmt.Fprintf(w, "%d nodes created, %d at the peak, %s at the peak, ", r.NodesCreated, r.PeakNodes, amount(r.PeakBytes))
	}
	_, err := fmt.Fprintln(w, took(r.Seconds))
	if r.File != "" {
		form := ""
		if r.Diagram == string(ask.Decomposable) {
			form = " in c2d's format, whose nodes differ: " +
				"each literal is one, what counts is written out, what is free left out"
		}
		_, err = fmt.Fprintf(w, "saved to %s%s\n", r.File, form)
	}
	return err
}
