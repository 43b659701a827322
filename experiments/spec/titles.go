package spec

import (
	"fmt"
	"strings"
)

// ReportFiles are the files of a report, each with the part of it that it holds.
type ReportFiles map[string]string

// NewReportFiles returns the files that every report has.
func NewReportFiles() ReportFiles {
	return ReportFiles{"report.md": "the report", "index.html": "the report", "values.tex": "the report"}
}

// Claim takes files for a table or a plot, a name made of its title with each of the
// extensions. A name that another part has is an error, and so is a title that gives
// none.
func (f ReportFiles) Claim(part, title string, extensions ...string) error {
	part = fmt.Sprintf("%s %q", part, title)
	name := FileName(title)
	if name == "" {
		return fmt.Errorf("%s: the title has no letter or digit of ASCII for a file's name: give it another", part)
	}
	for _, extension := range extensions {
		if other, taken := f[name+extension]; taken {
			return fmt.Errorf("%s would be the file %s, which %s is: give it another title", part, name+extension, other)
		}
		f[name+extension] = part
	}
	return nil
}

// ClaimTable takes a table's files.
func (f ReportFiles) ClaimTable(title string) error { return f.Claim("table", title, ".csv", ".tex") }

// ClaimPlot takes a plot's files.
func (f ReportFiles) ClaimPlot(title string) error { return f.Claim("plot", title, ".svg", ".pdf") }

// clashes lists the titles that cannot be files beside those before them.
func (p Presentation) clashes() Mistakes {
	files := NewReportFiles()
	var mistakes Mistakes
	claim := func(path string, err error) {
		if err != nil {
			mistakes = append(mistakes, Mistake{Path: path, Text: err.Error()})
		}
	}
	for i, t := range p.Tables {
		for _, title := range t.Titles() {
			claim(fmt.Sprintf("report.tables[%d].title", i), files.ClaimTable(title))
		}
	}
	for i, plot := range p.Plots {
		path := fmt.Sprintf("report.plots[%d].title", i)
		if plot.Kind == BreakEven || plot.Kind == Ratio { // it comes with a table
			claim(path, files.ClaimTable(plot.Title))
		}
		claim(path, files.ClaimPlot(plot.Title))
	}
	return mistakes
}

// Titles are the titles of the tables that t asks for, one a value.
func (t Table) Titles() []string {
	if len(t.Values) == 1 && t.Title != "" {
		return []string{t.Title}
	}
	titles := make([]string, len(t.Values))
	for i, value := range t.Values {
		titles[i] = strings.TrimPrefix(t.Title+": "+Label(value), ": ")
	}
	return titles
}

// Label is a column's name for people; a time's unit is in its values.
func Label(column string) string {
	return strings.ReplaceAll(strings.TrimSuffix(column, "_seconds"), "_", " ")
}

// FileName makes a title into a file's name: lower-case letters and digits of
// ASCII, with a hyphen for whatever is between.
func FileName(title string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(title) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
