package record

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/tasktest"
)

// Of several records of a run, a merge keeps the latest, by time and not by its text; it keeps one that
// failed only if there is no other. The order of the sets makes no difference.
func TestMergeKeepsTheBestRecord(t *testing.T) {
	kinds, asked, env := fourRuns(t)
	times := []string{"2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000000001Z", "2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.51Z"}
	require.False(t, slices.IsSorted(times))
	for _, c := range []struct {
		outcomes []Outcome // of the records at these times
		kept     int
	}{
		{[]Outcome{Killed, OK}, 1}, {[]Outcome{OK, Killed}, 0}, {[]Outcome{OK, Failed, OK, Killed}, 2},
		{[]Outcome{Failed, Killed, Failed}, 2}, {[]Outcome{Wrong, OK}, 1}, {[]Outcome{OK, Wrong, Failed}, 1}, {[]Outcome{Timeout, OK, OK, OK}, 3},
	} {
		var dirs []string
		for i, outcome := range c.outcomes {
			dir := filepath.Join(t.TempDir(), "x")
			st, err := Open(dir, asked, env, OpenMode{})
			require.NoError(t, err)
			r := rowOf(asked.Runs[0], env)
			r.Set("started", times[i])
			r.Set("outcome", string(outcome))
			if outcome != OK {
				r.Set("agree", map[bool]string{true: "no"}[outcome == Wrong])
				r.Set("checked_by", "school")
			}
			require.NoError(t, st.Append(r))
			require.NoError(t, st.Close())
			dirs = append(dirs, dir)
		}
		out := filepath.Join(t.TempDir(), "merged")
		for range 2 {
			for _, part := range [][]string{dirs[:1], dirs[1:], dirs} { // in any grouping, and again
				_, err := Merge(t.Context(), out, part, kinds)
				require.NoError(t, err)
			}
			slices.Reverse(dirs)
			set, err := Read(out, kinds)
			require.NoError(t, err)
			require.Len(t, set.Rows, 1)
			assert.Equal(t, times[c.kept], set.Rows[0].Cell("started"), c.outcomes)
			assert.Equal(t, c.outcomes[c.kept], set.Rows[0].Outcome())
		}
	}
}

// Two records of a run that succeeded with different answers are named, whichever of them is kept.
func TestMergeNamesTwoAnswers(t *testing.T) {
	kinds, asked, env := fourRuns(t)
	var dirs []string
	for _, answer := range []string{"49", "50"} {
		dir := filepath.Join(t.TempDir(), "x")
		st, err := Open(dir, asked, env, OpenMode{})
		require.NoError(t, err)
		r := rowOf(asked.Runs[0], env)
		r.Set("answer", answer)
		require.NoError(t, st.Append(r))
		require.NoError(t, st.Close())
		dirs = append(dirs, dir)
	}
	merged, err := Merge(t.Context(), filepath.Join(t.TempDir(), "merged"), dirs, kinds)
	require.NoError(t, err)
	require.Len(t, merged.Contradictions, 1)
	assert.Regexp(t, "^runs "+asked.Runs[0].ID+" and "+asked.Runs[0].ID+" .*: answer (49 and 50|50 and 49)$", merged.Contradictions[0])
}

// A merge that is interrupted writes nothing.
func TestInterruptedMerge(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := filepath.Join(t.TempDir(), "merged")
	_, err := Merge(ctx, out, []string{stored(t)}, tasktest.Kinds())
	assert.ErrorIs(t, err, context.Canceled)
	assert.NoDirExists(t, out)
}
