package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends/conformance"
	"queens/board"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/robdd"
)

// page is one tab of a real Chromium that shows the configurator.
type page struct {
	t    *testing.T
	ctx  context.Context
	base string
}

// browser starts Chromium once for a test and returns a function that opens tabs.
// Errors that the page writes to the console, and violations of its security policy, fail
// the test.
func browser(t *testing.T) func(t *testing.T, base, link string) *page {
	if testing.Short() {
		t.Skip("drives a browser")
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatalf("chromium is not installed: apt-get install chromium")
		}
		t.Skip("chromium is not installed: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true),
		chromedp.WindowSize(1440, 1000))
	if os.Geteuid() == 0 { // Chromium's sandbox refuses to run as root
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	first, cancelFirst := chromedp.NewContext(allocator)
	t.Cleanup(cancelFirst)
	require.NoError(t, chromedp.Do(first))
	return func(t *testing.T, base, link string) *page {
		ctx, cancelTab := chromedp.NewContext(first)
		t.Cleanup(cancelTab)
		ctx, cancelTime := context.WithTimeout(ctx, 2*time.Minute)
		t.Cleanup(cancelTime)
		require.NoError(t, chromedp.Listen(ctx, func(event any) {
			switch e := event.(type) {
			case cdpruntime.EventExceptionThrown:
				t.Errorf("the page failed: %s (line %d of %s)", e.ExceptionDetails.Text, e.ExceptionDetails.LineNumber,
					e.ExceptionDetails.URL)
			case cdplog.EventEntryAdded:
				if e.Entry.Level == cdplog.EntryLevelError {
					t.Errorf("the console says: %s (%s)", e.Entry.Text, e.Entry.URL)
				}
			}
		}))
		_, err := chromedp.Call(ctx, cdplog.Enable, cdp.Empty{})
		require.NoError(t, err)
		_, err = chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: countRequests})
		require.NoError(t, err)
		p := &page{t: t, ctx: ctx, base: base}
		if base == "about:blank" {
			return p
		}
		p.do(chromedp.Navigate(base+"/"+link), chromedp.WaitVisible(chromedp.CSS("#board [data-cell]")))
		p.waitFor(`document.body.hasAttribute("data-shown")`)
		return p
	}
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, actions...))
}

// waitFor waits until a JavaScript expression is true.
func (p *page) waitFor(expression string) {
	p.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		yes, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		require.NoError(p.t, err, expression)
		if yes {
			return
		}
		if time.Now().After(deadline) {
			require.Fail(p.t, "waited in vain for", "%s\nlive: %s\nlink: %s", expression, p.text("#live"), p.js("location.hash"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// countRequests counts the page's requests under way in window.asked.
const countRequests = `window.asked = 0;
	if (window.fetch) {
		const real = window.fetch;
		window.fetch = (...args) => { window.asked++; return real(...args).finally(() => window.asked--); };
	}`

// clockByHand makes the page's timers of half a second or more fire when the test says so.
const clockByHand = `window.waits = []; {
	let last = 0;
	for (const [kind, again] of [["Timeout", false], ["Interval", true]]) {
		const [set, clear] = [window["set" + kind], window["clear" + kind]];
		window["set" + kind] = (act, time, ...args) => {
			if (time < 500) return set(act, time, ...args);
			window.waits.push({ id: --last, act, again });
			return last;
		};
		window["clear" + kind] = (id) => {
			window.waits = window.waits.filter((w) => w.id !== id);
			clear(id);
		};
	}
}`

// tick fires the one timer that the page has set under clockByHand.
func (p *page) tick() {
	p.t.Helper()
	p.waitFor(`window.waits.length === 1`)
	p.js(`{ const [w] = window.waits; if (!w.again) window.waits.shift(); w.act(); } 1`)
}

// rest waits until no request is under way and nothing moves, for several frames in a row.
func (p *page) rest() {
	p.t.Helper()
	_, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](`new Promise((done) => {
		let quiet = 0;
		const look = () => {
			const still = window.asked === 0 && document.getAnimations().every((a) => a.playState !== "running");
			quiet = still ? quiet + 1 : 0;
			if (quiet > 4) done(true); else requestAnimationFrame(look);
		};
		look();
	})`, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err)
}

// becomes waits until a part of the page has the expected text, since it may be redrawn at
// any moment.
func (p *page) becomes(want string, have func() string, message ...any) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); have() != want && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	assert.Equal(p.t, want, have(), message...)
}

// comesToHold waits until a part of the page contains a text.
func (p *page) comesToHold(want string, have func() string) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(have(), want) && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	assert.Contains(p.t, have(), want)
}

func (p *page) js(expression string) string {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[any](expression))
	require.NoError(p.t, err, expression)
	return fmt.Sprint(value)
}

func (p *page) text(selector string) string {
	p.t.Helper()
	return p.js(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))
}

// tabs returns the ids of the tabs beside the board, the first one last.
func (p *page) tabs() []string {
	p.t.Helper()
	ids := strings.Fields(p.js(`[...document.querySelectorAll("[role=tab]")].map((t) => t.id.slice(4)).join(" ")`))
	return append(ids[1:], ids[0])
}

// click clicks an element with the mouse.
func (p *page) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

func cellAt(cell string) string { return fmt.Sprintf(`[data-cell="%s"]`, cell) }

// square clicks a cell and waits for the board to show the link.
func (p *page) square(cell, link string) {
	p.t.Helper()
	p.click(cellAt(cell))
	p.shows(link)
}

// shows waits until the board shows the state of a link.
func (p *page) shows(link string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf("document.body.dataset.shown === %q && location.hash === %q", link, link))
}

func (p *page) mark(cell string) string {
	return p.js(fmt.Sprintf("document.querySelector('%s').dataset.mark", cellAt(cell)))
}

// middle returns the middle of an element in window coordinates.
func (p *page) middle(selector string) (at struct{ X, Y float64 }) {
	p.t.Helper()
	at, err := chromedp.Run(
		p.ctx,
		chromedp.Evaluate[struct{ X, Y float64 }](
			fmt.Sprintf(
				`(() => { const r = document.querySelector(%q).getBoundingClientRect();
					return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`,
				selector,
			),
		),
	)
	require.NoError(p.t, err)
	return at
}

// place returns the middle of a cell in window coordinates.
func (p *page) place(cell string) (at struct{ X, Y float64 }) {
	p.t.Helper()
	return p.middle(cellAt(cell))
}

// painted returns the middle of a cell of a painted board of size n, in window coordinates. It has no element of its own.
func (p *page) painted(n int, cell string) (x, y float64) {
	p.t.Helper()
	c, err := chromedp.Run(p.ctx, chromedp.Evaluate[struct{ X, Y float64 }](fmt.Sprintf(`(() => {
		const m = document.querySelector("#board").getScreenCTM(), [, f, r] = /([a-z]+)([0-9]+)/.exec(%q);
		let col = 0; for (const l of f) col = col * 26 + l.charCodeAt(0) - 96;
		const q = new DOMPoint((col - 0.5) * 100, (%d - r + 0.5) * 100).matrixTransform(m);
		return {X: q.x, Y: q.y}; })()`, cell, n)))
	require.NoError(p.t, err)
	return c.X, c.Y
}

// hover moves the mouse over an element.
func (p *page) hover(selector string) {
	p.t.Helper()
	at := p.middle(selector)
	p.do(chromedp.MouseEvent("mouseMoved", at.X, at.Y))
}

// touch sends one touch event, on a cell, a number of pixels below its middle, or without
// a point if cell is empty.
func (p *page) touch(kind input.DispatchTouchEventType, cell string, below float64) {
	p.t.Helper()
	params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	if cell != "" {
		at := p.place(cell)
		params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: at.X, Y: at.Y + below})
	}
	_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, params)
	require.NoError(p.t, err)
}

// choose selects a value of a drop-down.
func (p *page) choose(selector, value string) {
	p.t.Helper()
	p.js(
		fmt.Sprintf(
			`(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event("change"));
				return s.value; })()`,
			selector,
			value,
		),
	)
}

// shoot saves a picture if SCREENSHOTS names a folder.
func (p *page) shoot(name string) {
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot()) // what is visible without scrolling
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}

func TestPageInChromium(t *testing.T) {
	t.Parallel()
	conformance.Long(t)
	open := browser(t)
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	defer s.Close()
	pageFeatures(t, func(t *testing.T, link string) *page { return open(t, s.URL, link) })
	pageUse(t, func(t *testing.T, link string) *page { return open(t, s.URL, link) })

	t.Run("an order of a saved diagram, on its size and on another", func(t *testing.T) {
		warm := pool.New(pool.Limits{})
		d, err := warm.Compile(t.Context(), 6, "random:9")
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "mine.zdd")
		var saved bytes.Buffer
		drawn, err := d.Compiled.As(t.Context(), robdd.BDD)
		require.NoError(t, err)
		require.NoError(t, drawn.Write(&saved, d.Compiled.Meta("")))
		require.NoError(t, os.WriteFile(file, saved.Bytes(), 0o644))
		_, err = warm.Load(t.Context(), file)
		require.NoError(t, err)
		s := httptest.NewServer(New(warm, Config{}))
		defer s.Close()
		p := open(t, s.URL, "#n=6&order=mine.zdd")
		p.comesToHold("Diagram (ZDD annotated), mine.zdd answered", func() string { return p.text("#engine-line") })
		p.becomes("mine.zdd", func() string { return p.js(`document.querySelector("#order").selectedOptions[0].text`) })
		p.click("#tab-orders")
		p.choose("#order-2", "mine.zdd")
		p.becomes("mine.zdd", func() string { return p.text(".order-column.second h2") })
		p.click("#larger") // there is no such order for n = 7
		p.shows("#n=7&tab=orders")
		p.comesToHold("There is no order mine.zdd for n = 7", func() string { return p.text("#banner") })
		p.becomes("row-major", func() string { return p.js(`document.querySelector("#order").value`) })
		p.becomes("0", func() string { return p.js(`document.querySelectorAll('option[value="mine.zdd"]').length`) })
		p.becomes("best-bdd", func() string { return p.text(".order-column.second h2") })
		p = open(t, s.URL, "#n=7&order=mine.zdd&backend=oracle") // nor if a link asks for it
		p.comesToHold("There is no back-end oracle", func() string { return p.text("#banner") })
		p.becomes("40", func() string { return p.text("#solutions-left") })
	})

	var gone atomic.Bool
	var latency atomic.Int64
	handler := New(pool.New(pool.Limits{}), Config{})
	weak := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler) // the connection breaks
		}
		time.Sleep(time.Duration(latency.Load()))
		handler.ServeHTTP(w, r)
	}))
	defer weak.Close()

	t.Run("clicks while an answer is under way", func(t *testing.T) {
		p := open(t, weak.URL, "#n=8")
		latency.Store(int64(100 * time.Millisecond))
		defer latency.Store(0)
		click := func(cell string) {
			at := p.place(cell)
			p.do(chromedp.MouseClickXY(at.X, at.Y))
		}
		click("b5") // a double click places one queen
		time.Sleep(60 * time.Millisecond)
		click("b5")
		p.shows("#n=8&q=b5")
		p.rest()
		p.becomes("#n=8&q=b5", func() string { return p.js("location.hash") })
		click("a1") // a click on another cell waits for the answer
		click("c8")
		p.shows("#n=8&q=b5,a1,c8")
		p.becomes("true", func() string { return p.js(`document.querySelector("#banner").hidden`) })
		click("b5") // taken back, but the person thinks better of it
		p.do(chromedp.KeyEvent("u"))
		p.rest()
		p.becomes("#n=8&q=b5,a1,c8", func() string { return p.js("location.hash") })
		p.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
		p.shows("#n=10&q=b5,a1,c8")
		p.click("#undo")
		p.shows("#n=8&q=b5,a1,c8")
	})

	t.Run("a server that went away and comes back", func(t *testing.T) {
		p := open(t, weak.URL, "#n=4&tab=solutions")
		lost := func(act func()) {
			gone.Store(true)
			act()
			p.comesToHold("The server is not responding", func() string { return p.text("#banner") })
			p.waitFor(`document.body.classList.contains("stale")`)
			p.becomes("o", func() string { return p.mark("b1") }, "the old board stays, greyed")
			p.becomes("#n=4&tab=solutions", func() string { return p.js("document.body.dataset.shown") })
			p.rest() // a request under way would be answered
			gone.Store(false)
			p.waitFor(`document.querySelector("#banner").hidden && !document.body.classList.contains("stale")`)
		}
		lost(func() { p.click("#solution-next") })
		p.click("#solution-next")
		p.waitFor(`document.querySelectorAll(".over .witness").length === 4`)
		lost(func() { p.click(cellAt("b1")); p.click(cellAt("b1")) })
		p.square("b1", "#n=4&q=b1&tab=solutions")
		p.click("#undo")
		p.shows("#n=4&tab=solutions")
		lost(func() { p.click("#redo") })
		p.shows("#n=4&q=b1&tab=solutions") // what the address says is shown when the server is back
	})

	t.Run("the options of a problem, 1,000 of them", func(t *testing.T) {
		p := encode.Problem{Family: "shop"}
		var names encode.List
		var before cnf.Lit
		for part := range 250 { // of four kinds each; the last kind does not fit the first kind of the part before
			lits := make([]cnf.Lit, 4)
			for kind := range lits {
				names = append(names, fmt.Sprintf("part%d.kind%d", part, kind))
				lits[kind] = cnf.Var(len(names)).Pos()
			}
			p.Constraints = append(p.Constraints, encode.ExactlyOne(fmt.Sprintf("part %d", part), lits...))
			if part > 0 {
				p.Constraints = append(p.Constraints, encode.AtMostOne("fits", before, lits[3]))
			}
			before = lits[0]
		}
		p.Names = names
		page := openChoices(t, open, serveOptions(t, p)+"/")
		page.becomes("1000", func() string { return page.js(`document.querySelectorAll(".choice").length`) })
		page.becomes("shop of 1000 variables", func() string { return page.text("h1") }, "the heading names the problem")
		page.becomes("shop of 1000 variables", func() string { return page.js("document.title") })
		page.becomes("0", func() string { return page.js(`document.querySelectorAll("details[open]").length`) }) // folded
		page.do(chromedp.SendKeys(chromedp.CSS("#choices-search"), "part7.kind"))
		page.becomes("4", func() string { return page.js(`document.querySelectorAll(".choice:not([hidden])").length`) })
		page.rest()
		option := func(name string) string { return fmt.Sprintf(`[data-option="%s"]`, name) }
		page.click(option("part7.kind0") + " .choice-yes")
		page.shows("#d=part7.kind0")
		page.becomes("ruled out", func() string { return page.text(option("part8.kind3") + " .choice-state") })
		page.becomes("ruled out", func() string { return page.text(option("part7.kind2") + " .choice-state") })
		// What is decided is in a strip, and is told from what follows; options are filtered by their state.
		page.becomes("part7.kind0 ✕", func() string { return page.text("#choices-decided") })
		page.becomes("decided 1", func() string { return page.text(`[data-filter="decided"]`) })
		page.becomes("ruled out 4", func() string { return page.text(`[data-filter="ruled out"]`) })
		page.js(`{ const s = document.querySelector("#choices-search"); s.value = ""; s.dispatchEvent(new Event("input")); } 1`)
		shown := func() string { return page.js(`document.querySelectorAll(".choice:not([hidden])").length`) }
		for filter, want := range map[string]string{"decided": "1", "ruled out": "4", "forced": "0", "open": "995", "all": "1000"} {
			page.click(fmt.Sprintf("[data-filter=%q]", filter))
			page.becomes(want, shown, filter)
		}
		page.click(`[data-filter="all"]`)
		// The board's keys do nothing here, so a copied link keeps the decisions.
		page.js(`document.activeElement.blur(); 1`)
		page.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("h"), chromedp.KeyEvent("e"), chromedp.KeyEvent("c"))
		page.rest()
		page.becomes("#d=part7.kind0", func() string { return page.js("location.hash") })
		page.js(`{ const s = document.querySelector("#choices-search"); s.value = "part 8"; s.dispatchEvent(new Event("input")); } 1`)
		page.click(option("part8.kind3") + " .choice-yes") // says why
		page.comesToHold("part8.kind3 cannot be chosen, because of", func() string { return page.text("#choice-why") })
		page.shoot("choices")
		page.click(option("part8.kind1") + " .choice-yes")
		page.shows("#d=part7.kind0,part8.kind1")
		page.click("#choices-undo")
		page.shows("#d=part7.kind0")
		page.click(option("part8.kind3") + " .choice-yes")
		page.click(`[data-blame="part7.kind0"]`)
		page.shows("#d=")
		page.becomes("", func() string { return page.text(option("part8.kind3") + " .choice-state") })
		// From a click to the answer on the page.
		took, err := chromedp.Run(page.ctx, chromedp.Evaluate[float64](`new Promise(async (done) => { const times = [];
			for (let i = 0; i < 9; i++) {
				const begun = performance.now(), shown = document.body.dataset.shown;
				document.querySelector('[data-option="part' + 9 * i + '.kind1"] .choice-yes').click();
				while (document.body.dataset.shown === shown) await new Promise(requestAnimationFrame);
				times.push(performance.now() - begun);
			}
			done(times.sort((a, b) => a - b)[4]); })`, chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		t.Logf("a click: %.0f ms", took)
	})

	t.Run("a problem's board, by mouse and by keyboard alone", func(t *testing.T) {
		spot := func(name string) string { return fmt.Sprintf(`[data-spot="%s"]`, name) }
		page := openChoices(t, open, serveProblem(t, "latin", 3)+"/")
		state := func(name string) string {
			return page.js(fmt.Sprintf(`document.querySelector('%s').getAttribute("aria-label")`, spot(name)))
		}
		page.becomes("12", func() string { return page.text("#choices-left") })
		page.click(spot("a1=1"))
		page.shows("#d=a1=1")
		page.becomes("a1=1, chosen", func() string { return state("a1=1") })
		page.becomes("b1=1, ruled out", func() string { return state("b1=1") })
		page.js(`document.querySelector('[data-spot="b2=1"]').focus(); 1`)
		page.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowDown)) // b2=3
		page.do(chromedp.KeyEvent(kb.Enter))
		page.shows("#d=a1=1,b2=3")
		page.becomes("1", func() string { return page.text("#choices-left") })
		page.becomes("9", func() string {
			return page.js(`document.querySelectorAll(".picture:not(.tiny) g:is([data-state='+'], [data-state='!'])").length`)
		})
		page.do(chromedp.KeyEvent("\r")) // takes it back
		page.shows("#d=a1=1")
		page.click(spot("b1=1")) // says why not
		page.comesToHold("b1=1 cannot be chosen, because of", func() string { return page.text("#choice-why") })
		page.shoot("latin")
		page.comesToHold("clear: a possible number", func() string { return page.text("#picture-legend") })
		page.becomes("1", func() string { // the title is shown once
			return page.js(`[...document.querySelectorAll("h1, .name")].filter((e) => e.checkVisibility() && e.textContent === "latin n = 3").length`)
		})
		page.click(`[data-decision="a1=1"]`) // takes the decision back
		page.shows("#d=")
		page.becomes("Nothing is decided yet.", func() string { return page.text("#choices-decided") })

		page = openChoices(t, open, serveProblem(t, "dominoes", 4)+"/#d=a1-b1")
		page.becomes("18", func() string { return page.text("#choices-left") })
		page.click(spot("a2-a3"))
		page.shows("#d=a1-b1,a2-a3")
		page.becomes("a4-b4, forced", func() string { return state("a4-b4") })
		page.shoot("dominoes")
	})

	t.Run("an option that only a search rules out", func(t *testing.T) {
		p := encode.Problem{Family: "shop", Names: encode.List{"p", "q", "r", "seven", "nine"}}
		for i := range 8 { // seven and nine exclude all values of p, q and r
			lits := []cnf.Lit{-4, -5}
			for v := range 3 {
				lits = append(lits, cnf.Lit(v+1)*cnf.Lit(1-2*(i>>v&1)))
			}
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", lits...))
		}
		page := openChoices(t, open, serveOptions(t, p)+"/#d=seven")
		page.click(`[data-option="nine"] .choice-yes`)
		page.comesToHold("There are no steps, since only a search shows this.", func() string { return page.text("#choice-why") })
	})

	t.Run("no configuration", func(t *testing.T) {
		p := encode.Problem{Family: "shop", Names: encode.List{"red", "blue", "green"}, Constraints: []encode.Constraint{
			encode.AtLeastOne("", -1, 2), encode.AtLeastOne("", -2, -3)}}
		page := openChoices(t, open, serveOptions(t, p)+"/#d=red,green") // a link may say so
		page.comesToHold("There is no configuration, because of", func() string { return page.text("#choice-why") })
		page.shoot("choices-contradiction")
		page.click(`[data-blame="green"]`)
		page.shows("#d=red")
		page.becomes("", func() string { return page.text("#choice-why") })
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", 1), encode.AtLeastOne("", 3))
		page = openChoices(t, open, serveOptions(t, p)+"/")
		page.comesToHold("There is no configuration, since these constraints contradict each other:", func() string { return page.text("#choice-why") })
		page.becomes("4", func() string { return page.js(`document.querySelectorAll("#choice-why li").length`) })
		page.shoot("choices-none")
	})

	t.Run("the list of options, by keyboard alone", func(t *testing.T) {
		page := openChoices(t, open, serveOptions(t, encode.Problem{
			Family: "shop", Names: encode.List{"frame.city", "frame.cargo", "motor", "lock"},
			Constraints: []encode.Constraint{
				encode.ExactlyOne("frame", 1, 2),
				encode.AtLeastOne("rule", -2, 3), // cargo needs motor
			},
		})+"/")
		tabTo := func(selector string) {
			for range 40 {
				if page.js(fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) == "true" {
					return
				}
				page.do(chromedp.KeyEvent(kb.Tab))
			}
			t.Fatalf("Tab does not lead to %s", selector)
		}
		tabTo(`[data-option="frame.cargo"] .choice-yes`)
		page.do(chromedp.KeyEvent(kb.Enter))
		page.shows("#d=frame.cargo")
		page.becomes("forced", func() string { return page.text(`[data-option="motor"] .choice-state`) })
		tabTo(`[data-option="motor"] [aria-label="not motor"]`)
		page.do(chromedp.KeyEvent(kb.Enter))
		page.comesToHold("motor must be chosen, because of", func() string { return page.text("#choice-why") })
		tabTo(`.blame-button`)
		page.do(chromedp.KeyEvent(" "))
		page.shows("#d=")
		tabTo(`#choices-search`)
		page.do(chromedp.KeyEvent("lock"))
		tabTo(`[data-option="lock"] .choice-yes`)
		page.do(chromedp.KeyEvent(" "))
		page.shows("#d=lock")
		tabTo(`summary`)
		page.do(chromedp.KeyEvent(kb.Enter))
		page.waitFor(`[...document.querySelectorAll("details")].some((d) => !d.open && !d.hidden)`)
	})

	t.Run("Back and Forward undo and redo", func(t *testing.T) {
		p := open(t, s.URL, "#n=6")
		p.square("b1", "#n=6&q=b1")
		p.square("d2", "#n=6&q=b1,d2")
		p.click("#tab-solutions") // not a move
		p.shows("#n=6&q=b1,d2&tab=solutions")
		p.js("history.back()")
		p.shows("#n=6&q=b1&tab=solutions")
		p.becomes("!", func() string { return p.mark("d2") })
		p.js("history.back()")
		p.shows("#n=6&tab=solutions")
		p.becomes("true", func() string { return p.js(`document.querySelector("#undo").disabled`) })
		p.click("#redo")
		p.shows("#n=6&q=b1&tab=solutions")
		p.js("history.forward()")
		p.shows("#n=6&q=b1,d2&tab=solutions")
		p.becomes("true", func() string { return p.js(`document.querySelector("#redo").disabled`) })
		p.click("#undo")
		p.shows("#n=6&q=b1&tab=solutions")
		p.square("f3", "#n=6&q=b1,f3&tab=solutions") // instead of d2
		p.becomes("true", func() string { return p.js(`document.querySelector("#redo").disabled`) })
	})
}

// serveProblem serves a family's problem of size n, and returns the address.
func serveProblem(t *testing.T, family string, n int) string {
	p := encodetest.Family(t, family, n)
	return serveOptions(t, p)
}

// serveOptions serves a problem's options, and returns the address.
func serveOptions(t *testing.T, p encode.Problem) string {
	warm := pool.New(pool.Limits{})
	warm.Own(t.Context(), p, ask.Choice{Backend: "bdd"}, nil)
	s := httptest.NewServer(New(warm, Config{Options: configure.NewOptions(warm)}))
	t.Cleanup(s.Close)
	return s.URL
}

// openChoices opens the page of a problem, given by its whole address.
func openChoices(t *testing.T, open func(t *testing.T, base, link string) *page, base string) *page {
	p := open(t, "about:blank", "")
	p.do(chromedp.Navigate(base))
	p.waitFor(`document.body.hasAttribute("data-shown")`)
	return p
}

// pageFeatures clicks once on every feature that asks the engine.
func pageFeatures(t *testing.T, open func(t *testing.T, link string) *page) {
	t.Run("place, undo, redo, remove, clear", func(t *testing.T) {
		p := open(t, "#n=8")
		p.becomes("92", func() string { return p.text("#solutions-left") })
		p.square("a1", "#n=8&q=a1")
		p.becomes("4", func() string { return p.text("#solutions-left") })
		p.becomes("Q", func() string { return p.mark("a1") })
		p.becomes("x", func() string { return p.mark("h8") })
		p.comesToHold("1 of 8 queens placed", func() string { return p.text("#live") })
		p.square("b5", "#n=8&q=a1,b5")
		p.becomes("!", func() string { return p.mark("c8") })
		p.shoot("desktop-forced")
		p.click("#undo")
		p.shows("#n=8&q=a1")
		p.click("#redo")
		p.shows("#n=8&q=a1,b5")
		p.square("a1", "#n=8&q=b5")
		p.click("#clear")
		p.shows("#n=8")
		p.click("#undo")
		p.shows("#n=8&q=b5")
	})

	t.Run("link", func(t *testing.T) {
		p := open(t, "#n=6&q=b1&x=f6&forced=place&backend=sat&heat=1")
		p.becomes("Q", func() string { return p.mark("b1") })
		p.becomes("#", func() string { return p.mark("f6") })
		p.becomes("q", func() string { return p.mark("d2") }, "the only solution is placed at once")
		p.becomes("6 / 6", func() string { return p.text("#queens-placed") })
		p.comesToHold("Solved", func() string { return p.text("#live") })
		p.comesToHold("SAT (gini, ", func() string { return p.text("#engine-line") })
		p.becomes("Solved", func() string { return p.text("#solutions-left") })
		p.js(`location.hash = "#n=4&q=b1"`)
		p.shows("#n=4&q=b1")
		p.click("#undo")
		p.waitFor(`document.querySelector("#size").value === "6"`)
	})

	t.Run("an invalid cell is refused and explained", func(t *testing.T) {
		p := open(t, "#n=8&q=a1,e8")
		p.becomes(".", func() string { return p.mark("b3") })
		p.click(cellAt("b3"))
		p.waitFor(`document.querySelector("#why-text")`)
		p.becomes("#n=8&q=a1,e8", func() string { return p.js("location.hash") }, "nothing is placed")
		// The player starts with only the first step on the board, and nothing blamed yet.
		p.becomes("1 of 6", func() string { return p.text("#step-count") })
		p.comesToHold("Suppose a queen stands on b3.", func() string { return p.text("#why-text") })
		p.waitFor(`document.querySelector("#board").classList.contains("alone")`)
		p.becomes("0", func() string { return p.js(`document.querySelectorAll(".blame-button, .over .blame").length`) })
		p.hover("#step-next") // moving over other cells to the buttons changes nothing
		p.becomes("1 of 6", func() string { return p.text("#step-count") })
		p.click("#step-next")
		p.becomes("2 of 6", func() string { return p.text("#step-count") })
		p.becomes("2", func() string { return p.text("#why-steps li.now .step-number") })
		p.shoot("desktop-explain")
		p.do(chromedp.KeyEvent("["), chromedp.KeyEvent("]"), chromedp.KeyEvent("]"))
		p.becomes("3 of 6", func() string { return p.text("#step-count") })
		p.js(clockByHand + "; 1")
		p.do(chromedp.KeyEvent(".")) // plays to the end
		for _, step := range []string{"3", "4", "5"} {
			p.becomes(step+" of 6", func() string { return p.text("#step-count") })
			p.becomes("Pause", func() string { return p.text("#step-play") })
			p.tick()
		}
		p.becomes("6 of 6", func() string { return p.text("#step-count") })
		p.becomes("Play", func() string { return p.text("#step-play") })
		p.comesToHold("To blame", func() string { return p.text("#panel-why") })
		p.waitFor(`document.querySelectorAll(".over .blame").length` + " > 0")
		// Less than the whole proof: where to look, and the line.
		p.click("#level-hint")
		p.comesToHold("Suppose a queen on b3, and look at row 6.", func() string { return p.text("#why-text") })
		p.becomes("0", func() string { return p.js(`document.querySelectorAll(".blame-button, .over .blame").length`) })
		p.click("#level-line")
		p.waitFor(`document.querySelectorAll(".over .reason-line").length === 8`)
		p.click("#level-proof")
		p.becomes("6 of 6", func() string { return p.text("#step-count") })
		p.becomes("every choice fails", func() string { return p.text("#technique") })
		p.do(chromedp.KeyEvent(kb.Escape))
		p.waitFor(`!document.querySelector("#why-text")`)
		p.click(cellAt("b3"))
		p.click("#step-6")
		p.waitFor(`document.querySelector(".blame-button")`)
		blamed := p.js(`document.querySelector(".blame-button").dataset.blame`)
		p.click(".blame-button")
		rest := strings.Trim(strings.ReplaceAll(","+"a1,e8"+",", ","+blamed+",", ","), ",")
		p.shows("#n=8&q=" + rest)
	})

	t.Run("hover shows rays and witnesses", func(t *testing.T) {
		p := open(t, "#n=8&q=a1,e8")
		p.hover(cellAt("h8"))
		p.waitFor(`document.querySelectorAll(".over .ray").length === 2`)
		p.comesToHold("attacked by the queens on a1, e8", func() string { return p.text("#why-text") })
		valid := p.js(`document.querySelector('[data-mark="!"]').dataset.cell`)
		p.hover(cellAt(valid))
		p.waitFor(`document.querySelectorAll(".over .witness").length === 6`)
		p.hover("h1") // what is shown stays while the pointer moves on
		p.waitFor(`document.querySelectorAll(".over .witness").length === 6`)
	})

	t.Run("heat map", func(t *testing.T) {
		p := open(t, "#n=8")
		p.click("#heat")
		p.waitFor(`document.querySelectorAll(".heat").length === 64`)
		p.becomes("4", func() string { return p.text(cellAt("a1") + " .count") })
		p.becomes("18", func() string { return p.text(cellAt("d1") + " .count") })
		p.comesToHold("d1, valid, 18 solutions", func() string {
			return p.js(fmt.Sprintf("document.querySelector('%s').getAttribute('aria-label')", cellAt("d1")))
		})
		p.shoot("desktop-heat")
	})

	t.Run("forced queens have reasons", func(t *testing.T) {
		p := open(t, "#n=8&q=a1,b5")
		p.becomes("6", func() string { return p.js(`document.querySelectorAll("#reasons li").length`) })
		p.hover("#reasons li:nth-child(2) button")
		p.waitFor(`document.querySelectorAll(".over .reason-line").length === 8`)
		p.choose("#forced", "place")
		p.shows("#n=8&q=a1,b5&forced=place")
		p.becomes("q", func() string { return p.mark("c8") })
		p.click(cellAt("c8"))
		p.waitFor(`document.querySelector("#live").textContent.includes("follows from the other queens")`)
		p.choose("#forced", "off")
		p.shows("#n=8&q=a1,b5&forced=off")
		p.becomes("o", func() string { return p.mark("c8") })
	})

	t.Run("blocked cells", func(t *testing.T) {
		p := open(t, "#n=4")
		p.js(
			fmt.Sprintf(
				`document.querySelector('%s').dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}))`,
				cellAt("b1"),
			),
		)
		p.shows("#n=4&x=b1")
		p.becomes("#", func() string { return p.mark("b1") })
		p.becomes("1", func() string { return p.text("#solutions-left") })
		p.square("b1", "#n=4")
	})

	t.Run("solution browser", func(t *testing.T) {
		p := open(t, "#n=4")
		p.click("#tab-solutions")
		p.click("#solution-next")
		p.waitFor(`document.querySelectorAll(".over .witness").length === 4`)
		first := p.text("#solution-text")
		p.click("#solution-next")
		p.waitFor(
			fmt.Sprintf(
				`document.querySelector("#solution-text").textContent.includes("(the last one)") &&
					document.querySelector("#solution-text").textContent !== %q`,
				first,
			),
		)
		p.click("#solution-previous")
		p.waitFor(fmt.Sprintf(`document.querySelector("#solution-text").textContent === %q`, first))
		p.click("#solution-take")
		p.waitFor(`document.querySelector("#live").textContent.includes("Solved")`)
		p = open(t, "#n=8&q=a1&tab=solutions") // all of them, as a list
		p.click("#solution-all")
		p.becomes("All 4 solutions.", func() string { return p.text("#solution-text") })
		p.becomes("a1 g2 d3 f4 h5 b6 e7 c8", func() string { return p.text("#solution-list li:nth-child(3)") })
		p.click("#solution-list li:nth-child(2) button")
		p.waitFor(`document.querySelectorAll(".over .witness").length === 7`)
		p.becomes("Solution 2", func() string { return p.text("#solution-text") })
		p.click("#solution-next")
		p.comesToHold("Solution 3: ", func() string { return p.text("#solution-text") })
		p = open(t, "#n=10&tab=solutions")
		p.click("#solution-all")
		p.becomes("All 724 solutions.", func() string { return p.text("#solution-text") })
	})

	t.Run("comparison", func(t *testing.T) {
		p := open(t, "#n=6&tab=compare")
		p.waitFor(`document.querySelector("#compare-verdict")`)
		p.comesToHold("same cells", func() string { return p.text("#compare-verdict") })
		p.waitFor(`document.querySelectorAll(".contestant").length >= 8`)
		p.comesToHold("Diagram (ZDD sweep)", func() string { return p.text("#compare-table") })
		p.comesToHold("SAT (gini, a solve for each cell, algorithm 2)", func() string { return p.text("#compare-table") })
		p.waitFor(`/median of [1-5] sessions?; .* nodes/.test(document.querySelector("[data-name^=Diagram]").title)`)
		p.comesToHold("Next 6, mean", func() string { return p.text("#compare-table") })
		p.comesToHold("Multi-valued diagram (MDD openings) remembers", func() string { return p.text("#compare-table") })
		// The first one answers the first click first.
		p.waitFor(`document.querySelector(".contestant td b").textContent.match(/^\d[\d.]* (ns|µs)$/)`)
		before := p.text("#compare-table")
		p.square("b1", "#n=6&q=b1&tab=compare")
		p.waitFor(fmt.Sprintf(`document.querySelector("#compare-table").textContent !== %q`, before))
		p.shoot("desktop-compare")
	})

	t.Run("orders", func(t *testing.T) {
		p := open(t, "#n=6&q=b1&tab=orders")
		p.waitFor(`document.querySelectorAll(".order-column").length === 2`)
		p.comesToHold("BDD nodes129", func() string { return p.text(".order-column.first") })
		p.choose("#order-2", "hilbert")
		p.waitFor(`document.querySelector(".order-column.second h2").textContent === "hilbert"`)
		p.waitFor(`document.querySelectorAll("#orders-body path.area").length === 4`)
		// A painted order: the cell that is clicked first goes to the top level.
		p.click("#order-paint")
		p.waitFor(`document.querySelector(".paintable")`)
		p.click(`.paintable [data-order-cell="f6"]`)
		p.waitFor(`document.querySelector('.paintable [data-order-cell="f6"] text').textContent === "0"`)
		p.click(`.paintable [data-order-cell="c2"]`)
		p.waitFor(`document.querySelector('.paintable [data-order-cell="c2"] text').textContent === "1"`)
		// The search improves it step by step.
		p.click("#order-search")
		p.waitFor(
			`document.querySelector("#order-fall") &&
				Number(document.querySelector(".order-column.second dd").textContent) < 129`,
		)
		p.click("#order-search")
		p.shoot("desktop-orders")
	})

	t.Run("diagram", func(t *testing.T) {
		p := open(t, "#n=8&tab=diagram")
		p.comesToHold("ZDD, row-major: 373 nodes, 373 on a path to a solution", func() string { return p.text("#diagram-body") })
		p.square("a1", "#n=8&q=a1&tab=diagram")
		p.comesToHold("373 nodes, 27 on a path to a solution, which are drawn", func() string { return p.text("#diagram-body") })
		p.becomes("27", func() string { return p.js(`document.querySelectorAll("#diagram-body [data-node]").length`) })
		p.click("#clear")
		p.choose("#diagram-kind", "bdd")
		p.comesToHold("2\u202f451 on a path to a solution, too many to draw", func() string { return p.text("#diagram-body") })
		p.click("#diagram-small")
		p.waitFor(`document.querySelector("svg.diagram")`)
		p.square("b1", "#n=4&q=b1&tab=diagram")
		p.waitFor(`document.querySelectorAll(".edge.live").length > 0`)
		p.shoot("desktop-diagram")
		p.waitFor(`document.querySelectorAll(".edge.low:not(.live)").length` + " > 0")
		p.comesToHold("29 nodes, 16 on a path", func() string { return p.text("#diagram-body") })
		nodes := func() string { return p.js(`document.querySelectorAll("#diagram-body [data-node]").length`) }
		p.click("#diagram-live") // collapses what the placement rules out
		p.becomes("16", nodes)
		p.click("#diagram-live")
		p.becomes("29", nodes)
		p.js(`window.pitch = (k) => document.querySelectorAll("#diagram-body [data-node]")[k].getBoundingClientRect(); 1`)
		p.waitFor(`window.pitch(1).top - window.pitch(0).bottom > window.pitch(0).height`) // room to tell dashes from lines
		// The sweep, line by line of its pseudocode, to the valid cells.
		p.click("#sweep-next")
		p.comesToHold("Down, a1: 1 reached node", func() string { return p.text("#sweep-lesson") })
		p.becomes("3", func() string { return p.js(`document.querySelectorAll("#sweep-lesson .now").length`) })
		for range 40 {
			p.js(`document.querySelector("#sweep-next").click(); 1`)
		}
		p.comesToHold("Done: 4 cells can hold a queen", func() string { return p.text("#sweep-lesson") })
		p.becomes("16", func() string { return p.js(`document.querySelectorAll("#diagram-body .node.alive").length`) })
		p.becomes("4", func() string { return p.js(`document.querySelectorAll(".over .asked").length`) })
		// As a ZDD, with the ZDD's nodes.
		p.choose("#diagram-kind", "zdd")
		p.comesToHold("8 nodes, 4 on a path", func() string { return p.text("#diagram-body") })
		p.comesToHold("ZDD, row-major", func() string { return p.text("#diagram-body") })
		p.js(`document.querySelector("#sweep-play").click(); document.querySelector("#sweep-play").click(); 1`)
		// Every size fits its box, and can be zoomed.
		p.js(`location.hash = "#n=6&tab=diagram"`)
		p.shows("#n=6&tab=diagram")
		p.choose("#diagram-kind", "bdd")
		p.becomes("129", nodes)
		p.waitFor(`document.querySelector("svg.diagram").classList.contains("zoomed")`) // its top, legibly
		p.click(`[aria-label="Zoom the diagram"] button:nth-child(2)`)
		p.waitFor(`!document.querySelector("svg.diagram").classList.contains("zoomed")`)
		p.click("#tab-build")
		p.click("#tab-diagram")
		p.becomes("129", nodes)
	})

	t.Run("building the diagram", func(t *testing.T) {
		p := open(t, "#n=4&tab=build")
		p.waitFor(`document.querySelector("#build-next")`)
		nodes := func() string { return p.text("#build-nodes") }
		p.becomes("0", nodes)
		p.click("#build-next")
		p.becomes("16", nodes)
		p.comesToHold("a1 ∨ b1 ∨ c1 ∨ d1", func() string { return p.text("#build-formula") })
		p.click("#build-next")
		p.comesToHold("a1 → ¬b1 ∧ ¬c1 ∧ ¬d1", func() string { return p.text("#build-formula") })
		p.waitFor(
			`document.querySelectorAll(".node.appeared").length > 0 && document.querySelectorAll(".node.vanished").length > 0`,
		)
		p.becomes("256", func() string { return p.text("#build-solutions") })
		p.shoot("desktop-build")
		p.js(clockByHand + "; 1")
		p.click("#build-play") // plays the rest
		for _, left := range []string{"2 rules left", "1 rule left"} {
			p.becomes(left, func() string { return p.text(".build-rest h2") })
			p.tick()
		}
		p.waitFor(
			`document.querySelector("#build-nodes").textContent === "29" && document.querySelector("#build-next").disabled`,
		)
		p.becomes("2", func() string { return p.text("#build-solutions") })
		// The path to a node is shown on the board.
		p.hover(`.node[data-node] circle`)
		p.js(`document.querySelectorAll('.node[data-node]')[9].dispatchEvent(new PointerEvent("pointerenter")); 1`)
		p.waitFor(`document.querySelectorAll(".over > *").length > 0`)
		// Two neighbours in the order are swapped by a key and swapped back by a click.
		p.do(chromedp.Focus(chromedp.CSS(`#build-order [data-at="3"]`)), chromedp.KeyEvent(kb.ArrowRight))
		p.waitFor(`document.querySelector('#build-order [data-at="3"]').textContent === "a2"`)
		p.comesToHold("a2 before d1", func() string { return p.text("#live") })
		p.click(`#build-order [data-at="3"]`)
		p.waitFor(`document.querySelector('#build-order [data-at="3"]').textContent === "d1"`)
		p.comesToHold("d1 before a2", func() string { return p.text("#live") }) // nothing is drawn anew below the pointer
		p.becomes("29", nodes)
		// Dragging a cell onto its neighbour does the same; dragging it farther does nothing.
		drag := func(from, to int) {
			at := func(i int) string { return fmt.Sprintf(`#build-order [data-at="%d"]`, i) }
			p.js(fmt.Sprintf("document.querySelector(`%s`).scrollIntoView({ block: \"center\" }); 1", at(from)))
			a, b := p.middle(at(from)), p.middle(at(to))
			held := func(e *input.DispatchMouseEventParams) { e.Buttons = 1 }
			p.do(chromedp.MouseEvent("mousePressed", a.X, a.Y, chromedp.Button("left"), chromedp.ClickCount(1)),
				chromedp.MouseEvent("mouseMoved", (a.X+b.X)/2, a.Y, chromedp.Button("left"), held),
				chromedp.MouseEvent("mouseMoved", b.X, b.Y, chromedp.Button("left"), held),
				chromedp.MouseEvent("mouseReleased", b.X, b.Y, chromedp.Button("left"), chromedp.ClickCount(1)))
		}
		drag(3, 4)
		p.waitFor(`document.querySelector('#build-order [data-at="3"]').textContent === "a2"`)
		p.becomes("29", nodes)
		p.comesToHold("a2 before d1: ", func() string { return p.text("#build-told") })
		drag(3, 6)
		p.comesToHold("Only neighbours can be swapped", func() string { return p.text("#live") })
		p.click(`#build-order [data-at="3"]`)
		p.waitFor(`document.querySelector('#build-order [data-at="3"]').textContent === "d1"`)
		p.click("#build-undo")
		p.waitFor(`!document.querySelector("#build-next").disabled`)
		p.choose("#build-group", "cells")
		p.becomes("0", nodes)
		p.click(`#build-rules button[title*="a1 → ¬b1"]`)
		p.comesToHold("a queen on a1 keeps the cells it attacks empty", func() string { return p.text("#build-formula") })
		p.click("#build-reset")
		p.becomes("0", nodes)
	})

	t.Run("local search", func(t *testing.T) {
		p := open(t, "#n=8&q=d1&tab=repair")
		p.choose("#panel-repair .speed", "0.35")
		p.click("#repair-step")
		p.waitFor(`document.querySelectorAll(".over .queen").length === 8`)
		p.comesToHold("The initial board", func() string { return p.text("#repair-text") })
		p.becomes("place a queen in every column", func() string { return p.text("#repair-lesson .now") })
		p.click("#repair-step")
		p.waitFor(`document.querySelectorAll(".over .move-to").length === 1`)
		p.shoot("desktop-repair")
		p.click("#repair-run")
		p.waitFor(`Number(document.querySelector("#repair-slider").value) > 2`)
		p.js(
			`(() => { const s = document.querySelector("#repair-slider"); s.value = s.max;
				s.dispatchEvent(new Event("input")); return 1; })()`,
		)
		p.comesToHold("Solved", func() string { return p.text("#repair-text") })
		p.becomes("0", func() string { return p.js(`document.querySelectorAll(".over .conflict").length`) })
		p.choose("#repair-method", "swap")
		p.becomes(
			"permutation",
			func() string { return p.js(`document.querySelector("#repair-init").value`) },
			"swap cannot repair a random board",
		)
		p.click("#repair-new")
		p.waitFor(`document.querySelectorAll(".over .queen").length === 8`)
		// When the panel is left, the person's board is back and reacts again.
		p.click("#tab-why")
		p.waitFor(`!document.querySelector("#board").classList.contains("frozen")`)
		p.square("d1", "#n=8")
	})

	t.Run("questions for a class", func(t *testing.T) {
		p := open(t, "#n=8&tab=quiz&ask=queen-hard-2")
		p.comesToHold("Which queen must go?", func() string { return p.text("#quiz-text") })
		queens := p.js(`document.querySelectorAll(".over .queen").length`)
		p.becomes("0", func() string { return p.js(`document.querySelectorAll("#quiz-verdict").length`) })
		p.comesToHold("3 of 8 queens, no completion", func() string { return p.text("#other-board") })
		told := func() string { return p.js(`document.querySelector("#summary").innerText`) } // what is visible of it
		require.NotContains(t, told(), "solutions", "the summary is about the question's board, not about the person's")
		p.do(chromedp.KeyEvent("h"))
		p.rest()
		p.becomes("3", func() string { return p.js(`document.querySelectorAll(".over .calm").length`) })
		p.do(chromedp.KeyEvent("h"))
		p.click("#quiz-show")
		p.comesToHold("The answer is ", func() string { return p.text("#quiz-verdict") })
		answer := strings.TrimSuffix(strings.Fields(p.text("#quiz-verdict"))[3], ".")
		p.do(chromedp.Reload()) // a link is a question
		p.waitFor(fmt.Sprintf(`document.querySelectorAll(".over .queen").length === %s`, queens))
		wrong := p.js(fmt.Sprintf(`[...document.querySelectorAll(".over .ghost")].map((g) => {
			const m = g.transform.baseVal[0].matrix; return "abcdefgh"[m.e / 100] + (8 - m.f / 100); }).find((c) => c !== %q)`, answer))
		p.click(cellAt(wrong))
		p.becomes("Not "+wrong+". Without this queen there is still no completion.",
			func() string { return p.text("#quiz-verdict") })
		p.click(cellAt(answer))
		p.comesToHold(answer+" is right.", func() string { return p.text("#quiz-verdict") })
		p.shoot("desktop-quiz")
		p.click("#quiz-next")
		p.becomes("#n=8&tab=quiz&ask=queen-hard-3", func() string { return p.js("location.hash") })
		for _, kind := range []string{"forced", "cell"} {
			p.choose("#quiz-kind", kind)
			p.choose("#quiz-level", "easy")
			p.waitFor(fmt.Sprintf(`location.hash.endsWith("%s-easy-3") && document.querySelector("#quiz-show")`, kind))
			p.rest()
			p.click("#quiz-show")
			p.comesToHold("The answer is ", func() string { return p.text("#quiz-verdict") })
		}
		p.click("#quiz-why a")
		p.waitFor(`document.querySelector("#why-text") && location.hash.includes("q=")`)
		p.click("#tab-quiz")
		p.waitFor(`document.querySelector("#quiz-show")`)
		p.click("#tab-solutions")
		p.waitFor(`!document.querySelector("#board").classList.contains("frozen")`)
	})

	t.Run("counts that take longer follow the board", func(t *testing.T) {
		p := open(t, "#n=13&backend=search")
		p.waitFor(`document.querySelector("#solutions-left").textContent === "73\u202f712"`)
	})
}

// pageUse tests what has nothing to do with the engine: the keyboard, names for assistive
// technology, themes, small screens, boards and links of every kind.
func pageUse(t *testing.T, open func(t *testing.T, link string) *page) {
	t.Run("keyboard alone", func(t *testing.T) {
		p := open(t, "#n=8")
		p.becomes(
			"1",
			func() string { return p.js(`document.querySelectorAll('[role="gridcell"][tabindex="0"]').length`) },
			"one tab stop in the grid",
		)
		p.becomes("8", func() string { return p.js(`document.querySelectorAll('[role="grid"] > g > [role="row"]').length`) })
		p.do(
			chromedp.Focus(chromedp.CSS(cellAt("a1"))),
			chromedp.KeyEvent(kb.ArrowRight),
			chromedp.KeyEvent(kb.ArrowRight),
			chromedp.KeyEvent(kb.ArrowUp),
		)
		p.becomes("c2", func() string { return p.js("document.activeElement.dataset.cell") })
		p.becomes("1", func() string { return p.js(`document.querySelectorAll('[role="gridcell"][tabindex="0"]').length`) })
		p.do(chromedp.KeyEvent(kb.Enter))
		p.shows("#n=8&q=c2")
		p.do(chromedp.KeyEvent(kb.End))
		p.becomes("h2", func() string { return p.js("document.activeElement.dataset.cell") })
		p.do(chromedp.KeyEvent("e"))
		p.waitFor(
			`document.querySelector("#why-text") &&
				document.querySelector("#live").textContent.includes("attacked by the queen on c2")`,
		)
		p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("u"))
		p.shows("#n=8")
		p.do(chromedp.KeyEvent("r"))
		p.shows("#n=8&q=c2")
		p.do(chromedp.KeyEvent(kb.PageUp), chromedp.KeyEvent(kb.Home))
		p.becomes("a8", func() string { return p.js("document.activeElement.dataset.cell") })
		p.do(chromedp.KeyEvent("x"))
		p.shows("#n=8&q=c2&x=a8")
		p.do(chromedp.KeyEvent("+"))
		p.shows("#n=9&q=c2&x=a8")
		p.do(chromedp.KeyEvent("?"))
		p.waitFor(`document.querySelector("#help-dialog").open`)
		p.click("#help-close")
		p.waitFor(`!document.querySelector("#help-dialog").open`)
		p.do(chromedp.Focus(chromedp.CSS("#tab-why")), chromedp.KeyEvent(kb.ArrowRight))
		p.becomes(
			"true",
			func() string { return p.js(`document.querySelector("#tab-solutions").getAttribute("aria-selected")`) },
		)
	})

	t.Run("every control has a name", func(t *testing.T) {
		p := open(t, "#n=5")
		for _, tab := range p.tabs() {
			p.click("#tab-" + tab)
			assert.Equal(
				t,
				"0",
				p.js(`[...document.querySelectorAll("button, select, input")].filter((e) => !e.closest("[hidden]") &&
				!e.textContent.trim() && !e.getAttribute("aria-label") && !(e.labels && e.labels.length)).length`),
				tab,
			)
		}
	})

	t.Run("size, back-end, order, theme, projector", func(t *testing.T) {
		p := open(t, "#n=8")
		p.click("#larger")
		p.shows("#n=9")
		p.click("#smaller")
		p.shows("#n=8")
		p.js(
			`(() => { const s = document.querySelector("#size"); s.value = "20"; s.dispatchEvent(new Event("change"));
				return 1; })()`,
		)
		p.shows("#n=20")
		p.comesToHold("Portfolio", func() string { return p.text("#engine-line") })
		p.js(
			`(() => { const s = document.querySelector("#size"); s.value = "5000"; s.dispatchEvent(new Event("change"));
				return 1; })()`,
		)
		p.comesToHold("is not possible here: choose n from 1 to", func() string { return p.text("#banner") })
		p.click("#smaller")
		p.shows("#n=19")
		p.choose("#backend", "search")
		p.shows("#n=19&backend=search")
		p.choose("#backend", "")
		p.choose("#order", "snake")
		p.shows("#n=19&order=snake")
		p.click("#theme")
		p.click("#theme")
		p.becomes("dark", func() string { return p.js("document.documentElement.dataset.theme") })
		p.click("#projector")
		p.shoot("desktop-projector-dark")
		p.do(chromedp.Reload())
		p.waitFor(`document.body.hasAttribute("data-shown")`)
		p.becomes(
			"true",
			func() string { return p.js(`document.documentElement.hasAttribute("data-projector")`) },
			"projector mode is remembered",
		)
		p.click("#projector")
		p.click("#theme")
	})

	t.Run("boards without a solution, and links without a completion", func(t *testing.T) {
		p := open(t, "#n=3")
		p.becomes("0", func() string { return p.text("#solutions-left") })
		p.comesToHold("no solution", func() string { return p.text("#live") })
		p.js(`location.hash = "#n=8&q=a1,b2"`)
		p.waitFor(`document.querySelector(".refused")`)
		p.comesToHold("Cannot place b2: b2 is attacked by the queen on a1", func() string { return p.text(".refused") })
		p.click(`[data-blame="b2"]`)
		p.shows("#n=8&q=a1")
	})

	t.Run("phone", func(t *testing.T) {
		p := open(t, "#n=8&q=a1")
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.waitFor(`window.innerWidth === 390`)
		p.becomes("true", func() string { return p.js("document.documentElement.scrollWidth <= 390") }, "nothing sticks out")
		p.shoot("phone")
		for _, tab := range p.tabs() {
			p.click("#tab-" + tab)
			p.waitFor("document.documentElement.scrollWidth <= 390")
		}
		p.js(`location.hash = "#n=8&q=a1&tab=orders"`)
		p.waitFor(`document.querySelectorAll(".order-column").length === 2`)
		p.becomes("true", func() string { return p.js("document.documentElement.scrollWidth <= 390") })
		p.shoot("phone-orders")
	})

	t.Run("touch", func(t *testing.T) {
		p := open(t, "#n=8")
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.waitFor(`window.innerWidth === 390`)
		p.js(`window.clicks = 0; document.addEventListener("click", () => window.clicks++)`)
		p.js(clockByHand + "; 1") // so a touch lasts as long as the test says, however fast the machine is
		resting := func() string { return p.js("window.waits.length") }
		hold := func(cell string) {
			p.touch("touchStart", cell, 0)
			p.tick()
		}
		lift := func() { p.touch("touchEnd", "", 0) }

		hold("c4") // acts while the finger is down
		p.shows("#n=8&x=c4")
		p.becomes("#", func() string { return p.mark("c4") })
		lift()
		p.shows("#n=8&x=c4")
		hold("c4")
		p.shows("#n=8")
		lift()

		p.touch("touchStart", "e4", 0) // a tap
		lift()
		p.shows("#n=8&q=e4")
		p.becomes("0", resting)
		p.becomes("1", func() string { return p.js("window.clicks") }, "only the tap's")

		p.touch("touchStart", "a1", 0) // a finger that moves
		p.becomes("1", resting)
		p.touch("touchMove", "a1", 40)
		p.becomes("0", resting)
		lift()
		p.touch("touchStart", "a2", 0) // a touch that is cancelled
		p.touch("touchCancel", "", 0)
		p.becomes("0", resting)
		p.becomes("#n=8&q=e4", func() string { return p.js("location.hash") })

		hold("e4") // a held queen stays, and neither the hold nor its end takes it back
		p.becomes("There is a queen on e4.", func() string { return p.text("#live") })
		lift()
		p.touch("touchStart", "a3", 0)
		lift()
		p.shows("#n=8&q=e4,a3")

		// Chromium ends a long touch with a click; other browsers also ask for a context menu,
		// before or after the touch is acted on.
		menu := func() {
			p.js(
				fmt.Sprintf(
					`document.querySelector('%s').dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}))`,
					cellAt("h1"),
				),
			)
		}
		hold("h1")
		p.shows("#n=8&q=e4,a3&x=h1")
		menu()
		lift()
		p.touch("touchStart", "g1", 0)
		p.touch("touchCancel", "", 0)
		p.becomes("#n=8&q=e4,a3&x=h1", func() string { return p.js("location.hash") })
		p.touch("touchStart", "h1", 0)
		menu()
		p.shows("#n=8&q=e4,a3")
		lift()
		p.becomes("#n=8&q=e4,a3", func() string { return p.js("location.hash") })
	})

	t.Run("a finger drags neighbours in the order", func(t *testing.T) {
		p := open(t, "#n=4&tab=build")
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.waitFor(`window.innerWidth === 390`)
		p.waitFor(`document.querySelector("#build-order [data-at]")`)
		chip := func(at int) string { return fmt.Sprintf(`#build-order [data-at="%d"]`, at) }
		p.js(fmt.Sprintf("document.querySelector(`%s`).scrollIntoView({ block: \"center\" }); 1", chip(1)))
		from, to := p.middle(chip(1)), p.middle(chip(2))
		for i := range 5 { // touch the cell, and move in steps to its neighbour
			kind := input.DispatchTouchEventType("touchMove")
			if i == 0 {
				kind = "touchStart"
			}
			x := from.X + (to.X-from.X)*float64(i)/4
			_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind,
				TouchPoints: []*input.TouchPoint{{X: x, Y: from.Y}}})
			require.NoError(t, err)
		}
		p.becomes("b1", func() string { return p.text("#build-order .dragged") })
		p.touch("touchEnd", "", 0)
		p.becomes("c1", func() string { return p.text(chip(1)) })
		p.becomes("b1", func() string { return p.text(chip(2)) })
		p.comesToHold("c1 before b1", func() string { return p.text("#live") })
		p.becomes("0", func() string { return p.js(`document.querySelectorAll("#build-order .dragged").length`) })
	})

	t.Run("right button", func(t *testing.T) {
		p := open(t, "#n=4")
		for _, link := range []string{"#n=4&x=b1", "#n=4", "#n=4&x=b1"} {
			at := p.place("b1")
			p.do(chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonRight))
			p.shows(link)
		}
		p.square("b1", "#n=4")
		p.square("b1", "#n=4&q=b1")
	})

	t.Run("a click on a nearly full wide board is explained in steps", func(t *testing.T) {
		const n = 198
		var placed []string
		for r := range n - 12 { // of the two staircases that solve it
			placed = append(placed, board.Cell{Row: r, Col: r%(n/2)*2 + 1 - r/(n/2)}.String())
		}
		p := open(t, fmt.Sprintf("#n=%d&q=%s", n, strings.Join(placed, ",")))
		x, y := p.painted(n, "fy187") // no queen attacks it
		p.do(chromedp.MouseClickXY(x, y))
		p.comesToHold("fy187", func() string { return p.text(".why-head") })
		p.click("#level-proof")
		p.waitFor(`document.querySelectorAll("#why-steps li").length > 1`)
		p.comesToHold("Suppose a queen stands on fy187", func() string { return p.text("#step-1") })
		p = open(t, "#n=201&q="+strings.Join(placed, ","))
		p.comesToHold("n=201 is not a board size from 1 to 200; q=j5,l6,n7 and 179 more are not on the board for n = 8",
			func() string { return p.text("#banner") })
	})

	t.Run("large boards are painted", func(t *testing.T) {
		p := open(t, "#n=100")
		p.becomes(
			"1",
			func() string { return p.js(`document.querySelectorAll("[data-cell]").length`) },
			"one tab stop, and not one element per cell",
		)
		x, y := p.painted(100, "c5")
		p.do(chromedp.MouseClickXY(x, y))
		p.shows("#n=100&q=c5")
		p.becomes("Q", func() string { return p.mark("c5") })
		// A cell is explained, and the explanation is drawn over the canvas.
		x, y = p.painted(100, "c50")
		p.do(chromedp.MouseClickXY(x, y))
		p.comesToHold("c50 is attacked by the queen on c5", func() string { return strings.ToLower(p.text("#why-text")) })
		p.waitFor(`document.querySelectorAll(".over .ray").length === 1`)
		// Zoomed in, a drag moves the board and places nothing.
		for range 4 {
			p.click("#zoom-in")
		}
		p.waitFor(`document.querySelector("#board").classList.contains("zoomed")`)
		p.js(`window.before = document.querySelector("#board").getAttribute("viewBox")`)
		mid := p.middle("#board")
		p.do(
			chromedp.MouseEvent("mousePressed", mid.X, mid.Y, chromedp.Button("left"), chromedp.ClickCount(1)),
			chromedp.MouseEvent(
				"mouseMoved",
				mid.X+60,
				mid.Y+40,
				chromedp.Button("left"),
				func(e *input.DispatchMouseEventParams) { e.Buttons = 1 },
			),
			chromedp.MouseEvent("mouseReleased", mid.X+60, mid.Y+40, chromedp.Button("left"), chromedp.ClickCount(1)),
		)
		p.becomes("true", func() string {
			return p.js(`document.querySelector("#board").getAttribute("viewBox") !== window.before`)
		})
		p.click("#zoom-all")
		p.waitFor(`!document.querySelector("#board").classList.contains("zoomed")`)
		p.becomes("#n=100&q=c5", func() string { return p.js("location.hash") })
		p.do(chromedp.Focus(chromedp.CSS("[data-cell]")), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp))
		// A picture of a painted board shows its cells.
		p.js(
			`URL.createObjectURL = (b) => { window.blob = b; return "data:,"; };
				HTMLAnchorElement.prototype.click = () => {}; 1`,
		)
		p.click(`[data-save="board-png"]`)
		p.waitFor(`window.blob`)
		p.js(`createImageBitmap(window.blob).then((i) => {
			const c = Object.assign(document.createElement("canvas"), { width: i.width, height: i.height }).getContext("2d");
			c.drawImage(i, 0, 0);
			window.wide = i.width;
			const d = c.getImageData(i.width / 2, i.height / 2, 60, 60).data;
			window.colours = new Set(Array.from({ length: 3600 }, (_, k) => d.slice(4 * k, 4 * k + 3).join())).size; }); 1`)
		p.waitFor(`window.colours > 2`)
		p.becomes("2400", func() string { return p.js("window.wide") }, "as many pixels as are useful")
		p.becomes("true", func() string { return p.js(`document.querySelector("#heat").disabled`) })
		p.comesToHold("no room for numbers beyond n = 14", func() string { return p.text("#heat-note") })
	})

	t.Run("a queen is dragged", func(t *testing.T) {
		p := open(t, "#n=6&q=b1")
		drag := func(cell string, x, y float64) {
			from := p.place(cell)
			p.do(chromedp.MouseEvent("mousePressed", from.X, from.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
			p.do(chromedp.MouseEvent("mouseMoved", (from.X+x)/2, (from.Y+y)/2, chromedp.ButtonLeft),
				chromedp.MouseEvent("mouseMoved", x, y, chromedp.ButtonLeft))
			p.do(chromedp.MouseEvent("mouseReleased", x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
		}
		to := p.place("c1")
		drag("b1", to.X, to.Y)
		p.shows("#n=6&q=c1")
		p.becomes("0", func() string { return p.js(`document.querySelectorAll(".dragged-queen").length`) })
		p.square("c1", "#n=6") // a click still takes a queen back
		p.click("#undo")
		p.shows("#n=6&q=c1")
		beside := p.middle("#live")
		drag("c1", beside.X, beside.Y)
		p.shows("#n=6")
	})

	t.Run("what the eye or the focus is on stays", func(t *testing.T) {
		p := open(t, "#n=6")
		top := func() string { return p.js(`document.querySelector("#tabs").getBoundingClientRect().top`) }
		before := top()
		for _, tab := range p.tabs() {
			p.click("#tab-" + tab)
			assert.Equal(t, before, top(), tab)
		}
		p.rest()
		p.js(`document.querySelector('[data-cell][tabindex="0"]').focus()`)
		p.do(chromedp.KeyEvent("+"))
		p.shows("#n=7")
		p.becomes("a1", func() string { return p.js(`document.activeElement.dataset.cell`) })
		p.js(`Object.defineProperty(navigator, "clipboard", { value: undefined });
			document.execCommand = (what) => { window.copied = what + " " + document.activeElement.value; return true; }; 1`)
		p.click("#copy")
		p.becomes("Link copied.", func() string { return p.text("#live") })
		p.comesToHold("copy http", func() string { return p.js("window.copied") })
	})

	t.Run("an order is painted by keyboard", func(t *testing.T) {
		p := open(t, "#n=4&tab=orders")
		p.waitFor(`document.querySelector("#order-paint:not(:disabled)") && document.querySelectorAll(".level-board").length === 2`)
		p.rest()
		p.click("#order-paint")
		p.waitFor(`document.querySelector(".paintable")`)
		p.rest()
		p.js(`document.querySelector('.paintable [tabindex="0"]').focus()`)
		p.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
		p.becomes("b2, level 0", func() string {
			return p.js(`document.querySelector('.paintable [data-order-cell="b2"]').getAttribute("aria-label")`)
		})
		p.becomes("b2", func() string { return p.js(`document.activeElement.dataset.orderCell ?? ""`) })
	})

	t.Run("a diagram that fills the window is seen whole", func(t *testing.T) {
		p := open(t, "#n=5&tab=diagram")
		p.waitFor(`document.querySelector("svg.diagram")`)
		whole := `(() => { const d = document.querySelector("svg.diagram"), b = d.viewBox.baseVal;
			const [, , w, h] = d.dataset.whole.split(" ").map(Number), r = d.getBoundingClientRect();
			return b.width >= w - 1 && b.height >= h - 1 && r.bottom <= innerHeight && r.top >= 0; })()`
		p.becomes("false", func() string { return p.js(whole) })
		p.do(chromedp.KeyEvent("f"))
		p.waitFor(whole)
		p.do(chromedp.EmulateViewport(1280, 720))
		p.waitFor(whole)
	})

	t.Run("stage, projector and downloads", func(t *testing.T) {
		p := open(t, "#n=4&tab=diagram")
		p.waitFor(`document.querySelector("svg.diagram")`)
		p.do(chromedp.KeyEvent("f"))
		// The board stays next to a panel that draws on it.
		p.waitFor(`document.body.dataset.stage === "panel" && document.querySelector(".summary").offsetParent === null`)
		p.waitFor(`document.querySelector("#panels").getBoundingClientRect().width > innerWidth * 0.6`)
		p.waitFor(`document.querySelector("#board").getBoundingClientRect().width > 200`)
		p.waitFor(`document.querySelector("svg.diagram").getAttribute("width") ===
			String(document.querySelector(".diagram-scroll").clientWidth)`) // it is fitted once the panel has grown
		p.js(`window.before = document.querySelector("svg.diagram").getAttribute("viewBox")`)
		p.do(chromedp.KeyEvent("z")) // zooms the diagram, not the board
		p.waitFor(`document.querySelector("svg.diagram").getAttribute("viewBox") !== window.before`)
		p.becomes("false", func() string { return p.js(`document.querySelector("#board").classList.contains("zoomed")`) })
		p.do(chromedp.KeyEvent("0"))
		p.waitFor(`document.querySelector("svg.diagram").getAttribute("viewBox") === window.before`)
		p.click("#tab-compare")
		p.waitFor(`document.querySelector(".stage").offsetParent === null`)
		p.waitFor(`document.querySelector("#panels").getBoundingClientRect().width > innerWidth * 0.9`)
		p.click("#tab-diagram")
		p.shoot("desktop-stage-panel")
		p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("b"))
		p.waitFor(`document.body.dataset.stage === "board" && document.querySelector(".side").offsetParent === null`)
		p.shoot("desktop-stage-board")
		p.click("#stage-close")
		p.waitFor(`document.body.dataset.stage === undefined`)
		p.js(`window.saved = {}; URL.createObjectURL = (b) => { window.blob = b; return "data:,"; };
			HTMLAnchorElement.prototype.click = function () { window.saved[this.download] = window.blob; }; 1`)
		saves := func(files ...string) {
			for _, file := range files {
				name, kind, _ := strings.Cut(file, ".")
				name = strings.TrimSuffix(name, "-n4")
				p.waitFor(fmt.Sprintf("document.querySelector(`[data-save=%q]`)", name+"-"+kind))
				p.js(
					fmt.Sprintf("document.querySelector(`[data-save=%q]`).dispatchEvent(new MouseEvent(\"click\")); 1", name+"-"+kind),
				)
				p.waitFor(fmt.Sprintf("window.saved[%q]?.size > 40", file))
			}
		}
		saves("board.svg", "board.png", "diagram.svg", "diagram.png", "diagram-n4.dot")
		p.js(`window.saved["diagram.svg"].text().then((text) => { window.text = text; }); 1`)
		p.waitFor(`new DOMParser().parseFromString(window.text, "image/svg+xml").querySelectorAll("circle").length === 29`)
		p.waitFor(`!window.text.includes("class=") && window.text.includes("stroke")`)
		p.click("#tab-compare")
		p.waitFor(`document.querySelector("#compare-verdict")`)
		p.js(`document.querySelector('[data-save="comparison-txt"]').dispatchEvent(new MouseEvent("click")); 1`)
		p.waitFor(`window.saved["comparison.tsv"]`)
		p.click("#tab-orders")
		saves("levels-1.svg", "widths-2.png")
		p.click("#tab-build")
		p.click("#build-next")
		p.waitFor(`document.querySelectorAll("#build-body .node[data-node]").length === 16`)
		saves("construction.svg", "construction.png", "construction-n4.dot", "growth.png")
		p.click("#tab-repair")
		p.click("#repair-step")
		saves("local-search.svg", "local-search.png")
		p.click("#tab-solutions")
		p.click(`[data-save="solutions-txt"]`)
		p.waitFor(`window.saved["solutions-n4.txt"]`)
		p.js(`window.saved["solutions-n4.txt"].text().then((text) => { window.text = text; }); 1`)
		p.waitFor(`window.text === "b1,d2,a3,c4\nc1,a2,d3,b4\n"`)
	})

	t.Run("the conclusion is in sight", func(t *testing.T) {
		for _, link := range []string{"#n=8&q=a1,e8&why=b3", "#n=8&q=d1,c4,f6&why=a8"} {
			p := open(t, link)
			p.waitFor(`document.querySelector("#step-next")`)
			p.js(`document.querySelector("#why-steps li:last-child button").click(); 1`)
			for _, size := range [][2]int64{{1280, 720}, {1920, 1080}, {390, 844}} {
				if size[0] < 1000 {
					p.do(chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateMobile, chromedp.EmulateTouch))
				} else {
					p.do(chromedp.EmulateViewport(size[0], size[1]))
				}
				p.waitFor(fmt.Sprintf("window.innerWidth === %d && window.scrollY === 0", size[0]))
				for _, part := range []string{"#why-text", ".blame-button", "#why-close", "#board"} {
					p.becomes("true", func() string {
						return p.js(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect();
							return r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth + 1; })()`, part))
					}, "%s: %s at %v", link, part, size)
				}
			}
			p.comesToHold("To blame", func() string { return p.text("#panel-why") })
			p.click("#why-close") // there is no Esc on a phone
			p.waitFor(`!document.querySelector("#why-text") && document.querySelector("#panel-why .hint")`)
			p.comesToHold("Tap a cell", func() string { return p.text("#panel-why") })
		}
	})

	t.Run("projector at 1280 by 720: the board grows, controls disappear, nothing scrolls", func(t *testing.T) {
		p := open(t, "#n=5")
		p.do(chromedp.EmulateViewport(1280, 720))
		p.waitFor(`window.innerWidth === 1280`)
		side := `document.querySelector("#board").getBoundingClientRect().width`
		p.js("window.before = " + side)
		p.do(chromedp.KeyEvent("p"))
		p.waitFor(side + ` > window.before`)
		p.waitFor(`document.querySelector("#backend").offsetParent === null`)
		for _, tab := range p.tabs() {
			p.click("#tab-" + tab)
			p.rest()
			p.becomes("true", func() string {
				return p.js(`document.documentElement.scrollHeight <= 720 && document.documentElement.scrollWidth <= 1280 &&
					document.querySelector("#board").getBoundingClientRect().bottom <= 720`)
			}, tab)
		}
		p.do(chromedp.KeyEvent("p"))
	})

	t.Run("at 1280 by 720 drawings are inside the first screen, and a long panel scrolls by itself", func(t *testing.T) {
		for _, view := range []struct{ link, drawing string }{
			{"#n=8&q=a1&tab=diagram", "#diagram-body svg.diagram"}, {"#n=4&tab=diagram", "#diagram-body svg.diagram"},
			{"#n=8&tab=orders", ".level-board"}, {"#n=4&tab=build", "#build-body svg.diagram, #build-body .constant"},
		} {
			p := open(t, view.link)
			p.do(chromedp.EmulateViewport(1280, 720))
			p.waitFor(`window.innerWidth === 1280`)
			for _, projector := range []string{"false", "true"} {
				p.waitFor(fmt.Sprintf(`document.querySelector("#projector").getAttribute("aria-pressed") === %q`, projector))
				p.waitFor(fmt.Sprintf(`(() => { const r = document.querySelector(%q)?.getBoundingClientRect();
					return r && r.top > 0 && r.bottom <= 720 && r.height > 100; })()`, view.drawing))
				p.do(chromedp.KeyEvent("p"))
			}
		}
		p := open(t, "#n=8&q=a1,e8&why=b3")
		p.do(chromedp.EmulateViewport(1280, 720), chromedp.KeyEvent("p"))
		p.waitFor(`document.querySelector("#panels").scrollHeight > document.querySelector("#panels").clientHeight`)
		p.js(`document.querySelector("#panels").scrollTop = 1e4; 1`)
		p.waitFor(`window.scrollY === 0 && document.querySelector("#tabs").getBoundingClientRect().bottom <
			document.querySelector("#panels").getBoundingClientRect().top + 120`) // the tabs stay
		size := func(of string) string {
			return p.js(fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).fontSize`, of))
		}
		p.becomes(size("#why-text"), func() string { return size("#live") }, "the line below the board is as large as the rest")
		p.waitFor(`[...document.querySelectorAll(".signs, .live")].every((e) => {
			const r = e.getBoundingClientRect(); return r.height > 10 && r.bottom <= 720; })`)
		// A board that is not the person's has its own signs and its own line beside it.
		legend := func() string {
			return p.js(`[...document.querySelectorAll(".signs > span")].filter((s) => s.offsetParent).map((s) => s.lastChild.textContent).join()`)
		}
		p.comesToHold("valid", legend)
		p.click("#tab-repair")
		p.click("#repair-step")
		p.becomes("attacks another queen,moved from,moved to", legend)
		p.comesToHold("The search's board: 8 queens, ", func() string { return p.text("#other-board") })
		p.click("#tab-quiz")
		p.comesToHold("The question's board", func() string { return p.text("#other-board") })
		p.becomes("in question,right,wrong", legend)
		p.click("#tab-why")
		p.comesToHold("valid", legend)
		p.do(chromedp.KeyEvent("p"))
	})

	t.Run("a phone on its side: the board as a whole, the panel beside it", func(t *testing.T) {
		p := open(t, "#n=8&q=a1,e8&why=b3")
		p.do(chromedp.EmulateViewport(844, 390, chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.waitFor(`window.innerWidth === 844`)
		p.waitFor(`(() => { const board = document.querySelector("#board").getBoundingClientRect(),
			side = document.querySelector(".side").getBoundingClientRect();
			return board.top >= 0 && board.bottom <= 390 && board.height > 200 && side.left >= board.right && side.right <= 845 &&
				document.documentElement.scrollHeight <= 390; })()`)
	})

	t.Run("a solved board tells placed queens from forced ones, and a focus ring is whole", func(t *testing.T) {
		p := open(t, "#n=6&q=b1&forced=place")
		p.waitFor(`document.body.classList.contains("complete")`)
		look := func(cell string) string {
			return p.js(fmt.Sprintf(`(() => { const s = getComputedStyle(document.querySelector('%s .queen'));
				return s.fill + s.fillOpacity + s.stroke; })()`, cellAt(cell)))
		}
		assert.NotEqual(t, look("b1"), look("d2"))
		p.waitFor(`document.querySelector(".only-auto").offsetParent !== null`) // in the legend
		p.js(`document.querySelector('[data-cell="a1"]').focus(); 1`)
		p.do(chromedp.KeyEvent(kb.ArrowUp))
		p.waitFor(`(() => { const s = getComputedStyle(document.querySelector('[data-cell="a2"] .square'));
			const half = parseFloat(s.strokeWidth) / 2; // neighbours, which are drawn later, cover what is outside the cell
			return s.stroke !== "none" && parseFloat(s.x) >= half && parseFloat(s.x) + parseFloat(s.width) + half <= 100; })()`)
	})

	t.Run("cells of a painted board are alike", func(t *testing.T) {
		p := open(t, "#n=100")
		for _, width := range []int64{1280, 1366, 1920} {
			p.do(chromedp.EmulateViewport(width, 720))
			p.waitFor(fmt.Sprintf("window.innerWidth === %d", width))
			p.waitFor(`(() => { const c = document.querySelector("canvas.marks"), b = document.querySelector("#board");
				const side = c.width / (b.viewBox.baseVal.width / 100);
				return side >= 4 && Number.isInteger(side) && Math.abs(b.getBoundingClientRect().width - c.width) < 0.01; })()`)
		}
	})

	t.Run("a size keeps the queens that fit, and a link tells its unknown parts", func(t *testing.T) {
		p := open(t, "#n=8&q=a1,h5&x=c8&colour=red")
		p.comesToHold("colour is no part of a link", func() string { return p.text("#banner") })
		p.click("#smaller")
		p.shows("#n=7&q=a1")
		p.click("#larger")
		p.shows("#n=8&q=a1")
		forced := func(value string) {
			_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: value}}})
			require.NoError(t, err)
		}
		forced("active")
		background := func(tab string) string {
			return p.js(fmt.Sprintf("getComputedStyle(document.querySelector(%q)).backgroundColor", tab))
		}
		require.NotEqual(t, background("#tab-orders"), background("#tab-why"), "the selected tab shows")
		forced("none")
		p.do(chromedp.EmulateViewport(390, 844))
		p.waitFor(`document.querySelector("#zoom-in").offsetParent !== null && document.querySelector("#stage-board").offsetParent === null`)
		p.do(chromedp.EmulateViewport(1280, 720))
		p.click("#tab-compare")
		p.comesToHold("(log)", func() string { return p.text("#compare-table") })
		p.waitFor(`document.querySelector("#engine-line").scrollWidth <= document.querySelector("#engine-line").clientWidth`)
	})

	t.Run("the tour speaks of taps where fingers are the only pointers", func(t *testing.T) {
		p := open(t, "#n=8")
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.js(`localStorage.removeItem("welcome"); 1`)
		p.do(chromedp.Reload())
		p.waitFor(`document.body.hasAttribute("data-shown") && !document.querySelector("#welcome").hidden`)
		p.click("#welcome-tour")
		said := p.js(`[...document.querySelectorAll("#tour [data-touch]")].map((e) => e.textContent).join(" ")`)
		for _, text := range []string{"Tap a cell with a ring to place a queen", "Tap a cell that cannot hold", "Under More are"} {
			assert.Contains(t, said, text)
		}
		assert.NotRegexp(t, "(?i)click|point at|press ", said)
	})

	t.Run("the first minute: tour and example boards", func(t *testing.T) {
		p := open(t, "#n=8")
		p.js(`localStorage.removeItem("welcome"); 1`)
		p.do(chromedp.Reload())
		p.waitFor(`document.body.hasAttribute("data-shown") && !document.querySelector("#welcome").hidden`)
		p.click("#welcome-tour")
		for i := 1; i <= 6; i++ {
			p.comesToHold(fmt.Sprintf("%d of 6", i), func() string { return p.text("#tour") })
			p.waitFor(`document.querySelectorAll(".tour-here").length === 1`)
			p.waitFor(`[...document.querySelectorAll("#tour [data-at]")].filter((s) => !s.hidden).length === 1`)
			if i == 2 {
				p.shows("#n=8&q=a1") // the tour has placed a queen
			}
			p.click("#tour-next")
		}
		p.waitFor(`document.querySelector("#tour").hidden && document.querySelectorAll(".tour-here").length === 0`)
		p.do(chromedp.Reload())
		p.waitFor(`document.body.hasAttribute("data-shown") && document.querySelector("#welcome").hidden`)
		p.click("#help")
		p.click("#tour-start")
		p.do(chromedp.KeyEvent(kb.Escape)) // it can be left at any step
		p.waitFor(`document.querySelector("#tour").hidden`)
		count := p.js(`document.querySelectorAll("#samples a").length`)
		require.Equal(t, "7", count)
		for i := range 7 {
			p.click("#boards")
			p.click(fmt.Sprintf("#samples li:nth-child(%d) a", i+1))
			p.waitFor(`!document.querySelector("#boards-dialog").open`)
			switch i {
			case 0:
				p.comesToHold("every choice fails", func() string { return p.text("#panel-why") })
			case 1:
				p.comesToHold("annot place h3", func() string { return p.text(".refused") })
				p.click("#refused-why")
				p.comesToHold("1 of ", func() string { return p.text("#step-count") })
			case 2:
				p.comesToHold("h8", func() string { return p.text("#panel-why") })
				p.comesToHold("to blame", func() string { return p.text("#panel-why") })
			case 4:
				p.becomes("6", func() string { return p.text("#forced-count") })
			case 6:
				p.waitFor(`document.querySelector("#build-next")`)
			}
		}
	})

	t.Run("bad links and sizes are reported", func(t *testing.T) {
		p := open(t, "#n=8&q=a1,z9&forced=maybe")
		p.comesToHold("q=z9 is not on the board for n = 8; forced=maybe", func() string { return p.text("#banner") })
		p.becomes("Q", func() string { return p.mark("a1") })
		p.click("#banner-dismiss")
		p.waitFor(`document.querySelector("#banner").hidden`)
		p.js(`location.hash = "#n=5000"`)
		p.comesToHold("n=5000 is not a board size from 1 to", func() string { return p.text("#banner") })
	})
}
