package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/sat"
	"queens/backends/sat/external"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// oracleNames are the back-ends that answer valid-cell queries.
var oracleNames = append([]string{"bdd", "sat", "search"}, external.Names()...)

// validReport is the JSON of the command. Cells are listed by rising row, then
// column; valid and forced hold empty cells only.
type validReport struct {
	N           int               `json:"n"`
	Placed      []string          `json:"placed"`
	Blocked     []string          `json:"blocked"`
	Backend     string            `json:"backend"`
	Method      string            `json:"method"`
	Satisfiable bool              `json:"satisfiable"`
	Valid       []string          `json:"valid"`
	Forced      []string          `json:"forced"`
	Solutions   string            `json:"solutions,omitempty"`
	Counts      map[string]string `json:"counts,omitempty"`
	Work        map[string]int64  `json:"work"`
	Seconds     float64           `json:"seconds"`
}

func newValid() *cobra.Command {
	var (
		b         problemFlags
		d         diagramFlags
		backend   string
		method    string
		atMostOne string
		counts    bool
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "valid -n N",
		Short: "Find the cells that can still hold a queen, and those that must",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			if backend != "bdd" && slices.Contains(oracleNames, backend) {
				if err := d.unused(cmd, fmt.Sprintf("back-end %s builds no diagram", backend)); err != nil {
					return err
				}
			}
			if method == bdd.Restrict && cmd.Flags().Changed("memory") {
				return exit(badInput, fmt.Errorf("flag --memory: method %s makes nodes beyond the diagram's, which it does not limit", method))
			}
			start := time.Now()
			oracle, err := newOracle(cmd.Context(), backend, p, &b, &d, atMostOne)
			if err != nil {
				return err
			}
			if method == "" {
				method = oracle.Methods()[0]
			} else if !slices.Contains(oracle.Methods(), method) {
				return exit(badInput, fmt.Errorf("flag --method %q: back-end %s has %s", method, backend, strings.Join(oracle.Methods(), ", ")))
			}
			found, err := oracle.Valid(cmd.Context(), p.Fixed, method)
			if err != nil {
				return err
			}
			report := validReport{
				N: p.N, Placed: cellNames(p.Placed()), Blocked: cellNames(p.Blocked()),
				Backend: backend, Method: method,
				Satisfiable: len(found.Possible) > 0,
				Valid:       emptyCells(p, found.Possible),
				Forced:      emptyCells(p, found.Forced),
				Work:        map[string]int64{},
			}
			for _, w := range found.Work {
				report.Work[w.Name] = w.N
			}
			report.Seconds = time.Since(start).Seconds()
			// A diagram counts for the price of another pass; others visit every
			// solution, so they count when they are told to.
			if counts || backend == "bdd" && !cmd.Flags().Changed("counts") {
				if err := report.count(cmd.Context(), p, oracle); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), report)
			}
			return report.print(cmd.OutOrStdout(), p, counts)
		},
	}
	b.register(cmd)
	d.register(cmd)
	cmd.Flags().StringVar(&backend, "backend", "bdd", "back-end: "+strings.Join(oracleNames, ", "))
	cmd.Flags().StringVar(&method, "method", "", "how the back-end finds the cells (default: its best)")
	cmd.Flags().StringVar(&atMostOne, "amo", "", "at-most-one encoding for SAT, by name (default: by the board's size)")
	cmd.Flags().BoolVar(&counts, "counts", false, "draw the number of solutions through each cell; back-ends other than bdd count only then")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// newOracle makes the back-end of a name. atMostOne names the at-most-one encoding; left empty,
// the board's size decides.
func newOracle(ctx context.Context, name string, p encode.Problem, b *problemFlags, d *diagramFlags, atMostOne string) (backends.Oracle, error) {
	encoding := amo.Default(p.Pairs())
	var options []sat.Option
	if atMostOne != "" {
		var err error
		if encoding, err = amo.Named(atMostOne); err != nil {
			return nil, exit(badInput, fmt.Errorf("flag --amo: %w", err))
		}
		if name == "bdd" || name == "search" {
			return nil, exit(badInput, fmt.Errorf("flag --amo: back-end %s has no clauses", name))
		}
		options = append(options, sat.WithAMO(encoding))
	}
	switch name {
	case "bdd":
		c, err := d.diagram(ctx, p, b)
		if err != nil {
			return nil, err
		}
		return bdd.New(c), nil
	case "sat":
		return sat.New(p, options...), nil
	case "search":
		return search.New(p), nil
	}
	if slices.Contains(external.Names(), name) {
		solver, err := external.Find(name)
		if err != nil {
			return nil, exit(badInput, fmt.Errorf("flag --backend: %w", err))
		}
		return external.New(p, solver, encoding), nil
	}
	return nil, exit(badInput, fmt.Errorf("flag --backend %q: expected one of %s", name, strings.Join(oracleNames, ", ")))
}

// count fills in the numbers of solutions.
func (r *validReport) count(ctx context.Context, p encode.Problem, oracle backends.Oracle) error {
	counter, can := oracle.(backends.VarCounter)
	if !can {
		return exit(badInput, fmt.Errorf("flag --counts: back-end %s does not count solutions", r.Backend))
	}
	total, each, err := counter.CountEach(ctx, p.Fixed)
	if err != nil {
		return err
	}
	r.Solutions = total.String()
	r.Counts = make(map[string]string, len(each))
	for i, count := range each {
		r.Counts[board.At(p.N, i).String()] = count.String()
	}
	return nil
}

// emptyCells names the cells of variables, without the placed queens.
func emptyCells(p encode.Problem, vars []cnf.Var) []string {
	names := []string{}
	for _, v := range vars {
		if c := encode.VarCell(p.N, v); !slices.Contains(p.Placed(), c) {
			names = append(names, c.String())
		}
	}
	return names
}

// print draws the board for people, with the counts in the cells if they are wanted.
func (r *validReport) print(w io.Writer, p encode.Problem, counts bool) error {
	signs := map[string]string{}
	for _, name := range r.Valid {
		signs[name] = "o"
	}
	for _, name := range r.Forced {
		signs[name] = "!"
	}
	for _, name := range r.Blocked {
		signs[name] = "#"
	}
	for _, name := range r.Placed {
		signs[name] = "Q"
	}
	fmt.Fprint(w, board.Draw(p.N, func(c board.Cell) string {
		sign := signs[c.String()]
		if counts && (sign == "o" || sign == "!") {
			sign = r.Counts[c.String()]
		}
		if sign != "" {
			return sign
		}
		if slices.ContainsFunc(p.Placed(), c.Attacks) {
			return "x"
		}
		return "."
	}))
	fmt.Fprintf(w, "\nQ queen  o valid  ! forced  x attacked  . not valid  # blocked\n")
	if !r.Satisfiable {
		fmt.Fprintf(w, "No solution: the placement has no completion.\n")
	}
	solutions := ""
	if r.Solutions != "" {
		solutions = r.Solutions + " solutions, "
		if r.Solutions == "1" {
			solutions = "1 solution, "
		}
	}
	var work []string
	for name, count := range r.Work {
		work = append(work, fmt.Sprintf("%d %s", count, name))
	}
	slices.Sort(work)
	_, err := fmt.Fprintf(w, "%s%d valid cells, %d of them forced; %s by %s in %.3g ms (%s)\n",
		solutions, len(r.Valid), len(r.Forced), r.Backend, r.Method, r.Seconds*1000, strings.Join(work, ", "))
	return err
}
