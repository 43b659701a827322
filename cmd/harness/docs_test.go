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

// docs/experiments.md is walked through as it stands: its configuration is saved
// under the name it gives, and its commands are run in their order.
func TestExperimentsDocumentWorks(t *testing.T) {
	text, err := os.ReadFile("../../docs/experiments.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```(yaml|sh)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	var script, config strings.Builder
	commands := 0
	for _, b := range blocks {
		if b[1] == "yaml" {
			config.WriteString(b[2])
			continue
		}
		for line := range strings.Lines(b[2]) {
			require.True(t, strings.HasPrefix(line, "harness "), line)
			fmt.Fprintf(&script, "exec %s", line)
			commands++
		}
	}
	require.Greater(t, commands, 7)
	require.Contains(t, config.String(), "name: spiral")
	script.WriteString("exists results/spiral/report/index.html results/spiral-merged/records.csv\n")
	fmt.Fprintf(&script, "-- configs/spiral.yaml --\n%s", config.String())
	file := filepath.Join(t.TempDir(), "experiments.txtar")
	require.NoError(t, os.WriteFile(file, []byte(script.String()), 0o644))
	testscript.Run(t, testscript.Params{Files: []string{file}})
}
