package report

import (
	"fmt"
	"slices"
	"strings"
)

var latexEscapes = []string{
	`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
	`~`, `$\sim$`, `^`, `\textasciicircum{}`, `±`, `$\pm$`, `×`, `$\times$`, `µ`, `$\mu$`, `>`, `$>$`, `<`, `$<$`,
}

func latexText(s string) string { return strings.NewReplacer(latexEscapes...).Replace(s) }

// only returns the table with the columns that identify a line and some of the others, all if
// none are named.
func (t table) only(columns []string) table {
	if len(columns) == 0 {
		return t
	}
	out := table{part: t.part, names: t.names, Rows: make([][]cell, len(t.Rows))}
	for at, name := range t.Header {
		if at >= t.names && !slices.Contains(columns, name) {
			continue
		}
		out.Header = append(out.Header, name)
		for i, r := range t.Rows {
			out.Rows[i] = append(out.Rows[i], r[at])
		}
	}
	return out
}

// Align returns the alignment of the columns: names on the left, numbers on the right.
func (t table) Align() string {
	return strings.Repeat("l", t.names) + strings.Repeat("r", len(t.Header)-t.names)
}

// latex returns each table for a paper, by file name, with some of its columns: each of those
// asked for is a name, or several with commas between them. A column that no table has is an error.
func latex(tables []table, asked []string) (Files, error) {
	files := Files{}
	known := func(c string) bool {
		return slices.ContainsFunc(tables, func(t table) bool { return slices.Contains(t.Header, c) })
	}
	var columns []string
	for _, a := range asked {
		names := []string{a}
		if !known(a) { // known ones may have a comma in their name
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
		if len(chosen.Header) == t.names { // none of them are this table's
			chosen = t
		}
		text, err := filled("table.tex.tmpl", chosen)
		if err != nil {
			return nil, err
		}
		files[t.path("tex")] = text
	}
	return files, nil
}
