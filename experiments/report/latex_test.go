package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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
	files, err := Build(set, Options{})
	require.NoError(t, err)
	text := string(files["tables/build-time.tex"])
	assert.Contains(t, text, `  \caption{Build time}
  \label{tab:fixture-build-time}
  \small
  \setlength{\tabcolsep}{4pt}
  \begin{adjustbox}{max width=\linewidth}
  \begin{tabular}{@{}lrr@{}}
    \toprule
    n & old & new \& improved \\
`)
	assert.Regexp(t, `(?m)^    5 & 50\.0 ms \(49\.8 to 50\.1\) & [0-9.]+ ms \([0-9.]+ to [0-9.]+\) \(\$\\times\$0\.[0-9]+, [0-9.]+ to [0-9.]+\) \\\\$`, text)
	assert.NotContains(t, string(files["tables/sizes.tex"]), "significant", "exact sizes need no test")
	assert.Contains(t, string(files["tables/sizes.tex"]), `$\times$: times old; =: equal.`)

	files, err = Build(set, Options{Columns: []string{"new & improved"}})
	require.NoError(t, err)
	assert.Contains(t, string(files["tables/build-time.tex"]), "    n & new \\& improved \\\\\n")
	assert.Contains(t, string(files["tables/by-engine.tex"]), "engine & 4 & 5", "a table without the column is whole")
	assert.Contains(t, string(files["tables/build-time.csv"]), "old median", "other formats are whole")
	files, err = Build(set, Options{Columns: []string{"new & improved,old"}})
	require.NoError(t, err)
	assert.Contains(t, string(files["tables/build-time.tex"]), "    n & old & new \\& improved \\\\\n")
	_, err = Build(set, Options{Columns: []string{"newer"}})
	assert.ErrorContains(t, err, `no table has a column "newer": expected some of 4; 5; new & improved; old`)
}

// LaTeX itself finds no line that is too wide, and no label twice though two sets have a table of one name.
func TestLatexSets(t *testing.T) {
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex here: install Debian's texlive-latex-recommended and texlive-latex-extra")
	}
	set := manySeries(12)
	set.Spec.Report.Tables = []config.Table{
		{Title: "Build", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}}
	dir, body := t.TempDir(), ""
	for _, set.Spec.Name = range []string{"here", "there"} {
		files, err := Build(set, Options{})
		require.NoError(t, err)
		body += string(files["tables/build-wall-clock-time.tex"]) + "\n"
	}
	long := table{part: newPart("Long"), names: 1, Header: []string{"n", "way"}}
	for i := range 100 { // more lines than a page has, with each sign that cells have
		long.Rows = append(long.Rows, []cell{wordCell(strconv.Itoa(i)), wordCell("±2 µs (×1.3, ≡, ~) >#%&_{}^$\\")})
	}
	files, err := latex("long", []table{long}, nil)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(files["tables/long.tex"]), `\begin{table}`))
	body += string(files["tables/long.tex"])
	document := "\\documentclass{article}\\usepackage{booktabs,adjustbox}\\begin{document}\n" + body + "\\end{document}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.tex"), []byte(document), 0o644))
	for range 2 { // the first time, LaTeX only collects the labels
		command := exec.Command(program, "-interaction=nonstopmode", "x.tex")
		command.Dir = dir
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.NotContains(t, string(out), "Overfull")
		assert.NotContains(t, string(out), "Float too large")
		assert.NotContains(t, string(out), "multiply defined")
	}
}

// A table that is wider than a line is in parts, each with the names of the lines; none of its columns is lost.
func TestWideTablesAreSplit(t *testing.T) {
	wide := table{names: 1, Header: []string{"n"}, Rows: [][]cell{{wordCell("4")}}}
	for i := range 7 {
		wide.Header = append(wide.Header, "way "+string(rune('a'+i)))
		wide.Rows[0] = append(wide.Rows[0], wordCell("1,538 ms (1,489 to 1,587)"))
	}
	parts := wide.Parts()
	require.Greater(t, len(parts), 1)
	var columns []string
	for _, p := range parts {
		assert.Equal(t, "n", p.Header[0])
		assert.Len(t, p.Rows[0], len(p.Header))
		columns = append(columns, p.Header[1:]...)
		assert.LessOrEqual(t, (len(p.Header)-1)*27+3, lineWidth)
	}
	assert.Equal(t, wide.Header[1:], columns)
	assert.Len(t, wide.at([]int{0, 1}).Parts(), 1)
}
