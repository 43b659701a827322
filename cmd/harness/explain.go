package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/configure"
	"queens/configure/explain"
	"queens/configure/lesson"
	"queens/encode"
	"queens/encode/cnf"
)

// smallest is the work of finding a smallest set of literals to blame: about a second.
const smallest = 2_000_000

// explained is what the JSON output of explain has for queens and for other problems.
type explained struct {
	about
	Valid         bool         `json:"valid"`
	Text          string       `json:"text"`
	Blame         []string     `json:"blame"`
	BlameSmallest bool         `json:"blame_smallest"` // proved: no fewer rule it out
	Fewer         []string     `json:"fewer,omitzero"` // that rule it out, too, but by a longer argument
	Verdict       string       `json:"verdict"`
	Steps         []stepReport `json:"steps"`
	Witness       []string     `json:"witness"` // what is true in a solution with it
	Seconds       float64      `json:"seconds"`
}

// stepReport is a step: for a cell with a kind and a line, for a literal with a constraint.
type stepReport struct {
	Kind       string   `json:"kind,omitempty"`
	Line       string   `json:"line,omitempty"`
	Cell       string   `json:"cell,omitempty"`
	Literal    string   `json:"literal,omitempty"` // none: the contradiction
	Constraint string   `json:"constraint,omitempty"`
	Also       []string `json:"also,omitempty"` // literals that follow alike
	Because    []string `json:"because"`
	Text       string   `json:"text"`
}

// cellReport is the JSON output of explain for a cell of a board of queens.
type cellReport struct {
	explained
	Cell       string   `json:"cell"`
	Conflict   []string `json:"conflict"` // placed queens that exclude each other
	AttackedBy []string `json:"attacked_by"`
}

// literalReport is the JSON output of explain for problems other than queens.
type literalReport struct {
	explained
	Assumed             []string `json:"assumed"`
	Literal             string   `json:"literal"` // empty if it is about the problem alone
	Forced              bool     `json:"forced"`  // what has steps and blame is its negation
	Constraints         []string `json:"constraints,omitempty"`
	ConstraintsSmallest bool     `json:"constraints_smallest,omitempty"`
	Supposed            bool     `json:"supposed"` // the steps suppose the literal or, if it is forced, its negation

	refuted string // the literal or, if it is forced, its negation
	minimal bool   // none of the constraints can be left out
}

// explainFlags are the flags of explain, and the literal in question.
type explainFlags struct {
	flags
	word        string
	constraints bool // also show constraints to blame
}

func newExplain() *cobra.Command {
	var o explainFlags
	cmd := &cobra.Command{
		Use:   "explain -n N --place CELLS CELL",
		Short: "Explain why a cell can or cannot hold a queen, or why a literal can or cannot be true",
		Long: `Explain why a cell can or cannot hold a queen next to the placed ones.

For a valid cell, show a solution. For any other cell, show what attacks it, or which
row or column a queen there would leave without a free cell: at once, after forced
moves, or for every choice of a cell in some line. Also show the placed queens that
this argument uses, and a smaller set if it suffices by a longer argument.

For any other problem (--problem, ` + encode.EachFormat("--NAME", ", ") + `), explain why a literal can, must or cannot
be true together with those of --assume: which of them are to blame, and how unit
propagation gets there. A literal is a name, with - for not; write -- before -NAME.
With --constraints also show constraints to blame, by name or line of the file.

Without a literal, explain why there is no solution: which assumptions or, if the
problem alone has none, which constraints contradict each other.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			run := o.unsatisfiable
			if len(words) > 0 {
				o.word, run = words[0], o.explain
			}
			return o.on("explaining", run)(cmd, nil)
		},
	}
	o.register(cmd, 0)
	cmd.Flags().BoolVar(&o.constraints, "constraints", false, "also show the fewest constraints to blame; not for queens")
	addJSON(cmd)
	return cmd
}

// explain says why a literal of the problem can or cannot be true.
func (o *explainFlags) explain(ctx context.Context, c console, p encode.Problem) error {
	lits, err := literals(p, o.word, true)
	if err == nil && len(lits) != 1 {
		err = fmt.Errorf("%q: expected one", o.word)
	}
	if err != nil {
		return invalid("explain: %w", err)
	}
	asked := explain.Question{Literal: lits[0], Given: p.Fixed, Smallest: smallest}
	if p.IsQueens() {
		if o.constraints {
			return invalid("flag --constraints: expected another problem, as of --cnf; for queens, the steps name rows and columns")
		}
		asked.Literal = lits[0].Var().Pos()
		asked.Given, asked.Always = encode.Literals(p.N, p.Placed(), true), encode.Literals(p.N, p.Blocked(), false)
	}
	start := time.Now()
	explainer, err := explainerOf(ctx, p)
	if err != nil {
		return err
	}
	e, err := explainer.Explain(ctx, asked)
	if err != nil {
		return err
	}
	witness, forced := e.Witness, false
	if witness != nil && !p.IsQueens() {
		without := slices.DeleteFunc(slices.Clone(asked.Given), func(l cnf.Lit) bool { return l == asked.Literal })
		asked.Literal, asked.Given = asked.Literal.Not(), without
		not, err := explainer.Explain(ctx, asked)
		if err != nil {
			return err
		}
		if forced = not.Witness == nil; forced {
			e = not
		}
	}
	if witness == nil && !p.IsQueens() {
		opposite := asked
		opposite.Literal, opposite.Smallest = asked.Literal.Not(), 0
		if not, err := explainer.Explain(ctx, opposite); err != nil {
			return err
		} else if not.Witness == nil {
			defer fmt.Fprintf(c.err, "harness: note: there is no solution%s, so every literal is ruled out\n", explainUnsat(p))
		}
	}
	report := newExplained(o.about(p), p, e)
	if forced {
		report.Valid, report.Witness = true, trueNames(p, witness)
	}
	report.Seconds = time.Since(start).Seconds()
	if p.IsQueens() {
		cell := report.cell(p, e)
		return c.show(ctx, cell, func(w io.Writer) error { return cell.print(w, p, e) })
	}
	literal := report.literal(p, e, forced)
	if o.constraints && e.Witness == nil {
		if err := literal.blame(ctx, p, e); err != nil {
			return err
		}
	}
	literal.Seconds = time.Since(start).Seconds()
	return c.show(ctx, literal, literal.print)
}

// unsatisfiable says which assumptions contradict each other, or which constraints do if the problem alone has no solution.
func (o *explainFlags) unsatisfiable(ctx context.Context, c console, p encode.Problem) error {
	if p.IsQueens() {
		return invalid("explain: expected a cell; without one, another problem, as of --cnf")
	}
	start := time.Now()
	explainer, err := explainerOf(ctx, p)
	if err != nil {
		return err
	}
	e, err := explainer.Contradiction(ctx, p.Fixed, smallest)
	if err != nil {
		return err
	}
	report := newExplained(o.about(p), p, e).literal(p, e, false)
	if e.Witness == nil && (o.constraints || e.Literal == 0) {
		if err := report.blame(ctx, p, e); err != nil {
			return err
		}
	}
	report.Seconds = time.Since(start).Seconds()
	return c.show(ctx, report, report.print)
}

// blame adds constraints that are to blame.
func (r *literalReport) blame(ctx context.Context, p encode.Problem, e explain.Explanation) (err error) {
	var blamed []int
	p.Fixed = nil
	blamed, r.minimal, r.ConstraintsSmallest, err = explain.Constraints(ctx, p, e, smallest, opener(ctx))
	for _, of := range blamed {
		r.Constraints = append(r.Constraints, explain.Words(p, of))
	}
	return err
}

func newExplained(about about, p encode.Problem, e explain.Explanation) explained {
	r := explained{
		about: about, Valid: e.Verdict == explain.IsValid, Blame: named(p, e.Blame), Verdict: string(e.Verdict),
		BlameSmallest: e.Smallest && e.Fewer == nil, Steps: []stepReport{}, Witness: trueNames(p, e.Witness),
	}
	if e.Fewer != nil {
		r.Fewer = named(p, e.Fewer)
	}
	return r
}

// opener returns what opens a back-end that solves.
func opener(ctx context.Context) func(encode.Problem) (backends.Backend, error) {
	return func(p encode.Problem) (backends.Backend, error) {
		return ask.Start(ctx, p, ask.Choice{}, ask.Solve, ask.Resources{})
	}
}

// explainerOf returns what explains the problem without its fixed literals.
func explainerOf(ctx context.Context, p encode.Problem) (*explain.Explainer, error) {
	p.Fixed = nil
	solver, err := opener(ctx)(p)
	return explain.New(p, solver), err
}

// contradiction explains why not all that is assumed can be true; nil if it can, if nothing is assumed, if the problem is a
// board, or if that takes longer than most.
func contradiction(ctx context.Context, p encode.Problem, most time.Duration) (*literalReport, error) {
	if p.IsBoard() || len(p.Fixed) == 0 {
		return nil, nil
	}
	working(ctx, "explaining why %s has no solution", p)
	defer workOf(ctx).hide()
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	explainer, err := explainerOf(limited, p)
	if err == nil {
		var e explain.Explanation
		if e, err = explainer.Contradiction(limited, p.Fixed, smallest); err == nil && e.Witness == nil {
			why := newExplained(about{}, p, e).literal(p, e, false)
			return &why, nil
		}
	}
	if errors.Is(err, context.DeadlineExceeded) { // which limited may not know yet
		err = ctx.Err()
	}
	return nil, err
}

// cell completes the report on a cell.
func (r explained) cell(p encode.Problem, e explain.Explanation) cellReport {
	r.Text = e.OnBoard(p.N)
	for _, s := range e.Steps {
		step := stepReport{Kind: string(s.Kind), Line: s.Line(p.N).Name(p.N), Because: named(p, s.Because), Text: s.OnBoard(p.N)}
		if s.Literal != 0 {
			step.Cell = p.VarName(s.Literal.Var())
		}
		r.Steps = append(r.Steps, step)
	}
	return cellReport{r, p.VarName(e.Literal.Var()), named(p, e.Conflict), named(p, e.ExcludedBy)}
}

// literal completes the report on a literal, or on the problem alone. If the literal is forced, the explanation is of its negation.
func (r explained) literal(p encode.Problem, e explain.Explanation, forced bool) literalReport {
	asked := e.Literal
	if r.Text = e.Sentence(p); forced {
		r.Text, asked = e.Forced(p), asked.Not()
	}
	for _, s := range explain.Joined(e.Steps) {
		step := stepReport{
			Kind: string(s.Kind), Constraint: explain.Words(p, s.Constraint), Because: named(p, s.Because), Text: s.Sentence(p),
		}
		if s.Literal != 0 {
			step.Literal, step.Also = named(p, []cnf.Lit{s.Literal})[0], named(p, s.Also)
		}
		r.Steps = append(r.Steps, step)
	}
	report := literalReport{explained: r, Assumed: named(p, p.Fixed), Forced: forced, Supposed: e.Supposed}
	if asked == 0 {
		report.Text = lesson.Capital(report.Text)
		return report
	}
	report.Literal, report.refuted = p.Word(asked), p.Word(e.Literal)
	return report
}

// print writes the explanation of a cell as text: the sentence, the steps, and the board with the
// cells that they mention.
func (r *cellReport) print(w io.Writer, p encode.Problem, e explain.Explanation) error {
	fmt.Fprintf(w, "%s.\n", r.Text)
	r.printSteps(w)
	drawn := func(c board.Cell) configure.Mark {
		l := encode.CellVar(p.N, c).Pos()
		switch {
		case l == e.Literal:
			return configure.Asked
		case slices.Contains(e.Blame, l):
			return configure.Blamed
		case slices.Contains(p.Fixed, l):
			return configure.Queen
		case slices.Contains(p.Fixed, l.Not()):
			return configure.Blocked
		case slices.Contains(e.Witness, l):
			return configure.Shown
		}
		return configure.Untold
	}
	drawing := board.Draw(p.N, func(c board.Cell) string { return drawn(c).Sign() })
	legend := configure.LegendOf(drawing, configure.Asked, configure.Queen, configure.Blamed, configure.Shown,
		configure.Blocked, configure.Untold)
	_, err := fmt.Fprintf(w, "\n%s\n%s\n", fitWidth(w, drawing), legend)
	return err
}

// printSteps writes the steps, and a note if the blame may not be the smallest.
func (r *explained) printSteps(w io.Writer) {
	cases := false
	for i, step := range r.Steps {
		indent := ""
		if isCase := step.Kind == string(explain.Case); cases && !isCase {
			indent = "  "
		} else {
			cases = isCase
		}
		fmt.Fprintf(w, "%3d. %s%s.\n", i+1, indent, step.Text)
	}
	if len(r.Blame) > 1 && !r.BlameSmallest && r.Fewer == nil {
		fmt.Fprintln(w, "Fewer may suffice: proving otherwise takes longer.")
	}
}

// print writes the explanation of a literal as text.
func (r *literalReport) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s.\n", r.Text)
	if r.Valid && !r.Forced {
		fmt.Fprintln(w, "A solution:")
		for _, name := range r.Witness {
			_, err = fmt.Fprintf(w, "  %s\n", name)
		}
		return err
	}
	if r.Supposed {
		fmt.Fprintf(w, "Suppose %s:\n", r.refuted)
	}
	if r.Verdict == string(explain.BySearch) {
		fmt.Fprintln(w, "Unit propagation does not show it; a search does.")
	}
	r.printSteps(w)
	if len(r.Constraints) > 0 {
		needed := ", and not without any of them"
		if !r.minimal {
			needed = "; fewer may suffice"
		}
		fmt.Fprintf(w, "It follows from these constraints alone%s:\n", needed)
	}
	for _, c := range r.Constraints {
		_, err = fmt.Fprintf(w, "  %s\n", c)
	}
	return err
}
