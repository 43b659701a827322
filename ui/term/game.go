package term

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"queens/configure"
	"queens/configure/pool"
)

// Game is what a person or a script plays: a [Player] or a [Chooser].
type Game interface {
	commands() []command
	signs() string // the meanings of the signs of cells or options
}

// command is a word of a script and what it does.
type command struct {
	use  string // the word and its arguments; optional ones in brackets
	help string
	do   action
}

// action carries out a command with its arguments, and writes the answer.
type action func(ctx context.Context, args []string, out io.Writer) error

// history returns the commands that concern a session's history.
func history(s interface {
	Undo() error
	Redo() error
	Clear()
}) []command {
	return []command{
		{"undo", "undo a decision", func(context.Context, []string, io.Writer) error { return s.Undo() }},
		{"redo", "decide it again", func(context.Context, []string, io.Writer) error { return s.Redo() }},
		{"clear", "take all decisions back", func(context.Context, []string, io.Writer) error {
			s.Clear()
			return nil
		}},
	}
}

// Help lists the commands of a game, which need not have started.
func Help(g Game) string {
	var lines []string
	for _, c := range g.commands() {
		lines = append(lines, fmt.Sprintf("%-27s %s", c.use, c.help))
	}
	return strings.Join(append(lines, fmt.Sprintf("%-27s %s", "help", "show this list")), "\n")
}

// obey runs a command, given as its words.
func obey(ctx context.Context, g Game, words []string, out io.Writer) error {
	for _, c := range g.commands() {
		use := strings.Fields(c.use)
		if use[0] != words[0] {
			continue
		}
		given, most := len(words)-1, len(use)-1
		if given > most || given < most-strings.Count(c.use, "[") {
			return fmt.Errorf("command %s: %d arguments, expected %d", words[0], given, most)
		}
		return c.do(ctx, words[1:], out)
	}
	if words[0] == "help" {
		fmt.Fprintf(out, "%s\n\nSigns: %s\n", Help(g), g.signs())
		return nil
	}
	return fmt.Errorf("command %q: unknown; help lists the commands", words[0])
}

// scriptError is an error in a script: the person's mistake.
type scriptError struct{ error }

// OnError says what a script does if a line cannot be carried out. It always writes the error with the
// line's number.
type OnError string

const (
	AsIs OnError = ""      // a refused move is an answer, and a mistake ends the script
	Stop OnError = "stop"  // either ends it
	GoOn OnError = "go-on" // neither does; a mistake is counted, and makes the script an error in the end
)

// Script runs commands, one per line, and writes each command and its answer to w. It skips blank lines
// and comments, which begin with #.
func Script(ctx context.Context, g Game, r io.Reader, file string, on OnError, w io.Writer) error {
	lines := bufio.NewScanner(r)
	line, mistakes := 1, 0
	for ; lines.Scan(); line++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		err := readable(text)
		if err == nil {
			fmt.Fprintf(w, "> %s\n", strings.Join(words, " "))
			err = obey(ctx, g, words, w)
		}
		var refusal *configure.Refusal
		refused := errors.As(err, &refusal) && !refusal.Misnamed
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case on == GoOn, refused && on != Stop:
			fmt.Fprintf(w, "Line %d: %v.\n", line, err)
			if !refused {
				mistakes++
			}
		default:
			return scriptError{fmt.Errorf("%s:%d:%d: %w", file, line, 1+strings.Index(text, words[0]), err)}
		}
	}
	if err := lines.Err(); err != nil {
		return scriptError{fmt.Errorf("%s:%d: %w", file, line, err)}
	}
	if mistakes > 0 {
		return scriptError{fmt.Errorf("%s: %s cannot be carried out", file, plural(strconv.Itoa(mistakes), "line"))}
	}
	return nil
}

// readable refuses control characters, which might command the terminal that shows the script.
func readable(line string) error {
	for _, r := range line {
		if unicode.IsControl(r) && r != '\t' {
			return fmt.Errorf("control character %q: expected text", r)
		}
	}
	return nil
}

// BadInput reports whether an error is the person's fault, not the program's: an invalid
// script, state or name.
func BadInput(err error) bool {
	var refusal *configure.Refusal
	var unsupported *pool.UnsupportedError
	return errors.As(err, new(scriptError)) || errors.As(err, &refusal) || errors.As(err, &unsupported)
}

// plural writes a number and a noun.
func plural(count, what string) string {
	if count != "1" {
		what += "s"
	}
	return count + " " + what
}
