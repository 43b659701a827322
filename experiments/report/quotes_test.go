package report

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
	"queens/experiments/spec"
	"queens/experiments/tasks"
)

// Tables and numbers between markers follow from the shipped records, word for word; the top of
// docs/findings.md says how they are written. UPDATE_DOCS=1 fills them in.
func TestRecordsAreQuotedAsTheyAre(t *testing.T) {
	asked := 0
	quotes := NewQuotes(func(name string) (record.Set, error) {
		asked++
		return record.Read(filepath.Join("../../results/reference", name), tasks.Kinds())
	})
	documents, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, documents)
	for _, name := range append(documents, "../../README.md") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		current, err := quotes.Fill(data)
		if !assert.NoError(t, err, name) {
			continue
		}
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(name, current, 0o644))
			data = current
		}
		assert.Equal(t, string(current), string(data), "make generate fills in %s", name)
	}
	require.Positive(t, asked)
}

func quoted(t *testing.T, document string) (string, error) {
	t.Helper()
	set := fixture()
	set.Spec.Report.Tables = []spec.Table{
		{Title: "times", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}},
	}
	set.Spec.Report.Plots = []spec.Plot{
		{Title: "even", Kind: "break-even", X: "n", Series: []string{"engine"}},
	}
	filled, err := NewQuotes(func(name string) (record.Set, error) {
		if name != "toys" {
			return record.Set{}, errors.New("no such set")
		}
		return set, nil
	}).Fill([]byte(document))
	return string(filled), err
}

func TestQuotations(t *testing.T) {
	for asked, want := range map[string]string{
		"n = 4; value of old":       "40.0 ms",
		"n = 4; ratio of new":       "0.1",
		"n = 4; interval of old":    "39.8 ms to 40.1 ms",
		"n = 5; cell of old":        "50.0 ms ±0%",
		"value of old":              "40.0 ms to 50.0 ms",
		"ratio of *":                "0.1",
		"n = 4, 5; value of *":      "4.00 ms to 50.0 ms",
		"n = 5; value of new | old": "5.00 ms to 50.0 ms",
	} {
		filled, err := quoted(t, "It takes <!-- record: toys: times; "+asked+" -->?<!-- end --> here.")
		require.NoError(t, err, asked)
		assert.Equal(t, "It takes <!-- record: toys: times; "+asked+" -->"+want+"<!-- end --> here.", filled)
		again, err := quoted(t, filled)
		require.NoError(t, err)
		assert.Equal(t, filled, again)
	}
	filled, err := quoted(t, "<!-- record: toys: even; n = 4; interval of against new -->\x00<!-- end -->")
	require.NoError(t, err)
	assert.Contains(t, filled, "-->46 to 47<!--")
	filled, err = quoted(t, "<!-- record: toys: times; n = 5; columns new -->\n<!-- end -->")
	require.NoError(t, err)
	assert.Equal(t, "<!-- record: toys: times; n = 5; columns new -->\n| n | new |\n| ---:| ---:|\n| 5 | 5.00 ms ±0% (×0.1) |\n<!-- end -->", filled)
}

func TestQuotationsOfWhatThereIsNot(t *testing.T) {
	for asked, want := range map[string]string{
		"other: times; value of old":         "no such set",
		"toys: sizes; value of old":          "no table",
		"toys: times; m = 4; value of old":   `no column "m"`,
		"toys: times; n = 7; value of old":   "the conditions choose no line",
		"toys: times; n = 4; value of older": `no column "older"`,
		"toys: times; n = 4; ratio of old":   "has no ratio",
		"toys: times; n = 4; mean of old":    "expected NAME = VALUE",
		"toys: times":                        "a table must be on its own lines",
		"toys: times; interval of old":       "choose one",
	} {
		_, err := quoted(t, "<!-- record: "+asked+" -->?<!-- end -->")
		assert.ErrorContains(t, err, want, asked)
		assert.ErrorContains(t, err, asked)
	}
	_, err := quoted(t, "<!-- record: toys: times; n = 4; value of old -->\n<!-- end -->")
	assert.ErrorContains(t, err, "a value must be within a line")
}
