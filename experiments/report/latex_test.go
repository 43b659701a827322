package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
)

func TestLatex(t *testing.T) {
	set := fixture()
	set.Spec.Report.Labels = map[string]string{"new": "new & improved"}
	set.Spec.Report.Tables = []config.Table{
		{Title: "Build time", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}},
		{Title: "Sizes", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"size"}},
		{Title: "By engine", Rows: []string{"engine"}, Columns: []string{"n"}, Values: []string{"build_seconds"}},
	}
	for i, r := range set.Rows { // a ratio with an interval
		if r.Cell("engine") == "new" {
			r.Set("build_seconds", []string{"0.004", "0.006", "0.005"}[i%3])
		}
	}
	files, err := Build(set)
	require.NoError(t, err)
	text := string(files["tables/build-time.tex"])
	assert.Contains(t, text, `  \caption{Build time}
  \label{tab:build-time}
  \small
  \setlength{\tabcolsep}{4pt}
  \begin{tabular}{@{}lrr@{}}
    \toprule
    n & old & new \& improved \\
`)
	assert.Regexp(t, `(?m)^    5 & 50\.0 ms \$\\pm\$0\\% & [0-9.]+ ms \$\\pm\$[0-9]+\\% \(\$\\times\$0\.[0-9]+\) \\\\$`, text,
		"the ratio without its interval")
	assert.NotContains(t, string(files["tables/sizes.tex"]), "significant", "exact sizes need no test")
	assert.Contains(t, string(files["tables/sizes.tex"]), `$\times$: times old; =: equal.`)

	files, err = Build(set, "new & improved")
	require.NoError(t, err)
	assert.Contains(t, string(files["tables/build-time.tex"]), "    n & new \\& improved \\\\\n")
	assert.Contains(t, string(files["tables/by-engine.tex"]), "engine & 4 & 5", "a table without the column is whole")
	assert.Contains(t, string(files["tables/build-time.csv"]), "old median", "other formats are whole")
	files, err = Build(set, "new & improved,old")
	require.NoError(t, err)
	assert.Contains(t, string(files["tables/build-time.tex"]), "    n & old & new \\& improved \\\\\n")
	_, err = Build(set, "newer")
	assert.ErrorContains(t, err, `no table has a column "newer": expected some of 4; 5; new & improved; old`)
}
