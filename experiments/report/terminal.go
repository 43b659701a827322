package report

import (
	"fmt"
	"io"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// briefRows bounds the lines of each table that is only a summary of what a report has.
const briefRows = 20

// grid returns a table of texts, to be written in any form.
func grid(header []string, rows [][]string) pretty.Writer {
	line := func(cells []string) (row pretty.Row) {
		for _, c := range cells {
			row = append(row, c)
		}
		return row
	}
	t := pretty.NewWriter()
	t.AppendHeader(line(header))
	for _, cells := range rows {
		t.AppendRow(line(cells))
	}
	return t
}

// writeGrid writes a table on a terminal, in blocks that fit the width; 0 means any width. Each block has the
// first keys columns, and at least one more.
func writeGrid(w io.Writer, width, keys int, header []string, rows [][]string) {
	widths := make([]int, len(header)) // including the border on the left
	for _, row := range append([][]string{header}, rows...) {
		for i, word := range row {
			widths[i] = max(widths[i], text.LongestLineLen(word)+len("│  "))
		}
	}
	var block []int
	used := 1
	write := func() {
		chosen := make([][]string, 1+len(rows))
		for i, row := range append([][]string{header}, rows...) {
			for _, column := range block {
				chosen[i] = append(chosen[i], row[column])
			}
		}
		t := grid(chosen[0], chosen[1:])
		t.SetStyle(pretty.StyleLight)
		t.Style().Format.Header = text.FormatDefault
		fmt.Fprintln(w, t.Render())
	}
	for i := range header {
		if width > 0 && used+widths[i] > width && len(block) > keys {
			write()
			block, used = block[:keys], 1
			for _, key := range block {
				used += widths[key]
			}
		}
		block, used = append(block, i), used+widths[i]
	}
	write()
}

// wrapped breaks a text into lines that fit a width; 0 means any width.
func wrapped(s string, width int) string {
	if width == 0 {
		return s
	}
	return strings.ReplaceAll(text.WrapSoft(s, width), " \n", "\n")
}
