package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/record"
)

// series identifies runs that differ only in the method and in what was measured.
type series struct {
	n, placed float64
	backend   string
}

func (a series) compare(b series) int {
	return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.placed, b.placed), strings.Compare(a.backend, b.backend))
}

// times are in seconds: to build formula and back-end, for the first question, and for a later one.
type times [3]float64

// shipped reads the records of the break-even study, and returns those that the page shows next to its
// own race: queens with a completion, diagrams in row-major order, ZDDs rather than BDDs. For each back-end it takes the medians
// of the method that is fastest at later questions. The result is JSON with one array per line: n,
// placed, back-end and times.
func shipped() ([]byte, error) {
	set, err := record.Read("../../results/reference/break-even", nil)
	if err != nil {
		return nil, err
	}
	runs := map[series]map[string][]times{} // by method
	var all []series
	for _, row := range set.Rows {
		if row.Cell("outcome") != "ok" || row.Cell("placement") != "completable" || row.Cell("problem") != "queens" ||
			row.Cell("order") != "row-major" || row.Cell("backend") == "bdd" && row.Cell("method") == "sweep" {
			continue
		}
		number := func(column string) float64 {
			v, given := row.Number(column)
			if !given {
				err = fmt.Errorf("break-even, run %s: no number in column %s", row.ID(), column)
			}
			return v
		}
		key := series{number("n"), number("placed"), row.Cell("backend")}
		if runs[key] == nil {
			runs[key] = map[string][]times{}
			all = append(all, key)
		}
		runs[key][row.Cell("method")] = append(runs[key][row.Cell("method")], times{number("encode_seconds") + number("build_seconds"),
			number("first_query_seconds"), number("later_query_seconds")})
	}
	slices.SortFunc(all, series.compare)
	var lines []string
	for _, key := range all {
		var best *times
		for _, list := range runs[key] {
			if m := medians(list); best == nil || m[2] < best[2] {
				best = &m
			}
		}
		line, _ := json.Marshal([]any{key.n, key.placed, key.backend, best[0], best[1], best[2]}) // numbers and a text
		lines = append(lines, string(line))
	}
	return []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n"), err
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
