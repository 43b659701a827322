// What comments say about packages and names: a doc.go's "must never know" is true of the imports, and a link in
// brackets names something that exists.
package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// describing returns the name of the file that describes a package.
func describing(pkg string) string {
	if strings.HasPrefix(pkg, "cmd/") {
		return "main.go"
	}
	return "doc.go"
}

// A sentence of a doc.go that says what the package must never know names the packages in brackets, by import
// path: [queens/robdd]. The package imports none of them, and none of those below.
func TestWhatPackagesMustNeverKnow(t *testing.T) {
	sentence := regexp.MustCompile(`[^.]*must never (?:[^.]|\.\w)*\.`)
	named := regexp.MustCompile(`\[([\w.-]+/[\w./-]+)\]`)
	imports := productImports(t)
	checked := 0
	for pkg, list := range imports {
		file, err := parser.ParseFile(token.NewFileSet(), path.Join("..", pkg, describing(pkg)), nil,
			parser.ParseComments|parser.PackageClauseOnly)
		require.NoError(t, err)
		for _, said := range sentence.FindAllString(strings.Join(strings.Fields(file.Doc.Text()), " "), -1) {
			paths := named.FindAllStringSubmatch(said, -1)
			assert.True(t, len(paths) > 0 || !strings.Contains(said, "must never know"), "%s names in brackets no package that it must never know: %q", pkg, said)
			for _, p := range paths {
				checked++
				ours, isOurs := strings.CutPrefix(p[1], module+"/")
				if isOurs {
					assert.True(t, slices.ContainsFunc(slices.Collect(keys(imports)), func(known string) bool { return within(known, ours) }),
						"%s: there is no package %s", pkg, p[1])
				}
				for _, imported := range list {
					assert.False(t, within(imported, p[1]) && imported != module+"/"+pkg, "%s imports %s, and says that it must never know %s",
						pkg, imported, p[1])
				}
			}
		}
	}
	assert.Greater(t, checked, 30)
}

// The files that a doc.go names are in its package.
func TestFilesInPackageComments(t *testing.T) {
	named := regexp.MustCompile(`\b[a-z_]+\.go\b`)
	for pkg := range productImports(t) {
		file := path.Join("..", pkg, describing(pkg))
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		require.NoError(t, err)
		for _, name := range named.FindAllString(parsed.Doc.Text(), -1) {
			assert.FileExists(t, path.Join("..", pkg, name), file)
		}
	}
}

// within reports whether a package is another one or lies below it.
func within(pkg, other string) bool { return pkg == other || strings.HasPrefix(pkg, other+"/") }

func keys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// symbols are the names of a package at the top level, methods and fields as Type.Name.
type symbols map[string]bool

func symbolsOf(files []*ast.File) symbols {
	s := symbols{}
	for _, file := range files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = receiver(d.Recv.List[0].Type) + "." + name
				}
				s[name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							s[name.Name] = true
						}
					case *ast.TypeSpec:
						s[spec.Name.Name] = true
						s.members(spec.Name.Name, spec.Type)
					}
				}
			}
		}
	}
	return s
}

// members adds the fields of a struct and the methods of an interface.
func (s symbols) members(of string, t ast.Expr) {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return
	}
	for _, f := range fields.List {
		for _, name := range f.Names {
			s[of+"."+name.Name] = true
		}
	}
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// Every link of a comment, [Name], [Type.Member], [pkg.Name] or [pkg.Type.Member], names something: in the file's
// package, or in one of ours that the module has under that name.
func TestLinksInComments(t *testing.T) {
	link := regexp.MustCompile(`(?:^|[\s(])\[\*?((?:[a-z]\w*\.)?[A-Z]\w*(?:\.\w+)?)\]`)
	byName, byPath := map[string][]symbols{}, map[string]symbols{}
	parsed := map[string][]*ast.File{}
	set := token.NewFileSet()
	for pkg := range productImports(t) {
		names, err := filepath.Glob(path.Join("..", pkg, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			require.NoError(t, err)
			parsed[pkg] = append(parsed[pkg], file)
		}
		byPath[pkg] = symbolsOf(parsed[pkg])
		byName[path.Base(pkg)] = append(byName[path.Base(pkg)], byPath[pkg])
	}
	links := 0
	for pkg, files := range parsed {
		for _, file := range files {
			for _, group := range file.Comments {
				for _, found := range link.FindAllStringSubmatch(group.Text(), -1) {
					links++
					where, name := []symbols{byPath[pkg]}, found[1]
					if of, rest, qualified := strings.Cut(name, "."); qualified && of == strings.ToLower(of) {
						if where, name = byName[of], rest; where == nil {
							continue // a package of others
						}
					}
					assert.True(t, slices.ContainsFunc(where, func(s symbols) bool { return s[name] }), "%s: [%s] names nothing",
						set.Position(group.Pos()), found[1])
				}
			}
		}
	}
	assert.Greater(t, links, 100)
}
