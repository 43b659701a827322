package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// latexWidth is the width of a line of text in LaTeX's article class, latexGap the gap between two columns, and
// latexList the width of a column of long lists, which break at their commas; all in points.
const (
	latexWidth = 345
	latexGap   = 8
	latexList  = 150
)

// latexPiece is a table, or some columns of one, ready for LaTeX.
type latexPiece struct {
	Title, Name, Align string
	Header             []string
	Rows               [][]string
	Notes              []string
	lists              []int // columns of long lists
}

// width estimates the width of the piece in print, in points.
func (p latexPiece) width() float64 {
	width := 0.0
	for at := range p.Header {
		width += p.column(at) + latexGap
	}
	return width - latexGap
}

func (p latexPiece) column(at int) float64 {
	if slices.Contains(p.lists, at) {
		return latexList
	}
	widest := latexLength(p.Header[at])
	for _, r := range p.Rows {
		widest = max(widest, latexLength(r[at]))
	}
	return widest
}

// latexLength estimates the width of a text at nine points, in points: Computer Modern's digits are 4.6 wide.
func latexLength(text string) float64 {
	length := 0.0
	for _, c := range text {
		switch {
		case strings.ContainsRune(".,:;'|ilj!", c):
			length += 2.6
		case strings.ContainsRune(" ()[]tfrIs-", c):
			length += 3.6
		case strings.ContainsRune("×~<>=±mwMW", c):
			length += 7.6
		case unicode.IsUpper(c):
			length += 6.8
		default:
			length += 4.9
		}
	}
	return length
}

// piece returns the table for LaTeX, with text giving the text of each cell.
func (t table) piece(text func(cell) string) latexPiece {
	p := latexPiece{Title: t.Title, Name: t.Name, Header: t.Header, Rows: t.texts(text), Notes: t.Notes}
	for at := range t.Header {
		switch commas := func(row []string) bool { return strings.Contains(row[at], ",") }; {
		case at >= t.names:
			p.Align += "r"
		case p.column(at) > latexList && slices.ContainsFunc(p.Rows, commas):
			for _, row := range p.Rows {
				row[at] = strings.ReplaceAll(row[at], ",", ", ")
			}
			p.lists, p.Align = append(p.lists, at), p.Align+fmt.Sprintf("p{%dpt}", latexList)
		default:
			p.Align += "l"
		}
	}
	return p
}

// pieces divides the table into pieces that fit a line. It keeps the table whole if it fits, if need be
// without the intervals of ratios. Otherwise it spreads the columns over several tables, each with the
// columns that identify a line. A column that does not fit on its own shows numbers only.
func (t table) pieces() (list []latexPiece) {
	for _, text := range []func(cell) string{cell.Text, cell.Narrow} {
		if p := t.piece(text); p.width() <= latexWidth {
			return []latexPiece{p}
		}
	}
	whole := t.piece(cell.Narrow)
	names := 0.0
	keys := every(t.names)
	for _, at := range keys {
		names += whole.column(at) + latexGap
	}
	group, used := slices.Clone(keys), names
	add := func() {
		if len(group) > t.names {
			p := t.at(group).piece(cell.Narrow)
			if p.width() > latexWidth {
				p = t.at(group).piece(cell.brief)
			}
			list = append(list, p)
		}
		group, used = slices.Clone(keys), names
	}
	for at := t.names; at < len(t.Header); at++ {
		width := whole.column(at) + latexGap
		if used+width-latexGap > latexWidth {
			add()
		}
		group, used = append(group, at), used+width
	}
	add()
	for i := range list {
		if len(list) > 1 {
			list[i].Title += fmt.Sprintf(" (%d of %d)", i+1, len(list))
		}
		if i > 0 {
			list[i].Name += fmt.Sprintf("-%d", i+1)
		}
	}
	return list
}

// latex returns each table for a paper, by file name, with the columns asked for. Each element of asked is a
// column's name, or several names separated by commas. A column that no table has is an error.
func latex(tables []table, asked []string) (Files, error) {
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
		text, err := filled("table.tex.tmpl", chosen.pieces())
		if err != nil {
			return nil, err
		}
		files[t.path("tex")] = text
	}
	return files, nil
}
