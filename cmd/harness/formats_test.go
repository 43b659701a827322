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
		var a about
		if field := a.of(f.Name); assert.NotNil(t, field, "of in about.go: %s", f.Name) {
			*field = "file" + f.Ending
			assert.Equal(t, "file"+f.Ending, a.title(), "title in about.go")
		}
		assert.True(t, strings.Contains(string(document), "`--"+f.Name+" FILE`"), "docs/learn/own-formula.md: `--%s FILE`", f.Name)
		assert.True(t, strings.Contains(string(setup), f.Name+":FILE"), "ask/setup.go: %s:FILE", f.Name)
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
