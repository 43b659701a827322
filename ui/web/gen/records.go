package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// group identifies the runs that share medians.
type group struct {
	n, placed       int
	backend, method string
}

// times are seconds: to build formula and back-end, for the first question, for a later one.
type times [3]float64

// shipped reads the records of the break-even study and returns the file name and text of what
// the page shows of them next to its own race: queens with a completion, diagrams in row-major
// order; the medians of each back-end by the method that is fastest at later questions. The
// text is JSON with one array per line: n, placed, back-end and times.
func shipped(web string) (name string, text []byte, err error) {
	source := filepath.Join(web, "..", "..", "results", "reference", "break-even", "records.csv")
	file, err := os.Open(source)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 2 {
		return "", nil, fmt.Errorf("%s: %d rows: %w", source, len(rows), err)
	}
	runs := map[group][]times{}
	for i, row := range rows[1:] {
		var bad error
		text := func(title string) string { // columns are found by name: others may come and go
			at := slices.Index(rows[0], title)
			if at < 0 {
				bad = fmt.Errorf("%s: no column %s", source, title)
				return ""
			}
			return row[at]
		}
		number := func(title string) float64 {
			v, err := strconv.ParseFloat(text(title), 64)
			if err != nil {
				bad = cmp.Or(bad, fmt.Errorf("%s:%d: %s: %w", source, i+2, title, err))
			}
			return v
		}
		if text("outcome") == "ok" && text("placement") == "completable" && text("problem") == "queens" &&
			text("order") == "row-major" {
			key := group{int(number("n")), int(number("placed")), text("backend"), text("method")}
			runs[key] = append(runs[key], times{number("encode_seconds") + number("build_seconds"),
				number("first_query_seconds"), number("later_query_seconds")})
		}
		if bad != nil {
			return "", nil, bad
		}
	}
	best := map[group]times{} // keys have no method
	for _, key := range slices.SortedFunc(maps.Keys(runs), compared) {
		median := medians(runs[key])
		key.method = ""
		if old, known := best[key]; !known || median[2] < old[2] {
			best[key] = median
		}
	}
	var lines []string
	for _, key := range slices.SortedFunc(maps.Keys(best), compared) {
		t := best[key]
		line, err := json.Marshal([]any{key.n, key.placed, key.backend, t[0], t[1], t[2]})
		if err != nil {
			return "", nil, err
		}
		lines = append(lines, string(line))
	}
	text = []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n")
	return filepath.Join(web, "page", "src", "records.json"), text, nil
}

func compared(a, b group) int {
	return cmp.Or(a.n-b.n, a.placed-b.placed, strings.Compare(a.backend, b.backend), strings.Compare(a.method, b.method))
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
