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

// clashes reports titles that give no file name, or the file name of an earlier title.
func (p Presentation) clashes() (mistakes Mistakes) {
	files := map[string]string{} // what is in each file of a table or a plot
	claim := func(list string, i int, part, title string, extensions ...string) {
		wrong := func(format string, args ...any) {
			mistakes = append(mistakes, Mistake{path: []string{"report", list, strconv.Itoa(i), "title"},
				Text: fmt.Sprintf("%s %q"+format+": choose another title", append([]any{part, title}, args...)...)})
		}
		name := FileName(title)
		if name == "" {
			wrong(": the title has no ASCII letter or digit for a file name")
			return
		}
		for _, extension := range extensions {
			if other, taken := files[name+extension]; taken {
				wrong(" would be the file %s, like %s", name+extension, other)
				return
			}
			files[name+extension] = fmt.Sprintf("%s %q", part, title)
		}
	}
	for i, t := range p.Tables {
		for _, title := range t.Titles() {
			claim("tables", i, "table", title, ".csv", ".tex")
		}
	}
	for i, plot := range p.Plots {
		for _, title := range plot.Titles() {
			claim("plots", i, "table", title, ".csv", ".tex")
		}
		claim("plots", i, "plot", plot.Title, ".svg", ".pdf")
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
