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

// This test follows docs/your-own-problem.md: it saves the configuration, runs the commands, and
// compares what they print with the text below them, line by line and without the seconds.
func TestYourOwnProblemDocumentWorks(t *testing.T) {
	t.Parallel()
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "docs", "your-own-problem.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```\n(?:```text\n(.*?)^```$)?").FindAllStringSubmatch(string(text), -1)
	require.GreaterOrEqual(t, len(blocks), 7)
	seconds := regexp.MustCompile(`[0-9.]+ s$`)
	var script strings.Builder
	for _, b := range blocks {
		commands, printed := strings.Split(strings.TrimSpace(b[1]), "\n"), strings.Split(strings.TrimRight(b[2], "\n"), "\n")
		for i, command := range commands {
			fmt.Fprintf(&script, "exec %s\n", command)
			own := printed // one command prints all lines, the last of several the last line
			if len(commands) > 1 {
				own = nil
				if at := len(printed) - len(commands) + i; at >= 0 {
					own = printed[at : at+1]
				}
			}
			for _, line := range own {
				if line == "" {
					continue
				}
				pattern := regexp.QuoteMeta(seconds.ReplaceAllString(line, "TIME s"))
				pattern = strings.Replace(pattern, "TIME s", `[0-9.e-]+ s`, 1)
				fmt.Fprintf(&script, "stdout '^.*%s$'\n", strings.ReplaceAll(pattern, "'", "''"))
			}
		}
	}
	config := regexp.MustCompile("(?ms)^```yaml\n(name: (.*?)\n.*?)^```$").FindStringSubmatch(string(text))
	require.NotNil(t, config)
	fmt.Fprintf(&script, "exists results/%s/report/index.html\n-- configs/%s.yaml --\n%s", config[2], config[2], config[1])
	file := filepath.Join(t.TempDir(), "problem.txtar")
	require.NoError(t, os.WriteFile(file, []byte(script.String()), 0o644))
	testscript.Run(t, testscript.Params{
		Files: []string{file},
		Setup: func(env *testscript.Env) error {
			dir := filepath.Join("docs", "examples")
			return os.CopyFS(filepath.Join(env.WorkDir, dir), os.DirFS(filepath.Join(root, dir)))
		},
	})
}
