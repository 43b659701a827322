package report

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/experiments/record"
)

// legend returns the name of a record's series for readers: with the configuration's labels, and with the
// name of its parameter before each number.
func (d *data) legend(r record.Row, columns []string) string {
	effective, _ := d.effective(r, columns)
	words, named := make([]string, len(effective)), false
	for i, c := range effective {
		words[i] = seriesOf(r, effective[i:i+1])
		if _, err := strconv.ParseFloat(r.Cell(c), 64); err == nil {
			words[i], named = c+" = "+words[i], true
		}
	}
	if named {
		return strings.Join(words, ", ")
	}
	return d.labelled(seriesOf(r, columns))
}

// effective returns those of the columns that have an effect on the record's run, and how its task names it by
// them.
func (d *data) effective(r record.Row, columns []string) (effective []string, words string) {
	effective, words = columns, seriesOf(r, columns)
	if d.set.Kind == nil {
		return effective, words
	}
	task, err := d.set.Kind.Task(d.set.Parameters(r), d.set.Spec.Programs())
	if worded, ok := task.Value.(experiments.Worded); ok && err == nil {
		effective = worded.Effective(columns)
		words = strings.Join(worded.Words(effective, func(c string) string { return seriesOf(r, []string{c}) }), " ")
	}
	return effective, words
}

// shortened returns the short names of the series that the report's tables and plots show, by their full
// names. Two series never share one.
func (d *data) shortened() map[string]shortName {
	if d.short != nil {
		return d.short
	}
	d.short = map[string]shortName{}
	if d.set.Kind == nil {
		return d.short
	}
	p := d.presentation()
	var shown [][]string
	for _, t := range p.Tables {
		shown = append(shown, t.Columns)
	}
	for _, plot := range p.Plots {
		shown = append(shown, plot.Series)
	}
	taken := map[shortName]string{}
	for i, columns := range shown {
		same := func(other []string) bool { return slices.Equal(other, columns) }
		if len(columns) < 2 || slices.ContainsFunc(shown[:i], same) {
			continue // a single column names its own values
		}
		for _, p := range d.group(d.set.Rows, columns) {
			effective, words := d.effective(p.records[0], columns)
			name := seriesOf(p.records[0], columns)
			made := shortName{seriesOf(p.records[0], effective), words}
			if other, is := taken[made]; is && other != name {
				delete(d.short, other)
				continue
			}
			d.short[name], taken[made] = made, name
		}
	}
	return d.short
}

// labelled replaces the name of a series by the configuration's label for it, or else its values by their
// labels; without any, the task's words name it.
func (d *data) labelled(name string) string {
	labels, short := d.set.Spec.Report.Labels, d.shortened()[name]
	if label := cmp.Or(labels[name], labels[short.values]); label != "" {
		return label
	}
	words, found := strings.Split(cmp.Or(short.values, name), " "), false
	for i, w := range words {
		if label := labels[w]; label != "" {
			words[i], found = label, true
		}
	}
	if found {
		return strings.Join(words, ", ")
	}
	return d.files.Replace(cmp.Or(short.words, name))
}

// fileNames replaces the values that name files by the files' names, with as many folders as tell them apart.
func fileNames(values []string) *strings.Replacer {
	paths, named := map[string][]string{}, map[string]int{}     // by value; the number of files that share an end of a path
	file := regexp.MustCompile(`^[a-z]+:([^#]+)#[0-9a-f]{16}$`) // as in cnf:models/shop.cnf, and the hash of its content
	end := func(value string, folders int) string {
		parts := paths[value]
		return strings.Join(parts[max(0, len(parts)-1-folders):], "/")
	}
	for _, v := range values {
		if m := file.FindStringSubmatch(v); m != nil && paths[v] == nil {
			paths[v] = strings.Split(m[1], "/")
			for folders := range paths[v] {
				named[end(v, folders)]++
			}
		}
	}
	var pairs []string
	for _, v := range slices.Sorted(maps.Keys(paths)) {
		folders := 0
		for folders < len(paths[v])-1 && named[end(v, folders)] > 1 {
			folders++
		}
		pairs = append(pairs, v, end(v, folders))
	}
	return strings.NewReplacer(pairs...)
}
