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

// This test follows docs/experiments.md: it saves the configuration under the name it gives,
// and runs the commands in sequence.
func TestExperimentsDocumentWorks(t *testing.T) {
	t.Parallel()
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

// The README's commands work as written, one after the other, with the shipped
// configurations and records.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	var script strings.Builder
	commands := 0
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			command := strings.Replace(line, "go run ./cmd/harness", "harness", 1)
			words := strings.Fields(command)
			// play and serve end only when told to, and have their own tests.
			if len(words) < 2 || words[0] != "harness" || words[1] == "play" || words[1] == "serve" {
				continue
			}
			fmt.Fprintf(&script, "exec %s", command)
			commands++
		}
	}
	require.Greater(t, commands, 7)
	file := filepath.Join(t.TempDir(), "readme.txtar")
	require.NoError(t, os.WriteFile(file, []byte(script.String()), 0o644))
	testscript.Run(t, testscript.Params{
		Files: []string{file},
		Setup: func(env *testscript.Env) error {
			for _, dir := range []string{"configs", "results/reference"} {
				if err := os.CopyFS(filepath.Join(env.WorkDir, dir), os.DirFS(filepath.Join("../..", dir))); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
