package record

import (
	"cmp"
	"fmt"
	"maps"
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
	Repeated int // records dropped because another set has an earlier one of the same run
	Coverage Coverage
}

// Merge writes the union of record sets of one configuration to out, in the
// grid's order. Rows already in out count as one of the sets, so merging again, or
// adding sets later, gives the same result as merging everything at once. The error is
// a [Conflict] if the sets do not belong together, if out holds something else, or if
// another process is writing to it.
func Merge(out string, dirs []string, kinds experiments.Kinds, otherBinary bool) (Merged, error) {
	st := Store{Set: Set{Dir: out}}
	defer st.Close()
	there, data, err := records(out)
	switch {
	case err != nil:
		return Merged{}, fmt.Errorf("merging into %s: %w", out, err)
	case there:
		// Lock out until it is replaced, so nobody else writes to it.
		if err := st.lock(0); err != nil {
			return Merged{}, err
		}
		dirs = append(slices.Clone(dirs), out)
	default:
		if err := free(out, data, nil); err != nil {
			return Merged{}, err
		}
	}
	var m Merged
	byID := map[string]Row{}
	for i, dir := range dirs {
		set, err := Read(dir, kinds)
		if err != nil {
			return Merged{}, conflict("%v", err)
		}
		if i == 0 {
			m.Set = Set{Dir: out, Spec: set.Spec, Columns: set.Columns, Kind: set.Kind}
		} else if why := m.strange(set, m.Environments, otherBinary, "in "+dirs[0]); why != "" {
			return Merged{}, conflict("%s holds records %s", set.Dir, why)
		}
		for _, e := range set.Environments {
			if at := slices.IndexFunc(m.Environments, func(f Environment) bool { return f.ID == e.ID }); at < 0 {
				m.Environments = append(m.Environments, e)
			} else if earlier(e.Started, m.Environments[at].Started) {
				m.Environments[at].Started = e.Started
			}
		}
		for _, r := range set.Rows {
			old, twice := byID[r.ID()]
			if twice && old.Cell("started") != r.Cell("started") {
				m.Repeated++
			}
			if !twice || earlier(r.Cell("started"), old.Cell("started")) {
				byID[r.ID()] = r
			}
		}
	}
	for i := range m.Environments {
		m.Environments[i].Shard = ""
	}
	slices.SortFunc(m.Environments, func(a, b Environment) int {
		return cmp.Or(timeOf(a.Started).Compare(timeOf(b.Started)), strings.Compare(a.ID, b.ID))
	})
	m.Rows = slices.SortedFunc(maps.Values(byID), func(a, b Row) int {
		return cmp.Or(param.CompareValues(a.Cell("position"), b.Cell("position")), strings.Compare(a.ID(), b.ID()))
	})
	if m.Coverage, err = m.Set.Coverage(); err != nil {
		return Merged{}, conflict("%v", err)
	}
	return m, m.write(&st)
}

// write replaces the set on disk, under st's lock. The records come last, atomically.
func (m Merged) write(st *Store) error {
	if st.file == nil { // there were no records
		if err := st.disk.MkdirAll(m.Dir, 0o755); err != nil {
			return fmt.Errorf("making folder for records: %w", err)
		}
		if err := st.lock(os.O_CREATE); err != nil {
			return err
		}
		if st.size > 0 {
			return conflict("%s: another harness started writing here: merge again when it has finished",
				st.file.Name())
		}
	}
	st.Set = m.Set
	if err := st.describe(); err != nil {
		return err
	}
	return st.replace()
}

// timeOf returns a time in a record. As text, times do not sort: fractions of seconds end at their
// last digit that is not zero.
func timeOf(text string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, text) // which reading has checked
	return t
}

func earlier(a, b string) bool { return timeOf(a).Before(timeOf(b)) }
