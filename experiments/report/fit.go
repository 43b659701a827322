package report

import (
	"fmt"
	"io"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table on a terminal.
type grid struct {
	keys   int // how many of the columns, from the left, name a line
	header []string
	rows   [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// width returns the columns of the terminal that a column takes, including its left border.
func (g *grid) width(column int) int {
	w := text.StringWidth(g.header[column])
	for _, row := range g.rows {
		w = max(w, text.LongestLineLen(row[column]))
	}
	return w + len("│  ")
}

// write draws the grid in blocks that fit a width, 0 for any width. Each has the keys and at
// least one more column.
func (g *grid) write(w io.Writer, width int) {
	var block []int
	used := 1
	for i := range g.header {
		if width > 0 && used+g.width(i) > width && len(block) > g.keys {
			g.block(w, block)
			block, used = block[:g.keys], 1
			for _, key := range block {
				used += g.width(key)
			}
		}
		block = append(block, i)
		used += g.width(i)
	}
	g.block(w, block)
}

// block draws some of the columns.
func (g *grid) block(w io.Writer, columns []int) {
	t := pretty.NewWriter()
	t.SetStyle(pretty.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	line := func(cells []string) (row pretty.Row) {
		for _, c := range columns {
			row = append(row, cells[c])
		}
		return row
	}
	t.AppendHeader(line(g.header))
	for _, row := range g.rows {
		t.AppendRow(line(row))
	}
	fmt.Fprintln(w, t.Render())
}

// wrapped breaks a text into lines that fit a width, 0 for any width.
func wrapped(s string, width int) string {
	if width == 0 {
		return s
	}
	return strings.ReplaceAll(text.WrapSoft(s, width), " \n", "\n")
}
