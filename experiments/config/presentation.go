package config

import (
	"slices"
	"strings"
)

// Presentation asks for tables and plots. By default they follow from the axes: a table of
// every point, and a plot of each measure against the first integer axis with more than one
// value.
type Presentation struct {
	// Tables to show instead of the automatic ones.
	Tables []Table `json:"tables,omitempty"`
	// Plots to show instead of the automatic ones.
	Plots []Plot `json:"plots,omitempty"`
	// Names that readers know, by the name of a series or one of its values, as in sat: gini and
	// bdd sweep-zdd: BDD.
	Labels map[string]string `json:"labels,omitempty"`
}

// Table shows medians of measures: one line for each point of Rows, with the values of Columns
// side by side.
type Table struct {
	// Title of the table.
	Title string `json:"title" jsonschema:"required"`
	// Parameters that identify a line.
	Rows []string `json:"rows" jsonschema:"required,minItems=1,format=column"`
	// Parameters whose values are shown side by side, each compared with the first.
	Columns []string `json:"columns,omitempty" jsonschema:"format=column"`
	// Measures to show.
	Values []string `json:"values" jsonschema:"required,minItems=1,format=column"`
	// Whether to show means, as suits shares, not medians.
	Mean bool `json:"mean,omitempty"`
	// Conditions that a record must meet, written as in exclude.
	Where Conditions `json:"where,omitempty"`
}

// Plot is a plot of records.
type Plot struct {
	// Title of the plot.
	Title string `json:"title" jsonschema:"required"`
	// lines: median and interval of y against x. cactus: number of runs finished within a time.
	// profile: a list-valued measure by position. The others have a table. ratio: y as a multiple of the
	// base's, and its growth. break-even: number of queries after which building once pays off; y may be
	// later_query_cpu_seconds. winner: a map of the series with the least total time, building included, by x
	// and the number of queries. These two count sessions if y is session_seconds. scatter: a point per
	// problem, y as a multiple of the base's against x of the series, or else of the base, and how well x
	// predicts y.
	Kind PlotKind `json:"kind" jsonschema:"required"`
	// Parameter, or number found, on the horizontal axis.
	X string `json:"x,omitempty" jsonschema:"format=column"`
	// Number of the base by which x is divided in a scatter plot.
	Per string `json:"per,omitempty" jsonschema:"format=column"`
	// Measure on the vertical axis.
	Y string `json:"y,omitempty" jsonschema:"format=column"`
	// Whether lines are of means, as suits shares, not medians.
	Mean bool `json:"mean,omitempty"`
	// Label of the horizontal axis (default: its name in words).
	XLabel string `json:"x_label,omitempty"`
	// Label of the vertical axis.
	YLabel string `json:"y_label,omitempty"`
	// Parameters whose values distinguish the series.
	Series []string `json:"series,omitempty" jsonschema:"format=column"`
	// Series that the others are compared with, by its values, as in bdd sweep-zdd (default: the
	// first): the builder of a break-even plot, the unit of a ratio plot.
	Base string `json:"base,omitempty"`
	// Whether the horizontal axis is logarithmic.
	LogX bool `json:"log_x,omitempty"`
	// Whether the vertical axis is logarithmic, as it is in ratio and scatter plots.
	LogY bool `json:"log_y,omitempty"`
	// Conditions that a record must meet, written as in exclude.
	Where Conditions `json:"where,omitempty"`
}

// PlotKind is a kind of plot.
type PlotKind string

// The kinds of plot.
const (
	Lines     PlotKind = "lines"
	Cactus    PlotKind = "cactus"
	Profile   PlotKind = "profile"
	BreakEven PlotKind = "break-even"
	Ratio     PlotKind = "ratio"
	Winner    PlotKind = "winner"
	Scatter   PlotKind = "scatter"
)

// plotKinds lists the kinds of plot.
func plotKinds() []shownKind {
	return []shownKind{
		{Lines, "x y", nil}, {Cactus, "y", nil}, {Profile, "y", nil}, {BreakEven, "x series", []string{""}},
		{Ratio, "x y series", []string{""}}, {Winner, "x series", []string{""}}, {Scatter, "x y series", []string{"", ": prediction"}},
	}
}

type shownKind struct {
	kind  PlotKind
	needs string   // keys without which it shows nothing
	ends  []string // of the titles of the tables that come with it
}

// lacks lists the keys without which the plot shows nothing.
func (p Plot) lacks() (keys []string) {
	given := map[string]bool{"x": p.X != "", "y": p.Y != "", "series": len(p.Series) > 0}
	for _, k := range plotKinds() {
		if k.kind == p.Kind {
			keys = strings.Fields(k.needs)
		}
	}
	return slices.DeleteFunc(keys, func(key string) bool { return given[key] })
}

// Values lists the kinds of plot.
func (PlotKind) Values() (names []string) {
	for _, k := range plotKinds() {
		names = append(names, string(k.kind))
	}
	return names
}

// Titles returns the titles of the tables that come with the plot.
func (p Plot) Titles() (titles []string) {
	for _, k := range plotKinds() {
		if k.kind == p.Kind {
			for _, end := range k.ends {
				titles = append(titles, p.Title+end)
			}
		}
	}
	return titles
}
