package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"queens/internal/param"
)

// reportFiles maps each file of a table or a plot to what is in it.
type reportFiles map[string]string

// claim reserves the files of a table or a plot: its title with each of the extensions. It is an error if
// another part has one of these names, or if the title gives no name.
func (f reportFiles) claim(part, title string, extensions ...string) error {
	part = fmt.Sprintf("%s %q", part, title)
	name := FileName(title)
	if name == "" {
		return fmt.Errorf("%s: the title has no ASCII letter or digit for a file name: choose another title", part)
	}
	for _, extension := range extensions {
		if other, taken := f[name+extension]; taken {
			return fmt.Errorf("%s would be the file %s, like %s: choose another title", part, name+extension, other)
		}
		f[name+extension] = part
	}
	return nil
}

// claimTable reserves a table's files.
func (f reportFiles) claimTable(title string) error { return f.claim("table", title, ".csv", ".tex") }

// claimPlot reserves a plot's files.
func (f reportFiles) claimPlot(title string) error { return f.claim("plot", title, ".svg", ".pdf") }

// clashes reports titles whose file names equal those of earlier titles.
func (p Presentation) clashes() Mistakes {
	files := reportFiles{}
	var mistakes Mistakes
	claim := func(part string, i int, err error) {
		if err != nil {
			mistakes = append(mistakes, Mistake{path: []string{"report", part, strconv.Itoa(i), "title"}, Text: err.Error()})
		}
	}
	for i, t := range p.Tables {
		for _, title := range t.Titles() {
			claim("tables", i, files.claimTable(title))
		}
	}
	for i, plot := range p.Plots {
		for _, title := range plot.Titles() {
			claim("plots", i, files.claimTable(title))
		}
		claim("plots", i, files.claimPlot(plot.Title))
	}
	return mistakes
}

// Titles returns the titles of the tables that t asks for, one per value.
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

// badAnswer reports the mistakes in the answer that show without records: in its syntax, and titles that no
// table of the report has. Without records, the titles of automatic tables are unknown.
func (s Spec) badAnswer() (mistakes Mistakes) {
	wrong := func(text string) { mistakes = append(mistakes, Mistake{path: []string{"answer"}, Text: text}) }
	_, err := ParseSentence("answer", s.Answer, template.FuncMap{"table": func(string) any { return nil }})
	if err != nil {
		wrong("not a template: " + strings.TrimPrefix(err.Error(), "answer:1: "))
	}
	if err != nil || s.Report.Tables == nil {
		return mistakes
	}
	var titles []string
	for _, t := range s.Report.Tables {
		titles = append(titles, t.Titles()...)
	}
	for _, p := range s.Report.Plots {
		titles = append(titles, p.Titles()...)
	}
	for _, title := range quotedTables(s.Answer) {
		if !slices.Contains(titles, title) {
			wrong(fmt.Sprintf("no table %q%s", title,
				cmp.Or(param.DidYouMean(title, titles), ": expected one of "+strings.Join(titles, "; "))))
		}
	}
	return mistakes
}

// quotedTables returns the titles in a template's calls of table.
func quotedTables(text string) (titles []string) {
	for _, action := range actions().FindAllString(text, -1) {
		for _, call := range tableCalls().FindAllStringSubmatch(action, -1) {
			titles = append(titles, call[1])
		}
	}
	return titles
}

var actions, tableCalls = lazily(`(?s)\{\{.*?\}\}`), lazily(`\btable "([^"]*)"`)

// Label returns a column's name in words, without a time's unit, which is shown with its
// values.
func Label(column string) string {
	return strings.ReplaceAll(strings.TrimSuffix(column, "_seconds"), "_", " ")
}

// FileName turns a title into a file name: lower-case ASCII letters and digits, with a hyphen
// for anything between them.
func FileName(title string) string {
	return strings.Trim(between().ReplaceAllString(strings.ToLower(title), "-"), "-")
}

var between = lazily(`[^a-z0-9]+`)
