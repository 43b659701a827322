package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"queens/experiments/record"
	"queens/experiments/spec"
)

// WriteComparison writes what changed from record set a to record set b: whether configuration
// and environment are the same, and where results or costs differ. Points are matched by their
// parameters. Changes of costs are listed only if a Mann-Whitney U test at 0.05 shows them.
// differ reports whether an answer or a result differs, which no difference between machines
// explains: results that depend on a clock are left out. Tables fit a terminal of width
// columns, 0 for any width.
func WriteComparison(w io.Writer, a, b record.Set, width int) (differ bool, err error) {
	if a.Spec.Task != b.Spec.Task {
		fmt.Fprintf(w, "The sets are of different tasks: %s (%s) and %s (%s).\n", a.Spec.Task, a.Dir, b.Spec.Task,
			b.Dir)
	}
	fmt.Fprintf(w, "A: %s, %d records: %s\nB: %s, %d records: %s\n\n", a.Dir, len(a.Rows),
		outcomeText(record.Tally(a.Rows)), b.Dir, len(b.Rows), outcomeText(record.Tally(b.Rows)))
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
	timed := timedAway(da, db, pairs)
	answers := resultChanges(pairs, []string{"answer"})
	results := resultChanges(pairs, intersect(da.results, db.results))
	section(w, "Answers", answers, same)
	section(w, "Results", results, same)
	if timed != "" {
		fmt.Fprintf(w, "%s\n\n", wrapped("Results not compared, because they depend on a clock: "+timed+".", width))
	}
	return len(answers)+len(results) > 0, writeCosts(w, da, db, pairs, width)
}

// environmentChanges compares the environments of two sets. Resuming and merging give a set
// several environments, whose order does not matter.
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
			lines = append(lines,
				fmt.Sprintf("only in A, %s; to B's %s: %s", e.ID, b[0].ID, strings.Join(e.Difference(b[0]), "; ")))
		}
	}
	for _, e := range b {
		if !in(a, e) {
			lines = append(lines,
				fmt.Sprintf("only in B, %s; from A's %s: %s", e.ID, a[0].ID, strings.Join(a[0].Difference(e), "; ")))
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
	return slices.DeleteFunc(slices.Clone(a), func(c string) bool { return !slices.Contains(b, c) })
}

// pair is one point in both sets.
type pair struct {
	name  string
	a, b  []record.Row
	timed []string // result columns that depend on a clock in a run of either set
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
		pairs = append(pairs, pair{name: described(p.records[0], varied), a: p.records, b: q.records})
	}
	return onlyA, total - len(pairs), pairs
}

// outcomeChanges lists the points whose runs ended differently.
func (d *data) outcomeChanges(pairs []pair) []string {
	var lines []string
	for _, p := range pairs {
		a, b := point{p.a}.outcomes(), point{p.b}.outcomes()
		if a != b {
			lines = append(lines, fmt.Sprintf("%s: %s, now %s", p.name, a, b))
		}
	}
	return lines
}

// distinct joins the distinct texts of a column in runs that ended well.
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

// timedAway marks at each point the results that are not compared, and returns the number of
// points for each of them as text.
func timedAway(da, db *data, pairs []pair) string {
	points := map[string]int{}
	for i := range pairs {
		p := &pairs[i]
		for _, row := range p.a {
			p.timed = append(p.timed, da.set.Timed(row)...)
		}
		for _, row := range p.b {
			p.timed = append(p.timed, db.set.Timed(row)...)
		}
		slices.Sort(p.timed)
		p.timed = slices.Compact(p.timed)
		for _, c := range p.timed {
			points[c]++
		}
	}
	var words []string
	for _, c := range slices.Sorted(maps.Keys(points)) {
		words = append(words, fmt.Sprintf("%s at %d of %d points", spec.Label(c), points[c], len(pairs)))
	}
	return strings.Join(words, ", ")
}

// resultChanges lists the points where a result differs.
func resultChanges(pairs []pair, results []string) []string {
	var lines []string
	for _, p := range pairs {
		for _, c := range results {
			if slices.Contains(p.timed, c) {
				continue
			}
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

// writeCosts writes how costs have changed, for a terminal of width columns, 0 for any width.
func writeCosts(w io.Writer, da, db *data, pairs []pair, width int) error {
	totals := grid{keys: 1, header: []string{"cost", "points", "B less", "B more", "not told apart", "mean ratio B/A"}}
	changes := grid{keys: 2, header: []string{"point", "cost", "A", "B", "B/A"}}
	changed := 0 // of which changes lists the first
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
			if changed++; changed <= summaryRows {
				ratio := fmt.Sprintf("%.3g", sb.center/sa.center)
				changes.add(wrapped(p.name, width*2/5), spec.Label(c), a.text(c), b.text(c), ratio)
			}
		}
		if n := less + more + same; n > 0 {
			totals.add(spec.Label(c), fmt.Sprint(n), fmt.Sprint(less), fmt.Sprint(more), fmt.Sprint(same),
				fmt.Sprintf("%.3f", math.Exp(logs/float64(n))))
		}
	}
	fmt.Fprintln(w, "Costs, by medians at each point; the mean ratio is geometric:")
	totals.write(w, width)
	if changed > 0 {
		fmt.Fprintf(w, "\n%s\n", wrapped("Changes that the samples show (Mann-Whitney U test at 0.05; "+
			"one comparison in twenty shows one by chance alone):", width))
		changes.write(w, width)
	}
	if listed := len(changes.rows); changed > listed {
		fmt.Fprintf(w, "... and %d more\n", changed-listed)
	}
	_, err := fmt.Fprintln(w)
	return err
}
