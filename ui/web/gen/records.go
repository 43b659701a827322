package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// recorded holds one back-end's medians in seconds on boards of one size, by the method
// that is fastest at later questions.
type recorded struct {
	N, Placed           int
	Backend, Method     string
	Build, First, Later float64 // Build is of the formula and the back-end
}

// lines returns what the page needs as JSON, one array per line: n, placed, back-end, and
// the seconds to build, for the first question and for a later one.
func lines(list []recorded) ([]byte, error) {
	rows := make([][]byte, len(list))
	for i, r := range list {
		var err error
		if rows[i], err = json.Marshal([]any{r.N, r.Placed, r.Backend, r.Build, r.First, r.Later}); err != nil {
			return nil, err
		}
	}
	return slices.Concat([]byte("[\n"), bytes.Join(rows, []byte(",\n")), []byte("\n]\n")), nil
}

// group identifies the runs that share a median.
type group struct {
	n, placed       int
	backend, method string
}

// shipped reads the records of the break-even study and returns the file name and text of
// what the page shows of them next to its own race: queens with a completion, diagrams in
// row-major order. Columns are found by name; other columns may come and go.
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
	column := map[string]int{}
	for i, title := range rows[0] {
		column[title] = i
	}
	needed := []string{"problem", "placement", "order", "n", "placed", "backend", "method", "outcome",
		"encode_seconds", "build_seconds", "first_query_seconds", "later_query_seconds"}
	for _, title := range needed {
		if _, known := column[title]; !known {
			return "", nil, fmt.Errorf("%s: no column %s", source, title)
		}
	}
	runs := map[group][]recorded{}
	for i, row := range rows[1:] {
		if row[column["outcome"]] != "ok" || row[column["placement"]] != "completable" ||
			row[column["problem"]] != "queens" || row[column["order"]] != "row-major" {
			continue
		}
		var bad error
		number := func(title string) float64 {
			v, err := strconv.ParseFloat(row[column[title]], 64)
			if err != nil {
				bad = fmt.Errorf("%s:%d: %s: %w", source, i+2, title, err)
			}
			return v
		}
		r := recorded{
			N: int(number("n")), Placed: int(number("placed")),
			Backend: row[column["backend"]], Method: row[column["method"]],
			Build: number("encode_seconds") + number("build_seconds"),
			First: number("first_query_seconds"), Later: number("later_query_seconds"),
		}
		if bad != nil {
			return "", nil, bad
		}
		key := group{r.N, r.Placed, r.Backend, r.Method}
		runs[key] = append(runs[key], r)
	}
	text, err = lines(fastest(runs))
	return filepath.Join(web, "page", "src", "records.json"), text, err
}

// fastest returns the medians of each back-end's fastest method, sorted.
func fastest(runs map[group][]recorded) []recorded {
	best := map[group]recorded{} // keys have no method
	for key, list := range runs {
		r := recorded{N: key.n, Placed: key.placed, Backend: key.backend, Method: key.method}
		r.Build = middle(list, func(r recorded) float64 { return r.Build })
		r.First = middle(list, func(r recorded) float64 { return r.First })
		r.Later = middle(list, func(r recorded) float64 { return r.Later })
		key.method = ""
		if old, known := best[key]; !known || r.Later < old.Later || r.Later == old.Later && r.Method < old.Method {
			best[key] = r
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b recorded) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Placed, b.Placed), cmp.Compare(a.Backend, b.Backend))
	})
}

// middle returns the median of a phase, to three significant digits.
func middle(list []recorded, of func(recorded) float64) float64 {
	values := make([]float64, len(list))
	for i, r := range list {
		values[i] = of(r)
	}
	slices.Sort(values)
	m := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(m, 'g', 3, 64), 64)
	return rounded
}
