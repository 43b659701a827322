package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/encode"
)

// A format is everywhere: a flag, a problem's name, a field of reports, in the help and in the document on formulas.
func TestFormatsAreEverywhere(t *testing.T) {
	document, err := os.ReadFile("../../docs/learn/own-formula.md")
	require.NoError(t, err)
	setup, err := os.ReadFile("../../ask/setup.go")
	require.NoError(t, err)
	pattern, title := ask.ProblemName("").Pattern()
	for _, f := range encode.Formats() {
		assert.NotNil(t, (&about{}).of(f.Name), f.Name)
		assert.Equal(t, "file"+f.Ending, func() string { a := about{}; *a.of(f.Name) = "file" + f.Ending; return a.title() }())
		assert.Contains(t, string(document), "`--"+f.Name+" FILE`")
		assert.Contains(t, string(setup), f.Name+":FILE")
		assert.Contains(t, title, f.Name+":FILE")
		assert.Contains(t, pattern, f.Name)
		for _, command := range []string{"explain", "play", "serve"} {
			cmd, _, err := newRoot().Find([]string{command})
			require.NoError(t, err)
			assert.NotNil(t, cmd.Flags().Lookup(f.Name), "%s --%s", command, f.Name)
			assert.Contains(t, strings.ReplaceAll(cmd.Long, "\n", " "), "--"+f.Name, command)
		}
	}
}
