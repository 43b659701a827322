package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

// Comparison says what changed from record set A to record set B, a line for each difference. Results leaves out
// those that depend on a clock, so that no difference between machines explains what it lists.
type Comparison struct {
	A             string   `json:"a"`
	B             string   `json:"b"`
	Points        int      `json:"points"` // that both have
	OnlyA         int      `json:"only_a"`
	OnlyB         int      `json:"only_b"`
	Configuration []string `json:"configuration"`
	Environment   []string `json:"environment"`
	Outcomes      []string `json:"outcomes"`
	Unfinished    []string `json:"unfinished"` // the ways of each set that did not finish all runs
	Results       []string `json:"results"`    // answers included
	Verdict       string   `json:"verdict"`    // in words, costs included
}

// WriteComparison writes what changed from record set a to record set b: whether configuration
// and machine are the same, where results or costs differ, and a verdict in a line. Results are
// compared at each point of the parameters; costs over all seeds of a point, pair by pair where
// both sets have the same runs. Tables fit a terminal of width columns, 0 for any width. Sets
// without a common point are an error.
func WriteComparison(w io.Writer, a, b record.Set, width int) (c Comparison, err error) {
	da, db, both := newData(a), newData(b), joined(a, b)
	shared := intersect(da.parameters, db.parameters)
	pairs, onlyA, onlyB := both.pairs(both.set.Rows, shared)
	if a.Spec.Task != b.Spec.Task || len(pairs) == 0 {
		return c, fmt.Errorf("%s (%s: %s) and %s (%s: %s) have no point in common", a.Dir, a.Spec.Task,
			da.variedText(), b.Dir, b.Spec.Task, db.variedText())
	}
	fmt.Fprintf(w, "A: %s, %d records: %s\nB: %s, %d records: %s\n\n", a.Dir, len(a.Rows),
		ended(a.Rows), b.Dir, len(b.Rows), ended(b.Rows))
	c = Comparison{
		A: a.Dir, B: b.Dir, Points: len(pairs), OnlyA: onlyA, OnlyB: onlyB,
		Configuration: record.Differences(a.Spec.Measurement(), b.Spec.Measurement(), "now"),
		Environment:   record.EnvironmentDifferences(a.Environments, b.Environments),
		Outcomes:      outcomeChanges(pairs),
	}
	section(w, "Configuration", c.Configuration, "the same")
	section(w, "Environment", c.Environment, "the same")
	if onlyA+onlyB > 0 {
		fmt.Fprintf(w, "%d points are in A only, %d in B only.\n\n", onlyA, onlyB)
	}
	same := fmt.Sprintf("the same at all %d points", len(pairs))
	section(w, "Outcomes", c.Outcomes, same)
	for name, of := range map[string]*data{"A": da, "B": db} {
		for _, text := range of.unfinished() {
			c.Unfinished = append(c.Unfinished, name+": "+text)
		}
	}
	slices.Sort(c.Unfinished)
	section(w, "Unfinished", c.Unfinished, "nothing")
	var timed string
	c.Results, timed = resultChanges(a, b, pairs, append([]string{"answer"}, intersect(da.results, db.results)...))
	section(w, "Answers and results", c.Results, same)
	if timed != "" {
		fmt.Fprintf(w, "%s\n\n", wrapped("Results not compared, because they depend on a clock: "+timed+".", width))
	}
	var common []record.Row
	for _, p := range pairs {
		common = slices.Concat(common, p.a, p.b)
	}
	pooled, _, _ := both.pairs(common, slices.DeleteFunc(shared, experiments.IsSeed))
	cost := writeCosts(w, da, db, pooled, width)
	results := "the same answers and results"
	if len(c.Results) > 0 {
		results = fmt.Sprintf("%d answers or results differ", len(c.Results))
	}
	if len(c.Environment) > 0 {
		cost += "; the environments differ"
	}
	c.Verdict = fmt.Sprintf("%s at %d points; %s.", results, len(pairs), cost)
	_, err = fmt.Fprintln(w, wrapped("Verdict: "+c.Verdict, width))
	return c, err
}

// variedText lists the parameters with several values, each with its values.
func (d *data) variedText() string {
	var words []string
	for _, p := range d.varied {
		words = append(words, p+" = "+abridged(d.values[p]))
	}
	return strings.Join(words, "; ")
}

func section(w io.Writer, title string, lines []string, none string) {
	if len(lines) == 0 {
		fmt.Fprintf(w, "%s: %s.\n\n", title, none)
		return
	}
	fmt.Fprintf(w, "%s:\n", title)
	for _, l := range lines[:min(len(lines), briefRows)] {
		fmt.Fprintf(w, "  %s\n", l)
	}
	if more := len(lines) - briefRows; more > 0 {
		fmt.Fprintf(w, "  ... and %d more\n", more)
	}
	fmt.Fprintln(w)
}

// pair is one point in both sets.
type pair struct {
	name string
	a, b []record.Row
}

// pairs returns the points that the joined sets A and B have in common, and counts those that only
// one of them has.
func (d *data) pairs(rows []record.Row, parameters []string) (list []pair, onlyA, onlyB int) {
	varied := varying(rows, parameters)
	for _, p := range d.group(rows, parameters) {
		sets := p.bySeries([]string{setColumn})
		switch a, b := sets["A"], sets["B"]; {
		case b == nil:
			onlyA++
		case a == nil:
			onlyB++
		default:
			list = append(list, pair{p.records[0].Words(varied), a, b})
		}
	}
	return list, onlyA, onlyB
}

// outcomeChanges lists the points whose runs ended differently.
func outcomeChanges(pairs []pair) []string {
	text := func(rows []record.Row) string {
		tally := record.Tally(rows)
		if tally[record.OK] == len(rows) {
			return "ok"
		}
		return outcomeText(tally)
	}
	var lines []string
	for _, p := range pairs {
		if a, b := text(p.a), text(p.b); a != b {
			lines = append(lines, fmt.Sprintf("%s: %s, now %s", p.name, a, b))
		}
	}
	return lines
}

// distinct joins the distinct texts of a column in runs that ended well.
func distinct(records []record.Row, column string) string {
	var list []string
	for _, r := range records {
		if r.Outcome() == record.OK {
			list = append(list, r.Cell(column))
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " or ")
}

// resultChanges lists the points where a result differs. Results that depend on a clock are not
// compared: timed says which, and at how many of the points.
func resultChanges(a, b record.Set, pairs []pair, results []string) (lines []string, timed string) {
	points := map[string]int{}
	for _, p := range pairs {
		var clocked []string
		for _, r := range p.a {
			clocked = append(clocked, a.Timed(r)...)
		}
		for _, r := range p.b {
			clocked = append(clocked, b.Timed(r)...)
		}
		slices.Sort(clocked)
		for _, c := range slices.Compact(clocked) {
			points[c]++
		}
		for _, c := range results {
			was, now := distinct(p.a, c), distinct(p.b, c)
			if was != now && was != "" && now != "" && !slices.Contains(clocked, c) {
				lines = append(lines, fmt.Sprintf("%s: %s %s, now %s", p.name, config.Label(c), record.Brief(was), record.Brief(now)))
			}
		}
	}
	var words []string
	for _, c := range slices.Sorted(maps.Keys(points)) {
		words = append(words, fmt.Sprintf("%s at %d of %d points", config.Label(c), points[c], len(pairs)))
	}
	return lines, strings.Join(words, ", ")
}

// writeCosts writes how costs have changed, and returns a verdict on the first cost that the configuration
// asks for.
func writeCosts(w io.Writer, da, db *data, pairs []pair, width int) (verdict string) {
	var totals, changes [][]string
	verdict = "no cost is measured in both"
	for _, c := range intersect(da.numeric(da.measurements), db.numeric(db.measurements)) {
		less, more, same, logs := 0, 0, 0, 0.0
		for _, p := range pairs {
			a, b := da.take(p.a, c), db.take(p.b, c)
			sa, sb := a.Summary(), b.Summary()
			if sa == nil || sb == nil || sa.Center <= 0 || sb.Center <= 0 {
				continue
			}
			ratio := sb.Center / sa.Center
			logs += math.Log(ratio)
			switch {
			case !b.Against(a.Sample).Differs:
				same++
				continue
			case ratio < 1:
				less++
			default:
				more++
			}
			changes = append(changes, []string{wrapped(p.name, width*2/5), config.Label(c), a.cell(c).Text(), b.cell(c).Text(),
				fmt.Sprintf("%.3g", ratio)})
		}
		n := less + more + same
		if n == 0 {
			continue
		}
		ratio := math.Exp(logs / float64(n))
		totals = append(totals, []string{config.Label(c), fmt.Sprint(n), fmt.Sprint(less), fmt.Sprint(more), fmt.Sprint(same),
			fmt.Sprintf("%.3f", ratio)})
		if c == da.cost() {
			verdict = fmt.Sprintf("%s in B is %.3g times A's (geometric mean of %d points; significantly less at %d, "+
				"more at %d)", config.Label(c), ratio, n, less, more)
		}
	}
	fmt.Fprintln(w, wrapped("Costs, by medians at each point, over its seeds; the mean ratio is geometric:", width))
	writeGrid(w, width, 1, []string{"cost", "points", "B less", "B more", "no difference", "mean ratio B/A"}, totals)
	if len(changes) > 0 {
		fmt.Fprintf(w, "\n%s\n", wrapped("Significant changes (at 0.05; one comparison in twenty shows one by chance alone):", width))
		writeGrid(w, width, 2, []string{"point", "cost", "A", "B", "B/A"}, changes[:min(len(changes), briefRows)])
	}
	if more := len(changes) - briefRows; more > 0 {
		fmt.Fprintf(w, "... and %d more\n", more)
	}
	fmt.Fprintln(w)
	return verdict
}

// setColumn tells the records of two sets apart where they are joined.
const setColumn = "set"

// joined returns the records of sets A and B as one.
func joined(a, b record.Set) *data {
	a.Rows = append(record.Widened(a.Rows, setColumn, "A"), record.Widened(b.Rows, setColumn, "B")...)
	return newData(a)
}
