package report

import (
	"bytes"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
)

// use does what a reader does with the page: it sorts the records by a column, first up, then
// down, and filters the lines.
const use = `<script>
const s = document.querySelector("#table-records"), rows = () => [...s.querySelectorAll("tbody tr")];
const column = [...s.querySelectorAll("th")].findIndex(h => h.textContent === "build_seconds");
const keys = () => rows().map(r => Number(r.cells[column].dataset.key));
const head = s.querySelectorAll("th button")[column], found = {rows: rows().length};
head.click(); found.up = keys().every((k, i, all) => i === 0 || all[i-1] <= k);
head.click(); found.down = keys().every((k, i, all) => i === 0 || all[i-1] >= k);
const input = s.querySelector("input");
input.value = "n=5 new"; input.dispatchEvent(new Event("input"));
const shown = rows().filter(r => !r.hidden);
found.shown = shown.length;
found.right = shown.every(r => r.cells[0].textContent === "5" && r.cells[1].textContent === "new");
input.value = ""; input.dispatchEvent(new Event("input"));
found.again = rows().filter(r => !r.hidden).length;
const plot = document.querySelector("#plot-build-wall-clock-time-by-n"), points = [...plot.querySelectorAll(".point")];
const press = (on, key) => on.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
points[0].dispatchEvent(new FocusEvent("focus")); found.first = plot.querySelector("output").textContent;
press(points[0], "ArrowRight"); found.next = plot.querySelector("output").textContent;
const label = [...plot.querySelectorAll(".label")].find(l => l.textContent.startsWith("old:"));
const hidden = () => [...plot.querySelectorAll("svg g[data-series]")].filter(g => getComputedStyle(g).display === "none").length;
press(label, "Enter"); found.off = hidden(); label.dispatchEvent(new MouseEvent("click")); found.on = hidden();
const all = document.querySelector("#steer input"), build = document.querySelector("#table-build-wall-clock-time");
all.value = "n=5"; all.dispatchEvent(new Event("input"));
found.lines = [...build.querySelectorAll("tbody tr")].filter(r => !r.hidden).length;
const box = [...document.querySelectorAll("#steer label")].find(l => l.textContent.trim() === "old").querySelector("input");
box.click(); found.columns = [...build.querySelectorAll("th")].filter(h => !h.hidden).map(h => h.textContent);
found.contents = [...document.querySelectorAll("nav a")].every(a => document.querySelector(a.getAttribute("href")));
const phone = document.createElement("iframe");
phone.style.width = "390px";
phone.srcdoc = document.documentElement.outerHTML.replaceAll(/<script[^]*?<\/script>/g, "");
phone.onload = () => {
  found.phone = phone.contentDocument.documentElement.scrollWidth <= 390;
  document.body.setAttribute("data-found", JSON.stringify(found));
};
document.body.append(phone);
</script></body>`

// The page works in a real browser.
func TestPageSortsAndFilters(t *testing.T) {
	set := fixture()
	set.Environments[0].OS = strings.Repeat("long", 100)
	files, err := Build(set, Options{})
	require.NoError(t, err)
	page := bytes.Replace(files["index.html"], []byte("</body>"), []byte(use), 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "index.html")
	require.NoError(t, os.WriteFile(path, page, 0o644))
	out, err := exec.Command(chromium(t), "--headless", "--no-sandbox", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--dump-dom", "file://"+path).Output()
	require.NoError(t, err)
	found := regexp.MustCompile(`data-found="([^"]*)"`).FindSubmatch(out)
	require.NotNil(t, found, "the page's scripts did not run")
	assert.JSONEq(t, `{"rows": 40, "up": true, "down": true, "shown": 10, "right": true, "again": 40,
		"first": "old, n = 4: 40.0 ms (39.8 to 40.1), 10 runs", "next": "old, n = 5: 50.0 ms (49.8 to 50.1), 10 runs",
		"off": 2, "on": 0, "lines": 1, "columns": ["n", "new"], "contents": true, "phone": true}`, html.UnescapeString(string(found[1])))
}

// On paper the tables are whole, and there are no raw records.
func TestPageOnPaper(t *testing.T) {
	if testing.Short() {
		t.Skip("prints thousands of records")
	}
	set := fixture()
	for range 6 {
		set.Rows = append(set.Rows, set.Rows...) // 2,560 records
	}
	files, err := Build(set, Options{})
	require.NoError(t, err)
	pages := printed(t, files["index.html"])
	assert.Positive(t, pages)
	assert.Less(t, pages, 8)
}

// printed returns the number of pages that a browser prints.
func printed(t *testing.T, page []byte) int {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), page, 0o644))
	pdf := filepath.Join(dir, "page.pdf")
	require.NoError(t, exec.Command(chromium(t), "--headless", "--no-sandbox", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--print-to-pdf="+pdf, "file://"+filepath.Join(dir, "index.html")).Run())
	data, err := os.ReadFile(pdf)
	require.NoError(t, err)
	return len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(data, -1))
}

// chromium returns the browser's path; the test is skipped without one.
func chromium(t *testing.T) string {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("NO_SKIP") != "" {
			t.Fatal("no chromium: install Debian's chromium")
		}
		t.Skip("no chromium: install Debian's chromium")
	}
	return browser
}

// Plots and tables that nobody asked for are folded behind the first ones; those that were asked for are not.
func TestPageFoldsWhatNobodyAskedFor(t *testing.T) {
	p := page{Tables: make([]table, summaryTables+2)}
	assert.Len(t, p.Unfolded(), summaryTables+2)
	assert.Empty(t, p.Folded())
	p.FoldTables = true
	assert.Len(t, p.Unfolded(), summaryTables)
	assert.Len(t, p.Folded(), 2)
	folds := func(spec func(*record.Set)) string {
		set := fixture()
		spec(&set)
		files, err := Build(set, Options{})
		require.NoError(t, err)
		before, _, _ := strings.Cut(string(files["index.html"]), `<details id="records">`)
		return before
	}
	asked := folds(func(s *record.Set) {
		s.Spec.Report = newData(*s).presentation()
	})
	assert.NotContains(t, asked, "<details>")
	alone := folds(func(s *record.Set) { s.Spec.Report = config.Presentation{} })
	assert.Regexp(t, `(?s)<h2>More plots</h2><details><summary>All [0-9]+</summary>.*</details>`, alone)
}
