package tasks

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
)

// The lists of columns and of parameters in the documents follow from the Go types.
// UPDATE_DOCS=1 writes them.
func TestDocumentsAreCurrent(t *testing.T) {
	var columns strings.Builder
	columns.WriteString("| column | role | what it holds |\n|---|---|---|\n")
	common := Kinds()[0].Columns()
	for _, c := range common {
		switch c.Role {
		case experiments.Parameter:
			if c.Name == common[3].Name {
				columns.WriteString("| ... | parameter | the task's parameters |\n")
			}
		case experiments.Result:
			if !strings.Contains(columns.String(), "the task's results") {
				columns.WriteString("| ... | result | the task's results |\n")
			}
		default:
			fmt.Fprintf(&columns, "| `%s` | %s | %s |\n", c.Name, c.Role, c.Doc)
		}
	}
	var taskList strings.Builder
	for _, k := range Kinds() {
		fmt.Fprintf(&columns, "\nResults of `%s`:\n\n| column | what it holds |\n|---|---|\n", k.Name)
		fmt.Fprintf(&taskList, "\n**`%s`**: %s\n\n| parameter | what it is | default |\n|---|---|---|\n", k.Name, k.Doc)
		defaults, err := k.Defaults()
		require.NoError(t, err)
		for _, f := range k.Parameters() {
			if strings.HasPrefix(f.Tag.Get("jsonschema"), "required") {
				defaults[f.Name] = "required"
			} else if f.Optional() {
				defaults[f.Name] = "none"
			}
		}
		for _, c := range k.Columns() {
			switch c.Role {
			case experiments.Result:
				fmt.Fprintf(&columns, "| `%s` | %s |\n", c.Name, c.Doc)
			case experiments.Parameter:
				fmt.Fprintf(&taskList, "| `%s` | %s | %s |\n", c.Name, c.Doc, defaults[c.Name])
			}
			assert.NotEmpty(t, c.Doc, "%s: column %s has no description", k.Name, c.Name)
		}
	}
	for file, part := range map[string]struct{ marker, text string }{
		"../../docs/records.md":     {"columns", columns.String()},
		"../../docs/experiments.md": {"tasks", strings.TrimPrefix(taskList.String(), "\n")},
	} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		begin := strings.Index(string(data), "<!-- "+part.marker+":")
		require.Positive(t, begin, file)
		begin += strings.Index(string(data[begin:]), "-->\n") + len("-->\n")
		end := begin + strings.Index(string(data[begin:]), "<!-- end -->")
		require.Greater(t, end, begin-1, file)
		want := slices.Concat(data[:begin], []byte("\n"+part.text+"\n"), data[end:])
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(file, want, 0o644))
			continue
		}
		assert.Equal(t, string(want), string(data), "UPDATE_DOCS=1 go test ./experiments/tasks rewrites %s", file)
	}
}
