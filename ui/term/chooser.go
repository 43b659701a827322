package term

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"queens/configure"
)

// Chooser is one person's session about the options of a problem.
type Chooser struct{ *configure.Choices }

var _ Game = Chooser{}

// states says in words what the characters of [configure.Outlook] mean; ? is shown as a dot.
var states = map[byte]string{'+': "chosen", '-': "excluded", '!': "forced", 'x': "ruled out", '?': "open"}

const choiceLegend = "+ chosen  - excluded  ! forced  x ruled out  . open"

// ChoiceHelp lists the commands of a script about options.
const ChoiceHelp = `choose NAME, exclude NAME decide that an option is in; that it is not
drop NAME                 take a decision back
undo, redo, clear         undo or redo a decision; take all back
show [WORD]               show the groups and options with WORD in their names, and the board if there is one
count                     show the number of configurations left
explain NAME              say which decisions force an option or rule it out
link                      show the decisions as the last part of a link
help                      show this list`

// Script implements [Game].
func (c Chooser) Script(ctx context.Context, r io.Reader, file string, w io.Writer) error {
	return runScript(ctx, r, file, w, c.obey)
}

// obey runs one command.
func (c Chooser) obey(ctx context.Context, words []string, out io.Writer) error {
	if known, err := c.Do(ctx, words); known {
		return err
	}
	command, args := words[0], words[1:]
	if err := check(words, map[string][2]int{"show": {0, 1}, "count": {}, "explain": {1, 1}, "link": {}, "help": {}}); err != nil {
		return err
	}
	look, err := c.Look(ctx)
	if err != nil {
		return err
	}
	switch command {
	case "show":
		if p := c.Picture(); p != nil {
			fmt.Fprint(out, p.Draw(look.States))
		}
		c.write(out, look, strings.Join(args, ""))
		fmt.Fprintln(out, c.summary(look)+".")
	case "count":
		if look.Left == "" {
			look.Left = "too many to count"
		}
		fmt.Fprintln(out, look.Left)
	case "explain":
		state, known := c.state(look, args[0])
		if !known {
			return &configure.Refusal{Action: "explain " + args[0], Why: "there is no such option"}
		}
		lines, _, err := c.explain(ctx, args[0], state)
		for _, line := range lines {
			fmt.Fprintln(out, line)
		}
		return err
	case "link":
		fmt.Fprintln(out, "d="+strings.Join(c.Decided(), ","))
	case "help":
		fmt.Fprintf(out, "%s\n\nSigns: %s\n", ChoiceHelp, choiceLegend)
	}
	return nil
}

// write writes the options with a word in their names or in their group's, group by group.
func (c Chooser) write(out io.Writer, look *configure.Outlook, word string) {
	i := 0
	for _, g := range c.Groups() {
		headed := false
		for _, name := range g.Names {
			state := look.States[i]
			i++
			if !matches(g, name, word) {
				continue
			}
			if !headed {
				fmt.Fprintln(out, heading(g))
				headed = true
			}
			fmt.Fprintf(out, "  %s %s\n", sign(state), name)
		}
	}
}

// matches reports whether an option is found by a word.
func matches(g configure.Group, name, word string) bool {
	word = strings.ToLower(word)
	return strings.Contains(strings.ToLower(name), word) || strings.Contains(strings.ToLower(g.Name), word)
}

func heading(g configure.Group) string { return g.Name + ": " + g.Rule }

func sign(state byte) string { return strings.Replace(string(state), "?", ".", 1) }

// state returns the state of an option by name, and whether there is such an option.
func (c Chooser) state(look *configure.Outlook, name string) (byte, bool) {
	i := 0
	for _, g := range c.Groups() {
		if at := slices.Index(g.Names, name); at >= 0 {
			return look.States[i+at], true
		}
		i += len(g.Names)
	}
	return 0, false
}

// explain says in lines what an option's state comes from, and which decisions are to blame for it.
func (c Chooser) explain(ctx context.Context, name string, state byte) (lines, blame []string, err error) {
	literal := map[byte]string{'x': name, '!': "-" + name}[state]
	if literal == "" {
		return []string{fmt.Sprintf("%s is %s.", name, states[state])}, nil, nil
	}
	why, err := c.Why(ctx, literal)
	if err != nil {
		return nil, nil, err
	}
	lines = []string{fmt.Sprintf("%s is %s by %s.", name, states[state], why)}
	for i, step := range why.Steps {
		lines = append(lines, fmt.Sprintf("%3d. %s", i+1, step))
	}
	return lines, why.Decisions, nil
}

// summary says how much is left.
func (c Chooser) summary(look *configure.Outlook) string {
	decided := fmt.Sprintf("%d decided", len(c.Decided()))
	switch {
	case !look.Satisfiable && len(c.Decided()) == 0:
		return "No configuration"
	case !look.Satisfiable:
		return "These decisions contradict each other: take one back"
	case look.Left == "":
		return decided
	}
	plural := "s"
	if look.Left == "1" {
		plural = ""
	}
	return fmt.Sprintf("%s configuration%s left, %s", look.Left, plural, decided)
}
