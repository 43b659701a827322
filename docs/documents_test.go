package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documents returns the documents by name, each as it is written: by its template in docs/src,
// if it has one. Decisions are not among them: they say what was known when they were made.
func documents(t *testing.T) map[string]string {
	texts := map[string]string{}
	for name, text := range filled(t) {
		if source, err := os.ReadFile(filepath.Join("src", filepath.Base(name))); err == nil {
			text = string(source)
		}
		texts[name] = text
	}
	return texts
}

// filled returns the documents by name, each as it is read.
func filled(t *testing.T) map[string]string {
	texts := map[string]string{}
	read := func(name string) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[filepath.ToSlash(name)] = string(data)
	}
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == "src" || name == "decisions":
			return filepath.SkipDir
		case filepath.Ext(name) == ".md":
			read(name)
		}
		return nil
	}))
	require.Greater(t, len(texts), 15)
	read("../README.md")
	return texts
}

// A document is its template with numbers and tables filled in: all else is word for word the
// same. That the numbers are those of the records is for experiments/report.TestDocumentsAreCurrent.
func TestTemplatesAreEditedNotDocuments(t *testing.T) {
	read := filled(t)
	for name, source := range documents(t) {
		text := read[name]
		for _, words := range action.Split(source, -1) {
			at := strings.Index(text, words)
			if !assert.GreaterOrEqual(t, at, 0, "%s: edit docs/src/%s, then make generate; missing, or not in its place: %q",
				name, filepath.Base(name), words) {
				break
			}
			text = text[at+len(words):]
		}
	}
}

// Every document is short enough to be read, and says at its top what it is for.
func TestWords(t *testing.T) {
	limits := map[string]int{"../README.md": 700, "results/findings.md": 2000, "results/orders.md": 1800, "results/published.md": 1400}
	total := 0
	for name, text := range filled(t) {
		words := len(strings.Fields(text))
		if limit, has := limits[name]; has {
			assert.LessOrEqual(t, words, limit, name)
			delete(limits, name)
		}
		if name != "../README.md" {
			total += words
		}
		title, rest, _ := strings.Cut(text, "\n\n")
		assert.Regexp(t, `^# [^\n]+$`, title, name)
		first, _, _ := strings.Cut(strings.TrimPrefix(rest, "<!-- generated from the program: make generate -->\n\n"), "\n")
		assert.Regexp(t, `^[A-Z*\[\x60]`, first, "%s: what is it for?", name)
	}
	assert.Empty(t, limits, "documents that are gone")
	assert.LessOrEqual(t, total, 21_500, "words in docs, look-ups included")
}

var (
	link    = regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
)

// Files that documents link to, or show as pictures, are there, and so are the headings.
func TestLinksLeadSomewhere(t *testing.T) {
	texts := filled(t)
	more, err := filepath.Glob("decisions/*.md")
	require.NoError(t, err)
	for _, name := range append(more, "../ARCHITECTURE.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md", "../bench/README.md", "../results/README.md", "../results/instances/README.md") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[name] = string(data)
	}
	followed := 0
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			target := filepath.Join(filepath.Dir(name), m[1])
			if m[1] == "" {
				target = name
			}
			_, err := os.Stat(target)
			if assert.NoError(t, err, name) && m[2] != "" {
				data, err := os.ReadFile(target)
				require.NoError(t, err)
				assert.Contains(t, anchors(string(data)), m[2], "%s links to a heading of %s that is not there", name, m[1])
			}
			followed++
		}
	}
	assert.Greater(t, followed, 100)
}

// anchors lists a document's headings as links name them.
func anchors(text string) (list []string) {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(name, " ", "-"))
	}
	return list
}

// Documents and pictures are named by their present names in code, tests, configurations and pages.
func TestNamesOfDocuments(t *testing.T) {
	named := regexp.MustCompile(`\bdocs/[a-z0-9/-]+\.md\b`)
	require.NoError(t, filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch base := entry.Name(); {
			case name != ".." && strings.HasPrefix(base, "."), base == "node_modules", name == "../results", name == "../bin":
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".ts", ".sh", ".yaml", ".md", ".h", ".html", "":
		default:
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, document := range named.FindAllString(string(data), -1) {
			_, err := os.Stat(filepath.Join("..", document))
			assert.NoError(t, err, "%s names %s", name, document)
		}
		return nil
	}))
}

var (
	// action is what a template has in place of a quotation.
	action = regexp.MustCompile(`(?s)\s*\{\{-.*?-?\}\}\s*|\{\{.*?\}\}`)
	// noProse is what a document holds beside prose: quotations of records, figures of others,
	// examples, and code.
	noProse = regexp.MustCompile("(?s)\\{\\{.*?\\}\\}|```.*?```|`[^`\n]+`|(?m:^    .*$)")
	timing  = regexp.MustCompile(`[0-9][0-9,.]* ?(?:ns|µs|ms|s|(?:nano|micro|milli)?seconds?|minutes?)\b|` +
		`\b(?:half an?|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty) (?:(?:milli)?seconds?|minutes?)\b`)
)

// typed are the documents that may hold times, each with the reason.
var typed = map[string]string{
	"learn/lecture.md":          "how long a lecture takes",
	"learn/first-experiment.md": "limits in examples, and how long a reader needs",
	"do/serve.md":               "limits that clients are given",
	"do/solver.md":              "limits that programs are given",
	"lookup/commands.md":        "defaults of flags",
	"lookup/experiments.md":     "examples of values",
	"understand/trust.md":       "what its own tests measured, with the commands",
	"understand/systems.md":     "how often memory is looked at",
	"../README.md":              "how long its commands take",
}

// No time is typed by hand: it is quoted from records, or stands as what somebody else has
// published ({{quoted SOURCE FIGURE}}).
func TestNoTimeIsTyped(t *testing.T) {
	for name, reason := range typed {
		assert.FileExists(t, name)
		assert.NotEmpty(t, reason)
	}
	for name, text := range documents(t) {
		if typed[name] != "" {
			continue
		}
		blank := func(old string) string { return strings.Repeat("\n", strings.Count(old, "\n")) }
		prose := noProse.ReplaceAllStringFunc(text, blank)
		for i, line := range strings.Split(prose, "\n") {
			if found := timing.FindString(line); found != "" {
				assert.Fail(t, "a time typed by hand", "%s:%d: %q: quote a record, or say whose it is", name, i+1, found)
			}
		}
	}
}

// sized matches a number as people type it, with commas; quotations of records have none.
var sized = regexp.MustCompile(`\b[0-9]{1,3}(?:,[0-9]{3})+\b`)

// No size is typed by hand in what says what was found about orders.
func TestNoSizeIsTyped(t *testing.T) {
	texts := documents(t)
	for _, name := range []string{"results/orders.md", "results/findings.md"} {
		assert.Empty(t, sized.FindAllString(noProse.ReplaceAllString(texts[name], ""), -1), name)
	}
}

// Every source that a document names by its key, or by names and a year, is in references.bib.
func TestSourcesAreInReferences(t *testing.T) {
	bib, err := os.ReadFile("results/references.bib")
	require.NoError(t, err)
	entries := strings.Split(string(bib), "\n@")
	keys := map[string]bool{}
	for _, m := range regexp.MustCompile(`@[a-z]+\{([a-z0-9]+),`).FindAllStringSubmatch(string(bib), -1) {
		keys[m[1]] = true
	}
	texts, err := filepath.Glob("results/*.md")
	require.NoError(t, err)
	keyed := regexp.MustCompile(`\[([a-z]+[12][0-9]{3})\]`)
	named := regexp.MustCompile(`(\pL+)(?:\)|,)?\s\(?([12][09][0-9]{2})\b`)
	found := 0
	for _, name := range texts {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range keyed.FindAllStringSubmatch(string(data), -1) {
			found++
			assert.True(t, keys[m[1]], "%s: [%s]", name, m[1])
		}
		for _, m := range named.FindAllStringSubmatch(string(data), -1) {
			if !unicode.IsUpper([]rune(m[1])[0]) || len(m[1]) < 4 {
				continue
			}
			found++
			assert.True(t, slices.ContainsFunc(entries, func(e string) bool {
				return strings.Contains(e, m[1]) && strings.Contains(e, m[2])
			}), "%s: %s %s", name, m[1], m[2])
		}
	}
	assert.Greater(t, found, 20)
}
