package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every module that go.mod requires directly has a row in CONTRIBUTING.md, and no other module has.
func TestEveryDependencyHasAReason(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| module |")
	require.True(t, found)
	required := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1)
	require.NotEmpty(t, required)
	rows := regexp.MustCompile("(?m)^\\| (`[^|]+) \\|").FindAllStringSubmatch(table, -1)
	listed := map[string]bool{}
	for _, row := range rows {
		owner := ""
		for _, name := range strings.Split(row[1], ", ") {
			name = strings.Trim(name, "`")
			if rest, same := strings.CutPrefix(name, "..."); same { // by the owner of the one before
				name = owner + rest
			}
			owner = name[:strings.LastIndex(name, "/")]
			listed[name] = false
		}
	}
	for _, module := range required {
		path := regexp.MustCompile(`/v[0-9]+$`).ReplaceAllString(module[1], "")
		if _, has := listed[path]; assert.True(t, has, "%s has no row in the table of modules of CONTRIBUTING.md", path) {
			listed[path] = true
		}
	}
	for name, has := range listed {
		assert.True(t, has, "%s has a row in CONTRIBUTING.md, but go.mod does not require it", name)
	}
}
