package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Conclusion is a claim, with what tables of record sets must show for it to hold.
type Conclusion struct {
	Claim string
	Shown []Criterion
}

// Criterion is a condition on one table: on the numbers of the chosen cells, on their ratios to the first
// column, or on how many lines meet the conditions. All chosen cells must meet it.
type Criterion struct {
	Set, Table          string
	Where, Columns      []string // as in a document: "n = 8, 12"
	Value, Ratio, Lines *Bounds  // one of these
}

// Bounds is a range of numbers, written as "< 1", "> 2", "= 4" or "0.5 to 2".
type Bounds struct {
	text   string
	lo, hi float64 // both are met
	line   int     // of the file
}

// UnmarshalYAML reads bounds. The error names the line.
func (b *Bounds) UnmarshalYAML(n *yaml.Node) error {
	*b = Bounds{text: n.Value, lo: math.Inf(-1), hi: math.Inf(1), line: n.Line}
	words := strings.Fields(n.Value)
	var err, other error
	switch {
	case len(words) == 2 && words[0] == "<":
		b.hi, err = strconv.ParseFloat(words[1], 64)
		b.hi = math.Nextafter(b.hi, math.Inf(-1))
	case len(words) == 2 && words[0] == ">":
		b.lo, err = strconv.ParseFloat(words[1], 64)
		b.lo = math.Nextafter(b.lo, math.Inf(1))
	case len(words) == 2 && words[0] == "=":
		b.lo, err = strconv.ParseFloat(words[1], 64)
		b.hi = b.lo
	case len(words) == 3 && words[1] == "to":
		b.lo, err = strconv.ParseFloat(words[0], 64)
		b.hi, other = strconv.ParseFloat(words[2], 64)
	default:
		err = strconv.ErrSyntax
	}
	if err != nil || other != nil || math.IsNaN(b.lo+b.hi) && !math.IsInf(b.lo, 0) || b.lo > b.hi {
		return fmt.Errorf(`line %d: %q: expected "< 1", "> 2", "= 4" or "0.5 to 2"`, n.Line, n.Value)
	}
	return nil
}

// Verdict says what records show about a conclusion.
type Verdict int

// The verdicts, the worse ones after the better ones.
const (
	Holds Verdict = iota
	Undecided
	Fails
)

func (v Verdict) String() string { return [...]string{"holds", "not decided", "does not hold"}[v] }

// yamlLine is the line in an error of the YAML package.
var yamlLine = regexp.MustCompile(`(?s)^.*?line (\d+): (.*)$`)

// ReadConclusions reads a YAML file with a list named conclusions. Errors name the file and the line.
func ReadConclusions(name string) ([]Conclusion, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading conclusions: %w", err)
	}
	var file struct{ Conclusions []Conclusion }
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		text := yamlLine.ReplaceAllString(err.Error(), "${1}: ${2}")
		return nil, fmt.Errorf("%s:%s", name, strings.ReplaceAll(text, " in type report.", " in a "))
	}
	if len(file.Conclusions) == 0 {
		return nil, fmt.Errorf("%s: expected a list named conclusions", name)
	}
	for i, c := range file.Conclusions {
		if c.Claim == "" || len(c.Shown) == 0 {
			return nil, fmt.Errorf("%s: conclusion %d: expected claim and shown", name, i+1)
		}
		for _, s := range c.Shown {
			b := s.bounds()
			if b == nil || (s.Lines == nil) == (len(s.Columns) == 0) {
				return nil, fmt.Errorf("%s: conclusion %d (%s): expected columns with value or ratio, or lines", name, i+1, c.Claim)
			}
		}
	}
	return file.Conclusions, nil
}

// Judge writes a table with a verdict on each conclusion of a file, and returns the worst of them. A
// conclusion holds if at each of its cells the whole interval is within the bounds, and does not hold
// if the whole interval of one is outside. The table fits width columns, 0 for any width.
func (d *Documents) Judge(w io.Writer, file string, list []Conclusion, width int) (worst Verdict, err error) {
	var rows [][]string
	for _, c := range list {
		verdict := Holds
		var seen [][]string
		for _, s := range c.Shown {
			v, text, err := d.judge(s)
			if err != nil {
				return Fails, fmt.Errorf("%s:%d: %w", file, s.bounds().line, err)
			}
			verdict = max(verdict, v)
			seen = append(seen, []string{"", "", text, s.bounds().text})
		}
		seen[0][0], seen[0][1] = wrapped(c.Claim, 40), verdict.String()
		rows = append(rows, seen...)
		worst = max(worst, verdict)
	}
	writeGrid(w, width, 1, []string{"conclusion", "verdict", "seen", "wanted"}, rows)
	return worst, nil
}

// bounds returns the only bounds; nil if there are none or several.
func (s Criterion) bounds() (only *Bounds) {
	for _, b := range []*Bounds{s.Value, s.Ratio, s.Lines} {
		if b != nil && only != nil {
			return nil
		}
		only = cmp.Or(only, b)
	}
	return only
}

// judge returns the verdict on a criterion, and what was seen: the smallest and the largest number,
// and how far their intervals reach.
func (d *Documents) judge(s Criterion) (verdict Verdict, seen string, err error) {
	q, err := d.table(s.Set, s.Table)
	if err != nil {
		return Fails, "", err
	}
	for _, name := range s.Columns { // of a back-end that is missing here, perhaps
		if !slices.Contains(q.table.Header, name) {
			return Undecided, "no column " + name, nil
		}
	}
	list, err := q.estimates(slices.Concat(s.Where, s.Columns), s.Ratio != nil)
	if none := (noLine{}); s.Lines != nil && (err == nil || errors.As(err, &none)) {
		rows, _, _ := q.lines(s.Where)
		count := float64(len(rows))
		list, err = []estimate{{count, count, count}}, nil
	}
	if err != nil {
		return Fails, "", err
	}
	all := estimate{math.Inf(1), math.Inf(1), math.Inf(-1)}
	most, lost := math.Inf(-1), 0
	for _, e := range list {
		v := Undecided
		switch b := s.bounds(); {
		case math.IsNaN(e.lo):
			lost++
		case e.lo >= b.lo && e.hi <= b.hi:
			v = Holds
		case e.lo > b.hi || e.hi < b.lo:
			v = Fails
		}
		verdict = max(verdict, v)
		if !math.IsNaN(e.center) {
			all.center, most = min(all.center, e.center), max(most, e.center)
		}
		if !math.IsNaN(e.lo) {
			all.lo, all.hi = min(all.lo, e.lo), max(all.hi, e.hi)
		}
	}
	if most >= all.center {
		seen = times(all.center)
		if most > all.center {
			seen += " to " + times(most)
		}
	}
	if all.lo < all.center || all.hi > most {
		seen = spaced(seen, fmt.Sprintf("(%s)", all.interval(times)))
	}
	if lost > 0 {
		seen = spaced(seen, fmt.Sprintf("[%d of %d without an interval]", lost, len(list)))
	}
	return verdict, seen, nil
}

// estimates returns the numbers of the chosen cells, or their ratios to the first column. An exact
// number is an interval of its own; one whose runs are too few, or of which only a bound is known, has
// NaN for what is not known, and so has a cell without a number.
func (q Quoted) estimates(asked []string, ratio bool) (list []estimate, err error) {
	rows, columns, err := q.lines(asked)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		for at, c := range r {
			if at < q.table.names || !slices.Contains(columns, q.table.Header[at]) {
				continue
			}
			e := *exactly(math.NaN())
			switch {
			case ratio && c.times != nil:
				e = c.times.estimate
				if c.times.exact {
					e.lo, e.hi = e.center, e.center
				}
				if c.times.above {
					e.lo, e.hi = e.center, math.Inf(1)
				}
			case !ratio && c.number != nil:
				if e = *c.number; math.IsNaN(e.lo) && unit(c.measure) == "" {
					e.lo, e.hi = e.center, e.center
				}
			}
			list = append(list, e)
		}
	}
	return list, nil
}
