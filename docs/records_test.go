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

// documents are those whose numbers are quoted from records. Decisions are not among them:
// they say what was known when they were made.
func documents(t *testing.T) []string {
	files, err := filepath.Glob("*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return append(files, "../README.md")
}

// A line that begins with a comment is shown by Markdown as it is written.
func TestNoLineBeginsWithAComment(t *testing.T) {
	for _, name := range documents(t) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Empty(t, beginsWithComment.FindAllString(string(data), -1), name)
	}
}

// Pictures in the documents are there.
func TestPicturesAreThere(t *testing.T) {
	for _, name := range documents(t) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`!\[[^\]]*\]\(([^)]+)\)`).FindAllSubmatch(data, -1) {
			assert.FileExists(t, filepath.Join(filepath.Dir(name), string(m[1])), name)
		}
	}
}

var (
	beginsWithComment = regexp.MustCompile(`(?m)^<!-- (record|quoted): [^\n]*-->[^\n].*$`)
	// noProse is what a document holds beside prose: quotations of records, figures of others
	// and of rules, which say why they are typed, examples, and code.
	noProse = regexp.MustCompile("(?s)<!-- (record|quoted): .*?<!-- end -->|```.*?```|`[^`\n]+`|(?m:^    .*$)")
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
// published (<!-- quoted: SOURCE -->...<!-- end -->).
func TestNoTimeIsTyped(t *testing.T) {
	for name, reason := range typed {
		assert.FileExists(t, name)
		assert.NotEmpty(t, reason)
	}
	for _, name := range documents(t) {
		if typed[name] != "" {
			continue
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		blank := func(old string) string { return strings.Repeat("\n", strings.Count(old, "\n")) }
		prose := noProse.ReplaceAllStringFunc(string(data), blank)
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
	for _, name := range []string{"orders.md", "findings.md"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Empty(t, sized.FindAllString(noProse.ReplaceAllString(string(data), ""), -1), name)
	}
}
