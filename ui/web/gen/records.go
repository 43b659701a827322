package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/record"
)

// series are runs that differ in nothing but what was measured.
type series struct {
	n, placed       float64
	backend, method string
}

func (a series) compare(b series) int {
	return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.placed, b.placed), strings.Compare(a.backend, b.backend),
		strings.Compare(a.method, b.method))
}

// times are seconds: to build formula and back-end, for the first question, for a later one.
type times [3]float64

// shipped reads the records of the break-even study and returns the file name and text of what
// the page shows of them next to its own race: queens with a completion, diagrams in row-major
// order; the medians of each back-end by the method that is fastest at later questions. The
// text is JSON with one array per line: n, placed, back-end and times.
func shipped(web string) (name string, text []byte, err error) {
	set, err := record.Read(filepath.Join(web, "..", "..", "results", "reference", "break-even"), nil)
	if err != nil {
		return "", nil, err
	}
	runs := map[series][]times{}
	for _, row := range set.Rows {
		if row["outcome"] != "ok" || row["placement"] != "completable" || row["problem"] != "queens" ||
			row["order"] != "row-major" {
			continue
		}
		number := func(column string) float64 {
			v, given := row.Number(column)
			if !given {
				err = fmt.Errorf("break-even, run %s: no number in column %s", row.ID(), column)
			}
			return v
		}
		key := series{number("n"), number("placed"), row["backend"], row["method"]}
		runs[key] = append(runs[key], times{number("encode_seconds") + number("build_seconds"),
			number("first_query_seconds"), number("later_query_seconds")})
	}
	best := map[series]times{} // keys have no method
	for _, key := range slices.SortedFunc(maps.Keys(runs), series.compare) {
		median := medians(runs[key])
		key.method = ""
		if old, known := best[key]; !known || median[2] < old[2] {
			best[key] = median
		}
	}
	var lines []string
	for _, key := range slices.SortedFunc(maps.Keys(best), series.compare) {
		t := best[key]
		line, _ := json.Marshal([]any{key.n, key.placed, key.backend, t[0], t[1], t[2]}) // numbers and a text
		lines = append(lines, string(line))
	}
	text = []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n")
	return filepath.Join(web, "page", "src", "records.json"), text, err
}

// medians returns the median of each time, to three significant digits.
func medians(list []times) (m times) {
	for phase := range m {
		slices.SortFunc(list, func(a, b times) int { return cmp.Compare(a[phase], b[phase]) })
		middle := (list[(len(list)-1)/2][phase] + list[len(list)/2][phase]) / 2
		m[phase], _ = strconv.ParseFloat(strconv.FormatFloat(middle, 'g', 3, 64), 64)
	}
	return m
}
