package main

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/encode"
	"queens/order"
)

func everyCommand(root *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	if !root.Hidden {
		all = append(all, root)
	}
	for _, sub := range root.Commands() {
		all = append(all, everyCommand(sub)...)
	}
	return all
}

// listed are the flags that take one of a few names.
var listed = []string{
	"order", "backend", "construction", "format", "problem", "amo", "solver", "formula", "init", "diagram", "forced", "lecture",
}

// Every help text has examples, and the program accepts each of them: the command, the flags
// and the names given to them exist.
func TestEveryHelpHasExamples(t *testing.T) {
	for _, cmd := range everyCommand(newRoot()) {
		if !cmd.HasParent() || strings.HasPrefix(cmd.CommandPath(), "harness completion") {
			continue // the program itself, and what cobra adds
		}
		require.NotEmpty(t, cmd.Example, cmd.CommandPath())
		for line := range strings.Lines(cmd.Example) {
			words := strings.Fields(line)
			require.Equal(t, "harness", words[0], line)
			root := newRoot(words[1:]...)
			found, rest, err := root.Find(words[1:])
			require.NoError(t, err, line)
			assert.True(t, strings.HasPrefix(found.CommandPath(), cmd.CommandPath()), "%s: an example of %s", line, cmd.CommandPath())
			require.NoError(t, found.ParseFlags(rest), line)
			assert.NoError(t, found.ValidateArgs(found.Flags().Args()), line)
			path := strings.Fields(found.CommandPath())[1:]
			found.Flags().Visit(func(f *pflag.Flag) {
				if slices.Contains(listed, f.Name) {
					assert.Contains(t, completions(t, append(path, "--"+f.Name, "")...), f.Value.String(), line)
				}
			})
		}
	}
}

// Every flag that takes one of a few names has a completion.
func TestEveryNamedValueIsCompleted(t *testing.T) {
	seen := map[string]bool{}
	for _, cmd := range everyCommand(newRoot()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(listed, f.Name) && f.Name != "method" {
				return
			}
			seen[f.Name] = true
			_, has := cmd.GetFlagCompletionFunc(f.Name)
			assert.True(t, has, "%s --%s", cmd.CommandPath(), f.Name)
		})
	}
	for _, name := range listed {
		assert.True(t, seen[name], name)
	}
}

// A flag that is given twice takes both values if it is a list, and is refused otherwise.
func TestRepeatedFlags(t *testing.T) {
	lists := map[string]bool{}
	values := map[string]string{"bool": "true", "int": "7", "int64": "7", "uint64": "7", "duration": "7s", "memory": "7GiB"}
	for _, found := range everyCommand(newRoot()) {
		path := strings.Fields(found.CommandPath())[1:]
		if len(path) == 0 || path[0] == "completion" || path[0] == "help" {
			continue // the program itself, and what cobra adds
		}
		found.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" {
				return
			}
			value := cmp.Or(values[f.Name], values[f.Value.Type()])
			if complete, has := found.GetFlagCompletionFunc(f.Name); value == "" && has {
				names, _ := complete(found, nil, "")
				value = strings.Split(string(names[0]), "\t")[0]
			}
			value = cmp.Or(value, "a1")
			again := func(other string) (*cobra.Command, error) {
				cmd, _, err := newRoot(path...).Find(path)
				require.NoError(t, err)
				return cmd, cmd.ParseFlags([]string{"--" + f.Name + "=" + value, "--" + f.Name + "=" + other})
			}
			if f.Value.Type() == "list" || f.Value.Type() == "stringArray" {
				lists[f.Name] = true
				cmd, err := again("b2")
				require.NoError(t, err)
				assert.Contains(t, cmd.Flags().Lookup(f.Name).Value.String(), "a1,b2", "%v --%s", path, f.Name)
				return
			}
			_, err := again(value)
			assert.ErrorContains(t, err, "given twice", "%v --%s %s", path, f.Name, value)
		})
	}
	assert.ElementsMatch(t, []string{"assume", "block", "columns", "host", "place", "sbatch", "set"}, slices.Collect(maps.Keys(lists)))
}

func completions(t *testing.T, words ...string) []string {
	var out bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, words...))
	require.NoError(t, root.Execute())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.True(t, strings.HasPrefix(lines[len(lines)-1], ":"), "%q", lines) // the directive
	return lines[:len(lines)-1]
}

func TestCompletionKnowsTheLists(t *testing.T) {
	for _, o := range order.All() {
		assert.Contains(t, completions(t, "compile", "--order", ""), o.Name)
	}
	for _, c := range ask.Constructions() {
		assert.Contains(t, completions(t, "compile", "--construction", ""), c.Name)
	}
	for _, f := range encode.Families() {
		assert.Contains(t, completions(t, "count", "--problem", ""), f.Name)
	}
	for _, b := range ask.All() {
		if len(b.MethodNames()) > 0 {
			assert.Contains(t, completions(t, "valid", "--backend", ""), b.Name)
			assert.Subset(t, completions(t, "valid", "--method", ""), b.MethodNames())
		}
	}
	assert.Contains(t, completions(t, "export", "--format", ""), "dddmp")
	assert.Contains(t, completions(t, "solve", "--method", ""), "swap")
	assert.Contains(t, completions(t, "ex"), "explain")
}
