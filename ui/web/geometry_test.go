package web

import (
	"fmt"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"

	"queens/backends/conformance"
	"queens/configure/pool"
	"queens/encode"
)

// misfits lists what does not fit on the page: texts that are cut off, texts and controls that stick out of the window,
// and texts or controls that lie on others. What a part of the page scrolls away is hidden, and cannot lie on anything.
const misfits = `(() => {
	const found = [], boxes = [];
	const name = (e) => e.id ? "#" + e.id : e.tagName.toLowerCase() + (e.className ? "." + e.className : "");
	const scrolls = (e) => /auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX + getComputedStyle(e).overflowY);
	const extent = (e) => { // of an element's own text, which may be higher than its box
		if (e.matches("button, select, input, svg")) return e.getBoundingClientRect();
		const range = document.createRange();
		range.selectNodeContents(e);
		return range.getBoundingClientRect();
	};
	const seen = (e) => { // the part of an element that is not scrolled away
		let r = extent(e), box = { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
		for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) if (scrolls(up)) {
			r = up.getBoundingClientRect();
			box = { left: Math.max(box.left, r.left), top: Math.max(box.top, r.top), right: Math.min(box.right, r.right),
				bottom: Math.min(box.bottom, r.bottom) };
		}
		return box;
	};
	for (const e of document.querySelectorAll("body *:not(svg *, option, script, dialog *)")) {
		if (!e.checkVisibility({ visibilityProperty: true }) || e.closest(".unseen, .skip, dialog:not([open])")) continue;
		const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!text && !e.matches("button, select, input, svg.board, svg.picture")) continue;
		if (e.closest("button") && !e.matches("button") || e.matches("select, input") && !e.offsetWidth) continue;
		const style = getComputedStyle(e);
		if (style.textOverflow === "ellipsis" && e.scrollWidth > e.clientWidth) found.push(name(e) + " is cut off");
		if (text && style.display !== "inline" && style.overflowX !== "visible" && !/auto|scroll/.test(style.overflowX) &&
			(e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)) found.push(name(e) + " is cut off");
		const box = seen(e);
		if (box.right - box.left < 1 || box.bottom - box.top < 1) continue;
		const whole = e.getBoundingClientRect();
		if (whole.right > innerWidth + 1 || whole.left < -1) {
			let held = false; // by a part of the page that scrolls sideways
			for (let up = e.parentElement; up && up !== document.body; up = up.parentElement)
				held ||= /auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth + 1 && up.id !== "panels";
			if (!held) found.push(name(e) + " leaves the window, to " + Math.round(whole.right));
		}
		boxes.push([e, box]);
	}
	if (document.documentElement.scrollWidth > innerWidth) found.push("the page is " + document.documentElement.scrollWidth + " wide");
	for (const e of document.querySelectorAll("#panels, .card, .side")) // nothing scrolls sideways but what is made to
		if (e.scrollWidth > e.clientWidth + 1) found.push(name(e) + " scrolls sideways: " + e.scrollWidth + " in " + e.clientWidth);
	const floats = (e) => e.closest(".tour, .banner, .stage-close, .tabs-row");
	boxes.forEach(([e, a], i) => boxes.slice(i + 1).forEach(([f, b]) => {
		if (e.contains(f) || f.contains(e) || floats(e) || floats(f)) return;
		const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
		if (wide > 2 && high > 2) found.push(name(e) + " lies on " + name(f) + ", by " + Math.round(wide) + " x " + Math.round(high));
	}));
	return found.join("\n");
})()`

// sizes are windows in which everything must fit: a laptop's or projector's, a phone's, and the first at 200% zoom.
var sizes = []struct {
	name          string
	width, height int64
	scale         float64
	touch         bool
}{{"1280x720", 1280, 720, 1, false}, {"390px", 390, 844, 2, true}, {"200%", 640, 360, 2, false}}

// view is a part of the page to look at.
type view struct{ name, base, link, act string }

// everyView serves boards, a family and a model, and returns a view of each tab and of each page of options.
func everyView(t *testing.T) []view {
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	t.Cleanup(s.Close)
	return []view{
		{"why", s.URL, "#n=8&q=a1,e8&why=b3", `document.querySelector("#step-3").click()`},
		{"refused", s.URL, "#n=8&q=c7,d4,a6,h3", ""},
		{"solutions", s.URL, "#n=8&q=a1&tab=solutions", `document.querySelector("#solution-next").click()`},
		{"compare", s.URL, "#n=8&q=a1&tab=compare", ""},
		{"orders", s.URL, "#n=6&q=b1&tab=orders", ""},
		{"diagram", s.URL, "#n=4&q=b1&tab=diagram", ""},
		{"build", s.URL, "#n=4&tab=build", `document.querySelector("#build-next").click()`},
		{"build-large", s.URL, "#n=8&tab=build", ""},
		{"repair", s.URL, "#n=8&tab=repair", `document.querySelector("#repair-step").click()`},
		{"quiz", s.URL, "#n=8&tab=quiz&ask=cell-medium-2", ""},
		{"large", s.URL, "#n=100&q=c5", ""},
		{"family", serveProblem(t, "amazons", 8), "", ""},
		{"model", serveOptions(t, encode.Problem{Family: "cnf", Names: encode.List{"frame.city", "frame.cargo", "motor", ""},
			Constraints: []encode.Constraint{encode.ExactlyOne("frame", 1, 2), encode.AtLeastOne("rule", -2, 3)}}), "#d=frame.cargo", ""},
	}
}

// Everything fits in each of these windows, on each tab and on the page of a problem's options.
func TestGeometry(t *testing.T) {
	t.Parallel()
	conformance.Long(t)
	open := browser(t)
	themes := []string{"light"} // the other differs only in colours
	if os.Getenv("SCREENSHOTS") != "" {
		themes = []string{"light", "dark"}
	}
	for _, v := range everyView(t) {
		t.Run(v.name, func(t *testing.T) {
			p := openChoices(t, open, v.base+"/"+v.link)
			p.js(`localStorage.setItem("welcome", "seen"); document.querySelector("#welcome").hidden = true; 1`)
			p.rest()
			if v.act != "" {
				p.js(v.act + "; 1")
			}
			for _, size := range sizes {
				emulate := []chromedp.EmulateViewportOption{chromedp.EmulateScale(size.scale)}
				if size.touch {
					emulate = append(emulate, chromedp.EmulateMobile, chromedp.EmulateTouch)
				}
				p.do(chromedp.EmulateViewport(size.width, size.height, emulate...))
				p.waitFor(fmt.Sprintf("innerWidth === %d", size.width))
				for _, theme := range themes {
					p.js(fmt.Sprintf(`document.documentElement.dataset.theme = %q; 1`, theme))
					p.rest()
					p.shoot(fmt.Sprintf("%s-%s-%s", v.name, size.name, theme))
				}
				assert.Empty(t, p.js(misfits), "%s at %s", v.name, size.name)
			}
		})
	}
}
