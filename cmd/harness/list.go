package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/encode"
)

// listReport is the JSON output of list.
type listReport struct {
	about
	Backend   string     `json:"backend"`
	Solutions [][]string `json:"solutions"` // the true variables of each: the queens of a board
	All       bool       `json:"all"`       // there are no others
	Seconds   float64    `json:"seconds"`
}

// mostSearched is the largest board for which search is the default back-end of list. On larger boards search
// may not find even one solution; a SAT solver does.
const mostSearched = 24

func newList() *cobra.Command {
	var (
		f      flags
		number int
	)
	cmd := &cobra.Command{
		Use:   "list -n N",
		Short: "List the solutions, one a line",
		Long: `List the solutions, one a line: the cells with queens, or the variables that are true. All of them come,
unless --number says how many. Their sequence is that of the back-end, and the same every time.

Back-ends:
` + backendHelp(ask.Able(ask.Solve), false),
		Args: cobra.NoArgs,
		RunE: f.on("listing", func(cmd *cobra.Command, p encode.Problem) error {
			if number < 0 {
				return invalid("flag --number %d: expected 0, for all, or more", number)
			}
			start := time.Now()
			c := f.Choice
			if c == (ask.Choice{}) && p.Place != nil && p.N <= mostSearched {
				c.Backend = ask.Search
			}
			r, err := f.resources(cmd.Context(), p)
			if err != nil {
				return err
			}
			by, err := ask.Start(cmd.Context(), p, c, ask.Solve, r)
			if err != nil {
				return answered(cmd.Context(), err)
			}
			defer by.Close()
			report := listReport{about: f.about(p), Backend: by.Descriptor.Name, Solutions: [][]string{}, All: true}
			asJSON, _ := cmd.Flags().GetBool("json")
			lines, listed := bufio.NewWriter(cmd.OutOrStdout()), 0
			for solution, err := range by.Solutions(cmd.Context(), p.Fixed) {
				if err != nil {
					_ = lines.Flush() // keeps what an interrupted command has found
					return answered(cmd.Context(), err)
				}
				if listed == number && number > 0 {
					report.All = false
					break
				}
				listed++
				names := trueNames(p, solution)
				if asJSON {
					report.Solutions = append(report.Solutions, names)
					continue
				}
				if listed == 1 {
					workOf(cmd.Context()).hide()
				}
				if _, err := fmt.Fprintln(lines, strings.Join(names, " ")); err != nil {
					return err
				}
			}
			report.Seconds = time.Since(start).Seconds()
			err = show(cmd, report, func(io.Writer) error { return lines.Flush() })
			if err == nil && listed == 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "harness: no solution%s\n", explainUnsat(p))
			}
			if err == nil && report.All {
				err = f.checkKnown(p, fmt.Sprint(listed))
			}
			return err
		}),
	}
	f.register(cmd, ask.Solve, ask.Fields(ask.Solve)...)
	f.registerFile(cmd)
	cmd.Flags().IntVar(&number, "number", 0, "most solutions to list; 0 for all")
	addJSON(cmd)
	return cmd
}
