package record

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"queens/experiments"
	"queens/internal/param"
)

// Merged says what a merge did.
type Merged struct {
	Set
	Repeated int // records dropped because another set has a better one of the same run
	Coverage Coverage
}

// Merge writes the union of record sets of one configuration to out, in the grid's order. Of several
// records of a run it keeps the latest, and one that failed only if there is no other. Rows already in out
// count as one of the sets, so merging again, or adding sets later, gives the same result as merging
// everything at once. The error is a [Conflict] if the sets do not belong together, if out holds something
// else, or if another process is writing to it.
func Merge(ctx context.Context, out string, dirs []string, kinds experiments.Kinds, otherBinary bool) (m Merged, err error) {
	st := Store{Set: Set{Dir: out}}
	defer st.Close()
	there, data, err := records(out)
	switch {
	case err != nil:
		return m, fmt.Errorf("merging into %s: %w", out, err)
	case !there:
		err = free(out, data, nil)
	default: // nobody else may write there until it is replaced
		err = st.lock(0)
		dirs = append(slices.Clone(dirs), out)
	}
	if err != nil {
		return m, err
	}
	for i, dir := range dirs {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		set, err := Read(dir, kinds)
		if err != nil {
			return m, conflict("%v", err)
		}
		if i == 0 {
			st.Set = Set{Dir: out, Spec: set.Spec, Columns: set.Columns, Kind: set.Kind}
		} else if why := st.strange(set, st.Environments, otherBinary, "in "+dirs[0]); why != "" {
			return m, conflict("%s holds records %s", set.Dir, why)
		}
		st.Environments = append(st.Environments, set.Environments...)
		st.Rows = append(st.Rows, set.Rows...)
	}
	m.Repeated = st.unite()
	m.Set = st.Set
	if m.Coverage, err = st.Coverage(); err != nil {
		return m, conflict("%v", err)
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	if !there {
		if err := st.disk.MkdirAll(out, 0o755); err != nil {
			return m, fmt.Errorf("making folder for records: %w", err)
		}
		if err := st.lock(os.O_CREATE); err != nil {
			return m, err
		}
		if st.size > 0 {
			return m, conflict("%s: another harness started writing here: merge again when it has finished",
				st.file.Name())
		}
	}
	if err := st.describe(); err != nil {
		return m, err
	}
	return m, st.replace() // the records come last, atomically
}

// unite keeps one record of each run, in the grid's order, and one of each environment, oldest first. It
// returns how many different records of the same runs it drops.
func (s *Set) unite() (repeated int) {
	best := func(a, b Row) int { // the best first
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

// timeOf returns a time in a record. As text, times do not sort: fractions of seconds end at their
// last digit that is not zero.
func timeOf(text string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, text) // which reading has checked
	return t
}
