package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
)

// summaryTables bounds the tables of a summary, and those that a page shows at once if nobody asked for them.
const summaryTables = 4

// WriteSummary writes a summary of a record set for a terminal of width columns, 0 for any width: the tables that the
// configuration asks for, each with the first measure for which most of its columns have numbers, or else the automatic
// tables; what was the same in all runs; how they ended; how to see the rest; and the answer. harness is the command that
// starts the program.
func WriteSummary(w io.Writer, set record.Set, harness string, width int) error {
	d := shownData(set)
	var asked []config.Table
	if len(set.Rows) > 0 {
		asked = d.presentation().Tables
	}
	var all []table
	var err error
	if len(set.Rows) > 0 && d.quotesPlot() {
		all, _, err = d.shown()
	} else {
		all, err = d.tablesOf(asked)
	}
	if err != nil {
		return err
	}
	for _, line := range firstOf(record.Refuted(set.Rows, d.varied)) {
		fmt.Fprintln(w, wrapped(line, width))
	}
	standing := standingOf(set, nil)
	answer := d.answer(all, standing.doubt)
	var tables []table
	for _, a := range asked {
		part, err := d.where(a.Where)
		if err != nil { // no record meets the conditions
			continue
		}
		made := all[:len(a.Values)]
		all = all[len(a.Values):]
		if len(d.set.Spec.Report.Tables) == 0 {
			tables = append(tables, made[0].inOneUnit())
			continue
		}
		value := part.summaryValue(a)
		at := slices.Index(a.Values, value)
		if at < 0 { // the wall time
			made, at = part.tables(config.Table{Rows: a.Rows, Columns: a.Columns, Values: []string{value}}), 0
		}
		t := made[at]
		t.Title = strings.TrimPrefix(a.Title+": "+config.Label(value), ": ")
		tables = append(tables, t.inOneUnit())
	}
	for _, t := range tables[:min(len(tables), summaryTables)] {
		fmt.Fprintln(w, wrapped(t.Title, width))
		t.printLines(w, width, briefRows)
	}
	if more := len(tables) - summaryTables; more > 0 {
		fmt.Fprintf(w, "... and %d more tables\n", more)
	}
	for _, left := range d.left {
		fmt.Fprintln(w, wrapped("left out: "+left, width))
	}
	if fixed := d.fixedText(); fixed != "" {
		fmt.Fprintln(w, wrapped("everywhere: "+fixed, width))
	}
	if text, busy := d.quiet(); busy {
		fmt.Fprintln(w, wrapped(text, width))
	}
	fmt.Fprintf(w, "%s in %s: %s\n", standing.count, set.Dir, ended(set.Rows))
	_, err = fmt.Fprintf(w, "next: %s report %s\n", harness, set.Dir)
	if err == nil && answer != "" {
		_, err = fmt.Fprintln(w, wrapped(answer, width))
	}
	return err
}

// quotesPlot reports whether the configuration's answer may quote the table of a plot, so that plots must be made.
func (d *data) quotesPlot() bool {
	return slices.ContainsFunc(d.presentation().Plots, func(p config.Plot) bool {
		return slices.ContainsFunc(p.Titles(), func(title string) bool {
			escaped := strings.ContainsAny(title, `"\`)
			return d.set.Spec.Answer != "" && (escaped || strings.Contains(d.set.Spec.Answer, title))
		})
	})
}
