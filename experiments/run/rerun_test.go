//go:build linux

package run

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
)

// Repeated runs agree with the records, and a changed cell is found.
func TestRunsMadeAgain(t *testing.T) {
	t.Parallel()
	asked := load(t, "name: x\ntask: toy\naxes: {n: 1..3, how: [well, error]}\nexclude:\n- {how: error, n: \"> 1\"}\nrepeats: 2\n")
	dir := filepath.Join(t.TempDir(), "x")
	st, runs, err := open(t, dir, asked, record.OpenMode{})
	require.NoError(t, err)
	require.NoError(t, runner(t, &quiet{}).Run(context.Background(), st, runs))
	set, err := record.Read(dir, toys)
	require.NoError(t, err)

	again, err := runner(t, nil).Again(context.Background(), set, Rerun{})
	require.NoError(t, err)
	unmade := []string{"1 without a run that succeeded"}
	assert.Equal(t, Again{Made: 3, Left: 1, Unmade: unmade}, again, "runs that failed are not repeated")

	for _, row := range set.Rows {
		if row.Cell("n") == "2" && row.Cell("how") == "well" && row.Cell("repeat") == "1" {
			row.Set("square", "5")
			row.Set("answer", "5")
		}
	}
	again, err = runner(t, nil).Again(context.Background(), set, Rerun{})
	require.NoError(t, err)
	require.Len(t, again.Differences, 2)
	assert.Regexp(t, `^run [0-9a-f]{16} \(n 2, small 0, how well, seed 0\): answer 5, now 4$`, again.Differences[0])
	assert.Contains(t, again.Differences[1], "square 5, now 4")

	// A deleted row is reported, and so are a check that is no longer made, and one that a record lacks. A name that
	// shares code with who answers may fall away.
	less := set
	less.Rows = set.Rows[1:]
	again, err = runner(t, nil).Again(context.Background(), less, Rerun{})
	require.NoError(t, err)
	assert.Equal(t, "1 of 8 runs is missing", again.Missing)
	for _, row := range set.Rows {
		if row.Cell("n") == "3" && row.Cell("how") == "well" {
			row.Set("checked_by", map[string]string{"0": "school;abacus;twin", "1": ""}[row.Cell("repeat")])
		}
	}
	again, err = runner(t, nil).Again(context.Background(), set, Rerun{})
	require.NoError(t, err)
	unchecked := slices.DeleteFunc(again.Differences, func(line string) bool { return !strings.Contains(line, "checked_by") })
	require.Len(t, unchecked, 2)
	slices.SortFunc(unchecked, func(a, b string) int { return strings.Compare(a[21:], b[21:]) })
	assert.Regexp(t, `^run [0-9a-f]{16}: checked_by abacus, now nothing of that name$`, unchecked[0])
	assert.Regexp(t, `^run [0-9a-f]{16}: not checked_by school, which checks it now$`, unchecked[1])

	// Whether a run ends within its limit depends on the machine.
	for _, row := range set.Rows {
		row.Set("how", "slowly")
	}
	set.Spec.Limits.WallClock = config.Duration(100 * time.Millisecond)
	again, err = runner(t, nil).Again(context.Background(), set, Rerun{})
	require.NoError(t, err)
	assert.Zero(t, again.Made)
	require.Len(t, again.Unmade, 1)
	assert.Regexp(t, `^3 points: .*; the first is run [0-9a-f]{16}$`, again.Unmade[0])
	assert.Empty(t, again.Differences)
}

// Runs of a task that this version no longer has are skipped, and the result says where the task is.
func TestRunsOfARemovedTask(t *testing.T) {
	asked := load(t, "name: x\ntask: toy\naxes: {n: 1..3}\n")
	dir := filepath.Join(t.TempDir(), "x")
	st, runs, err := open(t, dir, asked, record.OpenMode{})
	require.NoError(t, err)
	require.NoError(t, runner(t, &quiet{}).Run(context.Background(), st, runs))
	set, err := record.Read(dir, nil)
	require.NoError(t, err)
	again, err := runner(t, nil).Again(context.Background(), set, Rerun{})
	require.NoError(t, err)
	assert.Equal(t, []string{`this version has no task "toy"; commit ` + set.Environments[0].Revision +
		", which made the records, has it"}, again.Unmade)
	assert.Equal(t, 3, again.Left)
	assert.Zero(t, again.Made)
}

func TestSampleOfLongerRuns(t *testing.T) {
	var points []*again
	for i := range 100 {
		points = append(points, &again{seconds: float64(i) / 10}) // to 9.9 s
	}
	assert.Len(t, Rerun{}.choose(points), 100)
	chosen := Rerun{Quick: 0.5, Seed: 7}.choose(points)
	sum := 0.0
	for _, p := range chosen {
		if p.seconds > 0.5 {
			sum += p.seconds
		}
	}
	for _, p := range points[:6] {
		assert.Contains(t, chosen, p)
	}
	assert.LessOrEqual(t, sum, 10.0)
	assert.Greater(t, sum, 0.0)
	assert.Equal(t, chosen, Rerun{Quick: 0.5, Seed: 7}.choose(points))

	for range 1000 {
		points = append(points, &again{seconds: 0.1})
	}
	chosen = Rerun{Quick: 0.5, Seed: 7}.choose(points)
	quick := slices.DeleteFunc(slices.Clone(chosen), func(p *again) bool { return p.seconds > 0.5 })
	assert.Len(t, quick, mostQuick)
}
