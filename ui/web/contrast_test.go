package web

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
)

// Every mark of a cell has a contrast of at least 3 to 1 with both kinds of cell, in both themes: what WCAG 2.1 asks
// of graphics (1.4.11).
func TestMarksAreVisible(t *testing.T) {
	css, err := os.ReadFile("page/src/app.css")
	require.NoError(t, err)
	themes := regexp.MustCompile(`(?s)(:root[^{]*)\{\s*color-scheme: \w+;(.*?)\}`).FindAllSubmatch(css, -1)
	require.Len(t, themes, 3, "light, dark by the system, dark by choice")
	colour := regexp.MustCompile(`--(\w+): #([0-9a-f]{6})`)
	for _, theme := range themes {
		of := map[string]float64{} // luminance
		for _, c := range colour.FindAllSubmatch(theme[2], -1) {
			of[string(c[1])] = luminance(t, string(c[2]))
		}
		for _, square := range []string{"pale", "deep"} {
			for _, mark := range []string{"attacked", "bad", "valid", "forced", "queen", "auto"} {
				require.Contains(t, of, mark)
				light, dark := max(of[mark], of[square]), min(of[mark], of[square])
				assert.GreaterOrEqual(t, (light+.05)/(dark+.05), 3., "%s: %s on %s", theme[1], mark, square)
			}
		}
	}
	// A line of a chart differs from the others by more than its colour, and is seen on a card.
	lines := regexp.MustCompile(`(?s)\.line\.(\w+) \{ stroke: var\(--(\w+)\);\s*(?:stroke-dasharray: ([\d ]+);)?`).FindAllSubmatch(css, -1)
	require.Len(t, lines, 6)
	dashes := map[string]bool{}
	for _, line := range lines {
		assert.False(t, dashes[string(line[3])], "%s", line[0])
		dashes[string(line[3])] = true
		for _, theme := range themes {
			of := map[string]float64{}
			for _, c := range colour.FindAllSubmatch(theme[2], -1) {
				of[string(c[1])] = luminance(t, string(c[2]))
			}
			light, dark := max(of[string(line[2])], of["card"]), min(of[string(line[2])], of["card"])
			assert.GreaterOrEqual(t, (light+.05)/(dark+.05), 3., "%s: %s", theme[1], line[0])
		}
	}
	// What is drawn in these colours is not made paler again.
	for _, mark := range []string{"attacked", "invalid", "valid", "forced"} {
		rules := regexp.MustCompile(`(?m)^(?:\.fine )?\.`+mark+` \{[^}]*\}`).FindAll(css, -1)
		require.NotEmpty(t, rules, mark)
		for _, rule := range rules {
			assert.NotRegexp(t, `[^-]opacity`, string(rule))
		}
	}
}

// luminance returns the relative luminance of a colour, as WCAG 2.1 defines it.
func luminance(t *testing.T, hex string) float64 {
	parts := make([]float64, 3)
	for i := range parts {
		value, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		require.NoError(t, err)
		if parts[i] = float64(value) / 255; parts[i] <= .03928 {
			parts[i] /= 12.92
		} else {
			parts[i] = math.Pow((parts[i]+.055)/1.055, 2.4)
		}
	}
	return .2126*parts[0] + .7152*parts[1] + .0722*parts[2]
}

// pale lists the texts of the page whose contrast with what lies behind them is less than 4.5 to 1 (WCAG 2.1, 1.4.3), at
// rest, under the mouse, with the focus and while they are pressed, in both themes, and for controls that can be
// switched on in both of their states. A disabled control may be pale,
// and a sign of the board has a test of its own.
const pale = `(() => {
	const states = ["rest", "hover", "focus-visible", "active"], found = new Set();
	const copy = (sheet) => { // each rule about a state holds for a class as well
		for (let i = sheet.cssRules.length - 1; i >= 0; i--) {
			const rule = sheet.cssRules[i];
			if (rule.cssRules?.length) copy(rule);
			if (!/:(hover|focus-visible|active)\b/.test(rule.selectorText ?? "")) continue;
			sheet.insertRule(rule.cssText.replace(/:(hover|focus-visible|active)\b/g, ".as-$1"), i + 1);
		}
	};
	for (const sheet of document.styleSheets) copy(sheet);
	const c = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
	const known = new Map();
	const rgba = (colour) => {
		if (!known.has(colour)) {
			c.clearRect(0, 0, 1, 1);
			c.fillStyle = colour;
			c.fillRect(0, 0, 1, 1);
			known.set(colour, [...c.getImageData(0, 0, 1, 1).data]);
		}
		return known.get(colour);
	};
	const over = (top, below, opacity = 1) => {
		const a = top[3] / 255 * opacity;
		return below.map((v, i) => i < 3 ? top[i] * a + v * (1 - a) : 255);
	};
	const behind = (e) => e ? over(rgba(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [255, 255, 255, 255];
	const light = (rgb) => rgb.slice(0, 3).reduce((sum, v, i) => {
		v /= 255;
		return sum + [.2126, .7152, .0722][i] * (v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
	}, 0);
	const look = (state) => {
		for (const e of document.querySelectorAll("body *:not(svg, svg *, option, script, :disabled)")) {
			if (!e.checkVisibility({ visibilityProperty: true }) || e.closest(".unseen, .skip, .sign, :disabled")) continue;
			if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !e.matches("input, select")) continue;
			let opacity = 1;
			for (let up = e; up; up = up.parentElement) opacity *= getComputedStyle(up).opacity;
			const back = behind(e), text = over(rgba(getComputedStyle(e).color), back, opacity);
			const [a, b] = [light(text), light(back)];
			const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
			if (ratio < 4.5) found.add(e.tagName.toLowerCase() + (e.id && "#" + e.id) + (e.className && "." + e.className) +
				" (" + e.textContent.slice(0, 20) + "), " + state + ": " + ratio.toFixed(2));
		}
	};
	const switched = [...document.querySelectorAll("[aria-pressed], [aria-selected], [data-state]")];
	for (const theme of ["light", "dark"]) {
		document.documentElement.dataset.theme = theme;
		for (const state of states) {
			for (const e of document.querySelectorAll("body *:not(svg *)")) e.classList.add("as-" + state);
			for (const on of ["as it is", "true", "false"]) {
				const before = switched.map((e) => ["aria-pressed", "aria-selected"].map((name) => [name, e.getAttribute(name)]));
				if (on !== "as it is") before.forEach((list, i) => list.forEach(([name, value]) => value && switched[i].setAttribute(name, on)));
				look([theme, state, on].join(", "));
				before.forEach((list, i) => list.forEach(([name, value]) => value && switched[i].setAttribute(name, value)));
			}
			for (const e of document.querySelectorAll(".as-" + state)) e.classList.remove("as-" + state);
		}
	}
	return [...found].join("\n");
})()`

// Texts have enough contrast in every state of a control, in both themes, on every tab.
func TestTextIsVisible(t *testing.T) {
	t.Parallel()
	conformance.Long(t)
	open := browser(t)
	for _, v := range everyView(t) {
		p := openChoices(t, open, v.base+"/"+v.link)
		p.rest()
		if v.act != "" {
			p.js(v.act + "; 1")
			p.rest()
		}
		assert.Empty(t, p.js(pale), v.name)
	}
}
