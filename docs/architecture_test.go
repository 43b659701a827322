// Allowed imports: which package may import which; and a doc.go in each package.
package docs_test

import (
	"fmt"
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

// layer is a set of packages that do not import each other.
type layer struct {
	name     string // in ARCHITECTURE.md's picture
	packages []string
}

// layers lists our packages from the bottom up: a package imports only packages of layers below its
// own. A package that is not here is an error: decide first where it belongs. An exact name takes
// precedence over a pattern: backends/* is any back-end that uses no other.
var layers = []layer{
	{"nothing of ours below", []string{"board", "encode/cnf", "experiments/stats", "internal/contexttest", "internal/repotest", "internal/system"}},
	{"engines, encodings", []string{"robdd", "backends/localsearch", "board/listing", "encode/amo", "encode/cnf/cnftest", "encode/cnf/rup", "internal/system/program", "internal/param"}},
	{"problems, experiments", []string{"encode", "experiments"}},
	{"orders, interfaces", []string{"encode/csplib", "encode/encodetest", "order", "backends", "experiments/config", "experiments/tasktest"}},
	{"memory, flips", []string{"backends/recall", "backends/rotation"}},
	{"back-ends, better orders", []string{"backends/*", "backends/conformance", "backends/sat/solvers", "order/optimize"}},
	{"read off a diagram", []string{"backends/bdd/packages", "backends/mdd"}},
	{"users of back-ends", []string{"backends/portfolio", "backends/search/threshold", "configure/explain"}},
	{"who answers, and how", []string{"ask"}},
	{"warm back-ends", []string{"configure/pool"}},
	{"the session, records", []string{"configure", "experiments/record", "experiments/cluster"}},
	{"runs, reports, lessons", []string{"experiments/run", "experiments/tasks", "experiments/report", "configure/lesson"}},
	{"the page's API", []string{"ui/web/api"}},
	{"user interfaces", []string{"ui/term", "ui/web", "ui/web/gen", "ui/web/wasm"}},
	{"programs", []string{"cmd/harness"}},
}

// picture draws the layers, the top one first, a line of packages at most 100 characters long.
func picture() string {
	var b strings.Builder
	for i, l := range slices.Backward(layers) {
		line := fmt.Sprintf("%2d  %-24s", i+1, l.name)
		for _, pkg := range l.packages {
			if len(line)+2+len(pkg) > 100 {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", 28)
			}
			line += "  " + pkg
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// The picture of ARCHITECTURE.md is that of the layers. UPDATE_DOCS=1 draws it.
func TestPictureOfTheLayers(t *testing.T) {
	const file = "../ARCHITECTURE.md"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), "```text\n")
	old, after, closed := strings.Cut(rest, "```\n")
	require.True(t, found && closed, "%s has no picture", file)
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(file, []byte(before+"```text\n"+picture()+"```\n"+after), 0o644))
		return
	}
	assert.Equal(t, picture(), old, "UPDATE_DOCS=1 go test ./docs draws the picture anew")
}

// problems are the packages that know what is solved. Of the experiments' packages
// only the tasks may import them.
var problems = []string{"board", "encode", "order", "backends", "ask", "configure"}

// soleImporters lists outside packages that only these of ours may import.
var soleImporters = map[string][]string{
	"github.com/go-air/gini":   {"backends/sat"},
	"github.com/spf13/cobra":   {"cmd/harness"},
	"github.com/spf13/viper":   {"experiments/config"},
	"github.com/dalzilio/rudd": {},
}

// toDiagrams lists our packages that make diagrams, with the only packages that import them. The first is the way
// for all others: see its diagram.go.
var toDiagrams = map[string][]string{
	"backends/bdd": {"ask", "backends/mdd", "backends/bdd/packages"},
	"backends/mdd": {"ask"},
}

// standardOnly lists packages that import the standard library and nothing else.
var standardOnly = []string{"board", "encode/cnf", "robdd"}

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

// layerOf returns the number of the package's layer, from 0 at the bottom.
func layerOf(pkg string) (int, bool) {
	for i, l := range layers {
		if slices.Contains(l.packages, pkg) {
			return i, true
		}
	}
	for i, l := range layers {
		for _, pattern := range l.packages {
			if matches, err := path.Match(pattern, pkg); err == nil && matches {
				return i, true
			}
		}
	}
	return 0, false
}

// isTestSupport reports whether a package serves tests only, and counts as no product: its name says so.
func isTestSupport(pkg string) bool {
	return strings.HasSuffix(pkg, "test") || path.Base(pkg) == "conformance"
}

// What serves tests is in no program.
func TestProductImportsNoTestSupport(t *testing.T) {
	support := 0
	for pkg, list := range productImports(t) {
		if isTestSupport(pkg) {
			support++
			continue
		}
		for _, imported := range list {
			assert.False(t, isTestSupport(imported) && strings.HasPrefix(imported, module+"/"), "%s imports %s", pkg, imported)
		}
	}
	assert.Greater(t, support, 3)
}

func TestImportsGoDownwards(t *testing.T) {
	imports := productImports(t)
	require.Contains(t, imports, "board", "no packages found")
	for pkg, list := range imports {
		own, known := layerOf(pkg)
		if !assert.True(t, known, "package %s is in no layer", pkg) {
			continue
		}
		for _, imported := range list {
			if ours, isOurs := strings.CutPrefix(imported, module+"/"); isOurs {
				below, _ := layerOf(ours)
				assert.Less(t, below, own, "%s imports %s, which is not in a layer below", pkg, ours)
				if within(pkg, "experiments") && pkg != "experiments/tasks" {
					for _, f := range problems {
						assert.False(t, within(ours, f), "%s must not import %s", pkg, ours)
					}
				}
			}
			if slices.Contains(standardOnly, pkg) {
				first, _, _ := strings.Cut(imported, "/")
				assert.False(t, first == module || strings.Contains(first, "."),
					"%s imports %s, but takes the standard library only", pkg, imported)
			}
			for outside, only := range soleImporters {
				if imported == outside || strings.HasPrefix(imported, outside+"/") {
					assert.Contains(t, only, pkg, "%s must not import %s", pkg, imported)
				}
			}
		}
	}
	for pkg, imported := range imports {
		for made, only := range toDiagrams {
			if slices.Contains(imported, module+"/"+made) {
				assert.Contains(t, only, pkg, "%s must not import %s: %s is the way to a diagram", pkg, made, only[0])
			}
		}
	}
	for _, l := range layers {
		for _, pkg := range l.packages {
			if !strings.Contains(pkg, "*") {
				assert.Contains(t, imports, pkg, "layer %q has a package that is gone", l.name)
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
			assert.NotEmpty(t, file.Doc.Text(), "%s/%s does not describe the package", pkg, name)
		}
	}
}
