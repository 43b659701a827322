package record

import (
	"context"
	"fmt"
	"slices"

	"queens/experiments"
)

// Merged says what a merge did.
type Merged struct {
	Set
	Repeated int // records dropped because another set has a better one of the same run
	Coverage Coverage
	// Contradictions lists runs that succeeded with different results, and pairs of runs of one question: see
	// [Set.Contradictions].
	Contradictions []string
}

// Merge writes the union of record sets of one configuration to out, in the grid's order. If a run has
// several records, it keeps the latest that did not fail, or the latest if all failed. Rows already in out
// count as one of the sets, so merging again, or adding sets later, gives the same result as merging
// everything at once. The error is a [Conflict] if the sets do not belong together, if out holds something
// else, or if another process is writing to it.
func Merge(ctx context.Context, out string, dirs []string, kinds experiments.Kinds) (m Merged, err error) {
	st := Store{Set: Set{Dir: out}}
	defer st.Close()
	there, data, err := records(out)
	switch {
	case err != nil:
		return m, fmt.Errorf("merging into %s: %w", out, err)
	case !there:
		err = free(out, data, nil)
	default: // keep other writers out until it is replaced
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
		} else if why := st.strange(set, st.Environments, "in "+dirs[0]); why != "" {
			return m, conflict("%s holds records %s", set.Dir, why)
		}
		st.Environments = append(st.Environments, set.Environments...)
		st.Rows = append(st.Rows, set.Rows...)
	}
	m.Contradictions = st.Contradictions()
	m.Repeated = st.unite()
	st.judge()
	m.Set = st.Set
	if m.Coverage, err = st.Coverage(); err != nil {
		return m, conflict("%v", err)
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	if !there {
		if err := st.begin(); err != nil {
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
