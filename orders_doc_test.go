package queens_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables of docs/orders.md are those of the reports that the shipped records
// give, word for word: each stands below a comment that names its report and its
// title. UPDATE_DOCS=1 writes them anew.
func TestOrdersDocumentQuotesItsRecords(t *testing.T) {
	const name = "docs/orders.md"
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	block := regexp.MustCompile(`(?s)<!-- table: (\S+): ([^\n]+?) -->\n.*?<!-- end -->`)
	quoted := 0
	current := block.ReplaceAllFunc(data, func(old []byte) []byte {
		m := block.FindSubmatch(old)
		report, title := string(m[1]), string(m[2])
		text, err := os.ReadFile(report)
		require.NoError(t, err)
		_, section, found := strings.Cut(string(text), "### "+title+"\n\n|")
		require.True(t, found, "%s has no table %q", report, title)
		table, _, _ := strings.Cut(section, "\n\n")
		quoted++
		return []byte("<!-- table: " + report + ": " + title + " -->\n|" + table + "\n<!-- end -->")
	})
	require.Positive(t, quoted)
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(name, current, 0o644))
	}
	assert.Equal(t, string(current), string(data), "UPDATE_DOCS=1 go test -run Orders . writes %s anew", name)
	for _, m := range regexp.MustCompile(`!\[[^\]]*\]\(\.\./([^)]+)\)`).FindAllSubmatch(data, -1) {
		assert.FileExists(t, string(m[1]))
	}
}
