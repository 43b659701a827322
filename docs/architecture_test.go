// The shape of the house, kept by tests: who may import whom, and a doc.go in
// each package.
package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "queens"

// floors lists our packages from the ground up: a package imports only what stands
// on floors below its own. A package that is not here is an error: say first where
// it belongs. A name stands before a pattern: backends/* is any back-end that uses no other.
var floors = [][]string{
	{"board", "encode/cnf", "backends/crew", "backends/diagram", "system", "experiments"}, // know nothing of ours
	{"backends/bdd/robdd", "encode/amo", "encode/cnf/cnftest", "backends/local", "experiments/spec", "experiments/tasktest"},
	{"encode", "backends/bdd/robdd/robddtest"},
	{"encode/csplib", "order", "backends", "backends/program"},
	{"backends/oracletest", "backends/*", "backends/sat/external"},
	{"backends/bdd/external"},
	{"backends/portfolio", "order/search", "explain"},
	{"choice"},
	{"configure"},
	{"configure/engines", "configure/configuretest", "experiments/record", "experiments/cluster"},
	{"experiments/run", "experiments/tasks", "experiments/report", "lab"},
	{"ui/web/api"},
	{"ui/term", "ui/web", "ui/web/gen", "ui/web/wasm"},
	{"cmd/harness", "cmd/release"},
}

// mustNotKnow lists what a package must not import although it lies below.
var mustNotKnow = map[string][]string{
	"order/search": {"backends/bdd"}, // the engine and the search check each other
	"configure":    {"backends/bdd", "backends/sat", "backends/search", "backends/local"},
	// Faces draw and listen: what they show is the session's, lab's or the board's.
	"ui/term":    {"backends", "encode", "order", "explain", "experiments"},
	"ui/web/api": {"backends", "encode", "order", "explain", "experiments"},
	"ui/web":     {"backends", "encode", "order", "explain", "experiments"},
}

// problems are the packages that know what is solved. Of the experiments' packages
// only the tasks may import them.
var problems = []string{"board", "encode", "order", "backends", "explain", "choice", "configure"}

// soleImporters lists outside packages that only these of ours may import.
var soleImporters = map[string][]string{
	"github.com/go-air/gini":   {"backends/sat"},
	"github.com/spf13/cobra":   {"cmd/harness"},
	"github.com/spf13/viper":   {"experiments/spec"},
	"github.com/dalzilio/rudd": {},
}

// standardOnly lists packages that import the standard library and nothing else.
var standardOnly = []string{"board", "encode/cnf", "backends/bdd/robdd"}

// productImports returns the imports of every package's product code.
func productImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := entry.Name()
			_, nested := os.Stat(filepath.Join(name, "go.mod"))
			if name != ".." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules" || nested == nil) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(name[len("../"):]))
		if imports[pkg] == nil {
			imports[pkg] = []string{}
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[pkg] = append(imports[pkg], imported)
		}
		return nil
	})
	require.NoError(t, err)
	return imports
}

// floorOf returns the package's floor, counted from the ground.
func floorOf(pkg string) (int, bool) {
	for i, packages := range floors {
		if slices.Contains(packages, pkg) {
			return i, true
		}
	}
	for i, packages := range floors {
		for _, pattern := range packages {
			if matches, err := path.Match(pattern, pkg); err == nil && matches {
				return i, true
			}
		}
	}
	return 0, false
}

func TestImportsGoDownwards(t *testing.T) {
	imports := productImports(t)
	require.Contains(t, imports, "board", "the walk found no packages")
	for pkg, list := range imports {
		floor, known := floorOf(pkg)
		if !assert.True(t, known, "package %s has no floor", pkg) {
			continue
		}
		for _, imported := range list {
			if ours, isOurs := strings.CutPrefix(imported, module+"/"); isOurs {
				below, _ := floorOf(ours)
				assert.Less(t, below, floor, "%s imports %s, which does not lie below it", pkg, ours)
				secrets := mustNotKnow[pkg]
				if strings.HasPrefix(pkg+"/", "experiments/") && pkg != "experiments/tasks" {
					secrets = problems
				}
				for _, secret := range secrets {
					assert.False(t, ours == secret || strings.HasPrefix(ours, secret+"/"), "%s must not know %s", pkg, ours)
				}
			}
			if slices.Contains(standardOnly, pkg) {
				first, _, _ := strings.Cut(imported, "/")
				assert.NotContains(t, first, ".", "%s imports %s, but takes the standard library only", pkg, imported)
			}
			for outside, only := range soleImporters {
				if imported == outside || strings.HasPrefix(imported, outside+"/") {
					assert.Contains(t, only, pkg, "%s must not import %s", pkg, imported)
				}
			}
		}
	}
	for _, packages := range floors {
		for _, pkg := range packages {
			if !strings.Contains(pkg, "*") {
				assert.Contains(t, imports, pkg, "the floors name a package that is gone")
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for pkg := range productImports(t) {
		name := "doc.go"
		if strings.HasPrefix(pkg, "cmd/") {
			name = "main.go"
		}
		source, err := os.ReadFile(path.Join("..", pkg, name))
		if assert.NoError(t, err, "package %s has no %s", pkg, name) {
			file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.PackageClauseOnly)
			require.NoError(t, err)
			assert.NotEmpty(t, file.Doc.Text(), "%s/%s says nothing of the package", pkg, name)
		}
	}
}
