package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/lesson"
)

// validReport is the JSON output of valid. Cells, or other variables, are listed by number:
// cells by row, then column. Valid and Forced exclude placed cells. Never is only for
// variables that are not cells: those true in no solution, except blocked ones.
type validReport struct {
	about
	Backend     string            `json:"backend"`
	Solver      string            `json:"solver,omitempty"`
	Formula     string            `json:"formula,omitempty"`
	Method      string            `json:"method"`
	Satisfiable bool              `json:"satisfiable"`
	Valid       []string          `json:"valid"`
	Forced      []string          `json:"forced"`
	Never       []string          `json:"never,omitempty"`
	Solutions   string            `json:"solutions,omitempty"`
	Counts      map[string]string `json:"counts,omitempty"`
	Work        map[string]int64  `json:"work"`
	Seconds     float64           `json:"seconds"`
}

func newValid() *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "valid -n N",
		Short: "Find the cells that can still hold a queen, and those that must",
		Long: `Find the cells that can still hold a queen (valid), and those that must (forced); for
problems other than queens, the variables that are true in some solution, and in all.

` + "Back-ends and their methods, usually the best first:\n" + backendHelp(ask.Able(ask.Finds|ask.Valid), true),
		Args: cobra.NoArgs,
		RunE: q.on("finding the valid cells of", func(cmd *cobra.Command, p encode.Problem) error {
			report := validReport{about: q.about(p)}
			start := time.Now()
			err := q.ask(cmd.Context(), p, ask.Valid, func(made *ask.Answerer) error {
				return report.find(cmd.Context(), p, made, start)
			})
			if err != nil {
				return err
			}
			return show(cmd, report, func(w io.Writer) error { return report.print(w, p) })
		}),
	}
	q.register(cmd, ask.Finds|ask.Valid, "backend", "method", "order", "construction", "workers", "solver", "amo", "formula")
	q.registerFile(cmd)
	addJSON(cmd)
	return cmd
}

// find asks the back-end for the valid and forced cells and fills the report. A diagram also
// counts, with one more pass; other back-ends would visit every solution.
func (r *validReport) find(ctx context.Context, p encode.Problem, made *ask.Answerer, start time.Time) error {
	found, err := made.Answers.(backends.ValidFinder).Valid(ctx, p.Fixed, string(made.Choice.Method))
	if err != nil {
		return err
	}
	r.Seconds = time.Since(start).Seconds()
	r.Backend, r.Solver, r.Formula = made.Backend.Name, string(made.Choice.Solver), string(made.Choice.Formula)
	r.Method, r.Satisfiable, r.Work = found.Method, found.Satisfiable, lesson.Work(found.Work)
	placed, blocked := p.FixedVars(true), p.FixedVars(false)
	isPlaced := func(v cnf.Var) bool { return slices.Contains(placed, v) }
	r.Valid = p.VarNames(slices.DeleteFunc(slices.Clone(found.Possible), isPlaced))
	r.Forced = p.VarNames(slices.DeleteFunc(slices.Clone(found.Forced), isPlaced))
	for v := cnf.Var(1); int(v) <= p.NumVars() && !p.IsBoard(); v++ {
		if _, can := slices.BinarySearch(found.Possible, v); !can && !slices.Contains(blocked, v) {
			r.Never = append(r.Never, p.VarName(v))
		}
	}
	if made.Backend.Counting != "diagram" {
		return nil
	}
	total, each, err := made.Answers.(backends.VarCounter).CountEach(ctx, p.Fixed)
	if err != nil {
		return err
	}
	r.Solutions, r.Counts = total.String(), make(map[string]string, len(each))
	for i, count := range each {
		r.Counts[p.VarName(cnf.Var(i+1))] = count.String()
	}
	return nil
}

// print draws a board, or lists the variables of another problem.
func (r *validReport) print(w io.Writer, p encode.Problem) error {
	noun := "variables"
	if p.IsBoard() {
		noun = "cells"
		fmt.Fprintf(w, "%s\nQ queen  o valid  ! forced  x attacked  . impossible  # blocked\n", fitting(w, r.draw(p)))
	} else {
		for _, list := range []struct {
			what  string
			names []string
		}{{"true in some solution", r.Valid}, {"in all", r.Forced}, {"in none", r.Never}} {
			fmt.Fprintf(w, "%s: %s\n", list.what, cmp.Or(strings.Join(list.names, " "), "none"))
		}
	}
	if !r.Satisfiable {
		fmt.Fprintf(w, "No solution: %s.\n", hopeless(p))
	}
	if r.Solutions != "" {
		fmt.Fprintf(w, "%s, ", solutions(r.Solutions))
	}
	backend := r.Backend
	if r.Solver != "" && r.Solver != "gini" {
		backend += " (" + r.Solver + ")"
	}
	fmt.Fprintf(w, "%d valid %s, %d of them forced; %s by %s in %.3g ms",
		len(r.Valid), noun, len(r.Forced), backend, r.Method, r.Seconds*1000)
	for _, name := range slices.Sorted(maps.Keys(r.Work)) {
		if r.Work[name] > 0 {
			fmt.Fprintf(w, ", %d %s", r.Work[name], name)
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
	signs := make([]string, p.NumVars()) // by cell: the names of a large board are too many for a map
	for i := range signs {
		if signs[i] = "."; !attacked.IsFree(board.At(p.N, i)) {
			signs[i] = "x"
		}
	}
	for _, list := range []struct {
		sign  string
		names []string
	}{{"o", r.Valid}, {"!", r.Forced}, {"#", r.Blocked}, {"Q", r.Placed}} {
		for _, name := range list.names {
			c, _ := board.ParseCell(name) // a name that a board gave
			signs[c.Index(p.N)] = list.sign
		}
	}
	return board.Draw(p.N, func(c board.Cell) string { return signs[c.Index(p.N)] })
}

// fitting returns a drawing of a board, or a message if the terminal is too narrow for it.
func fitting(w io.Writer, drawing string) string {
	line, _, _ := strings.Cut(drawing, "\n")
	if width := widthOf(w); width > 0 && len(line) > width {
		return fmt.Sprintf("(not drawn: the board needs %d columns, the terminal has %d; use --json or a file)\n",
			len(line), width)
	}
	return drawing
}

// hopeless explains why there is no solution, as far as that is obvious.
func hopeless(p encode.Problem) string {
	for _, v := range p.FixedVars(true) {
		if slices.Contains(p.FixedVars(false), v) {
			return p.VarName(v) + " is both placed and blocked"
		}
	}
	if p.IsQueens() {
		placed := p.Placed()
		for i, a := range placed {
			for _, b := range placed[:i] {
				if a.Attacks(b) {
					return fmt.Sprintf("the queens on %s and %s attack each other", b, a)
				}
			}
		}
	}
	return "the placement has no completion"
}
