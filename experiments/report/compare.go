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
// and machine are the same, where results or costs differ, and a verdict in a line. Results are
// compared at each point of the parameters; costs over all seeds of a point, pair by pair where
// both sets have the same runs. differ reports whether an answer or a result differs, which no
// difference between machines explains: results that depend on a clock are left out. Tables fit a
// terminal of width columns, 0 for any width. Sets without a common point are an error.
func WriteComparison(w io.Writer, a, b record.Set, width int) (differ bool, err error) {
	da, db := newData(a), newData(b)
	shared := intersect(da.parameters, db.parameters)
	onlyA, onlyB, pairs := match(da, db, shared)
	if a.Spec.Task != b.Spec.Task || len(pairs) == 0 {
		return false, fmt.Errorf("%s (%s: %s) and %s (%s: %s) have no point in common", a.Dir, a.Spec.Task,
			da.variedText(), b.Dir, b.Spec.Task, db.variedText())
	}
	fmt.Fprintf(w, "A: %s, %d records: %s\nB: %s, %d records: %s\n\n", a.Dir, len(a.Rows),
		outcomeText(record.Tally(a.Rows)), b.Dir, len(b.Rows), outcomeText(record.Tally(b.Rows)))
	machines := environmentChanges(a.Environments, b.Environments)
	section(w, "Configuration", record.Differences(a.Spec.Measurement(), b.Spec.Measurement(), "now"), "the same")
	section(w, "Environment", machines, "the same")
	if onlyA+onlyB > 0 {
		fmt.Fprintf(w, "%d points are in A only, %d in B only.\n\n", onlyA, onlyB)
	}
	same := fmt.Sprintf("the same at all %d points", len(pairs))
	section(w, "Outcomes", da.outcomeChanges(pairs), same)
	timed := timedAway(da, db, pairs)
	changes := resultChanges(pairs, append([]string{"answer"}, intersect(da.results, db.results)...))
	section(w, "Answers and results", changes, same)
	if timed != "" {
		fmt.Fprintf(w, "%s\n\n", wrapped("Results not compared, because they depend on a clock: "+timed+".", width))
	}
	cost := writeCosts(w, da, db, pooledSeeds(pairs, shared), width)
	for i, d := range []*data{da, db} {
		for _, noisy := range d.noise(da.cost()) {
			fmt.Fprintf(w, "%s\n\n", wrapped("Noisy: in "+"AB"[i:i+1]+", "+noisy+".", width))
		}
	}
	results := "the same answers and results"
	if len(changes) > 0 {
		results = fmt.Sprintf("%d answers or results differ", len(changes))
	}
	if len(machines) > 0 {
		cost += "; the environments differ"
	}
	_, err = fmt.Fprintln(w, wrapped(fmt.Sprintf("Verdict: %s at %d points; %s.", results, len(pairs), cost), width))
	return len(changes) > 0, err
}

// variedText lists the parameters with several values, each with these.
func (d *data) variedText() string {
	var words []string
	for _, p := range d.varied {
		words = append(words, p+" = "+listed(d.values[p]))
	}
	return strings.Join(words, "; ")
}

// pooledSeeds joins points that differ only by seeds.
func pooledSeeds(pairs []pair, parameters []string) (list []pair) {
	kept := slices.DeleteFunc(slices.Clone(parameters), isSeed)
	varied := slices.DeleteFunc(slices.Clone(kept), func(c string) bool {
		return !slices.ContainsFunc(pairs, func(p pair) bool { return p.a[0][c] != pairs[0].a[0][c] })
	})
	at := map[string]int{}
	for _, p := range pairs {
		key := seriesOf(p.a[0], kept)
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, pair{name: described(p.a[0], varied)})
		}
		list[i].a, list[i].b = append(list[i].a, p.a...), append(list[i].b, p.b...)
	}
	return list
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

// writeCosts writes how costs have changed, and returns what to say of the first that the
// configuration asks for.
func writeCosts(w io.Writer, da, db *data, pairs []pair, width int) (verdict string) {
	totals := grid{keys: 1, header: []string{"cost", "points", "B less", "B more", "no difference", "mean ratio B/A"}}
	changes := grid{keys: 2, header: []string{"point", "cost", "A", "B", "B/A"}}
	changed := 0 // of which changes lists the first
	verdict = "no cost is measured in both"
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
			case !b.against(a).differs:
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
		n := less + more + same
		if n == 0 {
			continue
		}
		ratio := math.Exp(logs / float64(n))
		totals.add(spec.Label(c), fmt.Sprint(n), fmt.Sprint(less), fmt.Sprint(more), fmt.Sprint(same),
			fmt.Sprintf("%.3f", ratio))
		if c == da.cost() {
			verdict = fmt.Sprintf("%s in B is %.3g times A's (geometric mean of %d points; significantly less at %d, "+
				"more at %d)", spec.Label(c), ratio, n, less, more)
		}
	}
	fmt.Fprintln(w, wrapped("Costs, by medians at each point, over its seeds; the mean ratio is geometric:", width))
	totals.write(w, width)
	if changed > 0 {
		fmt.Fprintf(w, "\n%s\n", wrapped("Significant changes (at 0.05; one comparison in twenty shows one by chance alone):", width))
		changes.write(w, width)
	}
	if listed := len(changes.rows); changed > listed {
		fmt.Fprintf(w, "... and %d more\n", changed-listed)
	}
	fmt.Fprintln(w)
	return verdict
}
