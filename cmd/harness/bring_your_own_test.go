//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// This test follows docs/bring-your-own.md: it saves the order and the configurations under
// the names they give, and runs the commands in sequence, with the toy programs from the test
// data.
func TestBringYourOwnDocumentWorks(t *testing.T) {
	t.Parallel()
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "docs", "bring-your-own.md"))
	require.NoError(t, err)
	var script, files strings.Builder
	commands := 0
	for _, b := range regexp.MustCompile("(?ms)^```(yaml|sh|text)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		switch name := regexp.MustCompile(`(?m)^name: (.+)$`).FindStringSubmatch(b[2]); {
		case b[1] == "yaml":
			require.NotNil(t, name, b[2])
			fmt.Fprintf(&files, "-- configs/%s.yaml --\n%s", name[1], b[2])
		case b[1] == "sh":
			for line := range strings.Lines(b[2]) {
				require.True(t, strings.HasPrefix(line, "harness "), line)
				fmt.Fprintf(&script, "exec %s", line)
				commands++
			}
		case strings.HasPrefix(b[2], "b2 c2 "):
			fmt.Fprintf(&files, "-- middle.order --\n%s", b[2])
		}
	}
	require.GreaterOrEqual(t, commands, 7)
	script.WriteString(`exec harness run configs/mine-order.yaml
grep 'file:middle.order#[0-9a-f]+,' results/mine-order/records.csv
grep 'toy 1.0 \(backends/sat/solvers/testdata/toy.sh\)' results/mine-solvers/records.csv
grep 'toy 1.0 \(awk ' results/mine-engines/records.csv
! grep ',(wrong|error|timeout|killed),' results/mine-solvers/records.csv
! grep ',(wrong|error|timeout|killed),' results/mine-engines/records.csv
exists results/mine-engines/report/index.html
`)
	file := filepath.Join(t.TempDir(), "own.txtar")
	require.NoError(t, os.WriteFile(file, []byte(script.String()+files.String()), 0o644))
	testscript.Run(t, testscript.Params{
		Files: []string{file},
		Setup: func(env *testscript.Env) error {
			for _, dir := range []string{"backends/sat/solvers/testdata", "backends/bdd/packages/testdata"} {
				if err := os.CopyFS(filepath.Join(env.WorkDir, dir), os.DirFS(filepath.Join(root, dir))); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
