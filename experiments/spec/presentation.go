package spec

// Presentation asks for tables and plots. What it leaves out is made from the
// axes: a table of every point, and each measure against the first integer axis
// with more than one value.
type Presentation struct {
	// Tables, in place of those that the axes suggest.
	Tables []Table `json:"tables,omitempty"`
	// Plots, in place of those that the axes suggest.
	Plots []Plot `json:"plots,omitempty"`
}

// Table shows medians of measures, one line for each point of Rows, side by side
// for each value of Columns.
type Table struct {
	// What the table shows.
	Title string `json:"title" jsonschema:"required"`
	// Parameters that name a line.
	Rows []string `json:"rows" jsonschema:"required,minItems=1,format=column"`
	// Parameters whose values stand side by side; the first is what the others are compared with.
	Columns []string `json:"columns,omitempty" jsonschema:"format=column"`
	// Measures shown.
	Values []string `json:"values" jsonschema:"required,minItems=1,format=column"`
	// Conditions that a record must meet, as in exclude; without them all are shown.
	Where Exclusion `json:"where,omitempty"`
}

// Plot is a picture of records.
type Plot struct {
	// What the plot shows.
	Title string `json:"title" jsonschema:"required"`
	// lines: median and interval of y against x. cactus: runs finished within a time. scatter: y
	// of one series against y of another. profile: a list-valued measure by position. board: a
	// list-valued measure with one number a cell of a square board, coloured by it. break-even:
	// queries until building once pays, with a table; y is later_query_cpu_seconds for processor
	// time. ratio: y as a multiple of the base's against x, with a table of how it grows.
	Kind PlotKind `json:"kind" jsonschema:"required"`
	// Parameter along the horizontal axis.
	X string `json:"x,omitempty" jsonschema:"format=column"`
	// Measure along the vertical axis.
	Y string `json:"y,omitempty" jsonschema:"format=column"`
	// What stands at the horizontal axis (default: the parameter's name in words).
	XLabel string `json:"x_label,omitempty"`
	// What stands at the vertical axis (default: the measure's name in words).
	YLabel string `json:"y_label,omitempty"`
	// Parameters whose values make a line each.
	Series []string `json:"series,omitempty" jsonschema:"format=column"`
	// Series that the others are compared with, by the values of its parameters, as in bdd
	// sweep-zdd: the builder of a break-even plot (default: the one that builds longest), the
	// horizontal axis of a scatter plot (default: the first), the unit of a ratio plot (default:
	// the first).
	Base string `json:"base,omitempty"`
	// Whether the horizontal axis is logarithmic.
	LogX bool `json:"log_x,omitempty"`
	// Whether the vertical axis is logarithmic.
	LogY bool `json:"log_y,omitempty"`
	// Conditions that a record must meet, as in exclude; without them all are shown.
	Where Exclusion `json:"where,omitempty"`
}

// PlotKind is a kind of plot.
type PlotKind string

// The kinds of plot that come with a table.
const (
	BreakEven PlotKind = "break-even"
	Ratio     PlotKind = "ratio"
)

// Values lists the kinds of plot.
func (PlotKind) Values() []string {
	return []string{"lines", "cactus", "scatter", "profile", "board", string(BreakEven), string(Ratio)}
}
