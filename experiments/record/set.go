package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/internal/param"
)

// The files of a record set.
const (
	RecordsFile = "records.csv"
	EnvFile     = "env.json"
	ConfigFile  = "config.yaml"
	ReportDir   = "report" // made from the others
)

// Set is a record set in a folder.
type Set struct {
	Dir          string
	Spec         config.Spec
	Environments []Environment // of the records, oldest first
	Columns      experiments.Columns
	Rows         []Row
	Kind         *experiments.TaskKind // kind of its runs; nil if it is unknown here
}

// Deterministic returns the columns that are the same whenever the row's run is repeated and
// succeeds: the answer and the results, except those that depend on a clock (see Timed).
func (s Set) Deterministic(row Row) []string {
	columns := append([]string{"answer"}, s.Columns.In(experiments.Result)...)
	timed := s.Timed(row)
	return slices.DeleteFunc(columns, func(c string) bool { return slices.Contains(timed, c) })
}

// TwoAnswers says how many questions have two answers.
func TwoAnswers(count int) string {
	if count == 1 {
		return "1 question has two answers"
	}
	return fmt.Sprintf("%d questions have two answers", count)
}

// Contradictions lists pairs of runs of one question that succeeded with different results, each in a line: they
// have the same parameters, and differ in a deterministic column. It skips what this version cannot judge.
func (s Set) Contradictions() (list []string) {
	if s.Kind == nil {
		return nil
	}
	parameters, results := s.Columns.In(experiments.Parameter), append([]string{"answer"}, s.Columns.In(experiments.Result)...)
	firsts := map[string]Row{} // by parameters
	told := map[string]bool{}
	for _, row := range s.Rows {
		if row.Outcome() != OK {
			continue
		}
		var question strings.Builder
		for _, name := range parameters {
			question.WriteString(row.Cell(name))
			question.WriteByte('\n')
		}
		first, seen := firsts[question.String()]
		if !seen {
			firsts[question.String()] = row
			continue
		}
		differ := func(c string) bool { return row.Cell(c) != first.Cell(c) }
		if told[question.String()] || !slices.ContainsFunc(results, differ) {
			continue
		}
		if _, err := s.Kind.Task(s.Parameters(row), s.Spec.Programs()); err != nil {
			continue
		}
		columns := s.Deterministic(row)
		if i := slices.IndexFunc(columns, differ); i >= 0 {
			c := columns[i]
			told[question.String()] = true
			list = append(list, fmt.Sprintf("runs %s and %s (%s): %s %s and %s", first.ID(), row.ID(), row.Words(parameters), c,
				cmp.Or(Brief(first.Cell(c)), "nothing"), cmp.Or(Brief(row.Cell(c)), "nothing")))
		}
	}
	return list
}

// Unversioned lists the outside programs whose version the records do not tell.
func (s Set) Unversioned() (list []string) {
	for _, e := range s.Environments {
		for name, version := range e.Programs {
			if version == "" && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	for _, row := range s.Rows {
		if s.Kind == nil || row.Outcome() != OK {
			continue
		}
		task, err := s.Kind.Task(s.Parameters(row), s.Spec.Programs())
		if err != nil {
			continue
		}
		if p := task.Program(); p != nil && slices.Contains(s.Columns.Names(), p.Parameter+"_is") && row.Cell(p.Parameter+"_is") == "" {
			if name := p.Parameter + " " + p.Name; !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Timed returns the result columns of the row's run that depend on a clock, which must not be
// compared. It returns nil if the task is not known or its parameters have changed.
func (s Set) Timed(row Row) []string {
	if s.Kind == nil {
		return nil
	}
	task, err := s.Kind.Task(s.Parameters(row), s.Spec.Programs())
	if err != nil {
		return nil
	}
	return task.Timed()
}

// Parameters returns the row's parameters, by name, without optional ones that are unset.
func (s Set) Parameters(row Row) map[string]string {
	parameters := map[string]string{}
	for _, c := range s.Columns.Of(experiments.Parameter) {
		if cell := row.Cell(c.Name); cell != "" || !c.Optional {
			parameters[c.Name] = cell
		}
	}
	return parameters
}

// Missing lists the runs that have no record yet.
func (s Set) Missing(runs []experiments.Run) []experiments.Run {
	done := s.Done()
	var missing []experiments.Run
	for _, r := range runs {
		if !done[r.ID] {
			missing = append(missing, r)
		}
	}
	return missing
}

// Done returns the ids of the runs that have a record.
func (s Set) Done() map[string]bool {
	done := make(map[string]bool, len(s.Rows))
	for _, r := range s.Rows {
		done[r.ID()] = true
	}
	return done
}

// strange says why the records of another set do not belong to this one, whose environments are made; it
// returns "" if they do. of introduces this set's values, as in "now".
func (s Set) strange(other Set, made []Environment, of string) string {
	if lines := Differences(other.Spec.Measurement(), s.Spec.Measurement(), of); len(lines) > 0 {
		return "of another configuration:\n  " + strings.Join(lines, "\n  ")
	}
	if theirs, ours := other.Columns.Names(), s.Columns.Names(); !slices.Equal(theirs, ours) {
		return "with other columns: " + columnDifference(theirs, ours, of)
	}
	for _, a := range other.Environments {
		for _, b := range made {
			if !a.sameProgram(b) {
				return "made by another build of the harness:\n  " + strings.Join(a.Difference(b), "\n  ")
			}
		}
	}
	return ""
}

// of returns the set as one of another specification.
func (s Set) of(spec config.Spec) Set {
	s.Spec = spec
	return s
}

// unite keeps one record of each run, in the grid's order, and one of each environment, oldest first. It
// returns the number of records dropped in favour of a better record of the same run, not counting
// duplicates.
func (s *Set) unite() (repeated int) {
	best := func(a, b Row) int { // the better one first
		failed := func(r Row) int { return map[bool]int{true: 1}[r.Failed()] }
		return cmp.Or(failed(a)-failed(b), timeOf(b.Cell("started")).Compare(timeOf(a.Cell("started"))))
	}
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(param.CompareValues(a.Cell("position"), b.Cell("position")), strings.Compare(a.ID(), b.ID()), best(a, b))
	})
	s.Rows = slices.CompactFunc(s.Rows, func(r, before Row) bool {
		if r.ID() != before.ID() {
			return false
		}
		if before.Cell("started") != r.Cell("started") {
			repeated++
		}
		return true
	})
	for i := range s.Environments {
		s.Environments[i].Shard = ""
	}
	started := func(a, b Environment) int { return timeOf(a.Started).Compare(timeOf(b.Started)) }
	slices.SortFunc(s.Environments, func(a, b Environment) int { return cmp.Or(strings.Compare(a.ID, b.ID), started(a, b)) })
	s.Environments = slices.CompactFunc(s.Environments, func(a, b Environment) bool { return a.ID == b.ID })
	slices.SortStableFunc(s.Environments, started)
	return repeated
}
