package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/configure"
	"queens/encode"
	"queens/encode/cnf"
)

// validReport is the JSON output of valid. Cells, or other variables, are listed by number:
// cells by row, then column. Valid and Forced exclude placed cells. Never is only for
// variables that are not cells: those true in no solution, except blocked ones.
type validReport struct {
	about
	Backend     string            `json:"backend"`
	Solver      string            `json:"solver,omitempty"`
	Checked     *bool             `json:"checked,omitempty"` // whether gini, when called, agrees with the outside solver
	Formula     string            `json:"formula,omitempty"`
	Diagram     string            `json:"diagram,omitempty"` // whose nodes Work counts
	Method      string            `json:"method"`
	Satisfiable bool              `json:"satisfiable"`
	Valid       []string          `json:"valid"`
	Forced      []string          `json:"forced"`
	Never       []string          `json:"never,omitzero"`
	Solutions   string            `json:"solutions,omitempty"`
	Counts      map[string]string `json:"counts,omitempty"`
	Work        map[string]int64  `json:"work"`
	Seconds     float64           `json:"seconds"`

	valid, forced, never []cnf.Var      // named only where the output shows them
	why                  *literalReport // for text: why the assumptions leave no solution; nil if it is not known
	alone                *ask.Answer    // for text: what is possible in a model with nothing assumed; nil if it is not known
}

func newValid() *cobra.Command {
	f := validFlags{format: "text"}
	cmd := &cobra.Command{
		Use:   "valid -n N",
		Short: "Find the cells that can still hold a queen, and those that must",
		Long: `Find the cells that can still hold a queen (valid), and those that must (forced). For problems
other than queens, find the variables that are true in some solution, in all, and in none.
Where a formula's file names its variables, as a feature model's does, those true in all are
the core features, and those true in none the dead features. Variables without a name are counted
apart from the others. With --only the names in one state are listed, one a line.

` + "Back-ends and their methods, usually the best first:\n" + backendHelp(ask.Able(ask.Valid), true),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.timeout < 0 {
				return invalid("flag --timeout %s: expected 0 or more", f.timeout)
			}
			f.provable = f.proof != ""
			return f.on("finding what is still possible in", f.valid)(cmd, args)
		},
	}
	f.register(cmd, ask.Valid, ask.Fields(ask.Valid)...)
	f.registerFile(cmd)
	f.registerNNF(cmd)
	addJSON(cmd)
	nameFlag(cmd, &f.only, "only", "list only the cells or variables in this state", append(statesOf, "valid"))
	nameFlag(cmd, &f.format, "format", "how the answer is printed", []string{"text", "backbone"})
	cmd.Flags().StringVar(&f.proof, "proof", "",
		"file for a proof of everything that is ruled out, as DRAT text, by back-end near; for --cnf")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 0, "time after which to end with what is settled, as in 10s; 0 for none")
	cmd.MarkFlagsMutuallyExclusive("only", "json", "format")
	return cmd
}

// valid finds what the problem's variables can still be, and lists all of them or only those in one state.
func (f *validFlags) valid(ctx context.Context, c console, p encode.Problem) error {
	found, err := f.settle(ctx, c, p)
	if err != nil || f.format == "backbone" {
		return err
	}
	report := newValidReport(f.about(p), p, found, c.json || !p.IsBoard())
	if report.Checked, err = f.checkValid(ctx, p, found); err != nil {
		return err
	}
	if !report.Satisfiable && !c.json {
		if report.why, err = contradiction(ctx, p, cmp.Or(f.timeout, patience(found.Seconds))); err != nil {
			return err
		}
	}
	alone := p
	alone.Fixed = nil
	if report.Satisfiable && len(p.Fixed) > 0 && features(alone) && !c.json && f.only == "" {
		working(ctx, "asking what %s has with nothing assumed", alone)
		found, done, err := patiently(ctx, alone, ask.Choice{}, ask.Valid, found.Seconds)
		if err != nil {
			return err
		}
		if done {
			report.alone = &found
		}
	}
	return c.show(ctx, report, func(w io.Writer) error {
		if f.only != "" {
			return report.printOnly(w, c.err, p, f.only)
		}
		return report.print(w, p)
	})
}

func newValidReport(about about, p encode.Problem, found ask.Answer, named bool) *validReport {
	placed, blocked := p.FixedVars(true), p.FixedVars(false)
	rest := func(vars []cnf.Var) []cnf.Var {
		if len(placed) == 0 {
			return vars
		}
		return slices.DeleteFunc(slices.Clone(vars), func(v cnf.Var) bool { return slices.Contains(placed, v) })
	}
	r := &validReport{
		about: about, Backend: string(found.By.Backend), Solver: string(found.By.Solver), Formula: string(found.By.Formula),
		Diagram: string(found.By.Kind()), Method: found.How, Satisfiable: found.Status == backends.Sat, Work: found.Work.Map(), Seconds: found.Seconds,
		valid: rest(found.Valid), forced: rest(found.Forced),
	}
	if named {
		r.Valid, r.Forced = p.VarNames(r.valid), p.VarNames(r.forced)
	}
	for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
		if _, can := slices.BinarySearch(found.Valid, v); !can && !slices.Contains(blocked, v) {
			r.never = append(r.never, v)
		}
	}
	if !p.IsBoard() {
		r.Never = append([]string{}, p.VarNames(r.never)...)
	}
	if found.Count != nil {
		r.Solutions, r.Counts = found.Count.String(), make(map[string]string, len(found.Each))
		for i, count := range found.Each {
			r.Counts[p.VarName(cnf.Var(i+1))] = count.String()
		}
	}
	return r
}

// features reports whether a problem's variables are the features of a model: its file names some, and none is
// chosen yet. A choice makes no feature core or dead.
func features(p encode.Problem) bool {
	format, _ := encode.FormatNamed(p.Family)
	return format.Features && !p.IsBoard() && len(p.Fixed) == 0 && p.Named()
}

// print draws a board, or lists the variables of another problem.
func (r *validReport) print(w io.Writer, p encode.Problem) error {
	one, many := "variable that can be true", "variables that can be true"
	if features(p) {
		one, many = "feature that can be in", "features that can be in"
	}
	if p.IsBoard() {
		one, many = "valid cell", "valid cells"
		drawing := tooWide(w, board.Width(p.N))
		if drawing == "" {
			drawing = r.draw(p)
		}
		fmt.Fprintf(w, "%s\n%s\n", drawing, configure.LegendOf(drawing, configure.Queen, configure.Valid, configure.Forced,
			configure.Attacked, configure.Invalid, configure.Blocked))
	} else if r.Satisfiable {
		r.printLists(w, p)
	}
	if !r.Satisfiable {
		fmt.Fprintf(w, "No solution%s.\n", explainUnsat(p))
	}
	if r.why != nil {
		r.why.print(w)
	}
	if r.Solutions != "" {
		fmt.Fprintf(w, "%s, ", solutions(r.Solutions))
	}
	backend := r.Backend
	if r.Solver != "" && r.Solver != string(ask.Gini) {
		backend += " (" + r.Solver + ")"
	}
	backend += opinion(r.Checked, string(ask.Gini))
	forced, _ := r.state(p, "forced")
	open, _ := r.state(p, "open")
	noun := many
	if len(open)+len(forced) == 1 {
		noun = one
	}
	fmt.Fprintf(w, "%d %s, %d of them forced; %s by %s in %s",
		len(open)+len(forced), noun, len(forced), backend, r.Method, took(r.Seconds))
	for _, name := range slices.Sorted(maps.Keys(r.Work)) {
		if r.Work[name] == 0 {
			if name == "solves" && r.Solver != "" {
				fmt.Fprint(w, ", no call of the solver")
			}
			continue
		}
		if fmt.Fprintf(w, ", %d %s", r.Work[name], name); name == "nodes" && r.Diagram != "" {
			fmt.Fprintf(w, " in the %s", ask.DiagramName(r.Diagram).Title())
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// draw returns a drawing of the board.
func (r *validReport) draw(p encode.Problem) string {
	var queens []board.Cell // whose attacks are shown
	if p.IsQueens() {
		queens = p.Placed()
	}
	attacked := board.NewPosition(p.N, queens, nil)
	signs := make([]string, p.NumVars()) // by cell: a map by name would be slow on a large board
	for i := range signs {
		if signs[i] = configure.Invalid.Sign(); !attacked.IsFree(board.At(p.N, i)) {
			signs[i] = configure.Attacked.Sign()
		}
	}
	for _, list := range []struct {
		mark configure.Mark
		vars []cnf.Var
	}{{configure.Valid, r.valid}, {configure.Forced, r.forced}, {configure.Blocked, p.FixedVars(false)},
		{configure.Queen, p.FixedVars(true)}} {
		for _, v := range list.vars {
			signs[v-1] = list.mark.Sign()
		}
	}
	return board.Draw(p.N, func(c board.Cell) string { return signs[c.Index(p.N)] })
}
