package report

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/tasks"
)

// The shipped documents follow from their templates and the shipped records.
func TestDocumentsAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all shipped records")
	}
	t.Chdir("../..") // where configurations name files
	documents := NewDocuments("results/reference", func(dir string) (record.Set, error) {
		return record.Read(dir, tasks.Kinds())
	})
	mentions := mentioned(documents)
	sources, err := filepath.Glob("docs/src/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, name := range sources {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		filled, err := documents.Fill(name, source)
		require.NoError(t, err)
		target := filepath.Join("docs/results", filepath.Base(name))
		if filepath.Base(name) == "README.md" {
			target = "README.md"
		}
		data, err := os.ReadFile(target)
		require.NoError(t, err)
		was := strings.Split(string(data), "\n")
		for i, line := range strings.Split(string(filled), "\n") {
			if i >= len(was) || was[i] != line {
				assert.Fail(t, "a number is not that of the records", "%s:%d: expected %q: make generate fills it in", target, i+1, line)
				break
			}
		}
		assert.Equal(t, len(filled), len(data), target)
	}
	incoherent, _ := mentions.incoherent()
	for _, point := range incoherent {
		assert.True(t, excused(point), "two sets differ on one point: quote one of them, or say why in excuses: %s", point)
	}
	for document, processors := range mentions.processors {
		for name := range processors {
			filled, err := os.ReadFile(filepath.Join("docs/src", document))
			require.NoError(t, err)
			assert.True(t, len(processors) == 1 || strings.Contains(string(filled), name) || excused(document+": "+name),
				"%s quotes times of %q, and must name each", document, processors)
		}
	}
}

// excuses lists what documents may quote from sets that differ, by how TestDocumentsAreCurrent names it, and why; none today.
var excuses = map[string]string{}

func excused(what string) bool {
	for begins, why := range excuses {
		if strings.HasPrefix(what, begins) && why != "" {
			return true
		}
	}
	return false
}

// One point that a document quotes from two sets is compared, whatever its questions and seeds; so are their
// processors.
func TestPointsOfTwoSets(t *testing.T) {
	for factor, wrong := range map[float64]int{1.2: 0, 1.5: 1} {
		documents := NewDocuments("", func(dir string) (record.Set, error) {
			set := fixture()
			set.Spec.Report.Tables = []config.Table{
				{Title: "times", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}},
			}
			set.Environments = []record.Environment{{CPU: dir}}
			for _, r := range set.Rows {
				if v, ok := r.Number("build_seconds"); ok && dir == "slow" {
					r.Set("build_seconds", fmt.Sprint(factor*v))
				}
			}
			return set, nil
		})
		mentions := mentioned(documents)
		for _, text := range []string{`{{(table "quick" "times").Value "n = 4" "old"}}`, `{{(table "slow" "times").Show "n = 4"}}`} {
			_, err := documents.Fill("x.md", []byte(text))
			require.NoError(t, err)
		}
		incoherent, compared := mentions.incoherent()
		assert.Equal(t, 1, compared)
		require.Len(t, incoherent, wrong, "%g", factor)
		if wrong > 0 {
			assert.Regexp(t, `^toy; build_seconds; n = 4; engine = old: .* in quick \(x.md\), .* in slow \(x.md\)$`, incoherent[0])
		}
		assert.Equal(t, map[string]bool{"quick": true, "slow": true}, mentions.processors["x.md"])
	}
}

// document fills in a template that quotes the table times, as $t, and the break-even table, as
// $even, of a small record set.
func document(template string) (string, error) {
	set := fixture()
	set.Spec.Report.Tables = []config.Table{
		{Title: "times", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}},
	}
	set.Spec.Report.Plots = []config.Plot{
		{Title: "even", Kind: "break-even", X: "n", Series: []string{"engine"}},
	}
	filled, err := NewDocuments("records", func(dir string) (record.Set, error) {
		if filepath.Base(dir) == "toys" {
			return set, nil
		}
		return record.Set{}, errors.New("no such set")
	}).Fill("paper.md", []byte(`{{- $t := table "toys" "times" -}}
{{- $even := table "toys" "even" -}}
`+template))
	return string(filled), err
}

func TestDocumentsQuoteRecords(t *testing.T) {
	for asked, want := range map[string]string{
		`$t.Value "n = 4" "old"`:                     "40.0 ms",
		`$t.Ratio "n = 4" "new"`:                     "0.1",
		`$t.Cell "n = 5" "old"`:                      "50.0 ms (49.8 to 50.1)",
		`$t.Estimate "n = 5" "new"`:                  "5.00 ms (4.98 to 5.01)",
		`$t.Estimates "n = 5" "new"`:                 "| n | new |\n| ---:| ---:|\n| 5 | 5.00 ms (4.98 to 5.01) |",
		`$t.Value "old"`:                             "40.0 ms to 50.0 ms",
		`$t.Ratio "*"`:                               "0.1",
		`$t.Value "n = 4, 5" "*"`:                    "4.00 ms to 50.0 ms",
		`$t.Value "n = 5" "new" "old"`:               "5.00 ms to 50.0 ms",
		`$even.Cell "n = 4" "against new"`:           "46 (46 to 47)",
		`quoted "knuth2009" "2,453"`:                 "2,453",
		`$t.Show "n = 5" "new"`:                      "| n | new |\n| ---:| ---:|\n| 5 | 5.00 ms (4.98 to 5.01) (×0.1) |",
		`(table "toys" "times").Value "n = 4" "old"`: "40.0 ms",
		`$t.Best "new"`:                              "2 of 2",
		`$t.Best "old"`:                              "0 of 2",
		`$t.Finished "n = 4" "old"`:                  "1 of 1",
		`$t.AtMost "0.004" "new"`:                    "1 of 2",
		`$t.Worst "old"`:                             "10",
		`$t.Overall "new"`:                           "~0.1 (0.1 to 0.1; 2 points)",
		`$t.Overall "n = 4" "new"`:                   "~0.1 (1 point)",
		`$t.Numbers "n = 5" "new"`:                   "| n | new |\n| ---:| ---:|\n| 5 | 5.00 ms |",
		`$t.Value "n = largest" "old"`:               "50.0 ms",
	} {
		filled, err := document("It takes {{" + asked + "}} here.")
		require.NoError(t, err, asked)
		assert.Equal(t, "It takes "+want+" here.", filled, asked)
	}
}

// What cannot be quoted is an error that names the line and column of the template.
func TestDocumentsNameTheTroubledLine(t *testing.T) {
	for asked, want := range map[string]string{
		`(table "other" "times").Value "old"`: "no such set",
		`(table "toys" "sizes").Value "old"`:  `no table "sizes" in toys: expected one of times; even`,
		`$t.Value "m = 4" "old"`:              `"times" has no column "m": expected one of n; old; new`,
		`$t.Value "n = 7" "old"`:              `no line of "times" meets the conditions n = 7, old`,
		`$t.Value "n = 4" "older"`:            `"times" has no column "older"`,
		`$t.Value "n"  "n = 4" "engine"`:      `"times" has no column "engine"`,
		`$t.Ratio "n = 4" "old"`:              `"times" has no ratio in column old at n = 4, old`,
		`$t.Best "n = 4" "old" "new"`:         `"times": expected one column, not 2`,
		`$t.Overall "old"`:                    `"times" has no ratio in column old at old`,
		`$t.Overall "old" "new"`:              `"times": expected one column, not 2`,
		`$t.Mean "n = 4" "old"`:               "can't evaluate field Mean",
		`$t.Value "n = 4" "old`:               "unterminated quoted string",
	} {
		_, err := document("One line,\nand {{" + asked + "}}.")
		assert.ErrorContains(t, err, want, asked)
		assert.Regexp(t, `^paper\.md:4\b`, err.Error(), asked)
	}
	_, err := rangeOf([]quoted{{"yes", math.NaN()}, {"no", math.NaN()}})
	assert.ErrorContains(t, err, "2 cells are chosen, and their sizes cannot be compared: choose one")
}

// Wall-clock times of a busy machine can be quoted, but not unnoticed.
func TestDocumentsDoubtBusyMachines(t *testing.T) {
	for load, want := range map[string][]string{"0.5": nil, "7": {`"times" of toys`}} {
		set := fixture()
		set.Environments[0].Load = load
		set.Spec.Report.Tables = []config.Table{
			{Title: "times", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}},
			{Title: "sizes", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"size"}},
		}
		d := NewDocuments(t.TempDir(), func(string) (record.Set, error) { return set, nil })
		_, err := d.Fill("x.md", []byte(`{{$t := table "toys" "times"}}{{$s := table "toys" "sizes"}}`))
		require.NoError(t, err)
		assert.Equal(t, want, d.Doubts, load)
	}
}
