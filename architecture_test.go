// The shape of the house, kept by tests: who may import whom, and a doc.go in
// each package.
package queens_test

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

// allowed lists, for each package, which of our packages its product code may
// import. A package that is not here is an error: say first where it belongs.
var allowed = map[string][]string{
	"board":                 {},
	"encode/cnf":            {},
	"encode":                {"board", "encode/cnf"},
	"encode/csplib":         {"board", "encode"},
	"encode/order":          {"board", "encode", "encode/cnf"},
	"backends":              {"encode/cnf"},
	"backends/oracletest":   {"board", "encode", "encode/cnf", "backends"},
	"backends/bdd":          {"board", "encode", "encode/cnf", "encode/order", "backends", "backends/bdd/robdd"},
	"backends/bdd/robdd":    {},
	"backends/sat":          {"board", "encode", "encode/cnf", "backends", "backends/local"},
	"backends/sat/external": {"board", "encode", "encode/cnf", "backends"},
	"backends/search":       {"board", "encode", "encode/cnf", "backends"},
	"backends/local":        {"board"},
	"ordering":              {"board", "encode", "encode/cnf", "encode/order", "backends/search"}, // no engine
	"experiments":           {},                                                                   // knows no queen
	"experiments/tasks":     {"board", "encode", "encode/order", "encode/cnf", "encode/csplib", "backends", "backends/bdd", "backends/bdd/robdd", "backends/sat", "backends/sat/external", "backends/search", "backends/local", "ordering", "experiments"},
	"experiments/report":    {"experiments"}, // reads records only
	"explain":               {"board", "encode", "encode/cnf", "backends"},
	"configure":             {"board", "encode", "encode/cnf", "backends", "explain"},
	"configure/engines":     {"board", "encode", "encode/cnf", "encode/order", "backends", "backends/bdd", "backends/bdd/robdd", "backends/sat", "backends/search"},
	"ui/term":               {"board", "encode/order", "explain", "configure", "configure/engines"},
	"ui/web":                {"configure/engines", "ui/web/api"},
	"ui/web/api":            {"board", "encode", "encode/cnf", "encode/order", "backends", "backends/bdd", "backends/bdd/robdd", "backends/sat", "backends/search", "backends/local", "explain", "configure", "configure/engines"},
	"ui/web/gen":            {"ui/web/api"},
	"ui/web/wasm":           {"configure/engines", "ui/web/api"},
	"cmd/harness":           {"*"}, // wires everything
}

// soleImporters lists outside packages that only these of ours may import.
var soleImporters = map[string][]string{
	"github.com/go-air/gini":   {"backends/sat"},
	"github.com/spf13/viper":   {"experiments"},
	"github.com/spf13/cobra":   {"cmd/harness"},
	"github.com/dalzilio/rudd": {},
}

// standardOnly lists packages that import the standard library and nothing else.
var standardOnly = []string{"board", "encode/cnf", "backends/bdd/robdd"}

// productImports returns the imports of every package's product code.
func productImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := entry.Name()
			_, nested := os.Stat(filepath.Join(name, "go.mod"))
			if name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules" || nested == nil) {
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
		pkg := filepath.ToSlash(filepath.Dir(name))
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

func TestImportDirections(t *testing.T) {
	imports := productImports(t)
	require.Contains(t, imports, "board", "the walk found no packages")
	for pkg, list := range imports {
		rule, known := allowed[pkg]
		if !assert.True(t, known, "package %s is not in the table of import directions", pkg) {
			continue
		}
		for _, imported := range list {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			if isOurs && !slices.Contains(rule, "*") {
				assert.Contains(t, rule, ours, "%s must not import %s", pkg, ours)
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
	for pkg := range allowed {
		assert.Contains(t, imports, pkg, "the table of import directions names a package that is gone")
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for pkg := range productImports(t) {
		name := "doc.go"
		if strings.HasPrefix(pkg, "cmd/") {
			name = "main.go"
		}
		source, err := os.ReadFile(path.Join(pkg, name))
		if assert.NoError(t, err, "package %s has no %s", pkg, name) {
			file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.PackageClauseOnly)
			require.NoError(t, err)
			assert.NotEmpty(t, file.Doc.Text(), "%s/%s says nothing of the package", pkg, name)
		}
	}
}
