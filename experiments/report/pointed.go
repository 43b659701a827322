package report

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"queens/experiments/stats"
)

// pointedAt limits the number of points with a tooltip on a line without marks.
const pointedAt = 50

// seriesGroup begins a series within an SVG: see curve.Plot.
var seriesGroup = []byte(`<g transform="scale(1,1)">`)

// SVG returns the plot as part of a page: without the XML header, with its series named for the page's
// script, and with targets for the pointer on top: each point, with its tooltip, and the labels.
func (f *figure) SVG() template.HTML {
	names := map[string]int{}
	for i, l := range f.at.labels {
		names[l.name] = i
	}
	parts := bytes.Split(f.svg[max(0, bytes.Index(f.svg, []byte("<svg"))):], seriesGroup)
	var b strings.Builder
	b.Write(parts[0])
	for i, s := range f.curves {
		fmt.Fprintf(&b, `<g data-series="%d">`, names[s.name])
		b.Write(parts[i+1])
	}
	whole := strings.TrimSuffix(strings.TrimSpace(b.String()), "</svg>")
	b.Reset()
	b.WriteString(whole)
	_, height := f.size()
	if f.tiles != nil {
		f.tiles.targets(&b, f.plot, f.at.area, height)
	}
	for _, s := range f.curves {
		fmt.Fprintf(&b, `<g data-series="%d">`, names[s.name])
		f.points(&b, s, height)
		b.WriteString("</g>\n")
	}
	for i, l := range f.at.labels {
		fmt.Fprintf(&b, `<rect class="label" data-series="%d" role="button" tabindex="0" aria-pressed="true" `+
			`x="%.4g" y="%.4g" width="%.4g" height="%.4g"><title>%s: show or hide</title></rect>`+"\n", i,
			l.at.X.Points(), (height - l.at.Y - labelGap/2).Points(),
			(labelStyle().Width(l.name) + sampleWidth + 4).Points(), labelGap, html.EscapeString(l.name))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// points writes a target with a tooltip over each point of a series.
func (f *figure) points(b *strings.Builder, s *curve, height vg.Length) {
	toX, toY := f.plot.Transforms(&f.at.area)
	at := func(x, y vg.Length, said string) {
		fmt.Fprintf(b, `<circle class="point" tabindex="-1" role="img" cx="%.5g" cy="%.5g" r="5"><title>%s</title></circle>`,
			(x + s.shift).Points(), (height - y).Points(), html.EscapeString(said))
	}
	step := 1
	if !s.marked {
		step += len(s.points) / pointedAt
	}
	for i, p := range s.points {
		if i%step == 0 || i == len(s.points)-1 {
			at(toX(p.x), toY(p.Center), f.tell(s.line, p, ""))
		}
	}
	for _, p := range s.above {
		at(toX(p.x), toY(p.Center), f.tell(s.line, p, "more than "))
	}
	for _, x := range s.none {
		at(toX(x), f.at.area.Max.Y, f.tell(s.line, linePoint{x: x, Estimate: *stats.Exactly(math.NaN())}, ""))
	}
}
