package report

import (
	"image/color"
	"slices"
	"strings"
	"unicode"
)

// colours lists the ways to answer, by the words that name them in labels, with the colour that each has in every
// picture: an index of [palette]. near and the MDD share one, since near is for formulas, and the MDD for boards.
var colours = []struct {
	way    string
	words  []string
	colour int
}{
	{"search", []string{"search"}, 0},
	{"ZDD", []string{"zdd"}, 1},
	{"MDD", []string{"mdd"}, 2},
	{"near", []string{"near"}, 2},
	{"BDD", []string{"bdd", "robdd"}, 3},
	{"SAT", []string{"gini", "sat"}, 4},
	{"d-DNNF", []string{"ddnnf", "dnnf"}, 5},
	{"portfolio", []string{"portfolio"}, 6},
	{"list", []string{"list", "table"}, 7},
}

// wayOf returns the way that a label names, and its colour; none if it names no way or more than one.
func wayOf(label string) (way string, colour int) {
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, c := range colours {
		if !slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(words, w) }) {
			continue
		}
		if way != "" && way != c.way {
			return "", 0
		}
		way, colour = c.way, c.colour
	}
	return way, colour
}

// mostMethods is the largest number of methods of one way that have its colour in a picture, apart by marks and dashes. A
// picture with more compares methods, which then have colours of their own.
const mostMethods = 3

// fill returns the tint of a line's colour on which black letters are easy to read.
func fill(style int) color.NRGBA {
	of := palette(style)
	tint := func(c uint8) uint8 { return uint8(255 - (255-float64(c))*0.42 + .5) }
	return color.NRGBA{tint(of.R), tint(of.G), tint(of.B), 255}
}

// keys lists the series of a figure, by the names under which they have a style.
func (f *figure) keys() (names []string) {
	for _, s := range f.curves {
		names = append(names, s.key)
	}
	if f.tiles != nil {
		names = f.tiles.ways()
	}
	return names
}

// dress gives each series of a report one style in all pictures. The colour of a way is that of [colours]. The colour of
// another series differs from those of all series beside it, if possible; otherwise its marks and dashes do.
func dress(figures []*figure) {
	var names []string // as they appear
	beside := map[string]map[string]bool{}
	methods := map[string]bool{} // ways that a picture shows by many methods
	for _, f := range figures {
		shown, of := f.keys(), map[string]int{}
		for _, name := range shown {
			if beside[name] == nil {
				names, beside[name] = append(names, name), map[string]bool{}
			}
			for _, other := range shown {
				beside[name][other] = true
			}
			way, _ := wayOf(name)
			of[way]++
			methods[way] = methods[way] || of[way] > mostMethods
		}
	}
	styles := map[string]int{}
	var used [maxSeries]int
	take := func(name string, colour int) {
		styles[name] = colour + maxSeries*used[colour]
		used[colour]++
	}
	own := func(name string) bool { way, _ := wayOf(name); return way != "" && !methods[way] }
	for _, name := range names {
		if _, colour := wayOf(name); own(name) {
			take(name, colour)
		}
	}
	for _, name := range names {
		if own(name) {
			continue
		}
		var near [maxSeries]int
		for other, style := range styles {
			if beside[name][other] {
				near[style%maxSeries]++
			}
		}
		best := 0
		for i := range maxSeries {
			if near[i] < near[best] || near[i] == near[best] && used[i] < used[best] {
				best = i
			}
		}
		take(name, best)
	}
	for _, f := range figures {
		for _, s := range f.curves {
			s.style = styles[s.key]
		}
		if f.tiles != nil {
			f.tiles.styles = styles
		}
	}
}
