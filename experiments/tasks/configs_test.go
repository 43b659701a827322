package tasks

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/param"
	"queens/internal/repotest"
)

const configs = "../../configs"

// The schema, help and records describe a field by its comment in the source. UPDATE_SCHEMA=1
// writes the comments to a file that programs can read.
func TestCommentsAreCurrent(t *testing.T) {
	var source jsonschema.Reflector
	for _, dir := range []string{"..", "../../ask", "../../internal/system/program"} {
		require.NoError(t, source.AddGoComments("queens/experiments/tasks", dir))
	}
	comments := map[string]string{}
	var add func(reflect.Type)
	add = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			add(of.Elem())
		case reflect.Struct:
			for f := range of.Fields() {
				key := of.PkgPath() + "." + of.Name() + "." + f.Name
				if text := source.CommentMap[key]; f.Tag.Get("json") != "" && text != "" {
					comments[key] = strings.Join(strings.Fields(text), " ")
				}
				add(f.Type)
			}
		}
	}
	add(reflect.TypeFor[config.Spec]())
	add(reflect.TypeFor[experiments.Record]())
	for _, k := range Kinds() {
		add(reflect.TypeOf(k.Default().Value))
		add(reflect.TypeOf(k.Result))
	}
	maps.Copy(comments, quoting(t))
	if os.Getenv("UPDATE_SCHEMA") != "" {
		var file bytes.Buffer
		e := json.NewEncoder(&file)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		require.NoError(t, e.Encode(comments))
		require.NoError(t, os.WriteFile("../../internal/param/comments.json", file.Bytes(), 0o644))
		return
	}
	kept := param.Comments()
	both := maps.Clone(kept)
	maps.Copy(both, comments)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		assert.Equal(t, comments[key], kept[key], "the comment of %s: make generate takes it over", key)
	}
}

// quoting returns the comments of the methods by which documents quote tables.
func quoting(t *testing.T) map[string]string {
	names, err := filepath.Glob("../report/*.go")
	require.NoError(t, err)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, "queens/experiments/report")
	require.NoError(t, err)
	comments := map[string]string{}
	for _, of := range pkg.Types {
		if of.Name != "Quoted" {
			continue
		}
		for _, m := range of.Methods {
			comments[pkg.ImportPath+".Quoted."+m.Name] = strings.Join(strings.Fields(m.Doc), " ")
		}
	}
	return comments
}

// The schema that editors read follows from the Go types. UPDATE_SCHEMA=1 writes it.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := json.MarshalIndent(config.Schema(Kinds()), "", "  ")
	require.NoError(t, err)
	want = append(want, '\n')
	path := filepath.Join(configs, "schema.json")
	if os.Getenv("UPDATE_SCHEMA") != "" {
		require.NoError(t, os.WriteFile(path, want, 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	is, should := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(is), len(should)) {
		was, line := "", ""
		if i < len(is) {
			was = is[i]
		}
		if i < len(should) {
			line = should[i]
		}
		require.Equal(t, line, was, "%s:%d: make generate rewrites it", path, i+1)
	}
}

// Every configuration loads, has runs, names the schema in its first line, and has a question.
func TestConfigsLoad(t *testing.T) {
	t.Chdir("../..") // where they name files
	in := func(dir string) []string {
		return slices.DeleteFunc(repotest.Files(t, ".", dir), func(name string) bool {
			return path.Dir(name) != dir || path.Ext(name) != ".yaml"
		})
	}
	files, core := in("configs"), in("configs/core")
	require.NotEmpty(t, files)
	require.NotEmpty(t, core)
	for _, file := range append(files, core...) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		up, prefix := "", ""
		if slices.Contains(core, file) {
			up, prefix = "../", "core-"
		}
		assert.True(t, strings.HasPrefix(string(data), "# yaml-language-server: $schema="+up+"schema.json\n"), file)
		asked, err := config.Load(file, nil, Kinds())
		require.NoError(t, err, file)
		runs := asked.Runs
		assert.NotEmpty(t, asked.Question, file)
		assert.Equal(t, asked.Name+".yaml", prefix+filepath.Base(file))
		assert.NotEmpty(t, runs, file)
	}
}

// The configurations of fetched models load, here with stand-ins for the models: all that are listed
// and no others.
func TestConfigsOfFetchedModelsLoad(t *testing.T) {
	const models = "configs/models/"
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	listed := map[string]int{}
	for _, kind := range []string{"published", "large", "systems"} {
		list, err := os.ReadFile(filepath.Join(root, models, kind+".list"))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(models+kind, 0o755))
		for line := range strings.Lines(string(list)) {
			words := strings.Fields(line) // checksum, name, path
			require.Len(t, words, 3)
			listed[kind]++
			require.NoError(t, os.WriteFile(models+kind+"/"+words[1]+".cnf", []byte("p cnf 100 1\n1 2 0\n"), 0o644))
		}
	}
	for file, least := range map[string]int{"backbone.yaml": 6*listed["systems"] - 5, "published.yaml": listed["published"], "session.yaml": 12 * 2 * 6, "propagation.yaml": listed["systems"]} {
		asked, err := config.Load(filepath.Join(root, models, file), nil, Kinds())
		require.NoError(t, err, file)
		runs := asked.Runs
		assert.Equal(t, "models-"+file, asked.Name+".yaml")
		assert.GreaterOrEqual(t, len(runs), least, file)
	}
}

// An order file that is not there is named once, not by the pin and again by each point of the grid.
func TestMissingOrderFileIsNamedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte("name: x\ntask: compile\naxes: {n: 4..6, order: 'file:nowhere.order'}\n"), 0o644))
	_, err := config.Load(path, nil, Kinds())
	require.Error(t, err)
	assert.Equal(t, 1, strings.Count(err.Error(), "nowhere.order"), err)
}

// shipped returns the shipped record sets, without their records, by their folders. It reads them once.
func shipped(t *testing.T) map[string]record.Set {
	sets, err := readShipped()
	require.NoError(t, err)
	require.NotEmpty(t, sets)
	return sets
}

var readShipped = sync.OnceValues(func() (map[string]record.Set, error) {
	dirs, err := filepath.Glob("../../results/reference/*")
	sets := map[string]record.Set{}
	for _, dir := range dirs {
		set, failed := record.Read(dir, Kinds())
		set.Rows = nil // many: each forced collection of garbage would pass over them
		sets[dir], err = set, errors.Join(err, failed)
	}
	return sets, err
})

// Every shipped record set can be traced to a commit, unmodified.
func TestRecordSetsNameACommit(t *testing.T) {
	if out, err := exec.Command("git", "rev-parse",
		"--is-shallow-repository").Output(); err != nil || string(out) != "false\n" {
		t.Skip("no git history here: install Debian's git and clone the whole repository")
	}
	asked := map[string]bool{}
	for dir, set := range shipped(t) {
		for _, e := range set.Environments {
			if !asked[e.Revision] {
				err := exec.Command("git", "merge-base", "--is-ancestor", e.Revision, "HEAD").Run()
				assert.NoError(t, err, "%s: revision %s is not in the history", dir, e.Revision)
			}
			asked[e.Revision] = true
			assert.Equal(t, "false", e.Modified, "%s: the sources of revision %s were modified", dir, e.Revision)
		}
	}
}

// A parameter that a task gains keeps the ids of runs, and so the shipped records: it is optional, and its default is
// empty, 0 or false, which is left out.
func TestNewParametersKeepShippedRecords(t *testing.T) {
	for _, k := range Kinds() {
		values := k.Default().Parameters()
		for _, f := range k.Parameters() {
			assert.True(t, !f.Optional() || values[f.Name] == "", "task %s: the default of %s is %q, and omitempty leaves out only empty, 0 and false",
				k.Name, f.Name, values[f.Name])
		}
	}
	for dir, set := range shipped(t) {
		if set.Kind == nil {
			continue // its task is gone
		}
		for _, f := range set.Kind.Parameters() {
			assert.True(t, f.Optional() || slices.Contains(set.Columns.Names(), f.Name),
				"records of %s have no parameter %s: with omitempty in its tag, its default keeps their ids", dir, f.Name)
		}
	}
}
