package report

import (
	"fmt"
	"slices"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// textColumn is a column of a table on a terminal.
type textColumn struct {
	name  string
	cells []string
}

// width returns the columns of the terminal that it takes, including its left border.
func (c textColumn) width() int {
	w := text.StringWidth(c.name)
	for _, cell := range c.cells {
		w = max(w, text.LongestLineLen(cell))
	}
	return w + len("│  ")
}

// apart splits columns into those that vary and those that are the same on all of several
// lines; the latter as text.
func apart(columns []textColumn) (varied []textColumn, constant []string) {
	for _, c := range columns {
		different := slices.ContainsFunc(c.cells, func(cell string) bool { return cell != c.cells[0] })
		switch {
		case different || len(c.cells) < 2:
			varied = append(varied, c)
		case c.cells[0] != "":
			constant = append(constant, fmt.Sprintf("%s = %s", c.name, c.cells[0]))
		}
	}
	return varied, constant
}

// blocks splits a table into ones that fit a width, 0 for any width. Each has the keys and at
// least one more column.
func blocks(keys, columns []textColumn, width int) [][]textColumn {
	beside := 1
	for _, k := range keys {
		beside += k.width()
	}
	var all [][]textColumn
	block, used := slices.Clone(keys), beside
	for _, c := range columns {
		if width > 0 && used+c.width() > width && len(block) > len(keys) {
			all = append(all, block)
			block, used = slices.Clone(keys), beside
		}
		block = append(block, c)
		used += c.width()
	}
	return append(all, block)
}

// wrapped breaks a text into lines that fit a width, 0 for any width.
func wrapped(s string, width int) string {
	if width == 0 {
		return s
	}
	return strings.ReplaceAll(text.WrapSoft(s, width), " \n", "\n")
}

// render draws a table.
func render(columns []textColumn) string {
	t := pretty.NewWriter()
	t.SetStyle(pretty.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	header := pretty.Row{}
	for _, c := range columns {
		header = append(header, c.name)
	}
	t.AppendHeader(header)
	for i := range columns[0].cells {
		row := pretty.Row{}
		for _, c := range columns {
			row = append(row, c.cells[i])
		}
		t.AppendRow(row)
	}
	return t.Render()
}
