package web

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
