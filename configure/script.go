package configure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"queens/backends"
	"queens/board"
	"queens/encode"
)

// Save writes the session as text: the board size, the actions in order, one
// per line, and the mode. Loading it restores the history as well as the state.
//
//	queens 8
//	place a1
//	block d4
//	undo
//	forced suggest
func (s *Session) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "queens %d\n", s.state.N)
	// A session opened at a state begins with that state's decisions.
	first := s.state
	if len(s.past) > 0 {
		first = s.past[0].before
	} else if len(s.future) > 0 {
		first = s.future[len(s.future)-1].before
	}
	for _, c := range first.Blocked {
		fmt.Fprintf(b, "block %s\n", c)
	}
	for _, c := range first.Placed {
		fmt.Fprintf(b, "place %s\n", c)
	}
	for _, step := range s.past {
		fmt.Fprintln(b, step.command)
	}
	for i := len(s.future) - 1; i >= 0; i-- {
		fmt.Fprintln(b, s.future[i].command)
	}
	for range s.future {
		fmt.Fprintln(b, "undo")
	}
	// The mode comes last, since a queen that is now placed automatically may have
	// been placed by hand before.
	if s.state.Mode != Off {
		fmt.Fprintf(b, "forced %s\n", s.state.Mode)
	}
	return b.Flush()
}

// LineError is an error in a line of a script or a saved session, and where it is.
type LineError struct {
	File         string
	Line, Column int
	Err          error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}
func (e *LineError) Unwrap() error { return e.Err }

// Lines calls do with the words of each line. Blank lines and comments, which begin with #,
// are skipped. It stops at the first error, which it returns as a [*LineError].
func Lines(r io.Reader, file string, do func(words []string) error) error {
	scan := bufio.NewScanner(r)
	line := 1
	for ; scan.Scan(); line++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := do(words); err != nil {
			return &LineError{file, line, 1 + len(text) - len(strings.TrimLeft(text, " \t")), err}
		}
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is longer than %d bytes: expected one command per line",
			file, line, bufio.MaxScanTokenSize)
	case err != nil:
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}

// Load reads a session as [Session.Save] writes it, line by line as [Lines] does. open makes
// the back-end for the board size. A refused action is an error.
func Load(ctx context.Context, r io.Reader, file string, open func(n int) (backends.Oracle, error)) (*Session, error) {
	var s *Session
	err := Lines(r, file, func(words []string) error {
		if s == nil {
			n, err := 0, error(nil)
			if len(words) == 2 && words[0] == "queens" {
				n, err = strconv.Atoi(words[1])
			}
			if err != nil || n < 1 || n > encode.MaxN {
				return fmt.Errorf("%q: expected queens and the board size, as in queens 8", strings.Join(words, " "))
			}
			oracle, err := open(n)
			s = New(n, oracle)
			return err
		}
		known, err := s.Do(ctx, words)
		if err == nil && !known {
			err = fmt.Errorf("command %q: expected one of %s", words[0], strings.Join(Commands(), ", "))
		}
		return err
	})
	if err == nil && s == nil {
		err = &LineError{file, 1, 1, errors.New("expected queens and the board size, as in queens 8")}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Commands lists the commands that [Session.Do] knows, with their arguments.
func Commands() []string {
	return []string{"place CELL", "remove CELL", "block CELL", "unblock CELL", "clear", "undo", "redo",
		"forced off|suggest|place"}
}

// Do runs a command given as words, as in a saved session, and reports whether
// it knows the command. A refused action returns a [*Refusal] and changes
// nothing.
func (s *Session) Do(ctx context.Context, words []string) (known bool, err error) {
	if len(words) == 0 {
		return false, nil
	}
	onCell := map[string]func(context.Context, board.Cell) error{
		"place": s.Place, "remove": s.Remove, "block": s.Block, "unblock": s.Unblock,
	}
	command, args := words[0], words[1:]
	count := map[string]int{"place": 1, "remove": 1, "block": 1, "unblock": 1, "clear": 0, "undo": 0, "redo": 0,
		"forced": 1}
	want, known := count[command]
	if !known {
		return false, nil
	}
	if len(args) != want {
		return true, fmt.Errorf("command %s: %d arguments, expected %d", command, len(args), want)
	}
	switch command {
	case "clear":
		s.Clear()
	case "undo":
		if !s.Undo() {
			return true, &Refusal{Action: "undo", Why: "nothing has been done"}
		}
	case "redo":
		if !s.Redo() {
			return true, &Refusal{Action: "redo", Why: "nothing has been undone"}
		}
	case "forced":
		mode, err := ParseMode(args[0])
		if err != nil {
			return true, err
		}
		s.SetMode(mode)
	default:
		c, err := board.ParseCell(args[0])
		if err != nil {
			return true, err
		}
		return true, onCell[command](ctx, c)
	}
	return true, nil
}
