package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
)

// BenchmarkBuild makes the report of 50,000 records: 100 sizes, two engines, 250 repeats.
func BenchmarkBuild(b *testing.B) {
	set := fixture()
	some := set.Rows[0]
	set.Rows = nil
	for n := range 100 {
		for _, engine := range []string{"old", "new"} {
			for repeat := range 250 {
				r := copied(some)
				r.Set("id", fmt.Sprint(n, engine, repeat))
				r.Set("n", fmt.Sprint(n+1))
				r.Set("engine", engine)
				r.Set("repeat", fmt.Sprint(repeat))
				r.Set("build_seconds", fmt.Sprint(float64(n+len(engine))/float64(1000+repeat)))
				r.Set("wall_seconds", fmt.Sprint(float64(n+1)/float64(500+repeat)))
				set.Rows = append(set.Rows, r)
			}
		}
	}
	set.Spec.Axes = config.Axes{"n": {"1..100"}, "engine": {"old", "new"}}
	require.Len(b, set.Rows, 50_000)
	require.Equal(b, 50_000, record.Tally(set.Rows)[record.OK])
	b.ReportAllocs()
	for b.Loop() {
		_, err := Build(set)
		require.NoError(b, err)
	}
}
