//go:build unix

package packages

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/robdd"
)

// The drivers in bench/engines, of the packages that are installed, in the system or in the folder
// ENGINE_PREFIX, build diagrams of our size, with our number of solutions.
func TestDriversAgainstOurs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	tools := map[string]string{"cc": "gcc", "c++": "g++"}
	prefix := os.Getenv("ENGINE_PREFIX")
	if prefix != "" {
		tools["javac"] = "default-jdk-headless"
	}
	for tool, debian := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			skip(t, fmt.Sprintf("%s is missing: apt-get install %s", tool, debian))
		}
	}
	out, err := exec.Command("sh", "../../../bench/engines/build.sh", t.TempDir(), prefix).CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	if !strings.Contains(string(out), "/buddy\n") {
		skip(t, "BuDDy is missing: apt-get install libbdd-dev")
	}
	seed := rand.IntN(1000)
	t.Logf("seed %d", seed)
	for line := range strings.Lines(string(out)) {
		path, built := strings.CutPrefix(strings.TrimSpace(line), "built ")
		name := filepath.Base(path)
		if !built || name == "tdzdd-queens" { // it takes one order only
			continue
		}
		engine := Engine{name, path + " {ops}"}
		switch name {
		case "tdzdd":
			engine.Command = path + " {cnf} {diagram}"
		case "sylvan":
			engine.Command += " 2" // workers
		}
		t.Run(name, func(t *testing.T) {
			for _, family := range []string{"queens", "rooks"} {
				for n := 2; n <= 5; n++ {
					for _, order := range []string{"row-major", fmt.Sprint("random:", seed)} {
						compare(t, engine, family, n, order)
					}
				}
			}
		})
	}
}

// compare lets the engine build a problem's diagram by each of three constructions.
func compare(t *testing.T, e Engine, family string, n int, orderName string) {
	t.Helper()
	ctx := context.Background()
	p, o := problem(t, family, n, orderName)
	compiled, err := bdd.Compile(ctx, p, o, bdd.Options{})
	require.NoError(t, err)
	count, err := bdd.New(compiled).Count(ctx, nil)
	require.NoError(t, err)
	for _, construction := range []string{"row-wise", "bdd-benchmark", "constraint-wise"} {
		in, err := e.Prepare(p, o, construction, "bdd")
		require.NoError(t, err)
		a, err := in.Build(ctx)
		require.NoError(t, err)
		require.NoError(t, in.Close())
		assert.Equal(t, compiled.Nodes(robdd.BDD), *a.Nodes, "%s of %d, %s, %s", family, n, orderName, construction)
		assert.Regexp(t, `, (built with .*\d\.\d|Java \d)`, a.Engine)
		assert.Equal(t, count.String(), a.Solutions, "%s of %d, %s, %s", family, n, orderName, construction)
	}
}

// skip skips a test for want of a tool, or fails it if NO_SKIP is 1.
func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("NO_SKIP") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}
