package report

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// Every series has a colour, a mark and a dash of its own, and readers with each kind of colour
// blindness tell all the colours apart. It is simulated by the matrices of Machado, Oliveira and
// Fernandes (IEEE TVCG 15, 2009) for severity 1; distances are those of CIELAB (CIE 1976), in
// which 2.3 is just noticeable.
func TestPaletteForTheColourBlind(t *testing.T) {
	for name, sees := range map[string][3][3]float64{
		"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	} {
		for i := range 8 { // of a map: with black letters, and beside each other
			assert.Greater(t, lab(fill(i), sees)[0], 60.0, "%s: fill %d under black", name, i)
			for j := range i {
				assert.Greater(t, distance(lab(fill(i), sees), lab(fill(j), sees)), 10.0, "%s: fills %d and %d", name, i, j)
			}
		}
		for i := range maxSeries {
			for j := range i {
				assert.Greater(t, distance(lab(palette(i), sees), lab(palette(j), sees)), 30.0, "%s: series %d and %d", name, i, j)
			}
		}
	}
	lightness := func(c color.NRGBA) float64 { return lab(c, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})[0] }
	assert.InDelta(t, 100, lightness(color.NRGBA{255, 255, 255, 255}), 0.01)
	for _, way := range []string{"MDD", "ZDD", "list"} { // who wins beside it
		_, search := wayOf("search")
		_, other := wayOf(way)
		assert.Greater(t, math.Abs(lightness(fill(search))-lightness(fill(other))), 8.0, "search and %s in grey", way)
	}
	for i := range maxSeries {
		assert.Less(t, lightness(palette(i)), 61.7, "series %d: the contrast to white is less than 3:1 (WCAG 2.1, 1.4.11)", i)
		for j := range min(i, 5) {
			assert.True(t, i >= 5 || math.Abs(lightness(palette(i))-lightness(palette(j))) > 12, "series %d and %d in grey", i, j)
		}
	}
	shapes, patterns := map[string]bool{}, map[string]bool{}
	for i := range maxSeries {
		shapes[fmt.Sprintf("%T", shape(i))] = true
		patterns[fmt.Sprint(dashes(i))] = true
	}
	assert.Len(t, shapes, maxSeries)
	assert.Len(t, patterns, maxSeries)
}

func lab(c color.NRGBA, sees [3][3]float64) (out [3]float64) {
	var linear, seen [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		if s := float64(v) / 255; s <= 0.04045 {
			linear[i] = s / 12.92
		} else {
			linear[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	for i, row := range sees {
		seen[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	f := func(r, g, b, white float64) float64 {
		if v := (r*seen[0] + g*seen[1] + b*seen[2]) / white; v > 0.008856 {
			return math.Cbrt(v)
		} else {
			return 7.787*v + 16.0/116
		}
	}
	x, y, z := f(0.4124, 0.3576, 0.1805, 0.95047), f(0.2126, 0.7152, 0.0722, 1), f(0.0193, 0.1192, 0.9505, 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// manySeries is a record set with this many engines. The last costs what the first does.
func manySeries(engines int) record.Set {
	set := fixture()
	var rows []record.Row
	for e := range engines {
		for _, old := range set.Rows {
			if old.Cell("engine") != "old" {
				continue
			}
			row := copied(old)
			row.Set("engine", fmt.Sprintf("engine-%02d", e))
			row.Set("build_seconds", fmt.Sprint(1+e%(engines-1)))
			rows = append(rows, row)
		}
	}
	set.Rows = rows
	return set
}

// A plot has at most eight series; more make further plots on the same axes, and nothing is lost.
// Lines that coincide are one, whose name says so.
func TestPlotsWithManySeries(t *testing.T) {
	asked := config.Plot{Title: "build", Kind: "lines", X: "n", Y: "build_seconds", Series: []string{"engine"}}
	for engines := 3; engines < 30; engines++ {
		fs, _, err := newData(manySeries(engines)).plotted(asked)
		require.NoError(t, err)
		drawn := engines - 1
		require.Len(t, fs, (drawn+maxSeries-1)/maxSeries)
		var names []string
		for i, f := range fs {
			assert.LessOrEqual(t, len(f.labels()), maxSeries)
			assert.Equal(t, []float64{fs[0].plot.Y.Min, fs[0].plot.Y.Max}, []float64{f.plot.Y.Min, f.plot.Y.Max})
			if i == 0 {
				assert.Equal(t, "build", f.Name)
			} else {
				assert.Equal(t, fmt.Sprintf("build (%d of %d)", i+1, len(fs)), f.Title)
			}
			for _, e := range f.labels() {
				names = append(names, e.name)
			}
		}
		require.Len(t, names, drawn)
		assert.Equal(t, fmt.Sprintf("engine-00 = engine-%02d", engines-1), names[0])
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), drawn)
	}
}

// A series looks the same in all plots of a report; two look different, and have different colours beside each
// other wherever the plots leave a colour free.
func TestOneStylePerSeries(t *testing.T) {
	const seed = 5
	random := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		var fs []*figure
		names := 1 + random.IntN(20)
		for range 1 + random.IntN(6) {
			f := &figure{}
			for _, name := range random.Perm(names)[:min(names, 1+random.IntN(maxSeries))] {
				f.curves = append(f.curves, &curve{line: newLine(fmt.Sprint(name))})
			}
			fs = append(fs, f)
		}
		dress(fs)
		style, owner := map[string]int{}, map[string]string{}
		for _, f := range fs {
			for _, s := range f.curves {
				if first, known := style[s.key]; known {
					require.Equal(t, first, s.style, "seed %d", seed)
				}
				style[s.key] = s.style
				look := fmt.Sprintf("%v %T %v", palette(s.style), shape(s.style), dashes(s.style))
				require.Contains(t, []string{"", s.key}, owner[look], "seed %d: %s", seed, look)
				owner[look] = s.key
			}
		}
		for _, f := range fs {
			colours := map[color.NRGBA]bool{}
			for _, s := range f.curves {
				colours[palette(s.style)] = true
			}
			if len(style) <= maxSeries || len(fs) == 1 {
				require.Len(t, colours, len(f.curves), "seed %d", seed)
			}
		}
	}
}

// A plot is as wide as a page, unless its labels need more room; a long title is broken into lines that fit.
func TestSizeAndTitle(t *testing.T) {
	asked := config.Plot{Title: "A title with so many words that it is wider than" + strings.Repeat(" the picture, or", 9) + " twice", Kind: "lines", X: "n",
		Y: "build_seconds", Series: []string{"engine"}}
	set := fixture()
	draw := func() (f *figure, svg string) {
		fs, _, err := newData(set).plotted(asked)
		require.NoError(t, err)
		made, err := fs[0].asSVG()
		require.NoError(t, err)
		return fs[0], string(made)
	}
	_, svg := draw()
	assert.Contains(t, svg, `width="453.54pt" height="283.46pt"`)
	position := regexp.MustCompile(`textLength="([0-9.]+)" [^>]* x="([0-9.]+)"`)
	for _, m := range position.FindAllStringSubmatch(svg, -1) {
		length, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		left, err := strconv.ParseFloat(m[2], 64)
		require.NoError(t, err)
		assert.LessOrEqual(t, left+length, 453.6)
	}
	set.Spec.Report.Labels = map[string]string{"old": strings.Repeat("a long name ", 8)}
	f, _ := draw()
	width, _ := f.size()
	assert.Greater(t, float64(width), 453.6, "the labels' room is beside the plot")
}

// Series without a value at any point take no place in a plot.
func TestSeriesWithoutValues(t *testing.T) {
	set := manySeries(12)
	for _, r := range set.Rows {
		if r.Cell("engine") < "engine-09" {
			r.Set("build_seconds", "")
		}
	}
	asked := config.Plot{Title: "build", Kind: "lines", X: "n", Y: "build_seconds", Series: []string{"engine"}, LogY: true}
	fs, _, err := newData(set).plotted(asked)
	require.NoError(t, err)
	require.Len(t, fs, 1)
	assert.Len(t, fs[0].labels(), 3)
	_, err = fs[0].asSVG()
	assert.NoError(t, err)
}

// Labels stand in the order of their lines, without overlap and within the plot. Where there is room, each
// stands at its preferred height.
func TestLabelsDoNotOverlap(t *testing.T) {
	const seed = 3
	random := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		wanted := make([]vg.Length, 1+random.IntN(maxSeries))
		for i := range wanted {
			wanted[i] = vg.Length(random.Float64() * 200)
		}
		slices.Sort(wanted)
		at := movedApart(wanted, 11, 0, 200)
		for i := range at {
			assert.GreaterOrEqual(t, float64(at[i]), -1e-9, "seed %d: %v", seed, wanted)
			assert.LessOrEqual(t, float64(at[i]), 200+1e-9, "seed %d: %v", seed, wanted)
			if i > 0 {
				require.GreaterOrEqual(t, float64(at[i]-at[i-1]), 11-1e-6, "seed %d: %v", seed, wanted)
			}
		}
	}
	assert.Equal(t, []vg.Length{20, 50, 90}, movedApart([]vg.Length{20, 50, 90}, 11, 0, 200))
	assert.InDeltaSlice(t, []float64{44.5, 55.5}, []float64{
		float64(movedApart([]vg.Length{50, 50}, 11, 0, 200)[0]), float64(movedApart([]vg.Length{50, 50}, 11, 0, 200)[1]),
	}, 1e-6)
}

// A line is interrupted where a point is only known to be larger.
func TestLimitsBreakTheLine(t *testing.T) {
	l := line{name: "a"}
	l.add(1, stats.Exactly(1), 1)
	l.add(2, stats.Exactly(2), 1)
	l.beyond(3, 9, 1)
	l.add(4, stats.Exactly(3), 1)
	l.add(5, stats.Exactly(4), 1)
	fs, err := drawing{asked: config.Plot{Title: "t"}}.figures([]line{l})
	require.NoError(t, err)
	svg, err := fs[0].asSVG()
	require.NoError(t, err)
	colour := fmt.Sprintf("#%02X%02X%02X", palette(0).R, palette(0).G, palette(0).B)
	pieces := regexp.MustCompile(`d="M[0-9.,]*L[0-9.,]*" style="fill:none;stroke:`+colour).FindAll(svg, -1)
	assert.Len(t, pieces, 2+1, "two pieces, and the sample beside the name")
}

func TestLegendsNameTheParameter(t *testing.T) {
	fs, _, err := newData(fixture()).plotted(config.Plot{Title: "t", Kind: "lines", X: "seed", Y: "build_seconds",
		Series: []string{"n"}, Where: config.Conditions{"engine": "old"}})
	require.NoError(t, err)
	assert.Equal(t, "n = 4", fs[0].labels()[0].name)

	set := fixture()
	set.Spec.Report.Labels = map[string]string{"old": "the old engine", "new": "the new one"}
	d := newData(set)
	asked := config.Plot{Title: "t", Kind: config.Ratio, X: "n", Y: "build_seconds", Series: []string{"engine"}, Base: "old"}
	fs, tables, err := d.plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, "the old engine", fs[0].labels()[0].name)
	assert.Equal(t, "build, times the old engine", fs[0].yLabel)
	assert.Equal(t, "the new one", tables[0].Rows[1][0].Text())
	assert.Equal(t, []string{"n", "the old engine", "the new one"}, tableNamed(t, d,
		config.Table{Title: "t", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}).Header)
	assert.Equal(t, "the old engine, 7", d.labelled("old 7"), "a part of a name")
}

func TestTickLabels(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.5: "0.5", 500: "500", 9999: "9,999", 10000: "10 k", 2.5e6: "2.5 M", 3e7: "30 M", 1e9: "1 G"} {
		assert.Equal(t, want, tickLabel("nodes", v))
	}
	assert.Equal(t, "1 ms", tickLabel("build_seconds", 0.001))
	assert.Equal(t, "2 MiB", tickLabel("peak_bytes", 1<<21))
}

// If x was found, not given, the runs between two powers of two are taken together.
func TestClassesOfWhatWasFound(t *testing.T) {
	set := fixture()
	set.Rows = record.Widened(set.Rows, "found", "")
	for i, r := range set.Rows {
		r.Set("found", fmt.Sprint([]float64{0.5, 1, 1.9, 2, 1000, 1024}[i%6]))
	}
	d := newData(set)
	var classes []string
	runs := 0
	for _, p := range d.classes(set.Rows, "found") {
		classes = append(classes, d.class(p.records[0], "found"))
		runs += len(p.records)
	}
	assert.Equal(t, []string{"0.5", "1", "2", "512", "1024"}, classes)
	assert.Equal(t, len(set.Rows), runs)
	assert.Equal(t, "4", d.class(set.Rows[0], "n"), "a parameter is its own class")
}

// Every kind of plot has a function that draws it, and one that has none is an error.
func TestEveryKindOfPlotIsDrawn(t *testing.T) {
	for _, name := range config.PlotKind("").Values() {
		kind := config.PlotKind(name)
		assert.Contains(t, drawers(), kind)
		asked := config.Plot{Title: "p", Kind: kind, X: "n", Y: "build_seconds", Series: []string{"engine"}}
		if kind == config.Profile {
			asked.Y = "shape"
		}
		fs, tables, err := newData(fixture()).plotted(asked)
		require.NoError(t, err, name)
		assert.NotEmpty(t, fs, name)
		var titles []string
		for _, made := range tables {
			titles = append(titles, made.Title)
		}
		assert.Equal(t, asked.Titles(), titles, name)
	}
	assert.Len(t, drawers(), len(config.PlotKind("").Values()))
	_, _, err := newData(fixture()).plotted(config.Plot{Title: "p", Kind: "pie", Series: []string{"engine"}})
	assert.EqualError(t, err, `plot "p": kind "pie": no function draws it: add one to drawers`)
}

// An axis has ticks, also where no power of ten nor 2 or 5 times one lies in its range; runs are counted in whole numbers.
func TestEveryAxisHasTicks(t *testing.T) {
	const seed = 4
	random := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		axis := plot.New().Y
		axis.Min = math.Exp(10*random.Float64() - 5)
		axis.Max = axis.Min * math.Exp(4*random.Float64()+0.01)
		scaleAxis(&axis, true, "x_seconds", nil, 4)
		assert.GreaterOrEqual(t, len(axis.Tick.Marker.Ticks(axis.Min, axis.Max)), 2, "seed %d: %g to %g", seed, axis.Min, axis.Max)
	}
	var labels []string
	for _, tick := range integerTicks(plot.TickerFunc(func(_, _ float64) []plot.Tick {
		return []plot.Tick{{Value: 0, Label: "0"}, {Value: 0.5, Label: "0.5"}, {Value: 1, Label: "1"}}
	})).Ticks(0, 1) {
		labels = append(labels, tick.Label)
	}
	assert.Equal(t, []string{"0", "1"}, labels)
}

// A scatter of one series has no legend; it names its three outliers and marks 1. One of two series has a legend.
func TestScatterOfOneSeries(t *testing.T) {
	set := fixture()
	set.Spec.Axes = config.Axes{"n": {"4..9"}, "engine": {"old", "new"}}
	var rows []record.Row
	for n := 4; n < 10; n++ {
		for _, r := range set.Rows {
			if r.Cell("n") != "4" {
				continue
			}
			c := copied(r)
			c.Set("n", fmt.Sprint(n))
			c.Set("size", fmt.Sprint(n))
			c.Set("build_seconds", map[string]string{"old": "0.01", "new": map[int]string{4: "0.5", 6: "0.0001", 9: "0.9"}[n]}[r.Cell("engine")])
			if c.Cell("build_seconds") == "" {
				c.Set("build_seconds", "0.011")
			}
			rows = append(rows, c)
		}
	}
	set.Rows = rows
	fs, _, err := newData(set).plotted(config.Plot{Title: "s", Kind: config.Scatter, X: "size", Y: "build_seconds", Series: []string{"engine"}, Base: "old"})
	require.NoError(t, err)
	require.Len(t, fs, 1)
	assert.Empty(t, fs[0].labels(), "no legend")
	svg, err := fs[0].asSVG()
	require.NoError(t, err)
	for n, is := range map[string]bool{"4": true, "6": true, "9": true, "5": false, "7": false} {
		assert.Equal(t, is, regexp.MustCompile(`font-size:8px[^>]*>`+n+`<`).Match(svg), n)
	}
	assert.LessOrEqual(t, fs[0].plot.Y.Min, 1.0)
	assert.GreaterOrEqual(t, fs[0].plot.Y.Max, 1.0)
	assert.Contains(t, string(svg), "stroke:#787878", "the line at 1")
	assert.Contains(t, fs[0].Notes, "Named: the three farthest from the median of all.")
}
