package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"queens/ask"
	"queens/backends/localsearch"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/experiments/tasks"
	"queens/internal/param"
	"queens/order"
)

// The look-ups in docs/lookup follow from the program: from its commands, the schema of
// configurations, the tasks, the API's description, and the lists of what it can do. Only the
// glossary is written by hand. The list of record sets follows from their configurations.
// UPDATE_DOCS=1 writes them all.
func TestLookups(t *testing.T) {
	for name, write := range map[string]func(*testing.T) string{
		"docs/lookup/commands.md": commandPage, "docs/lookup/experiments.md": experimentPage, "docs/lookup/records.md": recordPage,
		"docs/lookup/methods.md": methodPage, "docs/lookup/api.md": apiPage, "results/README.md": setPage,
	} {
		file := filepath.Join("../..", name)
		want := write(t)
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
			continue
		}
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		old := strings.Split(string(have), "\n")
		for i, line := range strings.Split(want, "\n") {
			if i >= len(old) || old[i] != line {
				assert.Fail(t, "a look-up is not up to date: UPDATE_DOCS=1 go test -run Lookups ./cmd/harness", "%s:%d: expected %q", file, i+1, line)
				break
			}
		}
		assert.Equal(t, len(want), len(have), file)
	}
}

const generated = "<!-- generated from the program: make generate -->\n"

// page writes a document line by line.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func newPage(title, about string) *page {
	p := &page{}
	p.line("# %s\n\n%s\n%s", title, generated, about)
	return p
}

// commandPage lists every command with its flags. A flag that several commands have is described
// once, at the end.
func commandPage(t *testing.T) string {
	p := newPage("Commands", `What each command does, and its flags; `+"`harness help COMMAND`"+` has more, with examples.

Cells are written as in chess: `+"`a1`"+` is row 0, column 0. Exit codes: 0 done, 1 internal error, 2 bad
input, 3 a run failed or hit a limit, 4 an answer disagreed with a known one, 130 interrupted.`)
	var listed []*cobra.Command
	uses := map[string]int{} // by name and description
	usage := func(f *pflag.Flag) string {
		kind, text := pflag.UnquoteUsage(f)
		if !strings.Contains(text, "default") && f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" && f.DefValue != "[]" {
			text += " (default " + f.DefValue + ")"
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		return fmt.Sprintf("`%s`: %s", strings.TrimSpace(name+" "+kind), shorter(text))
	}
	for _, c := range everyCommand(newRoot()) {
		if !c.HasParent() || c.HasSubCommands() || c.Name() == "help" || c.Parent().Name() == "completion" {
			continue
		}
		require.NotEmpty(t, c.Short, c.CommandPath())
		listed = append(listed, c)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { uses[usage(f)]++ })
	}
	shared := map[string]string{}
	about := strings.Fields("`--assume` `--block` `--cnf` `--exclude` `--instance` `--opb` `--place` `--problem` `--size`")
	for _, c := range listed {
		p.line("\n## `%s`\n\n%s.", strings.TrimSuffix(c.UseLine(), " [flags]"), c.Short)
		var own, others []string
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Name == "help" || f.Hidden:
			case uses[usage(f)] > 2:
				shared["--"+f.Name] = usage(f)
				others = append(others, "`--"+f.Name+"`")
			default:
				own = append(own, "- "+usage(f))
			}
		})
		isAbout := func(flag string) bool { return slices.Contains(about, flag) }
		if rest := slices.DeleteFunc(slices.Clone(others), isAbout); len(others) == len(rest)+len(about) {
			others = append([]string{"the problem,"}, rest...)
		}
		if len(others) > 0 {
			own = append(own, "- and "+strings.TrimSuffix(strings.Join(others, " "), ","))
		}
		if len(own) > 0 {
			p.line("\n%s", strings.Join(own, "\n"))
		}
	}
	p.line("\n## Flags of several commands\n\n\"The problem\" stands for %s.\n", strings.Join(about, " "))
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		p.line("- %s", shared[name])
	}
	return p.String()
}

// shorter drops the values of a flag that the page about methods lists.
func shorter(text string) string {
	text = regexp.MustCompile(`: [a-z0-9:-]+(, [a-z0-9:-]+){2,}[^(]*`).ReplaceAllString(text, " ")
	return strings.TrimSpace(strings.TrimSuffix(text, "(default: what suits the problem)"))
}

// object is a part of a JSON Schema.
type object struct {
	Description string
	Ref         string `json:"$ref"`
	Enum        []string
	Items       *object
	Properties  map[string]object
	Defs        map[string]object `json:"$defs"`
}

// keys lists the keys of an object of the schema in the sequence in which the file has them.
func keys(t *testing.T, file []byte, path ...string) []string {
	var names []string
	part := json.RawMessage(file)
	for _, name := range append(path, "properties") {
		below := map[string]json.RawMessage{}
		require.NoError(t, json.Unmarshal(part, &below))
		part = below[name]
		require.NotNil(t, part, "%v", path)
	}
	decoder := json.NewDecoder(strings.NewReader(string(part)))
	_, err := decoder.Token()
	require.NoError(t, err)
	for decoder.More() {
		name, err := decoder.Token()
		require.NoError(t, err)
		names = append(names, name.(string))
		var value json.RawMessage
		require.NoError(t, decoder.Decode(&value))
	}
	return names
}

// experimentPage lists the keys of a configuration, every axis with its values, and the tasks.
func experimentPage(t *testing.T) string {
	p := newPage("Configurations", `The keys of an experiment's YAML file, the tasks and their axes. `+
		"[A first experiment](../learn/first-experiment.md)\nshows one in use. `configs/schema.json` is the schema for editors.")
	file, err := os.ReadFile("../../configs/schema.json")
	require.NoError(t, err)
	var schema object
	require.NoError(t, json.Unmarshal(file, &schema))
	list := func(title string, of object, path ...string) {
		p.line("\n## %s\n", title)
		for _, name := range keys(t, file, path...) {
			description, _, _ := strings.Cut(of.Properties[name].Description, " compile: ")
			if name == "kind" {
				description = "What it draws. " + description
			}
			p.line("- `%s`: %s", name, description)
		}
	}
	list("Keys", schema)
	list("Limits", schema.Defs["Limits"], "$defs", "Limits")
	list("Solvers and engines", schema.Defs["Description"], "$defs", "Description")
	list("Report", schema.Defs["Presentation"], "$defs", "Presentation")
	list("Tables", schema.Defs["Table"], "$defs", "Table")
	list("Plots", schema.Defs["Plot"], "$defs", "Plot")
	p.line("\n## Values\n\nAn axis has a value, a list or a range: `4..8`, `10..50 step 10`, `10..10000000 times 10`, and `0..n/2` or\n" +
		"`n*3/4` with another axis. A condition of `exclude` or `where` is a value, a list or a comparison, as in\n" +
		"`{method: restrict, n: \"> 10\"}`. Points whose parameters contradict each other are left out.")

	p.line("\n## Tasks\n\nEach with its axes and their defaults.\n")
	docs := map[string][]string{} // by axis and description: tasks
	var axes []string
	for _, k := range tasks.Kinds() {
		defaults := k.Default().Parameters()
		var parameters []string
		for _, f := range k.Parameters() {
			require.NotEmpty(t, f.Doc(), "%s: %s has no description", k.Name, f.Name)
			axis := "`" + f.Name + "`: " + f.Doc() + values(f)
			if docs[axis] == nil {
				axes = append(axes, axis)
			}
			docs[axis] = append(docs[axis], k.Name)
			text := f.Name
			if !strings.HasPrefix(f.Tag.Get("jsonschema"), "required") && !f.Optional() {
				text += "=" + defaults[f.Name]
			}
			parameters = append(parameters, "`"+text+"`")
		}
		p.line("- **`%s`** %s Axes: %s.", k.Name, k.Doc, strings.Join(parameters, ", "))
	}
	p.line("\n## Axes\n")
	slices.SortStableFunc(axes, func(a, b string) int { // those of one name side by side
		return cmp.Compare(strings.Split(a, "`")[1], strings.Split(b, "`")[1])
	})
	for i, axis := range axes {
		name := strings.Split(axis, "`")[1]
		alone := (i == 0 || strings.Split(axes[i-1], "`")[1] != name) && (i+1 == len(axes) || strings.Split(axes[i+1], "`")[1] != name)
		if !alone {
			axis = strings.Replace(axis, "`: ", "` of "+strings.Join(docs[axis], ", ")+": ", 1)
		}
		p.line("- %s", axis)
	}
	return p.String()
}

// values lists the values of a parameter that has a closed set of them. Those with a page of their
// own are named there.
func values(f param.Field) string {
	e, closed := reflect.Zero(f.Type).Interface().(param.Enumerated)
	if !closed {
		return ""
	}
	if slices.Contains([]string{"order", "construction", "amo", "problem"}, f.Name) || f.Name == "method" && len(e.Values()) > 6 {
		return " [Names](methods.md)."
	}
	list, doc := strings.Join(e.Values(), ", "), regexp.MustCompile(`[\w-]+`).FindAllString(f.Doc(), -1)
	_, open := e.(param.Patterned)
	named := func(value string) bool { return slices.Contains(doc, value) }
	if !open && !slices.ContainsFunc(e.Values(), func(value string) bool { return !named(value) }) {
		return "" // the description names them all
	}
	switch e.(type) {
	case tasks.Placement, tasks.Repair, tasks.Init:
		return " [Names](methods.md)."
	}
	if p, more := e.(param.Patterned); more {
		_, title := p.Pattern()
		list += ", or " + title
	}
	return " One of " + list + "."
}

// recordPage lists the columns of records.
func recordPage(t *testing.T) string {
	p := newPage("Columns of records", "The columns of `records.csv`, first those of every task. "+
		"[How it is measured](../understand/measurement.md) says how.")
	kinds := tasks.Kinds()
	for _, role := range []experiments.Role{
		experiments.Identity, experiments.Verdict, experiments.Measurement, experiments.Origin,
	} {
		p.line("\n## %s\n", strings.ToUpper(string(role[:1]))+string(role[1:]))
		said := map[string]string{}
		for _, c := range kinds[0].Columns() {
			switch {
			case c.Role != role:
			case said[c.Doc] != "":
				said[c.Doc] += ", `" + c.Name + "`"
			default:
				said[c.Doc] = "`" + c.Name + "`"
			}
		}
		for _, c := range kinds[0].Columns() {
			if names := said[c.Doc]; c.Role == role && names != "" {
				p.line("- %s: %s", names, c.Doc)
				said[c.Doc] = ""
			}
		}
	}
	first := map[string]string{} // the task that has a column first, by its line
	for _, k := range kinds {
		p.line("\n## Results of `%s`\n", k.Name)
		for _, c := range k.Columns() {
			require.NotEmpty(t, c.Doc, "%s: column %s has no description", k.Name, c.Name)
			if c.Role != experiments.Result {
				continue
			}
			line := fmt.Sprintf("- `%s`: %s", c.Name, c.Doc)
			if task := first[line]; task != "" {
				line = fmt.Sprintf("- `%s`: as of `%s`.", c.Name, task)
			} else {
				first[line] = k.Name
			}
			p.line("%s", line)
		}
	}
	return p.String()
}

// weightPage lists the sizes of the encodings that know weights.
func weightPage(p *page) {
	p.line("\n## Encodings of weights\n\nVariables and clauses of weights 1 to n, at most half their sum:\n")
	p.line("| | n = 10 | n = 40 | n = 100, in binary (Warners, IPL 68, 1998) |\n|---|---|---|---|")
	papers := map[string]string{"sequential": "Abio and others, JAIR 45, 2012", "totalizer": "generalized: Joshi and others, CP 2015"}
	for _, e := range amo.All() {
		if e.Weighing().Name != e.Name {
			continue
		}
		row := fmt.Sprintf("| `%s` (%s) |", e.Name, papers[e.Name])
		for _, n := range []int{10, 40, 100} {
			f, weights, total := &cnf.Formula{Vars: n}, make([]int, n), 0
			lits := make([]cnf.Lit, n)
			for k := range weights {
				lits[k], weights[k], total = cnf.Var(k+1).Pos(), k+1, total+k+1
			}
			e.Weigh(f, lits, weights, 0, total/2)
			row += fmt.Sprintf(" %d, %d |", f.Vars-n, f.NumClauses())
		}
		p.line("%s", row)
	}
}

// methodPage lists what the program can do: back-ends and their methods, orders, constructions,
// encodings and families, each with its source.
func methodPage(t *testing.T) string {
	p := newPage("Back-ends, methods, orders", "The names that flags and axes take, and where they come from. "+
		"[references.bib](../results/references.bib) has the papers.\n\n## Back-ends and their methods\n")
	for _, b := range ask.All() {
		p.line("- **`%s`** %s.", b.Name, b.Doc)
		for _, m := range b.Methods {
			p.line("  - `%s` %s.", m.Name, m.Doc)
		}
	}
	p.line("\n## Variable orders\n")
	for _, o := range order.All() {
		p.line("- `%s`: %s", o.Name, o.Reason)
	}
	p.line("- `file:PATH`: [an order of your own](../do/order.md)\n\n## Constructions of a diagram\n")
	for _, c := range ask.Constructions() {
		p.line("- `%s`: %s (%s)", c.Name, c.Reason, c.Source)
	}
	p.line("\n## At-most-one encodings\n")
	comments := commentsOf(t, "../../encode/amo")
	for _, e := range amo.All() {
		paper := regexp.MustCompile(`^\((.*?)\)`).FindStringSubmatch(comments[e.Name])
		require.NotNil(t, paper, "the comment of %s does not begin with its paper", e.Name)
		p.line("- `%s`: %s", e.Name, paper[1])
	}
	weightPage(p)
	searching := commentsOf(t, "../../backends/localsearch")
	for _, list := range [][]string{
		append([]string{"Local search, for task `solve`"}, param.Texts(localsearch.Methods())...),
		append([]string{"Boards that local search begins with"}, param.Texts(localsearch.Inits())...),
	} {
		p.line("\n## %s\n", list[0])
		for _, name := range list[1:] {
			text := searching[name]
			require.NotEmpty(t, text, "no comment describes %s", name)
			p.line("- `%s` %s", name, text)
		}
	}
	placements := commentsOf(t, "../../experiments/tasks")
	p.line("\n## Placements\n")
	for _, name := range tasks.Placement("").Values() {
		text := placements[name]
		require.NotEmpty(t, text, "no comment describes %s", name)
		p.line("- `%s` %s", name, text)
	}
	p.line("\n## Families of problems\n")
	for _, f := range encode.Families() {
		p.line("- `%s`: %s (%s)", f.Name, f.Doc, cmp.Or(f.Source, "no published counts"))
	}
	p.line("- `cnf:FILE`, `opb:FILE`, `uvl:FILE`: [a formula of your own](../learn/own-formula.md)")
	return p.String()
}

// commentsOf returns the first sentences of the comments on a folder's constants, variables and
// functions, without the name: by the text of a string constant, otherwise by the name in lower case.
func commentsOf(t *testing.T, folder string) map[string]string {
	found := map[string]string{}
	add := func(key, name string, doc *ast.CommentGroup) {
		text := strings.Join(strings.Fields(doc.Text()), " ")
		if rest, named := strings.CutPrefix(text, name+" "); named {
			if end := regexp.MustCompile(`\.( [A-Z]|$)`).FindStringIndex(rest); end != nil {
				rest = rest[:end[0]+1]
			}
			found[key] = rest
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(strings.ToLower(d.Name.Name), d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						doc := v.Doc
						if doc == nil {
							doc = d.Doc
						}
						name := v.Names[0].Name
						key := strings.ToLower(name)
						if d.Tok == token.CONST && len(v.Values) > 0 {
							if text, is := v.Values[0].(*ast.BasicLit); is && text.Kind == token.STRING {
								key, _ = strconv.Unquote(text.Value)
							}
						}
						add(key, name, doc)
					}
				}
			}
		}
	}
	return found
}

// setPage lists the record sets with their questions.
func setPage(t *testing.T) string {
	p := newPage("Record sets", "The record sets that the project ships, each with its question and its report. Your own go beside\n"+
		"`reference`, where git ignores them. [Findings](../docs/results/findings.md) says what they show.\n")
	files, err := filepath.Glob("../../results/reference/*/config.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var config struct{ Name, Question string }
		require.NoError(t, yaml.Unmarshal(data, &config))
		name := filepath.Base(filepath.Dir(file))
		p.line("- [%s](reference/%s/report/report.md): %s", name, name, config.Question)
	}
	return p.String()
}

// apiPage lists the calls of the server.
func apiPage(t *testing.T) string {
	p := newPage("The API", "The calls of `harness serve`. `GET /api/openapi.json` describes every field, also of the answers\n(OpenAPI 3.1).\n\n"+
		"<!-- not run: needs a server -->\n```sh\n"+
		`curl -s -H 'Content-Type: application/json' -d '{"n":8,"placed":["a1"],"counts":true}' \`+"\n"+
		"  http://127.0.0.1:8080/api/v1/board\n```")
	file, err := os.ReadFile("../../ui/web/api/openapi.json")
	require.NoError(t, err)
	type answer struct{ Description string }
	var api struct {
		Info  struct{ Description string }
		Paths map[string]map[string]struct {
			Summary     string
			RequestBody struct {
				Content map[string]struct{ Schema object }
			}
			Responses map[string]answer
		}
	}
	require.NoError(t, json.Unmarshal(file, &api))
	var choice []string
	for _, f := range param.Fields(ask.Choice{}) {
		choice = append(choice, f.Name)
	}
	p.line("\n%s A choice says who answers, as flags do: `%s`.\n", api.Info.Description, strings.Join(choice, "` `"))
	answers := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		for verb, call := range api.Paths[path] {
			text := ""
			if fields := call.RequestBody.Content["application/json"].Schema.Properties; len(fields) > 0 {
				names := slices.Sorted(maps.Keys(fields))
				if _, chooses := fields["amo"]; chooses {
					names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(choice, name) })
					text = ", choice"
				}
				text = ": `" + strings.Join(names, "` `") + "`" + text
			}
			p.line("- `%s %s` %s%s", strings.ToUpper(verb), path, call.Summary, text)
			for code, a := range call.Responses {
				if code != "200" {
					answers[code] = a.Description
				}
			}
		}
	}
	p.line("\n## Errors\n\nAn error has the fields `status` and `error`. Besides, 403 means a foreign page, 404 no such call, 405 a wrong\nmethod and 421 a foreign name.\n")
	for _, code := range slices.Sorted(maps.Keys(answers)) {
		p.line("- %s: %s", code, answers[code])
	}
	return p.String()
}

// README says how many families there are beside queens.
func TestREADMECountsFamilies(t *testing.T) {
	numbers := []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	want := numbers[len(encode.Families())-2] + " related families"
	for _, file := range []string{"../../docs/src/README.md", "../../README.md"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found := regexp.MustCompile(`\w+ related families`).FindString(string(text))
		assert.Equal(t, want, found, "%s (edit docs/src/README.md, then make generate)", file)
	}
}
