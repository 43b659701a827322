package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/experiments/record"
	"queens/internal/param"
)

// fingerprints lists the record set's columns, each with the hash of its cells, and the
// configuration with its hash.
func fingerprints(set record.Set) [][]string {
	type identified struct {
		id string
		record.Row
	}
	byID := make([]identified, len(set.Rows))
	for i, r := range set.Rows {
		byID[i] = identified{r.ID(), r}
	}
	slices.SortFunc(byID, func(a, b identified) int { return strings.Compare(a.id, b.id) })
	var rows [][]string
	var cells []byte
	for _, c := range set.Columns {
		cells = cells[:0]
		for _, r := range byID {
			cells = append(append(cells, r.Cell(c.Name)...), '\n')
		}
		rows = append(rows, []string{c.Name, string(c.Role), param.Digest(cells)})
	}
	return append(rows, []string{record.ConfigFile, "configuration", set.Spec.Hash()})
}

// agreement says how many answers were checked, and how.
func (d *data) agreement() string {
	verdicts, answers := map[string]int{}, 0
	runs, answered, of := 0, 0, 0 // of checks that a limit ended
	var by []string
	for _, r := range d.set.Rows {
		verdicts[r.Cell("agree")]++
		if r.Cell("answer") != "" || r.Cell("agree") != "" {
			answers++
		}
		for name := range strings.FieldsFuncSeq(r.Cell("checked_by"), func(c rune) bool { return c == ';' }) {
			name, some, all := experiments.InPart(name)
			if by = append(by, name); all > 0 {
				runs, answered, of = runs+1, answered+some, of+all
			}
		}
	}
	checked := verdicts["yes"] + verdicts["no"]
	if checked == 0 {
		return "No answer was compared with anything."
	}
	slices.Sort(by)
	outOf := ""
	if checked < answers {
		outOf = fmt.Sprintf(" of %d", answers)
	}
	text := fmt.Sprintf("%d%s answers were compared with others (%s); %d disagreed.", checked, outOf,
		strings.Join(slices.Compact(by), ", "), verdicts["no"])
	if of > 0 {
		text += fmt.Sprintf(" In %d of them the check ended at a limit, after %d of %d questions.", runs, answered, of)
	}
	if twice := d.set.Contradictions(); len(twice) > 0 {
		text += " " + record.TwoAnswers(len(twice)) + ": " + strings.Join(twice, "; ") + "."
	}
	return text
}

// quiet says how busy the machine was. busy reports whether other programs were at work: the load exceeded
// the cores before more than one run in ten or, if no run has a load, at the start. The harness's own run
// accounts for a load of 1.
func (d *data) quiet() (text string, busy bool) {
	busiest, cores := math.Inf(-1), math.Inf(1)
	for _, e := range d.set.Environments {
		if load, err := strconv.ParseFloat(e.Load, 64); err == nil {
			busiest = max(busiest, load)
		}
		cores = min(cores, float64(e.Cores))
	}
	judged, during := busiest, ""
	if loads := slices.Sorted(slices.Values(numbers(d.set.Rows, "load"))); len(loads) > 0 {
		judged = loads[(len(loads)-1)*9/10]
		busiest = max(busiest, judged)
		during = fmt.Sprintf(", and at most %g before nine runs in ten", judged)
	}
	switch {
	case math.IsInf(busiest, -1):
		return "It is not known how busy the machine was.", false
	case judged > cores:
		return fmt.Sprintf("The machine was busy: a load of up to %g on %g cores%s. "+
			"Times are meaningful only as ratios, if at all.", busiest, cores, during), true
	}
	return fmt.Sprintf("The machine was quiet: a load of %s at the start%s, on %g cores.",
		loadText(d.set.Environments[0]), during, cores), false
}

// maxLost bounds a list of points.
const maxLost = 50

func (d *data) lost() []string {
	var list []string
	rows := slices.DeleteFunc(slices.Clone(d.set.Rows), func(r record.Row) bool { return r.Outcome() == record.OK })
	for _, p := range d.group(rows, append(slices.Clone(d.varied), "outcome")) {
		r := p.records[0]
		list = append(list, fmt.Sprintf("%s, %d runs %s: %s", r.Words(d.varied), len(p.records), r.Cell("outcome"),
			r.Cell("reason")))
	}
	return firstOf(list)
}

// firstOf returns the first points of a list, and how many more there are.
func firstOf(list []string) []string {
	if more := len(list) - maxLost; more > 0 {
		list = append(list[:maxLost], fmt.Sprintf("and %d more points", more))
	}
	return list
}

func environmentText(e record.Environment) string {
	revision := e.Revision
	if e.Modified == "true" {
		revision += " (modified)"
	}
	return fmt.Sprintf("%s: %s, %d cores, %s, %s, %s, revision %s, started %s with a load of %s", e.ID, e.CPU,
		e.Cores, number("_bytes", float64(e.MemoryBytes)), e.OS, e.GoVersion, revision, e.Started, loadText(e))
}

// loadText returns the load of the machine, which older records do not have.
func loadText(e record.Environment) string { return cmp.Or(e.Load, "unknown") }
