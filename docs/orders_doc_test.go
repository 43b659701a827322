package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables of docs/orders.md are those of the reports that the shipped records
// give, word for word: each stands below a comment that names its report and its
// title, and may choose the lines of one n. UPDATE_DOCS=1 writes them anew.
func TestOrdersDocumentQuotesItsRecords(t *testing.T) {
	const name = "orders.md"
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	block := regexp.MustCompile(`(?s)<!-- table: (\S+): ([^\n]+?)(?:; n = (\d+))? -->\n.*?<!-- end -->`)
	quoted := 0
	current := block.ReplaceAllFunc(data, func(old []byte) []byte {
		m := block.FindSubmatch(old)
		report, title := string(m[1]), string(m[2])
		text, err := os.ReadFile("../" + report)
		require.NoError(t, err)
		_, section, found := strings.Cut(string(text), "### "+title+"\n\n|")
		require.True(t, found, "%s has no table %q", report, title)
		table, _, _ := strings.Cut("|"+section, "\n\n")
		lines := strings.Split(table, "\n")
		head, body := lines[:2], lines[2:]
		if n := string(m[3]); n != "" {
			body = slices.DeleteFunc(body, func(line string) bool { return !strings.HasPrefix(line, "| "+n+" |") })
		}
		require.NotEmpty(t, body)
		quoted++
		comment, _, _ := strings.Cut(string(old), "\n")
		return []byte(comment + "\n" + strings.Join(append(head, body...), "\n") + "\n<!-- end -->")
	})
	require.Positive(t, quoted)
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(name, current, 0o644))
		data = current
	}
	assert.Equal(t, string(current), string(data), "UPDATE_DOCS=1 go test -run Orders ./docs writes %s anew", name)
	for _, m := range regexp.MustCompile(`!\[[^\]]*\]\(\.\./([^)]+)\)`).FindAllSubmatch(data, -1) {
		assert.FileExists(t, "../"+string(m[1]))
	}
}
