package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"

	"queens/experiments/record"
	"queens/experiments/spec"
)

// WriteComparison shows what changed from record set a to record set b: whether
// they measure the same in the same place, and where results or costs differ.
// Points are matched by their parameters. Of costs, only changes that a
// Mann-Whitney U test at 0.05 shows are listed. differ reports whether an answer or a
// result is another, which no machine explains.
func WriteComparison(w io.Writer, a, b record.Set) (differ bool, err error) {
	if a.Spec.Task != b.Spec.Task {
		fmt.Fprintf(w, "The sets are of different tasks: %s (%s) and %s (%s).\n", a.Spec.Task, a.Dir, b.Spec.Task, b.Dir)
	}
	fmt.Fprintf(
		w,
		"A: %s, %d records: %s\nB: %s, %d records: %s\n\n",
		a.Dir,
		len(a.Rows),
		outcomeText(record.Tally(a.Rows)),
		b.Dir,
		len(b.Rows),
		outcomeText(record.Tally(b.Rows)),
	)
	section(w, "Configuration", record.Differences(a.Spec.Measurement(), b.Spec.Measurement(), "now"), "the same")
	section(w, "Environment", environmentChanges(a.Environments, b.Environments), "the same")

	da, db := newData(a), newData(b)
	shared := intersect(da.parameters, db.parameters)
	onlyA, onlyB, pairs := match(da, db, shared)
	if onlyA+onlyB > 0 {
		fmt.Fprintf(w, "%d points are in A only, %d in B only.\n\n", onlyA, onlyB)
	}
	same := fmt.Sprintf("the same at all %d points", len(pairs))
	section(w, "Outcomes", da.outcomeChanges(pairs), same)
	answers := da.resultChanges(pairs, []string{"answer"})
	results := da.resultChanges(pairs, intersect(da.results, db.results))
	section(w, "Answers", answers, same)
	section(w, "Results", results, same)
	return len(answers)+len(results) > 0, writeCosts(w, da, db, pairs)
}

// environmentChanges compares where and by what two sets were made. Resuming and
// merging give a set several environments, whose order means nothing.
func environmentChanges(a, b []record.Environment) []string {
	if len(a) == 1 && len(b) == 1 {
		return a[0].Difference(b[0])
	}
	in := func(list []record.Environment, e record.Environment) bool {
		return slices.ContainsFunc(list, func(f record.Environment) bool { return len(e.Difference(f)) == 0 })
	}
	var lines []string
	for _, e := range a {
		if !in(b, e) {
			lines = append(
				lines,
				fmt.Sprintf("only in A, %s; to B's %s: %s", e.ID, b[0].ID, strings.Join(e.Difference(b[0]), "; ")),
			)
		}
	}
	for _, e := range b {
		if !in(a, e) {
			lines = append(
				lines,
				fmt.Sprintf("only in B, %s; from A's %s: %s", e.ID, a[0].ID, strings.Join(a[0].Difference(e), "; ")),
			)
		}
	}
	return lines
}

func section(w io.Writer, title string, lines []string, none string) {
	if len(lines) == 0 {
		fmt.Fprintf(w, "%s: %s.\n\n", title, none)
		return
	}
	fmt.Fprintf(w, "%s:\n", title)
	for i, l := range lines {
		if i == summaryRows {
			fmt.Fprintf(w, "  ... and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintf(w, "  %s\n", l)
	}
	fmt.Fprintln(w)
}

func intersect(a, b []string) []string {
	var both []string
	for _, c := range a {
		if slices.Contains(b, c) {
			both = append(both, c)
		}
	}
	return both
}

// pair is one point in both sets.
type pair struct {
	name string
	a, b []record.Row
}

func match(da, db *data, parameters []string) (onlyA, onlyB int, pairs []pair) {
	var varied []string
	for _, p := range parameters {
		if slices.Contains(da.varied, p) || slices.Contains(db.varied, p) {
			varied = append(varied, p)
		}
	}
	key := func(p point) string { return fmt.Sprintf("%q", seriesOf(p.records[0], parameters)) }
	inB := map[string]point{}
	for _, p := range db.group(db.set.Rows, parameters) {
		inB[key(p)] = p
	}
	total := len(inB)
	for _, p := range da.group(da.set.Rows, parameters) {
		q, ok := inB[key(p)]
		if !ok {
			onlyA++
			continue
		}
		var words []string
		for _, v := range varied {
			words = append(words, v+" "+p.params[v])
		}
		pairs = append(pairs, pair{strings.Join(words, ", "), p.records, q.records})
	}
	return onlyA, total - len(pairs), pairs
}

// outcomeChanges lists the points whose runs end otherwise.
func (d *data) outcomeChanges(pairs []pair) []string {
	var lines []string
	for _, p := range pairs {
		a, b := point{records: p.a}.outcomes(), point{records: p.b}.outcomes()
		if a != b {
			lines = append(lines, fmt.Sprintf("%s: %s, now %s", p.name, a, b))
		}
	}
	return lines
}

// distinct joins the different texts of a column in runs that ended well.
func distinct(records []record.Row, column string) string {
	var list []string
	for _, r := range records {
		if r.Outcome() == record.OK && !slices.Contains(list, r[column]) {
			list = append(list, r[column])
		}
	}
	slices.Sort(list)
	return strings.Join(list, " or ")
}

// resultChanges lists the points where something found is not what it was.
func (d *data) resultChanges(pairs []pair, results []string) []string {
	var lines []string
	for _, p := range pairs {
		for _, c := range results {
			if a, b := distinct(p.a, c), distinct(p.b, c); a != b && a != "" && b != "" {
				if len(a)+len(b) > 120 {
					a, b = "something", "something else"
				}
				lines = append(lines, fmt.Sprintf("%s: %s %s, now %s", p.name, spec.Label(c), a, b))
			}
		}
	}
	return lines
}

func writeCosts(w io.Writer, da, db *data, pairs []pair) error {
	t := pretty.NewWriter()
	t.SetStyle(pretty.StyleLight)
	t.AppendHeader(pretty.Row{"cost", "points", "B less", "B more", "not told apart", "mean ratio B/A"})
	changes := pretty.NewWriter()
	changes.SetStyle(pretty.StyleLight)
	changes.AppendHeader(pretty.Row{"point", "cost", "A", "B", "B/A"})
	listedChanges := 0
	for _, c := range intersect(da.numeric(da.measurements), db.numeric(db.measurements)) {
		less, more, same, logs := 0, 0, 0, 0.0
		for _, p := range pairs {
			a, b := da.take(p.a, c), db.take(p.b, c)
			sa, okA := a.summary()
			sb, okB := b.summary()
			if !okA || !okB || sa.center <= 0 || sb.center <= 0 {
				continue
			}
			logs += math.Log(sb.center / sa.center)
			switch {
			case !b.against(a).toldApart:
				same++
				continue
			case sb.center < sa.center:
				less++
			default:
				more++
			}
			if listedChanges++; listedChanges <= summaryRows {
				changes.AppendRow(pretty.Row{p.name, spec.Label(c), a.text(c), b.text(c), fmt.Sprintf("%.3g", sb.center/sa.center)})
			}
		}
		if n := less + more + same; n > 0 {
			t.AppendRow(pretty.Row{spec.Label(c), n, less, more, same, fmt.Sprintf("%.3f", math.Exp(logs/float64(n)))})
		}
	}
	fmt.Fprintf(w, "Costs, by medians at each point; the mean ratio is geometric:\n%s\n", t.Render())
	if listedChanges > 0 {
		fmt.Fprintf(
			w,
			"\nChanges that the samples show (Mann-Whitney U test at 0.05; "+
				"by chance alone one comparison in twenty does):\n%s\n",
			changes.Render(),
		)
	}
	if listedChanges > summaryRows {
		fmt.Fprintf(w, "... and %d more\n", listedChanges-summaryRows)
	}
	_, err := fmt.Fprintln(w)
	return err
}
