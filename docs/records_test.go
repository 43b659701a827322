package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documents returns the documents by name, each as it is written: by its template in docs/src,
// if it has one. Decisions are not among them: they say what was known when they were made.
func documents(t *testing.T) map[string]string {
	files, err := filepath.Glob("*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]string{}
	for _, name := range append(files, "../README.md") {
		source := filepath.Join("src", filepath.Base(name))
		if _, err := os.Stat(source); err != nil {
			source = name
		}
		data, err := os.ReadFile(source)
		require.NoError(t, err)
		texts[name] = string(data)
	}
	return texts
}

// A document is its template with numbers and tables filled in: all else is word for word the
// same. That the numbers are those of the records is for experiments/report.TestDocumentsAreCurrent.
func TestTemplatesAreEditedNotDocuments(t *testing.T) {
	for name, source := range documents(t) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		text := string(data)
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

// Files that the documents link to, or show as pictures, are there.
func TestLinksLeadSomewhere(t *testing.T) {
	texts := documents(t)
	for _, name := range []string{"../ARCHITECTURE.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[name] = string(data)
	}
	for name, text := range texts {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(name), m[1]))
			assert.NoError(t, err, name)
		}
	}
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
	"torture.md":        "what its own tests measured, with the commands",
	"configurator.md":   "what the server promises and allows, and what its own load test checks",
	"bring-your-own.md": "limits that programs are given",
	"records.md":        "how long the harness waits, and what columns hold",
	"experiments.md":    "limits in examples",
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
	for _, name := range []string{"orders.md", "findings.md", "details.md"} {
		assert.Empty(t, sized.FindAllString(noProse.ReplaceAllString(texts[name], ""), -1), name)
	}
}
