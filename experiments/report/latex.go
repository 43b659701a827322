package report

import (
	"fmt"
	"strings"
	"unicode"

	"queens/experiments/record"
)

var latexEscapes = []string{
	`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
	`~`, `$\sim$`, `^`, `\textasciicircum{}`, `±`, `$\pm$`, `×`, `$\times$`, `µ`, `$\mu$`, `>`, `$>$`, `<`, `$<$`,
}

func latexText(s string) string { return strings.NewReplacer(latexEscapes...).Replace(s) }

// macros defines a command for every median, so that a paper can quote it and never drift from
// the records: \orderingNodesEightRowMajor.
func (d *data) macros(tables []table) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%% values of the record set %s\n", d.set.Spec.Name)
	used := map[string]bool{}
	define := func(name, value string) {
		for used[name] {
			name += "X" // two values with the same name
		}
		used[name] = true
		fmt.Fprintf(&b, "\\newcommand{\\%s}{%s}\n", name, latexText(value))
	}
	prefix := macroWord(d.set.Spec.Name)
	prefix = strings.ToLower(prefix[:1]) + prefix[1:]
	define(prefix+"Records", fmt.Sprint(len(d.set.Rows)))
	tally := record.Tally(d.set.Rows)
	for _, o := range record.Outcomes() {
		define(prefix+"Outcome"+macroWord(string(o)), fmt.Sprint(tally[o]))
	}
	for _, t := range tables {
		for _, r := range t.Rows {
			key := ""
			for i, c := range r {
				if c.sum == nil {
					key += macroWord(c.Text)
					continue
				}
				median, _, _ := strings.Cut(c.Text, " ±")
				median, _, _ = strings.Cut(median, " (")
				define(prefix+macroWord(t.Title)+key+macroWord(t.Header[i]), median)
			}
		}
	}
	return []byte(b.String())
}

// macroWord spells a text with letters only, as TeX requires of names: row-major 8 is
// RowMajorEight.
func macroWord(s string) string {
	digits := []string{"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"}
	var b strings.Builder
	upper := true
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			b.WriteString(digits[c-'0'])
			upper = true
		case c <= unicode.MaxASCII && unicode.IsLetter(c):
			if upper {
				c = unicode.ToUpper(c)
			}
			b.WriteRune(c)
			upper = false
		default:
			upper = true
		}
	}
	if b.Len() == 0 {
		return "Value"
	}
	return b.String()
}
