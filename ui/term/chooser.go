package term

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"queens/configure"
)

// Chooser is one person's session about the options of a problem.
type Chooser struct {
	*configure.Decisions
	// Counting shows that a count goes on, until done is called; it may be nil.
	Counting func() (done func())
}

var _ Game = Chooser{}

// states gives the meaning of each character of [configure.Outlook]; ? is shown as o.
var states = map[byte]string{'+': "chosen", '-': "excluded", '!': "forced", 'x': "ruled out", '?': "open"}

// commands implements [Game].
func (c Chooser) commands() []command {
	decide := func(sign string) action {
		return func(ctx context.Context, args []string, out io.Writer) error { return c.decide(ctx, sign+args[0], out) }
	}
	return append([]command{
		{"choose NAME", "decide that an option is in", decide("")},
		{"exclude NAME", "decide that it is not", decide("-")},
		{"drop NAME", "take a decision back",
			func(_ context.Context, args []string, _ io.Writer) error { return c.Drop(args[0]) }},
		{"show [WORD]", "show the options with WORD in their names or their group's, and the board if there is one", c.show("+-!x?")},
		{"valid [WORD]", "show only those that are open", c.show("?")},
		{"count", "show the number of configurations left", func(ctx context.Context, _ []string, out io.Writer) error {
			done := func() {}
			if c.Counting != nil {
				done = c.Counting()
			}
			count, err := c.Count(ctx)
			done()
			switch {
			case err != nil:
				return err
			case count == nil:
				fmt.Fprintln(out, "too many to count here: the command count may take longer")
			default:
				fmt.Fprintln(out, count)
			}
			return nil
		}},
		{"explain NAME", "say which decisions force an option or rule it out", c.say},
		{"link", "show the decisions as the last part of a link", func(_ context.Context, _ []string, out io.Writer) error {
			fmt.Fprintln(out, "d="+strings.Join(c.Decided(), ","))
			return nil
		}},
	}, history(c.Decisions)...)
}

// signs implements [Game].
func (c Chooser) signs() string { return "+ chosen  - excluded  ! forced  x ruled out  o open" }

// tellWithin bounds the search for what follows from a decision, which the decision does not need.
const tellWithin = time.Second

// few is the number of options that are named of those that follow.
const few = 5

// decide decides, and says which options that forces or rules out, unless finding them takes too long.
func (c Chooser) decide(ctx context.Context, word string, out io.Writer) error {
	follows := func() string {
		brief, cancel := context.WithTimeout(ctx, tellWithin)
		defer cancel()
		states, _ := c.States(brief)
		return states
	}
	before := follows()
	if err := c.Decide(ctx, word); err != nil || before == "" {
		return err
	}
	after := follows()
	for _, state := range []byte("!x") {
		var names []string
		for i, option := 0, 0; i < len(c.Groups) && after != ""; i++ {
			for _, name := range c.Groups[i].Names {
				if after[option] == state && before[option] != state {
					names = append(names, name)
				}
				option++
			}
		}
		if count := len(names); count > 0 {
			if count > few {
				names = append(names[:few], "...")
			}
			fmt.Fprintf(out, "  %d %s: %s\n", count, states[state], strings.Join(names, " "))
		}
	}
	return nil
}

// show returns what writes the options in some states that match a word, and the board, if there is one and all states are
// shown.
func (c Chooser) show(wanted string) action {
	return func(ctx context.Context, args []string, out io.Writer) error {
		look, err := c.Look(ctx)
		if err != nil {
			return err
		}
		if p := c.Picture; p != nil && len(wanted) > 1 {
			fmt.Fprint(out, p.Draw(look.States))
		}
		heads := -1 // the group whose heading is written
		for _, r := range c.rows(strings.Join(args, ""), func(int) bool { return true }) {
			if r.name == "" || !strings.Contains(wanted, look.States[r.option:r.option+1]) {
				continue
			}
			if heads != r.group {
				heads = r.group
				fmt.Fprintln(out, heading(c.Groups[r.group]))
			}
			fmt.Fprintf(out, "  %s %s\n", sign(look.States[r.option]), r.name)
		}
		fmt.Fprintln(out, c.summary(look)+".")
		return nil
	}
}

// say writes an explanation of an option's state.
func (c Chooser) say(ctx context.Context, args []string, out io.Writer) error {
	look, err := c.Look(ctx)
	if err != nil {
		return err
	}
	at, name, err := c.Option(args[0])
	if err != nil {
		return err
	}
	lines, _, err := c.explain(ctx, name, look.States[at])
	if err == nil {
		fmt.Fprintln(out, strings.Join(lines, "\n"))
	}
	return err
}

// row is a line of the list of options: a group's heading, or an option of it.
type row struct {
	group  int
	name   string // empty for a heading
	option int    // index among all options
}

// rows lists the groups, with the options of the open ones. If word is not empty, it lists instead the
// options whose names, or whose group's name, contain the word, with their groups.
func (c Chooser) rows(word string, open func(group int) bool) (rows []row) {
	word = strings.ToLower(word)
	option := 0
	for i, g := range c.Groups {
		found := []row{{group: i, option: option}}
		for _, name := range g.Names {
			if word == "" && open(i) || word != "" && strings.Contains(strings.ToLower(g.Name+"\n"+name), word) {
				found = append(found, row{i, name, option})
			}
			option++
		}
		if word == "" || len(found) > 1 {
			rows = append(rows, found...)
		}
	}
	return rows
}

func heading(g configure.Group) string { return g.Name + ": " + g.Rule }

func sign(state byte) string { return strings.Replace(string(state), "?", configure.Valid.Sign(), 1) }

// explain returns lines that explain an option's state, and the decisions to blame for it.
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
	if len(why.Steps) == 0 {
		lines = append(lines, "There are no steps, since only a search shows this.")
	}
	return lines, why.Decisions, nil
}

// summary says how many configurations are left.
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
	return plural(look.Left, "configuration") + " left, " + decided
}
