package report

import (
	"fmt"
	"slices"
	"strings"
)

// Align returns the alignment of the table's columns in LaTeX.
func (t table) Align() string {
	return strings.Repeat("l", t.names) + strings.Repeat("r", len(t.Header)-t.names)
}

// lineWidth is the number of letters of this size, in columns, that a line of a paper has room for.
const lineWidth = 84

// A page of a paper has room for as many lines of a table; head is the room that a part takes beside its lines.
const (
	pageLines = 40
	head      = 4
)

// pages returns the parts of the table in groups that each fit a page. A part with more lines is cut into several.
func (t table) pages() (pages [][]table) {
	left := 0
	for _, whole := range t.Parts() {
		for lines := range slices.Chunk(whole.Rows, pageLines-head) {
			piece := whole
			piece.Rows = lines
			if len(lines)+head > left {
				pages, left = append(pages, nil), pageLines
			}
			left -= len(lines) + head
			pages[len(pages)-1] = append(pages[len(pages)-1], piece)
		}
	}
	if pages == nil {
		return [][]table{{t}}
	}
	return pages
}

// Parts returns the table in parts that fit the width of a line, each with the columns that identify a line: a table that
// is made smaller instead cannot be read.
func (t table) Parts() (parts []table) {
	width := func(column int) (most int) {
		most = len([]rune(t.Header[column]))
		for _, r := range t.Rows {
			most = max(most, len([]rune(r[column].Text())))
		}
		return most + 2
	}
	names := 0
	for i := range t.names {
		names += width(i)
	}
	var chosen []int
	used := names
	flush := func() {
		if chosen != nil {
			parts = append(parts, t.at(slices.Concat(every(t.names), chosen)))
		}
		chosen, used = nil, names
	}
	for i := t.names; i < len(t.Header); i++ {
		if chosen != nil && used+width(i) > lineWidth {
			flush()
		}
		chosen, used = append(chosen, i), used+width(i)
	}
	if flush(); parts == nil {
		return []table{t}
	}
	return parts
}

// latex returns each table for a paper, by file name, with the columns asked for. Each element of asked is a
// column's name, or several names separated by commas. A column that no table has is an error.
func latex(set string, tables []table, asked []string) (Files, error) {
	files := Files{}
	known := func(c string) bool {
		return slices.ContainsFunc(tables, func(t table) bool { return slices.Contains(t.Header, c) })
	}
	var columns []string
	for _, a := range asked {
		names := []string{a}
		if !known(a) { // a known name may contain commas
			names = strings.Split(a, ",")
		}
		columns = append(columns, names...)
	}
	if i := slices.IndexFunc(columns, func(c string) bool { return !known(c) }); i >= 0 {
		var all []string
		for _, t := range tables {
			all = append(all, t.Header[t.names:]...)
		}
		slices.Sort(all)
		return nil, fmt.Errorf("no table has a column %q: expected some of %s", columns[i], strings.Join(slices.Compact(all), "; "))
	}
	for _, t := range tables {
		chosen := t.only(columns)
		if len(chosen.Header) == t.names { // this table has none of them: keep all its columns
			chosen = t
		}
		pages := chosen.pages()
		text, err := filled("table.tex.tmpl", struct {
			table
			Set   string // in the label: several sets have tables of one name
			Pages [][]table
			Last  int
		}{chosen, set, pages, len(pages) - 1})
		if err != nil {
			return nil, err
		}
		files[t.path("tex")] = text
	}
	return files, nil
}
