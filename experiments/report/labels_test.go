package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"queens/experiments/config"
)

// Files of one name keep as many folders as tell them apart, in names of one value and of several.
func TestFilesOfOneNameKeepTheirFolders(t *testing.T) {
	const hash = "#0123456789abcdef"
	named := fileNames([]string{
		"cnf:x/a/model.cnf" + hash, "cnf:y/a/model.cnf" + hash, "cnf:y/b/model.cnf" + hash, "cnf:y/shop.cnf" + hash,
		"file:old/best.order" + hash, "file:/new/best.order" + hash, "file:best-{n}.order", "queens", "model.cnf",
	})
	for value, want := range map[string]string{
		"cnf:x/a/model.cnf" + hash: "x/a/model.cnf", "cnf:y/a/model.cnf" + hash: "y/a/model.cnf",
		"cnf:y/b/model.cnf" + hash: "b/model.cnf", "cnf:y/shop.cnf" + hash: "shop.cnf",
		"file:old/best.order" + hash: "old/best.order", "file:/new/best.order" + hash + " bdd": "new/best.order bdd",
		"file:best-{n}.order": "file:best-{n}.order",
	} {
		assert.Equal(t, want, named.Replace(value))
	}
}

// All of a report names a file alike, also parts of it where no other file has its name.
func TestReportsTellFilesApart(t *testing.T) {
	set := fixture()
	set.Spec.Axes = config.Axes{"n": {4, 5}, "engine": {"cnf:**/m.cnf"}}
	for _, r := range set.Rows {
		r.Set("engine", map[string]string{"old": "cnf:a/m.cnf#0123456789abcdef", "new": "cnf:b/m.cnf#0123456789abcdef"}[r.Cell("engine")])
	}
	set.Spec.Report = config.Presentation{
		Tables: []config.Table{{Title: "All", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"wall_seconds"}},
			{Title: "Some", Rows: []string{"engine"}, Values: []string{"wall_seconds"}, Where: config.Conditions{"engine": "cnf:a/m.cnf#0123456789abcdef"}}},
		Plots: []config.Plot{{Title: "p", Kind: config.Cactus, Y: "wall_seconds", Series: []string{"engine"}}},
	}
	files, err := Build(set, Options{})
	assert.NoError(t, err)
	for _, name := range []string{"report.md", "index.html", "tables/all.csv", "tables/all.tex", "plots/p.svg"} {
		assert.Regexp(t, `a/m\.cnf`, string(files[name]), name)
		assert.Regexp(t, `b/m\.cnf`, string(files[name]), name)
	}
	assert.Regexp(t, `a/m\.cnf`, string(files["tables/some.csv"]))
}
