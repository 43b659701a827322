package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/internal/param"
)

// misuse rewrites the messages of cobra and pflag about a command line in this program's words.
func misuse(cmd *cobra.Command, err error) string {
	if value := (*pflag.InvalidValueError)(nil); errors.As(err, &value) {
		return misvalue(value)
	}
	text := strings.TrimSpace(err.Error())
	_, word, short := strings.Cut(text, " in -")
	if cmd.HasSubCommands() && strings.HasPrefix(text, "unknown command") {
		return text
	}
	for _, told := range []struct{ pattern, text string }{
		{`^if any flags in the group \[.*\] are set none of the others can be; \[(\S+) .*?(\S+)\] were all set$`,
			"flags --$1 and --$2: expected only one of them"},
		{`^required flag\(s\) "(\S+)".* not set$`, "flag --$1: expected a value, since there is no default"},
		{`^accepts 1 arg\(s\), received (\d+)$`, "expected 1 argument, not $1"},
		{`^accepts (\d+) arg\(s\), received (\d+)$`, "expected $1 arguments, not $2"},
		{`^requires at least 1 arg\(s\), only received 0$`, "expected an argument"},
		{`^unknown shorthand flag: '(\S+)' in -\S+$`, "unknown flag: -$1"},
		{`^unknown flag: --port$`, "unknown flag: --port; did you mean --addr :PORT?"},
		{`^unknown command (".*") for "harness \S+"$`, "$1: expected no argument"},
	} {
		text = regexp.MustCompile(told.pattern).ReplaceAllString(text, told.text)
	}
	if flag, unknown := strings.CutPrefix(text, "unknown flag: "); unknown {
		hint := meant(cmd, strings.TrimLeft(flag, "-"))
		literal := cmd.Flags().Lookup("assume") != nil && cmd.ValidateArgs([]string{"-NAME"}) == nil
		if short && literal && cmd.Flags().Lookup(word) == nil && (len(word) > 1 || hint == "") {
			hint = "; where the minus sign says not, write -- before the name"
		}
		text += hint
	}
	return strings.ReplaceAll(text, "--size", "-n")
}

// meant returns a hint that names the flags of a command that may be meant by an unknown one. A letter is a shorthand, or
// begins the name.
func meant(cmd *cobra.Command, flag string) string {
	letter := strings.ToLower(flag)
	if len(letter) == 1 && cmd.Flags().ShorthandLookup(letter) != nil {
		return fmt.Sprintf("; did you mean -%s?", letter)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(letter) > 1 || strings.HasPrefix(f.Name, letter) && f.Name != "size" {
			known = append(known, f.Name)
		}
	})
	hint := param.DidYouMean(flag, known)
	return strings.NewReplacer("did you mean ", "did you mean --", " or ", " or --").Replace(hint)
}

// misvalue says which values a flag accepts.
func misvalue(err *pflag.InvalidValueError) string {
	expected := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0", "duration": "a duration such as 90s or 5m",
		"bool": "true or false",
	}[err.GetFlag().Value.Type()]
	cause := err.Unwrap()
	if _, says, own := strings.Cut(cause.Error(), "expected "); own {
		expected = says
	} else if errors.Is(cause, strconv.ErrRange) {
		expected = "a smaller number"
	}
	name := strings.ReplaceAll("--"+err.GetFlag().Name, "--size", "-n")
	return fmt.Sprintf("flag %s %q: expected %s", name, err.GetValue(), cmp.Or(expected, cause.Error()))
}
