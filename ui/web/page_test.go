package web

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// need skips a test whose tool is missing, or fails it if NO_SKIP is 1.
func need(t *testing.T, what, how string, missing bool) {
	t.Helper()
	if !missing {
		return
	}
	if os.Getenv("NO_SKIP") == "1" {
		t.Fatalf("%s is not installed: %s", what, how)
	}
	t.Skipf("%s is not installed: %s", what, how)
}

// What the page computes without drawing is tested by Node.js.
func TestPageUnits(t *testing.T) {
	node, err := exec.LookPath("node")
	need(t, "node", "apt-get install nodejs", err != nil)
	dir := t.TempDir()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"page/test/page.test.ts"}, Outfile: filepath.Join(dir, "page.test.mjs"),
		Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022, Write: true,
		LogLevel: api.LogLevelSilent,
	})
	require.Empty(t, result.Errors)
	out, err := exec.Command(node, "--test", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "# fail 0")
	require.NotContains(t, string(out), "# pass 0\n")
}

const npmCI = "npm ci --prefix ui/web/page"

// The bundler does not check types; TypeScript's own compiler does.
func TestPageTypes(t *testing.T) {
	t.Parallel()
	const tsc = "page/node_modules/typescript/bin/tsc"
	_, err := os.Stat(tsc)
	need(t, "typescript", npmCI, err != nil)
	out, err := exec.Command("node", tsc, "-p", "page").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// No line of the page's sources is longer than 120 columns.
func TestPageLines(t *testing.T) {
	for _, kind := range []string{"ts", "css"} {
		names, err := filepath.Glob("page/src/*." + kind)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			if name == "page/src/types.d.ts" {
				continue // generated
			}
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for i, line := range strings.Split(string(text), "\n") {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), 120, "%s:%d", name, i+1)
			}
		}
	}
}
