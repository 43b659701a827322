package web

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"
)

// need skips a test whose tool is missing, or fails it where nothing may be skipped.
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

// What the page computes without drawing, tested by Node.js.
func TestPageUnits(t *testing.T) {
	node, err := exec.LookPath("node")
	need(t, "node", "apt-get install nodejs", err != nil)
	dir := t.TempDir()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"page/test/page.test.ts"}, Outfile: filepath.Join(dir, "page.test.mjs"),
		Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022, Write: true, LogLevel: api.LogLevelSilent,
	})
	require.Empty(t, result.Errors)
	out, err := exec.Command(node, "--test", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "# fail 0")
	require.NotContains(t, string(out), "# pass 0\n")
}

const npmCI = "npm ci --prefix ui/web/page"

// The bundler takes types on trust; TypeScript's own compiler does not.
func TestPageTypes(t *testing.T) {
	const tsc = "page/node_modules/typescript/bin/tsc"
	_, err := os.Stat(tsc)
	need(t, "typescript", npmCI, err != nil)
	out, err := exec.Command("node", tsc, "-p", "page").CombinedOutput()
	require.NoError(t, err, "%s", out)
}
