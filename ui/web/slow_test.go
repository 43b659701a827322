//go:build slow

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/configure/pool"
)

// The same page from static files, with its engine in WebAssembly: every feature again.
func TestStaticPageInChromium(t *testing.T) {
	t.Parallel()
	open := browser(t)
	dir := t.TempDir()
	out, err := exec.Command("go", "run", "./gen", "-static", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer s.Close()
	pageFeatures(t, func(t *testing.T, link string) *page { return open(t, s.URL, link) })

	t.Run("opened as a file the page says how to open it", func(t *testing.T) {
		p := open(t, "about:blank", "")
		p.do(chromedp.Navigate("file://" + dir + "/index.html"))
		p.comesToHold("opened as a file", func() string { return p.text("body") })
		p.waitFor(`document.body.innerText.includes("python3 -m http.server")`) // visible, not just present
		p.shoot("as-a-file")
	})
}

// axe-core finds nothing in any view and theme.
func TestPageAccess(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("page/node_modules/axe-core/axe.min.js")
	need(t, "axe-core", npmCI, err != nil)
	open := browser(t)
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	defer s.Close()
	options := map[string]string{"latin": serveProblem(t, "latin", 3), "dominoes": serveProblem(t, "dominoes", 4)}
	for _, test := range []struct{ link, then string }{
		{"latin", `document.querySelector('[data-option="b1=1"] button').click()`},
		{"latin", `document.querySelectorAll("details").forEach((d) => d.open = true)`}, {"dominoes", ""},
		{"#n=8&q=a1,e8&why=b3", ""}, {"#n=4&tab=solutions", ""}, {"#n=6&q=b1&tab=compare", ""}, {"#n=5&tab=orders", ""},
		{"#n=4&q=b1&tab=diagram", ""},
		{"#n=4&tab=build", `document.querySelector("#build-next").click()`},
		{"#n=5&tab=repair", `document.querySelector("#repair-step").click()`}, {"#n=8&tab=quiz&ask=cell-medium-2", ""},
		{"#n=8&q=a1,e8&why=b3", `document.querySelector("#stage-panel").click()`},
		{"#n=4", `document.querySelector("#projector").click()`},
		{"#n=4&tab=build", `document.querySelector("#stage-panel").click()`},
		{"#n=4", `document.querySelector("#welcome-tour").click()`}, {"#n=4", `document.querySelector("#boards").click()`},
		{"#n=60", ""}, {"#n=8&q=a1,b2", ""}, {"#n=6&q=b1&forced=place&heat=1", ""}, {"#n=8&q=a1&heat=1", ""},
		{"#n=4&q=z9", `document.querySelector("#help-dialog").showModal()`},
	} {
		var p *page
		if base := options[test.link]; base != "" {
			p = openChoices(t, open, base+map[string]string{"latin": "/#d=a1=1"}[test.link])
		} else {
			p = open(t, s.URL, test.link)
		}
		for _, theme := range []string{"light", "dark"} {
			p.js(fmt.Sprintf(`document.documentElement.setAttribute("data-theme", %q);
				localStorage.removeItem("projector"); 1`, theme)) // the next page is back to normal
			if test.then != "" && theme == "light" {
				p.js(test.then + "; 1")
			}
			p.rest()
			if theme == "light" {
				p.js(string(axe) + "; 1")
			}
			// The themes differ only in colours.
			rules := map[string]string{"light": `{ resultTypes: ["violations"] }`,
				"dark": `{ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }`}[theme]
			p.js(`window.found = null; axe.run(` + rules + `).then((r) => {
				window.found = r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " +
					(n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "")).join(" | ")).join("\n"); }); 1`)
			p.waitFor(`window.found !== null`)
			assert.Empty(t, p.js("window.found"), "%s, %s", test.link, theme)
		}
	}
}
