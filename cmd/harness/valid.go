package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends"
	"queens/board"
	"queens/choice"
	"queens/encode"
	"queens/encode/cnf"
	"queens/lab"
)

// validReport is the JSON output of valid. Cells, or other variables, are listed by number:
// cells by row, then column. Valid and Forced exclude placed cells. Never is only for
// variables that are not cells: those true in no solution, except blocked ones.
type validReport struct {
	problemReport
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
	var (
		b      problemFlags
		f      choiceFlags
		counts bool
	)
	cmd := &cobra.Command{
		Use:   "valid -n N",
		Short: "Find the cells that can still hold a queen, and those that must",
		Long: `Find the cells that can still hold a queen (valid), and those that must (forced); for
problems other than queens, the variables that are true in some solution, and in all.

` + "Back-ends and their methods, usually the best first:\n" + backendHelp(choice.Able(choice.Finds|choice.Valid), true),
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			want := choice.Valid
			if counts {
				want |= choice.CountsEach
			}
			report := validReport{problemReport: b.report(p)}
			end := working(cmd, "finding the valid cells of %s", p)
			defer end()
			start := time.Now()
			err = f.ask(cmd.Context(), p, &b, want, func(made *choice.Answerer) error {
				// A diagram counts with one more pass; other back-ends visit every solution, so they
				// count only on request.
				counted := counts || made.Backend.Counting == "diagram" && !cmd.Flags().Changed("counts")
				report.Backend = made.Backend.Name
				report.Solver, report.Formula = string(made.Choice.Solver), string(made.Choice.Formula)
				return report.find(cmd.Context(), p, made, counted, start)
			})
			if err != nil {
				return err
			}
			end()
			return show(cmd, report, func(w io.Writer) error { return report.print(w, p, counts) })
		},
	}
	b.register(cmd)
	f.register(cmd, choice.Finds|choice.Valid, "backend", "method", "order", "construction", "workers", "solver", "amo", "formula")
	f.registerFile(cmd)
	cmd.Flags().BoolVar(&counts, "counts", false,
		"count the solutions through each cell and draw the counts; without it only bdd counts")
	addJSON(cmd)
	return cmd
}

// find asks the back-end for the valid and forced cells and fills the report.
func (r *validReport) find(
	ctx context.Context, p encode.Problem, made *choice.Answerer, counts bool, start time.Time,
) error {
	found, err := made.Answers.(backends.ValidFinder).Valid(ctx, p.Fixed, string(made.Choice.Method))
	if err != nil {
		return err
	}
	r.Method, r.Satisfiable, r.Work = found.Method, found.Satisfiable, lab.Work(found.Work)
	r.Valid, r.Forced = unplaced(p, found.Possible), unplaced(p, found.Forced)
	if !p.IsBoard() {
		r.Never = never(p, found.Possible)
	}
	r.Seconds = time.Since(start).Seconds()
	if counts {
		return r.count(ctx, p, made)
	}
	return nil
}

// count fills in the numbers of solutions, in total and for each variable.
func (r *validReport) count(ctx context.Context, p encode.Problem, made *choice.Answerer) error {
	total, each, err := made.Answers.(backends.VarCounter).CountEach(ctx, p.Fixed)
	if err != nil {
		return err
	}
	r.Solutions = total.String()
	r.Counts = make(map[string]string, len(each))
	for i, count := range each {
		r.Counts[p.VarName(cnf.Var(i+1))] = count.String()
	}
	return nil
}

// unplaced returns the names of variables, except those fixed to true.
func unplaced(p encode.Problem, vars []cnf.Var) []string {
	placed := p.FixedVars(true)
	return p.VarNames(slices.DeleteFunc(slices.Clone(vars), func(v cnf.Var) bool { return slices.Contains(placed, v) }))
}

// never returns the names of the variables that are not possible, except those fixed to
// false.
func never(p encode.Problem, possible []cnf.Var) []string {
	blocked := p.FixedVars(false)
	var vars []cnf.Var
	for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
		if _, can := slices.BinarySearch(possible, v); !can && !slices.Contains(blocked, v) {
			vars = append(vars, v)
		}
	}
	return p.VarNames(vars)
}

// print draws a board, with the counts in the cells if asked for, or lists the variables of
// another problem.
func (r *validReport) print(w io.Writer, p encode.Problem, counts bool) error {
	noun := "variables"
	if p.IsBoard() {
		noun = "cells"
		drawing := r.draw(p, counts)
		if shown := fitting(w, drawing); shown != drawing {
			fmt.Fprintf(w, "%s%d queens placed, %d cells blocked, %d cells not valid\n",
				shown, len(r.Placed), len(r.Blocked), p.NumVars()-len(r.Placed)-len(r.Blocked)-len(r.Valid))
		} else {
			fmt.Fprintf(w, "%s\nQ queen  o valid  ! forced  x attacked  . impossible  # blocked\n", drawing)
		}
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
	counted := ""
	if r.Solutions != "" {
		counted = solutions(r.Solutions) + ", "
	}
	var work []string
	for name, count := range r.Work {
		if count > 0 {
			work = append(work, fmt.Sprintf("%d %s", count, name))
		}
	}
	slices.Sort(work)
	took := ""
	if len(work) > 0 {
		took = " (" + strings.Join(work, ", ") + ")"
	}
	backend := r.Backend
	if r.Solver != "" && r.Solver != "gini" {
		backend += " (" + r.Solver + ")"
	}
	_, err := fmt.Fprintf(w, "%s%d valid %s, %d of them forced; %s by %s in %.3g ms%s\n",
		counted, len(r.Valid), noun, len(r.Forced), backend, r.Method, r.Seconds*1000, took)
	return err
}

// draw returns a drawing of the board.
func (r *validReport) draw(p encode.Problem, counts bool) string {
	signs := make([]string, p.N*p.N)
	for i := range signs {
		signs[i] = "."
	}
	if p.IsQueens() {
		placed := board.NewPosition(p.N, p.Placed(), nil)
		for i := range signs {
			if !placed.IsFree(board.At(p.N, i)) {
				signs[i] = "x"
			}
		}
	}
	for _, list := range []struct {
		sign  string
		names []string
	}{{"o", r.Valid}, {"!", r.Forced}, {"#", r.Blocked}, {"Q", r.Placed}} {
		for _, name := range list.names {
			c, _ := board.ParseCell(name) // a name that a board gave
			sign := list.sign
			if counts && (sign == "o" || sign == "!") {
				sign = cmp.Or(r.Counts[name], sign)
			}
			signs[c.Index(p.N)] = sign
		}
	}
	return board.Draw(p.N, func(c board.Cell) string { return signs[c.Index(p.N)] })
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
