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
		text, err := filled("table.tex.tmpl", struct {
			table
			Set string // in the label: several sets have tables of one name
		}{chosen, set})
		if err != nil {
			return nil, err
		}
		files[t.path("tex")] = text
	}
	return files, nil
}
