package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"queens/experiments"
)

// judge compares the answers of rows that answer the same question in different ways, and settles those that differ. An
// answer is confirmed if two ways give it, or one and a check that agrees. If one answer alone is confirmed, the others
// are wrong; otherwise all are contradicted. judge changes only rows that are ok, so judging again changes nothing, and
// reports whether it has changed any. It skips what this version cannot judge.
func (s *Set) judge() (changed bool) {
	if s.Kind == nil {
		return false
	}
	columns := slices.DeleteFunc(s.Columns.In(experiments.Parameter), func(c string) bool { return slices.Contains(s.Kind.Ways, c) })
	questions := map[string][]Row{}
	differ := map[string]bool{}
	for _, row := range s.Rows {
		if row.Outcome() != OK && row.Outcome() != Contradicted || row.Cell("answer") == "" {
			continue
		}
		var b strings.Builder
		for _, c := range columns {
			b.WriteString(row.Cell(c))
			b.WriteByte('\n')
		}
		q := b.String()
		if rows := questions[q]; len(rows) > 0 && rows[0].Cell("answer") != row.Cell("answer") {
			differ[q] = true
		}
		questions[q] = append(questions[q], row)
	}
	for q := range differ {
		changed = s.settle(questions[q]) || changed
	}
	return changed
}

// settle settles rows of one question with different answers.
func (s *Set) settle(rows []Row) (changed bool) {
	var answers []string
	ways, by := map[string][]string{}, map[string][]string{} // by answer: who gives it, and who gives or confirms it
	note := func(list map[string][]string, answer, who string) {
		if who != "" && !slices.Contains(list[answer], who) {
			list[answer] = append(list[answer], who)
		}
	}
	for _, row := range rows {
		task, err := s.Kind.Task(s.Parameters(row), s.Spec.Programs())
		if err != nil || slices.Contains(task.Timed(), "answer") {
			return false
		}
		answer := row.Cell("answer")
		if !slices.Contains(answers, answer) {
			answers = append(answers, answer)
		}
		way, _, _ := strings.Cut(task.Title(), " ")
		note(ways, answer, way)
		note(by, answer, way)
		if row.Cell("agree") == "yes" {
			for name := range strings.SplitSeq(row.Cell("checked_by"), ";") {
				who, _, _ := strings.Cut(name, " ")
				note(by, answer, who)
			}
		}
	}
	outcome := Contradicted
	confirmed := slices.DeleteFunc(slices.Clone(answers), func(a string) bool { return len(by[a]) < 2 })
	if len(confirmed) == 1 {
		outcome = Wrong
	}
	for _, row := range rows {
		answer := row.Cell("answer")
		if row.Outcome() != OK || outcome == Wrong && answer == confirmed[0] {
			continue
		}
		checked := strings.FieldsFunc(row.Cell("checked_by"), func(c rune) bool { return c == ';' })
		var against []string
		for _, other := range answers {
			if other == answer {
				continue
			}
			says := "say"
			if len(ways[other]) == 1 {
				says = "says"
			}
			against = append(against, fmt.Sprintf("%s %s %s", strings.Join(ways[other], ", "), says, other))
			for _, who := range ways[other] {
				if !slices.Contains(checked, who) {
					checked = append(checked, who)
				}
			}
		}
		row.Set("outcome", string(outcome))
		row.Set("agree", "no")
		row.Set("checked_by", strings.Join(checked, ";"))
		row.Set("reason", fmt.Sprintf("the answer is %s, but %s", answer, strings.Join(against, ", and ")))
		changed = true
	}
	return changed
}

// Refuted lists the points whose answers others refute or contradict, each in a line: by the given parameters, how
// many runs ended how, and who says what instead.
func Refuted(rows []Row, parameters []string) (list []string) {
	told := map[string]int{}
	for _, r := range rows {
		if o := r.Outcome(); o == Wrong || o == Contradicted {
			line := cmp.Or(r.Words(parameters), "all runs") + ": " + string(o) + ": " + r.Cell("reason")
			if told[line]++; told[line] == 1 {
				list = append(list, line)
			}
		}
	}
	return list
}

// RefutedRuns returns the number of runs whose answers are wrong or contradicted, and which of these words are true.
func RefutedRuns(rows []Row) (number int, how string) {
	tally := Tally(rows)
	wrong, contradicted := tally[Wrong], tally[Contradicted]
	switch {
	case contradicted == 0:
		how = string(Wrong)
	case wrong == 0:
		how = string(Contradicted)
	default:
		how = "wrong or contradicted"
	}
	return wrong + contradicted, how
}
